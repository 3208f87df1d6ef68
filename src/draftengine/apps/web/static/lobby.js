// A new table: which game, with which variants, who sits where.

import { alarm, el, remember, rememberTable, remembered, replace } from "./dom.js";
import { languageChoice } from "./language.js";
import { SHAPES, card } from "./faces.js";
import { ask } from "./net.js";
import { language, listed, phrase } from "./phrases.js";

const LEVELS = ["easy", "medium", "hard"];

export async function lobby(place, bar) {
  const drawBar = (languages) => bar("draftengine", [el("span", {}, phrase("title.new"))], [
    languageChoice(languages),
    el("a", { class: "button quiet", href: "/games" }, phrase("title.past")),
    el("a", { class: "button quiet", href: "/score" }, phrase("title.score")),
  ]);
  document.title = phrase("title.tab", { page: phrase("title.new") });
  drawBar([]);
  const { sets, uploads } = await ask(`/api/sets?language=${language()}`);
  drawBar([...new Set(sets.flatMap((own) => own.languages))]);
  const chosen = {
    set: sets.find((own) => own.id === remembered("set", "")) ?? sets[0],
    variants: [],
    readings: {},
    seats: [],
    options: { hints: true, effects: true, memory: true },
    problems: { now: [], beside: {} },
  };
  let tables = [];
  const name = () => remembered("name", "");
  chosen.variants = [...chosen.set.played];
  chosen.seats = [{ kind: "person", name: name() }, ...Array.from({ length: chosen.set.usual - 1 }, () => ({ kind: "bot", level: "medium" }))];

  async function check() {
    fit();
    draw();
    const { set, seats } = chosen;
    const found = await ask("/api/problems", { ...named(set), variants: selection(), players: seats.length });
    chosen.problems = found;
    draw();
  }

  /** What is played, as on the command line: variants, and readings that are not the usual ones. */
  const selection = () => [...chosen.variants, ...Object.entries(chosen.readings).map(([name, option]) => `${name}=${option}`)];

  function fit() {
    const [fewest, most] = chosen.set.players;
    while (chosen.seats.length < fewest) chosen.seats.push({ kind: "bot", level: "medium" });
    while (chosen.seats.length > most) chosen.seats.pop();
  }

  function pick(set) {
    chosen.set = set;
    chosen.variants = [...set.played];
    chosen.readings = {};
    chosen.problems = { now: [], beside: {} };
    remember("set", set.id);
    check();
  }

  function toggle(variant) {
    const { set, variants } = chosen;
    if (variants.includes(variant.id)) chosen.variants = variants.filter((own) => own !== variant.id);
    else {
      const peers = variants.filter((id) => variant.group && set.variants.find((own) => own.id === id).group === variant.group);
      const gone = peers.length >= (set.allowances[variant.group] ?? 1) ? peers[0] : "";
      chosen.variants = [...variants.filter((own) => own !== gone), variant.id];
    }
    check();
  }

  async function begin() {
    const mine = chosen.seats.filter((own) => own.kind === "person");
    for (const own of mine) own.name = own.name?.trim() || (own === mine[0] ? "Ada" : phrase("seat.player", { number: chosen.seats.indexOf(own) + 1 }));
    remember("name", mine[0].name);
    alarm("");
    try {
      const made = await ask("/api/tables", { ...named(chosen.set), variants: selection(), seats: chosen.seats, ...chosen.options });
      rememberTable(made.table, Object.entries(made.tokens).map(([seat, token]) => ({ seat: Number(seat), token })));
      location.assign(`/t/${made.table}`);
    } catch (error) {
      alarm(error.message);
    }
  }

  /** How the server knows a card set: by its name, or by its text if somebody brought it. */
  const named = (set) => (set.upload ? { upload: set.upload } : { set: set.id });

  async function bring(file) {
    alarm("");
    try {
      const upload = await file.text();
      const set = { ...await ask("/api/sets", { upload, language: language() }), upload, file: file.name };
      const at = sets.findIndex((own) => own.file === set.file);
      sets.splice(at < 0 ? sets.length : at, at < 0 ? 0 : 1, set);
      pick(set);
    } catch (error) {
      alarm(error.message);
    }
  }

  function bringer() {
    const input = el("input", { type: "file", class: "unseen", accept: ".yaml,.yml", "aria-label": phrase("lobby.bring.file"), "data-focus": "upload", change: () => input.files[0] && bring(input.files[0]) });
    return el("label", { class: "button wide bring" }, input, phrase("lobby.bring"));
  }

  function draw() {
    const { set, problems } = chosen;
    const readings = set.readings.filter((own) => own.options.length > 1 && (own.with.length === 0 || own.with.some((id) => chosen.variants.includes(id))));
    const free = chosen.seats.filter((own) => own.kind === "free").length;
    replace(place, el("div", { class: "lobby" },
      el("div", { class: "column" },
        tables.length > 0 && el("section", { class: "box", "aria-labelledby": "tables" }, el("h2", { id: "tables" }, phrase("lobby.tables")),
          el("ul", { class: "table-list" }, tables.map(tableRow))),
        el("section", { class: "box", "aria-labelledby": "game" }, el("h2", { id: "game" }, phrase("lobby.game")),
          el("div", { class: "choices", role: "radiogroup", "aria-labelledby": "game" }, sets.map(gameChoice)),
          uploads && bringer()),
        set.variants.length > 0 && el("section", { class: "box", "aria-labelledby": "variants" },
          el("h2", { id: "variants" }, phrase("lobby.variants")),
          problems.now.length > 0 && el("p", { class: "problem" }, problems.now.join(" ")),
          set.menus.length > 0 && el("div", { class: "tabs", role: "group", "aria-label": phrase("lobby.menus") }, set.menus.map(menuChoice)),
          set.variants.map((own, at) => [groupTitle(own, set.variants[at - 1]), variantChoice(own)]),
          set.exclusions.map((text) => el("p", { class: "caption" }, text))),
        readings.length > 0 && el("section", { class: "box", "aria-labelledby": "readings" },
          el("h2", { id: "readings" }, phrase("lobby.readings")),
          readings.map(readingChoice))),
      el("div", { class: "column" },
        el("section", { class: "box", "aria-labelledby": "seats" }, el("h2", { id: "seats" }, phrase("lobby.seats")),
          el("ol", { class: "seat-list" }, chosen.seats.map(seatRow)),
          chosen.seats.length < set.players[1] && el("button", {
            class: "wide", "data-focus": "add", click: () => { chosen.seats.push({ kind: "free" }); check(); },
          }, phrase("lobby.add"))),
        el("section", { class: "box", "aria-label": phrase("lobby.options") },
          option("hints"),
          option("effects"),
          option("memory"),
          el("button", { class: "main wide", "data-focus": "begin", disabled: problems.now.length > 0, click: begin },
            free ? phrase("lobby.invite", { count: free }) : phrase("lobby.begin"))))));
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

  function tableRow(own) {
    const names = (seats) => listed(seats.filter((at) => !own.mine.includes(at) && own.names[at]).map((at) => own.names[at]));
    const others = names([...own.names.keys()]);
    const state = own.over ? phrase("lobby.over") : own.turn ? phrase(own.begun ? "lobby.turn" : "lobby.start")
      : names(own.begun ? own.waiting : [own.host]) ? phrase("choose.waiting", { names: names(own.begun ? own.waiting : [own.host]) }) : phrase("choose.all");
    return el("li", {}, el("span", { class: "grow" }, el("strong", {}, own.title), others && el("span", { class: "caption" }, phrase("lobby.with", { names: others })),
      el("span", { class: `state${own.turn ? " good" : ""}` }, state)),
    el("a", { class: "button", href: `/t/${encodeURIComponent(own.id)}`, "aria-label": phrase("lobby.go.on", own), "data-focus": `table ${own.id}` }, phrase("lobby.go")));
  }

  function gameChoice(own) {
    const selected = own === chosen.set;
    const [fewest, most] = own.players;
    const players = fewest === most ? phrase("players.n", { count: most }) : phrase("players.range", { fewest, most });
    const facts = [players, own.rounds > 1 && phrase("rounds.n", { count: own.rounds }), own.minutes && phrase("minutes.n", { count: own.minutes })].filter(Boolean);
    return el("button", {
      class: `choice${selected ? " selected" : ""}`, role: "radio", "aria-checked": String(selected), "data-focus": `set ${own.id}`,
      click: () => pick(own),
    },
    el("span", { class: "fan", "aria-hidden": "true" }, Object.keys(own.drawn).map((id) => card(own, id, { size: "tiny" }))),
    el("span", { class: "choice-words" }, el("strong", {}, own.title), el("span", { class: "caption" }, facts.join(" · ")),
      selected && own.text && el("span", { class: "caption" }, own.text)));
  }

  function variantChoice(own) {
    const on = chosen.variants.includes(own.id);
    const against = on ? [] : chosen.problems.beside[own.id] ?? [];
    const peers = own.group ? chosen.set.variants.filter((other) => other.group === own.group).length : 1;
    return el("label", { class: `line${against.length ? " off" : ""}` },
      el("input", { type: "checkbox", class: peers > 1 && !chosen.set.allowances[own.group] ? "round" : "", checked: on, disabled: against.length > 0, "data-focus": `variant ${own.id}`, change: () => toggle(own) }),
      el("span", {}, el("strong", {}, own.title), el("span", { class: "caption" }, own.text),
        against.length > 0 && el("span", { class: "caption why" }, against.join(" "))));
  }

  /** Before the first variant of a group of which several are played: what the group is called, and how many. */
  function groupTitle(own, before) {
    const many = chosen.set.allowances[own.group];
    if (!many || before?.group === own.group) return null;
    const title = own.group.replaceAll("_", " ");
    return el("p", { class: "group-title" }, phrase("lobby.choose", { group: `${title[0].toUpperCase()}${title.slice(1)}`, count: many }));
  }

  function menuChoice(own) {
    const same = own.variants.length === chosen.variants.length && own.variants.every((id) => chosen.variants.includes(id));
    return el("button", { class: "small", "aria-pressed": String(same), "data-focus": `menu ${own.title}`, click: () => { chosen.variants = [...own.variants]; check(); } }, own.title);
  }

  function readingChoice(own) {
    const now = chosen.readings[own.id] ?? own.usual;
    const pick_ = (id) => {
      if (id === own.usual) delete chosen.readings[own.id];
      else chosen.readings[own.id] = id;
      check();
    };
    return el("fieldset", { class: "reading" }, el("legend", {}, own.question),
      own.options.map((each) => el("label", { class: "line" },
        el("input", { type: "radio", name: `reading ${own.id}`, checked: each.id === now, "data-focus": `reading ${own.id}=${each.id}`, change: () => pick_(each.id) }),
        el("span", {}, each.text, each.id === own.usual && el("span", { class: "caption" }, [phrase("lobby.usual"), own.reason].filter(Boolean).join(" "))))));
  }

  function option(id) {
    return el("label", { class: "line" },
      el("input", { type: "checkbox", checked: chosen.options[id], "data-focus": `option ${id}`, change: (event) => { chosen.options[id] = event.target.checked; } }),
      el("span", {}, el("strong", {}, phrase(`lobby.${id}`)), el("span", { class: "caption" }, phrase(`lobby.${id}.about`))));
  }

  function seatRow(own, at) {
    const first = at === 0;
    const kinds = [["free", phrase("seat.friend")], ["person", phrase("seat.here")], ...LEVELS.map((level) => [level, phrase("bot.level", { level: phrase(`level.${level}`) })])];
    const value = own.kind === "bot" ? own.level : own.kind;
    const note = own.kind === "free" ? phrase("seat.free.about") : own.kind === "bot" ? phrase(`level.${own.level}.about`) : phrase(first ? "seat.you" : "seat.pass");
    return el("li", {},
      el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
      el("span", { class: "grow" },
        own.kind === "person"
          ? el("input", { type: "text", maxlength: 24, placeholder: phrase(first ? "seat.name" : "seat.other"), "aria-label": phrase("seat.name.at", { number: at + 1 }), "data-focus": `name ${at}`, value: own.name ?? "", input: (event) => { own.name = event.target.value; } })
          : el("strong", {}, phrase(own.kind === "free" ? "seat.free" : "bot")),
        el("span", { class: "caption" }, note)),
      !first && el("select", { "aria-label": phrase("seat.who.at", { number: at + 1 }), "data-focus": `kind ${at}`, change: (event) => {
        const kind = event.target.value;
        chosen.seats[at] = ["free", "person"].includes(kind) ? { kind } : { kind: "bot", level: kind };
        draw();
      } }, kinds.map(([id, title]) => el("option", { value: id, selected: id === value }, title))),
      !first && chosen.seats.length > chosen.set.players[0] && el("button", {
        class: "quiet", "aria-label": phrase("seat.remove", { number: at + 1 }), "data-focus": `remove ${at}`, click: () => { chosen.seats.splice(at, 1); check(); },
      }, "✕"));
  }

  check();
  findTables();
}
