// The first page: one tap to a game, the tables of this browser, and all other games.

import { alarm, el, find, overlay, remember, rememberTable, remembered, replace, sign } from "./dom.js";
import { SHAPES, card } from "./faces.js";
import { OPTIONS, ask } from "./net.js";
import { language, languageChoice, listed, phrase, records } from "./phrases.js";

/** The first pause between two questions about the shelf, in milliseconds; each is twice as long as the one before. */
const SOON = 1000;

/** All games, as they are asked for before the page has its words. */
export const ahead = () => ask(`/api/sets?language=${language()}`);

export async function lobby(place, bar, _, asked) {
  const drawBar = (languages) => bar("draftengine", [], [
    languageChoice(languages),
    el("a", { class: "button quiet wide-only", href: "/games" }, phrase("title.past")),
    el("a", { class: "button quiet wide-only", href: "/score" }, phrase("title.score")),
  ]);
  document.body.dataset.page = "lobby";
  document.title = phrase("title.tab", { page: phrase("title.new") });
  drawBar([]);
  const { sets, uploads, workshop, ...shared } = await asked;
  drawBar([...new Set(sets.flatMap((own) => own.languages))]);
  const first = sets.find((own) => own.id === remembered("set", "")) ?? sets[0];
  let { shelf, waiting } = shared, tables = [], mine = [], opening = false, invited = null, faulty = null;

  /** Open a table with these seats, once however often it is asked for; the game begins at once where nobody is invited. Throws what the server refuses. */
  async function open(set, seats, more = {}) {
    if (opening) return;
    opening = true;
    const named = { ...seats[0], name: remembered("name", "").trim() || phrase("seat.guest") };
    alarm("");
    remember("set", set.id);
    try {
      const made = await ask("/api/tables", {
        ...(set.upload ? { upload: set.upload } : { set: set.id }), variants: set.played, ...OPTIONS, ...more, seats: [named, ...seats.slice(1)],
      });
      rememberTable(made.table, Object.entries(made.tokens).map(([seat, token]) => ({ seat: Number(seat), token })));
      if (seats.every((own) => own.kind !== "free")) remember("begin", made.table);
      location.assign(`/t/${made.table}`);
    } finally {
      opening = false;
    }
  }

  const start = () => open(first, [{ kind: "person" }, ...Array.from({ length: first.usual - 1 }, () => ({ kind: "bot", level: "medium" }))]).catch((error) => alarm(error.message));
  const choose = async (set, kind = "bot") => (await import("./newgame.js")).newGame(set, open, kind);

  async function bring(file) {
    alarm("");
    faulty = null;
    const linked = async (text) => workshop && (await import("./workshop/drafts.js")).linkTo(text);
    let upload = "";
    try {
      upload = await file.text();
      const made = await ask("/api/sets", { upload, language: language() });
      const set = { ...made, upload, file: file.name, link: await linked(upload) };
      const at = sets.findIndex((own) => own.file === set.file);
      sets.splice(at < 0 ? sets.length : at, at < 0 ? 0 : 1, set);
      draw();
      choose(set);
    } catch (error) {
      if (error.findings) faulty = { file: file.name, ...error, link: await linked(upload) };
      else alarm(error.message);
      draw();
      find(".faulty")?.scrollIntoView({ block: "nearest" });
    }
  }

  /** What is wrong with a file that somebody chose, until another one is chosen. */
  function faults({ file, findings, errors, link }) {
    return el("div", { class: "box faulty", role: "alert" },
      el("h3", {}, phrase("land.own.faulty", { file, count: errors })),
      el("ul", {}, findings.map(({ line, column, message, hint }) => el("li", {},
        el("strong", {}, phrase("land.own.place", { line, column })), " ", message, hint && el("span", { class: "caption" }, hint))), errors > findings.length && el("li", {}, "…")),
      link && el("a", { class: "button main", href: link, "data-focus": "mend" }, phrase("land.own.mend")));
  }

  function draw() {
    const others = shelf.filter((own) => !mine.some((game) => game.shelf?.rule === own.shelf));
    replace(place, el("div", { class: "first-page" },
      el("section", { class: "hero" },
        el("div", { class: "hero-words" }, el("h2", {}, phrase("land.title")), el("p", {}, phrase("land.text"))),
        el("span", { class: "hero-art", "aria-hidden": "true" }, Object.keys(first.drawn).map((id) => card(first, id, { size: "large" })), card(first, "", { size: "large" })),
        el("div", { class: "start" },
          whoPlays(),
          el("button", { class: "main start-now", "data-focus": "now", click: start },
            sign("play"), el("span", {}, el("strong", {}, phrase("land.now")), el("span", {}, phrase(first.minutes ? "land.now.minutes" : "land.now.about", { game: first.title, bots: first.usual - 1, minutes: first.minutes })))),
          el("button", { class: "start-now", "data-focus": "friends", click: () => choose(first, "free") },
            sign("friends"), el("span", {}, el("strong", {}, phrase("land.friends")), el("span", {}, phrase("land.friends.about")))))),
      tables.length > 0 && el("section", { "aria-labelledby": "tables" }, el("h2", { id: "tables" }, phrase("lobby.tables")),
        el("ul", { class: "table-list" }, tables.map(tableRow))),
      mine.length > 0 && el("section", { "aria-labelledby": "mine" }, el("h2", { id: "mine" }, phrase("shop.mine")),
        el("ul", { class: "table-list" }, mine.map(gameRow))),
      el("section", { "aria-labelledby": "games" }, el("h2", { id: "games" }, phrase("land.games")),
        el("ul", { class: "tiles" }, sets.map(tile))),
      others.length + waiting > 0 && el("section", { "aria-labelledby": "shelf" }, el("h2", { id: "shelf" }, phrase("shop.shelf")), el("ul", { class: "tiles" }, others.map(tile)),
        waiting > 0 && el("p", { class: "caption" }, phrase("shop.soon"))),
      uploads && el("section", { "aria-labelledby": "own" }, el("h2", { id: "own" }, phrase("land.own")), bringer(), faulty && faults(faulty)),
      el("p", { class: "row narrow-only" },
        el("a", { class: "button quiet", href: "/games" }, phrase("title.past")), el("a", { class: "button quiet", href: "/score" }, phrase("title.score"))),
      records() && el("p", { class: "caption" }, el("strong", {}, phrase("record.title")), ": ", records()),
      invited && el("p", {}, el("button", { "data-focus": "install", click: () => { invited.prompt(); invited = null; draw(); } }, phrase("land.install")))));
  }

  function whoPlays() {
    return el("label", { class: "you" }, el("span", {}, phrase("land.you")), el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[0]),
      el("input", {
        type: "text", maxlength: 24, placeholder: phrase("seat.name"), "aria-label": phrase("seat.name"), "data-focus": "name 0", value: remembered("name", ""),
        input: (event) => remember("name", event.target.value),
      }));
  }

  function tile(own) {
    return el("li", {}, el("button", { class: "tile", "data-focus": `set ${own.id}`, click: () => choose(own) },
      el("span", { class: "tile-art", "aria-hidden": "true" }, Object.keys(own.drawn).map((id) => card(own, id, { size: "medium" }))),
      el("strong", {}, own.title), el("span", { class: "caption" }, facts(own).join(" · ")), own.base && el("span", { class: "caption" }, phrase("shop.of", own))),
      workshop && own.open !== false && el("a", { class: "caption change", href: own.link ?? `/workshop/new?${own.shelf ? "shelf" : "extends"}=${encodeURIComponent(own.shelf ?? own.id)}`, "aria-label": `${phrase("shop.change")}: ${own.title}`, "data-focus": `change ${own.id}` }, phrase("shop.change")));
  }

  function bringer() {
    const input = el("input", { type: "file", class: "unseen", accept: ".yaml,.yml", "aria-label": phrase("lobby.bring.file"), "data-focus": "upload", change: () => { const [file] = input.files; input.value = ""; if (file) bring(file); } });
    const drop = (event) => { event.preventDefault(); const [file] = event.dataTransfer?.files ?? []; if (file) bring(file); };
    return el("label", { class: "bring", dragover: (event) => event.preventDefault(), drop }, input, sign("file"), el("span", { class: "grow" }, phrase("land.own.about")), el("span", { class: "button" }, phrase("land.own.choose")));
  }

  /** The tables of this browser that are still there, those first that wait for somebody here. */
  async function findTables() {
    const found = await Promise.all(remembered("tables", []).map(async (id) => {
      try {
        const own = await ask(`/api/tables/${encodeURIComponent(id)}/now?language=${language()}`);
        const mine = remembered(`table ${id}`, []).map((seat) => seat.seat);
        return { ...own, id, mine, turn: own.begun ? own.waiting.some((at) => mine.includes(at)) : mine.includes(own.host) };
      } catch (error) {
        if (error.code === "no-such-table") rememberTable(id, []);
        return null;
      }
    }));
    tables = found.filter(Boolean).sort((one, other) => other.turn - one.turn);
    draw();
  }

  /** The games that somebody writes in this browser; what reads them is asked for only where there may be some. */
  async function findGames() {
    const kept = await indexedDB.databases?.();
    if (kept && !kept.some(({ name }) => name === "draftengine")) return;
    const drafts = await import("./workshop/drafts.js");
    mine = (await drafts.ownGames()).map((own) => ({ ...own, drop: () => drafts.dropGame(own.shop).then(findGames) }));
    draw();
  }

  /** The house rules on the shelf of this server that came with neither the page nor an earlier answer. */
  async function findShelf() {
    for (let pause = SOON; waiting; pause *= 2) {
      ({ sets: shelf, waiting } = await ask(`/api/shelf?language=${language()}`).catch(() => ({ sets: shelf, waiting: 0 })));
      draw();
      if (waiting) await new Promise((go) => setTimeout(go, pause));
    }
  }

  function gameRow({ shop, file, title, text, at, shelf: there, drop }) {
    const base = sets.find((own) => own.id === /^extends: *(\w+)/m.exec(text)?.[1]);
    const sure = () => {
      const box = overlay(phrase("shop.mine.drop"), el("p", {}, phrase("shop.mine.sure", { title })),
        el("p", { class: "row" }, el("button", { class: "main", "data-focus": "drop", click: () => { box.close(); drop(); } }, phrase("shop.mine.drop"))));
    };
    return el("li", { class: "own-game" }, el("a", { href: `/workshop/${shop}`, "data-focus": `game ${shop}` },
      el("span", { class: "grow" }, el("strong", {}, title), el("span", { class: "caption" }, [file || (base && phrase("shop.of", { base: base.title })), new Date(at).toLocaleDateString(document.documentElement.lang)].filter(Boolean).join(" · "))),
      there && el("span", { class: "state" }, phrase("shop.shelf.done"))),
    !file && !there && el("button", { class: "quiet", "data-focus": `drop ${shop}`, "aria-label": `${phrase("shop.mine.drop")}: ${title}`, click: sure }, "✕"));
  }

  function tableRow(own) {
    const names = (seats) => listed(seats.filter((at) => !own.mine.includes(at) && own.names[at]).map((at) => own.names[at]));
    const others = names([...own.names.keys()]), waiting = names(own.begun ? own.waiting : [own.host]);
    const state = own.over ? phrase("lobby.over") : own.turn ? phrase(own.begun ? "lobby.turn" : "lobby.start") : waiting ? phrase("choose.waiting", { names: waiting }) : phrase("choose.all");
    return el("li", {}, el("a", { class: own.turn ? "turn" : "", href: `/t/${encodeURIComponent(own.id)}`, "aria-label": `${phrase("lobby.go.on", own)}. ${state}`, "data-focus": `table ${own.id}` },
      el("span", { class: "grow" }, el("strong", {}, own.title), others && el("span", { class: "caption" }, phrase("lobby.with", { names: others }))),
      el("span", { class: "state" }, state)));
  }

  draw();
  findTables();
  if (workshop) findGames();
  findShelf();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) findTables(); });
  addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); invited = event; draw(); });
}

/** What is known of a game before it begins: players, rounds, minutes. */
export function facts(own) {
  const [fewest, most] = own.players;
  const players = fewest === most ? phrase("players.n", { count: most }) : phrase("players.range", { fewest, most });
  return [players, own.minutes ? phrase("minutes.n", { count: own.minutes }) : own.rounds > 1 && phrase("rounds.n", { count: own.rounds })].filter(Boolean);
}
