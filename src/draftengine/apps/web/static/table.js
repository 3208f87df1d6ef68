// A table: who sits there, the game as this seat sees it, and what can be chosen. It knows no game: groups, progress,
// points and legal moves come from the server.

import { alarm, capital, el, find, overlay, remember, rememberTable, remembered, replace, say, svg } from "./dom.js";
import { SHAPES, about, card, cardIn, words } from "./faces.js";
import { languageChoice } from "./language.js";
import { Line, ask } from "./net.js";
import { listed, phrase, refusal } from "./phrases.js";
import { sheet, standings } from "./sheet.js";

const KEYS = [..."1234567890abcdefgijk"];
const EMPTY = { cards: [] };
/** How the lines of a chart are told apart without their colours. */
const DASHES = ["none", "6 2", "1.5 1.5", "9 2 2 2", "3 2", "12 3", "6 2 2 2 2 2", "1.5 4"];
/** Milliseconds after a reveal in which something may still move. */
const LONGEST = 2500;
/** Milliseconds of a long press. */
const HOLD = 500;

export function tablePage(place, bar, table, film = null) {
  let mine = film ? [] : remembered(`table ${table}`, []);
  if (location.hash.length > 20) {
    const token = decodeURIComponent(location.hash.slice(1));
    if (!mine.some((own) => own.token === token)) mine = [...mine, { seat: -1, token }];
    history.replaceState(null, "", location.pathname);
  }
  let line = null;
  let shown = null;
  let rules = null;
  let before = null;
  let fresh = new Map();
  let story = [];
  let begun = null;
  let covered = null;
  let hint = null;
  let ready = null;
  let moved = { at: -Infinity, seen: false };
  let hiding = false;
  let lettersOff = remembered("letters off", false);
  let arrived = [];
  let seenFor = "";
  let hostBefore = null;

  const me = () => shown?.seat ?? -1;
  const seatName = (seat) => shown.seats[seat]?.name || rules?.extra[seat - shown.seats.length] || phrase("seat.nobody");
  const game = () => shown?.game;
  const thing = (id) => rules.things[id] ?? rules.cards[id]?.label ?? id;
  const toChoose = () => !film && game() && !game().over && game().waiting.includes(me());

  document.addEventListener("visibilitychange", catchUp);
  if (film) film.show = (message) => { hint = null; ready = message.decision.join(); news(message); draw(); };
  else connect(mine[0]?.token ?? null);

  function connect(token) {
    line?.close();
    begun = hint = null;
    fresh = new Map();
    story = [];
    arrived = [];
    before = null;
    line = new Line(table, token, heard, mine.map((own) => own.token).filter((own) => own !== token).slice(0, 20));
  }

  function heard(message) {
    if (message.type === "away") {
      alarm(phrase("away"));
      document.body.classList.add("away");
    } else if (message.type === "refused") {
      if (message.code === "wrong-token") rememberTable(table, mine = mine.filter((own) => own.token !== line.token));
      alarm(refusal(message));
    } else if (message.type === "notice") {
      story = [...story, { part: shown.decision[1], kind: "notice", seat: message.seat, text: message.text }];
      say(message.text);
      draw();
    } else if (message.type === "table") {
      alarm("");
      document.body.classList.remove("away");
      arrived.push(message);
      if (document.hidden) catchUp();
      else if (arrived.length === 1) requestAnimationFrame(catchUp);
    }
  }

  /** Everybody chooses at nearly the same time, so much arrives together: it is drawn once. A page that nobody sees has no frames to wait for, but a title that is seen. */
  function catchUp() {
    if (!arrived.length) return;
    for (const message of arrived.splice(0)) news(message);
    draw();
  }

  function news(message) {
    const revealed = !shown || message.decision.join() !== shown.decision.join();
    if (message.since === 0) story = [];
    story = [...story, ...message.story];
    if (revealed) {
      moved = { at: performance.now(), seen: before !== null && !film };
      fresh = message.game && before?.decision[0] === message.decision[0] ? newCards(before.game, message.game) : new Map();
      before = message;
      begun = hint = null;
    }
    rules = message.rules ?? rules;
    shown = message;
    const own = mine.find((each) => each.token === line?.token);
    if (own && own.seat !== message.seat) {
      own.seat = message.seat;
      rememberTable(table, mine);
    }
    const turn = handOver();
    if (turn && (covered === null || covered.token !== turn.token)) covered = turn;
    if (revealed) tell();
    if (hostBefore !== null && hostBefore !== message.host) say(hostChange() || "");
    hostBefore = message.host;
  }

  /** On one screen for several people: who has to choose next, once this person has. */
  function handOver() {
    if (mine.length < 2 || !game() || game().over) return covered;
    const need = (own) => game().waiting.includes(own.seat) && !shown.seats[own.seat].chosen;
    if (need({ seat: me() })) return covered;
    return mine.find(need) ?? covered;
  }

  /** The cards that came to each tableau since the last reveal. */
  function newCards(then, now) {
    const found = new Map();
    now.seats.forEach(({ tableau }, seat) => {
      const left = new Map();
      for (const name of then?.seats[seat].tableau ?? []) left.set(name, (left.get(name) ?? 0) + 1);
      const added = [];
      for (const name of tableau) {
        if (left.get(name)) left.set(name, left.get(name) - 1);
        else added.push(name);
      }
      if (added.length) found.set(seat, added);
    });
    return found;
  }

  function tell() {
    if (!game()) return;
    const last = story.filter((own) => ["revealed", "rolled", "marker"].includes(own.kind)).slice(-shown.seats.length).map((own) => own.text);
    if (game().over) say(phrase("say.over", { winners: winners() }));
    else if (toChoose()) say(phrase("say.choose", { news: last.join(" "), cards: words(rules, game().hand.flatMap(([name, copies]) => Array(copies).fill(name))) }).trim());
    else say(last.join(" "));
  }

  function winners() {
    const won = game().winners.map(seatName);
    return phrase("over.winner", { names: listed(won), count: won.length });
  }

  async function request(type, data = {}) {
    try {
      alarm("");
      return await line.ask(type, data);
    } catch (error) {
      if (error.code !== "late") alarm(error.message);
      return null;
    }
  }

  // ── Choosing ─────────────────────────────────────────────────────────────────────────────────────────────────────

  const offered = () => begun?.options ?? game()?.options?.options ?? [];

  async function take(option) {
    if (document.body.classList.contains("away")) return;
    hint = null;
    if (option.whole) {
      begun = null;
      await request("choose", { decision: shown.decision, move: option.move });
      return;
    }
    await goOn(option.move);
  }

  async function goOn(move) {
    const found = await request("options", { move });
    if (found) begun = { move, options: found.options, whole: found.whole };
    draw();
  }

  /** The options that take a card (in all its forms), or a place. */
  const optionsFor = (name) => offered().filter((own) => own.card === name || cardIn(own.card) === name);

  function pick(name) {
    const found = optionsFor(name);
    if (found.length === 1) take(found[0]);
    else if (found.length > 1) chooseForm(name, found);
  }

  function chooseForm(name, found) {
    const { label } = about(rules, name);
    const goes = found.some((own) => rules.ways[own.card.split("@").pop()]);
    const box = overlay(phrase(goes ? "form.what" : "form.as", { card: label }),
      el("div", { class: "forms" }, found.map((own) => el("button", { click: () => { box.close(); take(own); } },
        card(rules, own.card, { size: "full" }), el("strong", {}, goes ? capital(rules.ways[own.card.split("@").pop()]?.label ?? own.card) : about(rules, own.card).label), wayText(own), caption(own)))));
  }

  /** What a way does, where its name does not say it. */
  function wayText(option) {
    const text = about(rules, option.card).way;
    return text && el("span", { class: "caption" }, text);
  }

  async function withdraw() {
    begun = null;
    if (game()?.chosen) await request("withdraw", { decision: shown.decision });
    else draw();
  }

  async function advise() {
    if (hint) {
      hint = null;
      draw();
      return;
    }
    const [decision, chosen] = [shown.decision.join(), begun];
    const found = await request("hint");
    if (found && shown.decision.join() === decision && begun === chosen && toChoose() && !game().chosen) {
      hint = found.hints;
      const [first] = hint;
      if (first) say(first.text ? phrase("say.hint", { cards: words(rules, takenBy(first.move)), text: first.text }) : words(rules, takenBy(first.move)));
      draw();
    }
  }

  const takenBy = (move) => [...move.cards, ...Object.values(move.with ?? {}).flat(), ...Object.values(move.for ?? {}).flat()];

  // ── Drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All of it anew, seen from where it was seen before. */
  function draw() {
    if (!shown || !rules) return;
    const top = find(".felt")?.scrollTop ?? 0; // asked before anything changes, or the browser would lay out the old page once more
    const active = toChoose() && !game().chosen;
    document.title = active ? phrase("tab.turn", { game: rules.title }) : rules.title;
    bar(rules.title, heading(), buttons());
    document.body.dataset.page = game() ? "table" : "waiting";
    document.body.dataset.decision = shown.decision.join(".");
    if (!game()) return replace(place, waitingRoom());
    if (covered) return replace(place, cover());
    if (pausing()) return replace(place, pause());
    replace(place, playing());
    find(".felt").scrollTop = top;
    if (active && seenFor !== shown.decision.join()) bringIntoSight();
    seenFor = shown.decision.join();
  }

  /** What can be taken from a layout is not behind the own seat when it is asked for; from then on everybody scrolls as they like. */
  function bringIntoSight() {
    const last = [...place.querySelectorAll("button.place")].pop(), own = find(".seat.me");
    if (last && own) find(".felt").scrollTop += Math.max(0, last.getBoundingClientRect().bottom + 6 - own.getBoundingClientRect().top);
  }

  /** Is a score sheet read: of the round before, until everybody is ready, or at the end. */
  const pausing = () => ready !== shown.decision.join() && (shown.seats[me()]?.reading || game().over) && shown.sheet;

  function heading() {
    if (!game()) return [el("span", {}, rules.variants.join(", "))];
    const own = pausing() ? { ...game(), round: lastSheet().round, turn: 0 } : game();
    return [
      rules.rounds > 1 && el("span", {}, el("span", { class: "wide-only" }, phrase("bar.round"), " "), el("span", { class: "narrow-only" }, phrase("bar.round.short"), " "), `${own.round}/${rules.rounds}`),
      own.turn > 0 && own.turns > 0 && turnDots(own),
      own.turn > 0 && el("span", { class: own.turns ? "wide-only" : "" }, phrase(own.turns ? "bar.turn.of" : "bar.turn", own)),
      rules.variants.length > 0 && el("span", { class: "wide-only caption" }, rules.variants.join(", ")),
    ];
  }

  function turnDots(own) {
    return el("span", { class: "dots", "aria-hidden": "true" },
      Array.from({ length: Math.min(20, own.turns) }, (_, at) => el("span", { class: at + 1 < own.turn ? "done" : at + 1 === own.turn ? "now" : "" })));
  }

  function buttons() {
    if (!game()) return [languageChoice(rules.languages)];
    if (film) return [el("a", { class: "button quiet", href: "/games" }, phrase("title.past"))];
    return [
      shown.watching > 0 && el("span", { class: "caption wide-only" }, phrase("bar.watching", { count: shown.watching })),
      el("button", { class: "quiet", "data-focus": "scores", "aria-label": phrase("bar.scores.so_far"), click: scores }, el("span", { class: "wide-only" }, phrase("bar.scores")), el("span", { class: "narrow-only" }, "Σ")),
      el("button", { class: "quiet narrow-only", "data-focus": "log", "aria-label": phrase("bar.log"), click: log }, "☰"),
      el("button", { class: "quiet", "data-focus": "help", "aria-label": phrase("bar.help"), click: help }, "?"),
    ];
  }

  function waitingRoom() {
    const free = shown.seats.filter((own) => own.kind === "free").length;
    const host = me() >= 0 && me() === shown.host;
    const address = `${location.origin}/t/${table}`;
    return el("div", { class: "lobby" },
      el("div", { class: "column" },
        el("section", { class: "box" }, el("h2", {}, phrase("lobby.seats")),
          el("ol", { class: "seat-list" }, shown.seats.map((own, at) => el("li", {},
            el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
            el("span", { class: "grow" }, el("strong", {}, own.name || phrase("seat.free")), " ",
              el("span", { class: "caption inline" }, at === me() ? phrase("seat.you") : own.kind === "bot" ? phrase("bot.seat", { level: phrase(`level.${own.level}`) }) : at === shown.host ? phrase("seat.host") : ""),
              el("span", { class: "caption" }, own.kind === "person" ? (phrase(own.here ? "seat.there" : "seat.gone")) : own.kind === "free" ? phrase("seat.free.about") : "")),
            host && own.kind !== "person" && el("select", { "aria-label": phrase("seat.who.at", { number: at + 1 }), "data-focus": `to ${at}`, change: (event) => {
              const to = event.target.value;
              request("seat", { seat: at, ...(to === "free" ? { to } : { to: "bot", level: to }) });
            } }, [["free", phrase("seat.friend")], ...["easy", "medium", "hard"].map((level) => [level, phrase("bot.level", { level: phrase(`level.${level}`) })])].map(([id, title]) =>
              el("option", { value: id, selected: id === (own.kind === "bot" ? own.level : "free") }, title)))))),
          me() < 0 && free > 0 && sitForm(),
          host && el("button", { class: "main wide", "data-focus": "start", click: () => request("start") },
            free ? phrase("room.start.bots", { count: free }) : phrase("room.start")),
          hostChange() && el("p", { class: "caption" }, hostChange()),
          !host && el("p", { class: "caption" }, me() >= 0 ? phrase("room.wait", { name: seatName(shown.host) }) : free ? "" : phrase("room.full")))),
      el("div", { class: "column" },
        el("section", { class: "box" }, el("h2", {}, phrase("room.invite")),
          el("div", { class: "invite" },
            el("div", { class: "grow" },
              el("input", { type: "text", class: "address", readonly: true, "aria-label": phrase("room.link"), value: address, focus: (event) => event.target.select() }),
              el("button", { class: "wide", "data-focus": "copy", click: (event) => copy(event.currentTarget, address) }, phrase("room.copy")),
              el("p", { class: "caption" }, phrase("room.link.about"))),
            el("img", { class: "code", src: `/api/tables/${encodeURIComponent(table)}/code.svg`, alt: phrase("room.code"), width: 132, height: 132 }))),
        el("section", { class: "box" }, el("h2", {}, phrase("rules.points")),
          el("dl", { class: "rules" }, Object.values(rules.rules).flatMap((own) => [el("dt", {}, own.label), el("dd", {}, own.text)])))));
  }

  /** Who is the host now, where that was somebody else before. */
  const hostChange = () => shown.host_before >= 0 && phrase(shown.host === me() ? "room.host.you" : "room.host.other", { name: seatName(shown.host_before), host: seatName(shown.host) });

  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = phrase("room.copied");
    } catch {
      button.previousElementSibling?.select();
    }
  }

  function sitForm() {
    const field = el("input", { type: "text", maxlength: 24, placeholder: phrase("seat.name"), "aria-label": phrase("seat.name"), "data-focus": "name", value: remembered("name", "") });
    return el("form", { class: "sit", submit: (event) => { event.preventDefault(); sit(field.value); } },
      field, el("button", { class: "main", "data-focus": "sit" }, phrase("room.sit")));
  }

  async function sit(name) {
    try {
      const own = await ask(`/api/tables/${encodeURIComponent(table)}/sit`, { name: name.trim() || phrase("seat.guest") });
      remember("name", name);
      mine = [...mine, own];
      rememberTable(table, mine);
      connect(own.token);
    } catch (error) {
      alarm(error.message);
    }
  }

  function cover() {
    const name = seatName(covered.seat);
    return el("div", { class: "cover" },
      el("p", { class: "caption" }, phrase("cover.about")),
      el("h2", {}, phrase("cover.title", { name })),
      el("button", { class: "main", "data-focus": "uncover", click: () => { if (!covered) return; const { token } = covered; covered = null; shown = null; connect(token); } }, phrase("cover.show", { name })));
  }

  function pause() {
    const over = game().over;
    const reading = shown.seats.filter((own, at) => own.reading && at !== me()).map((own) => own.name);
    const host = mine.find((own) => own.seat === shown.host);
    const again = () => {
      if (host.seat !== me()) connect((covered = host).token);
      request("start");
    };
    return el("div", { class: "pause" },
      el("h2", {}, over ? winners() : lead()),
      over ? standings(rules, shown, SHAPES) : null,
      sheet(rules, shown, shown.sheet, over ? shown.sheet : [lastSheet()]),
      el("div", { class: "row" },
        !over && el("button", { class: "main", "data-focus": "ready", click: () => { ready = shown.decision.join(); request("ready"); draw(); } }, phrase("pause.ready", game()), el("kbd", { class: "wide-only" }, "Enter")),
        over && host && el("button", { class: "main", "data-focus": "again", click: again }, phrase("over.again")),
        over && el("button", { "data-focus": "look", click: () => { ready = shown.decision.join(); draw(); } }, phrase("over.look")),
        over && el("a", { class: "button", href: "/games" }, phrase("title.past")),
        over && hostChange() && el("span", { class: "caption" }, hostChange()),
        !over && reading.length > 0 && el("span", { class: "caption" }, phrase("pause.reading", { names: listed(reading) }))),
      over && el("details", { class: "fair" }, el("summary", {}, phrase("over.fair")),
        el("p", { class: "caption" }, phrase("over.fair.about")),
        el("dl", { class: "rules" }, ["commitment", "seed", "salt"].flatMap((name) => [el("dt", {}, phrase(`over.fair.${name}`)), el("dd", {}, el("code", { class: "mono" }, shown[name]))]))));
  }

  const lastSheet = () => shown.sheet[shown.sheet.length - 1];

  function lead() {
    const order = rules.order === "most" ? -1 : 1;
    const players = shown.seats.map((_, at) => at).sort((one, other) => order * (game().scores[one] - game().scores[other]));
    const by = Math.abs(game().scores[players[0]] - game().scores[players[1] ?? players[0]]);
    return by ? phrase("pause.leads", { name: seatName(players[0]), count: by }) : phrase("pause.over", lastSheet());
  }

  function playing() {
    const count = rules.extra.length + shown.seats.length;
    const first = Math.max(0, me());
    const order = Array.from({ length: count }, (_, at) => (first + at) % count);
    const others = me() >= 0 ? order.slice(1) : order;
    const since = performance.now() - moved.at;
    return el("div", {
      class: `play${others.length > 4 ? " dense" : ""}${moved.seen && since < LONGEST ? " moving" : ""}${passing() ? ` passing-${passing()}` : ""}`,
      vars: { "--since": `${-since}ms`, "--side": passing() === "back" ? "-1" : "1" },
    },
      el("div", { class: "felt", role: "region", tabindex: 0, "aria-label": phrase("table.name"), "data-focus": "felt" },
        el("h2", { class: "unseen" }, phrase("table.name")),
        el("div", { class: "others" }, others.map(seatBox)),
        game().layouts.map(layout),
        common(),
        me() >= 0 && seatBox(me()),
        coming("strip")),
      el("aside", { class: "side wide-only", "aria-label": phrase("table.beside") },
        game().coming.length > 0 && el("h3", {}, phrase("table.coming")),
        coming("list"),
        el("h3", {}, phrase("bar.log")),
        logList(14)),
      dock());
  }

  /** Which way hands go: `on` to the next seat, `back` to the one before; nothing where they stay. */
  function passing() {
    const { receiver } = game(), count = shown.seats.length;
    if (receiver === null || me() < 0) return "";
    return (receiver - me() + count) % count === 1 ? "on" : (me() - receiver + count) % count === 1 ? "back" : "";
  }

  function flow() {
    if (!passing() || !game().hand.length) return null;
    const giver = (2 * me() - game().receiver + shown.seats.length) % shown.seats.length;
    const named = (at) => `${SHAPES[at]} ${seatName(at)}`;
    const ends = [el("span", {}, phrase("flow.to", { name: named(game().receiver) })), el("span", {}, phrase("flow.from", { name: named(giver) }))];
    return el("div", { class: "flow", "aria-hidden": "true" }, passing() === "on" ? ends : ends.reverse());
  }

  function seatBox(at) {
    const own = shown.seats[at];
    const name = seatName(at);
    const seen = game().seats[at], now = seen.standing;
    const choosing = game().waiting.includes(at);
    const state = !own || game().over ? "" : own.chosen ? ["✓ ", el("span", { class: "has" }, phrase("seat.has")), phrase("seat.chosen")] : choosing ? phrase("seat.choosing") : "";
    const who = !own ? "" : at === me() ? phrase("seat.you") : own.kind === "bot" ? phrase("bot.seat", { level: phrase(`level.${own.level}`) }) : own.away ? phrase("seat.botted") : "";
    const newest = [...(fresh.get(at) ?? [])];
    const groups = seen.groups.map((group) => ({ ...group, fresh: new Set() }));
    for (const group of [...groups].reverse()) {
      group.cards.forEach((_, index) => {
        const place_ = group.cards.length - 1 - index;
        const found = newest.indexOf(group.cards[place_]);
        if (found >= 0) {
          newest.splice(found, 1);
          group.fresh.add(place_);
        }
      });
    }
    return el("section", { class: `seat${at === me() ? " me" : ""}${own?.chosen ? " chosen" : ""}`, "aria-label": phrase("seat.points", { name, count: game().scores[at] }), vars: { "--nth": `${at}` } },
      el("div", { class: "seat-head" },
        el("h3", { vars: { "--word": `${longest(name)}` } }, el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at] ?? "○"), name, who && el("span", { class: `caption inline${own.kind === "bot" ? " is-bot" : ""}` }, who)),
        el("span", { class: "points" }, `${game().scores[at]}`, now !== 0 && el("span", { class: "now" }, phrase("seat.now", { amount: `${now > 0 ? "+" : ""}${now}` }))),
        el("span", { class: `state${own?.chosen ? " good" : ""}` }, state),
        own?.kind === "person" && !own.here && !own.away && at !== me() && !game().over && el("span", { class: "state" }, phrase("seat.gone"), " ",
          me() >= 0 && el("button", { class: "small", "data-focus": `replace ${at}`, click: () => request("replace", { seat: at }) }, phrase("seat.let"))),
        own?.kind === "bot" && me() >= 0 && me() === shown.host && (own.open || shown.watching > 0) && !game().over && el("span", { class: "state" },
          el("button", { class: "small", "data-focus": `open ${at}`, "aria-pressed": String(own.open), click: () => request("seat", { seat: at, to: own.open ? "bot" : "free" }) }, phrase(own.open ? "seat.keep" : "seat.offer")))),
      el("ul", { class: "groups" }, groups.map(groupBox),
        seen.items.filter((item) => !item.on_cards).map(belonging)),
      piles(seen.piles));
  }

  /** The letters of the longest word, by which its room is measured. */
  const longest = (text) => Math.max(...text.split(/[\s-]/).map((own) => own.length));

  function groupBox(own) {
    const { have = 0, need = 0 } = own.progress ?? {};
    const slots = have > 0 && have < need ? need - have : 0;
    const label = own.named ? rules.rules[own.rule]?.label ?? own.rule : words(rules, [...new Set(own.cards)]);
    const points = own.points && !own.later && own.rule ? `→ ${own.points}` : "";
    const text = own.waits ? "" : own.text;
    const [far, standing] = text.split(" · ");
    const given = { label, text: text || own.cards.length, count: own.waits ? own.cards.length : own.points };
    const spoken = phrase(own.waits ? "group.open.count" : points ? "group.spoken.points" : "group.spoken", given);
    return el("li", { class: `group${own.waits ? " waits" : ""}`, "aria-label": spoken },
      el("span", { class: "stack", "aria-hidden": "true" },
        own.cards.map((name, at) => card(rules, name, { extra: own.fresh.has(at) ? "fresh" : "" })),
        Array.from({ length: slots }, () => el("span", { class: "card small slot" })),
        own.waits && own.cards.map(() => el("span", { class: "card small slot gold" }, own.change))),
      el("span", { class: "group-words", "aria-hidden": "true" },
        el("span", { class: "what", title: `${label} ${text}` }, el("strong", {}, label), " ", own.waits ? el("span", { class: "open" }, phrase("group.open")) : far),
        (standing || points) && el("span", { class: "so-far" }, standing && `${standing} `, points && el("span", { class: "worth" }, points))));
  }

  function belonging(own) {
    const value = own.value === null ? "?" : own.value;
    const sign = { marker: "★", die: "⚀⚁⚂⚃⚄⚅"[own.value - 1] ?? "⚄", chip: "◉", counter: "" }[own.kind];
    return el("li", { class: `belonging ${own.kind}` }, sign && el("span", { "aria-hidden": "true" }, `${sign} `), thing(own.thing), own.kind !== "marker" && ` ${value}`);
  }

  /** What belongs to the whole table: counters, and the piles between the seats. */
  function common() {
    return [game().common.length > 0 && el("ul", { class: "groups" }, game().common.map(belonging)), piles(game().piles)];
  }

  /** Piles, each with its name. */
  function piles(found) {
    return found.length > 0 && el("ul", { class: "piles" }, found.map((own) => {
      const unknown = own.size - own.cards.reduce((sum, [, copies]) => sum + copies, 0);
      return el("li", { class: "pile" },
        el("span", { class: "stack" },
          own.cards.flatMap(([name, copies]) => Array.from({ length: copies }, () => card(rules, name))),
          unknown > 0 && card(rules, ""), unknown > 1 && el("span", { class: "caption" }, `×${unknown}`)),
        el("span", { class: "caption" }, thing(own.zone)));
    }));
  }

  function coming(kind) {
    const hands = kind === "strip" ? game().coming.slice(0, 1) : game().coming;
    return hands.map((own) => {
      const known = own.cards.reduce((sum, [, copies]) => sum + copies, 0);
      return el(kind === "strip" ? "button" : "section", { class: `coming ${kind}`, "data-focus": kind === "strip" ? "coming" : null, click: kind === "strip" ? onTheWay : null, "aria-label": phrase("table.coming.from", { name: seatName(own.from) }) },
        el("div", { class: "coming-head" },
          el("strong", {}, phrase(own.turns === 1 ? "table.coming.next" : "table.coming.turns", { count: own.turns, name: seatName(own.from) })),
          el("span", { class: "caption" }, known < own.size ? phrase("table.coming.known", { known, size: own.size }) : phrase("table.coming.cards", { count: own.size }))),
        el("span", { class: "stack flat" }, own.cards.flatMap(([name, copies]) => Array.from({ length: copies }, () =>
          el("span", { title: about(rules, name).label }, card(rules, name, { size: "tiny" }))))));
    });
  }

  function layout(own) {
    const chooses = toChoose() && game().asked?.source === own.zone;
    return el("div", { class: "layout", role: "group", "aria-label": rules.things[own.zone] ?? own.zone },
      own.rows.filter((row) => row.some(Boolean)).map((row) => el("div", { class: "layout-row" }, row.map((at) => {
        if (!at) return el("span", { class: "place gone" }, card(rules, ""));
        const option = chooses ? offered().find((each) => each.card === at.id) : null;
        const chosen = game().chosen && takenBy(game().chosen).includes(at.id);
        const key = option ? offered().indexOf(option) : -1;
        return option
          ? el("button", { class: `place${chosen ? " taken" : ""}`, "data-focus": `card ${at.id}`, "data-key": KEYS[key], "aria-pressed": String(Boolean(chosen)), click: () => (chosen ? withdraw() : take(option)) },
            el("kbd", { class: "number" }, KEYS[key] ?? ""), card(rules, at.face), shown.effects && caption(option))
          : el("span", { class: `place${at.open ? "" : " covered"}` }, card(rules, at.face));
      }))));
  }

  function caption(option) {
    const parts = [];
    if (option.points) parts.push(`${option.points > 0 ? "+" : "−"}${Math.abs(option.points)}`);
    if (option.chips) parts.push(phrase("brings.chips", { amount: `${option.chips > 0 ? "+" : "−"}${Math.abs(option.chips)}`, count: option.chips }));
    if (option.short) parts.push(option.short);
    for (const own of option.uses) parts.push(phrase("brings.on", { card: about(rules, own).label }));
    return el("span", { class: `brings${option.points > 0 ? " good" : ""}` }, parts.join(" · ") || " ");
  }

  /** Forwards and backwards through a finished game. */
  function filmControls() {
    const all = film.frames.length - 1;
    return el("div", { class: "film" },
      el("button", { "data-focus": "back", "aria-label": phrase("film.back"), disabled: film.at === 0, click: () => film.go(film.at - 1) }, "◀"),
      el("input", { type: "range", min: 0, max: all, value: film.at, "aria-label": phrase("film.choice"), "data-focus": "film", input: (event) => film.go(Number(event.target.value)) }),
      el("button", { "data-focus": "forward", "aria-label": phrase("film.on"), disabled: film.at === all, click: () => film.go(film.at + 1) }, "▶"),
      el("select", { "aria-label": phrase("film.seat"), "data-focus": "seat", change: (event) => film.look(Number(event.target.value)) },
        [...shown.seats.map((own, at) => [at, own.name]), [-1, phrase("film.spectator")]].map(([at, name]) => el("option", { value: at, selected: at === film.seat }, name))),
      game().waiting.includes(me()) && el("button", { "data-focus": "opinion", click: async () => { hint = (await film.opinion()).hints; draw(); } }, phrase("film.opinion")),
      chart());
  }

  /** Everybody's points over the game, as lines that end in the shapes of their seats; the table of points says the same in figures. */
  function chart() {
    const points = film.frames.map((frame) => frame.points), last = points[points.length - 1];
    const most = Math.max(1, ...points.flat()), least = Math.min(0, ...points.flat());
    const x = (at) => 4 + (at / Math.max(1, points.length - 1)) * 172, y = (value) => 56 - ((value - least) / (most - least)) * 50;
    const ends = apart(shown.seats.map((_, seat) => y(last[seat])), 50 / Math.max(6, shown.seats.length - 1), 56);
    return svg("svg", { class: "chart", viewBox: "0 0 200 60", role: "img", "aria-label": phrase("film.chart", { list: shown.seats.map((own, at) => `${own.name} ${last[at]}`).join(", ") }) },
      shown.seats.map((_, seat) => svg("g", { class: `hue-${seat % 8}` },
        svg("polyline", { "stroke-dasharray": DASHES[seat % DASHES.length], points: [...points.map((own, at) => `${x(at)},${y(own[seat])}`), `186,${ends[seat]}`].join(" ") }),
        svg("text", { x: 188, y: ends[seat] + 3 }, SHAPES[seat]))),
      svg("line", { x1: x(film.at), x2: x(film.at), y1: 2, y2: 58 }));
  }

  /** Heights with a gap between every two, none below the last; each is as near to its own as that leaves it. */
  function apart(heights, gap, last) {
    const found = [...heights], order = heights.map((_, at) => at).sort((one, other) => heights[one] - heights[other]);
    order.forEach((at, rank) => { if (rank) found[at] = Math.max(found[at], found[order[rank - 1]] + gap); });
    order.reverse().forEach((at, rank) => { found[at] = Math.min(found[at], rank ? found[order[rank - 1]] - gap : last); });
    return found;
  }

  function dock() {
    const own = game();
    const chosen = own.chosen ?? begun?.move ?? null;
    const taken = chosen ? takenBy(chosen) : [];
    const hand = own.layouts.length && own.waiting.includes(me()) && own.asked.places ? [] : own.hand.flatMap(([name, copies]) => Array.from({ length: copies }, (_, at) => ({ name, at })));
    const names = taken.map(cardIn);
    return el("footer", { class: `dock${film ? " seen" : ""}` },
      el("div", { class: "prompt" },
        el("div", { class: "grow" }, prompt(chosen, taken)),
        dockButtons()),
      hint && el("div", { class: "hint" }, hint.map((each, at) => el("p", {}, el("strong", {}, `${words(rules, takenBy(each.move)) || phrase("choose.none")}. `), at === 0 || at < 3 ? each.text : ""))),
      film && filmControls(),
      flow(),
      choices(hand.map((each) => each.name)),
      hand.length > 0 && hiding && el("button", { class: "wide", "data-focus": "show", click: hide }, phrase("hand.show"), el("kbd", { class: "wide-only" }, "p")),
      hand.length > 0 && !hiding && el("div", { class: `hand${hand.length > 10 ? " many" : ""}`, role: "group", "aria-label": phrase("hand.yours") }, hand.map((each, index) => handCard(each, index, names))));
  }

  /** What can be chosen and lies in no hand: ways without a card, cards that lie elsewhere. */
  function choices(hand) {
    const found = toChoose() && !hiding && (begun || !game().chosen) ? offered().filter((own) => !hand.includes(own.card) && !hand.includes(cardIn(own.card))) : [];
    const open = found.filter((own) => !places().some(({ id }) => id === own.card));
    return open.length > 0 && el("div", { class: "choices-row", role: "group", "aria-label": phrase("choose.which") },
      open.map((own, at) => el("button", { "data-focus": `choice ${own.card}`, "data-key": hand.length ? null : KEYS[at], click: () => take(own) },
        hand.length ? null : el("kbd", { class: "wide-only", "aria-hidden": "true" }, KEYS[at] ?? ""),
        (own.lies ?? rules.cards[cardIn(own.card)]) && card(rules, own.lies ?? own.card),
        el("span", { class: "way" },
          own.lies ? `${about(rules, own.card).label}: ${about(rules, own.lies).label}` : about(rules, own.card).label,
          !own.lies && wayText(own)),
        shown.effects && own.points ? caption(own) : null)));
  }

  function handCard({ name, at }, index, names) {
    const found = toChoose() ? optionsFor(name) : [];
    const copies = names.filter((own) => own === name).length;
    const chosen = at < copies;
    const orders = chosen ? names.map((own, order) => (own === name ? order + 1 : 0)).filter(Boolean)[at] : 0;
    const option = found[0];
    const label = about(rules, name).label;
    const press = { timer: 0, read: false };
    const released = () => clearTimeout(press.timer);
    return el("button", {
      class: `hand-card${chosen ? " taken" : ""}${!chosen && names.length ? " dim" : ""}${hint?.[0] && takenBy(hint[0].move).some((own) => cardIn(own) === name) ? " advised" : ""}`,
      "aria-pressed": String(chosen), "data-focus": `card ${name} ${at}`, "data-key": KEYS[index],
      disabled: !chosen && !found.length, "aria-label": `${label}${option && shown.effects ? `, ${captionWords(option)}` : ""}`,
      "data-card": name, vars: { "--nth": `${index}`, "--word": `${longest(label)}` },
      click: () => (press.read ? press.read = false : chosen ? withdraw() : pick(name)),
      contextmenu: (event) => { event.preventDefault(); press.read ||= event.pointerType === "touch"; read(name); },
      pointerdown: (event) => { if (event.pointerType === "touch") press.timer = setTimeout(() => { press.read = true; read(name); }, HOLD); },
      pointerup: released, pointercancel: released, pointerleave: released,
    },
    KEYS[index] && el("kbd", { class: "number", "aria-hidden": "true" }, KEYS[index]),
    chosen && el("span", { class: "badge", "aria-hidden": "true" }, names.length > 1 ? orders : "✓"),
    card(rules, name, { size: "full" }),
    el("span", { class: "under", "aria-hidden": "true" }, option && shown.effects ? caption(option) : el("span", { class: "brings" }, " "), el("span", { class: "name" }, label)));
  }

  const captionWords = (option) => [phrase("brings.points", { count: option.points }), option.progress].filter(Boolean).join(", ");

  function prompt(chosen, taken) {
    const own = game();
    const what = listed(taken.map((name) => about(rules, placeName(name)).label)) || phrase("choose.nothing");
    const onlyWays = taken.length > 0 && taken.every((name) => rules.ways[name]);
    if (own.over) return [el("h2", {}, phrase("over.title")), el("p", {}, winners())];
    if (film) return [el("h2", {}, own.chosen ? phrase(onlyWays ? "film.chooses" : "film.plays", { name: seatName(me()), cards: what }) : phrase("film.again")), el("p", {}, [rules.rounds > 1 && phrase("film.round", own), own.turn > 0 && phrase("bar.turn", own)].filter(Boolean).join(", "))];
    if (me() < 0) return [el("h2", {}, phrase("choose.watching")), el("p", {}, waitingFor()), mayBeTaken() ? sitForm() : el("p", {}, phrase("choose.watching.about"))];
    if (own.chosen) return [el("h2", {}, phrase(onlyWays ? "choose.chosen" : "choose.played", { cards: what })), el("p", {}, waitingFor())];
    if (!toChoose()) return [el("h2", {}, phrase("choose.wait")), el("p", {}, waitingFor())];
    const many = begun ? phrase("choose.more") : own.asked.offer ? phrase("choose.offer") : own.asked.cards > 1 ? phrase("choose.cards", { count: own.asked.cards }) : offered().every((each) => rules.ways[each.card]) ? phrase("choose.way")
      : phrase({ tableau: "choose.card", hand: "choose.card.hand", discard: "choose.card.discard" }[own.asked.target] ?? "choose.card.aside", { zone: thing(own.asked.target) });
    const rest = own.receiver === null ? "" : phrase("choose.rest", { name: seatName(own.receiver) });
    const option = offered()[0];
    const forWhom = begun && option?.other ? phrase("choose.for", { name: option.other }) : begun && option?.ability ? phrase("choose.with", { name: rules.things[option.ability] ?? option.ability }) : "";
    const elsewhere = own.asked.source !== "hand" && !own.asked.places && offered().some((each) => !rules.ways[each.card]);
    return [el("h2", {}, many), el("p", {}, forWhom || rest || (elsewhere && phrase("choose.from", { zone: thing(own.asked.source) })))];
  }

  /** Is a seat of a bot offered to those who watch. */
  const mayBeTaken = () => shown.seats.some((own) => own.open);

  /** What lies at a place of a layout; the card itself for any other name. */
  function placeName(name) {
    return places().find(({ id }) => id === name)?.face ?? name;
  }

  /** The places of all layouts on which something lies. */
  const places = () => game().layouts.flatMap((own) => own.rows.flat()).filter(Boolean);

  function waitingFor() {
    const names = game().waiting.filter((at) => !shown.seats[at]?.chosen && at !== me()).map(seatName);
    return names.length ? phrase("choose.waiting", { names: listed(names) }) : phrase("choose.all");
  }

  function dockButtons() {
    const own = game();
    if (film) return null;
    if (me() < 0 || own.over) return own.over ? el("button", { class: "main", "data-focus": "sheet", click: () => { ready = null; draw(); } }, phrase("sheet.points")) : null;
    const more = own.chosen && own.options && !begun ? own.options.options.find((each) => JSON.stringify(each.move) === JSON.stringify(own.chosen))?.more : false;
    return [
      begun?.whole && el("button", { class: "main", "data-focus": "enough", click: () => take({ whole: true, move: begun.move }) }, phrase("choose.enough")),
      toChoose() && !own.chosen && !begun && own.options?.whole && el("button", { class: "main", "data-focus": "nothing", click: () => take({ whole: true, move: EMPTY }) }, phrase("choose.none")),
      more && el("button", { "data-focus": "more", click: () => goOn(own.chosen) }, phrase("choose.again"), el("kbd", { class: "wide-only" }, "t")),
      (own.chosen || begun) && toChoose() && el("button", { "data-focus": "undo", click: withdraw }, phrase("choose.undo"), el("kbd", { class: "wide-only" }, "u")),
      shown.hints && toChoose() && !own.chosen && el("button", { "data-focus": "hint", click: advise }, phrase("choose.hint"), el("kbd", { class: "wide-only" }, "h")),
    ];
  }

  function logList(most) {
    return el("ol", { class: "log" }, told().slice(-most).reverse().map((texts) => el("li", {}, texts.map((text) => el("p", {}, text)))));
  }

  /** The story in parts: what happened at one reveal belongs together. */
  function told() {
    const parts = [];
    let part = null;
    for (const own of story) {
      if (own.part !== part || own.kind === "round-started") parts.push([]);
      part = own.part;
      parts[parts.length - 1].push(own.text);
    }
    return parts;
  }

  /** All that a card says, and the rules that look at it. */
  function read(name) {
    if (find("dialog[open]")) return;
    const own = rules.cards[cardIn(name)];
    overlay(about(rules, name).label, el("div", { class: "reading" }, card(rules, name, { size: "full" }),
      el("div", {}, own?.text && el("p", {}, own.text),
        el("dl", { class: "rules" }, (own?.about ?? []).flatMap(([label, text]) => [el("dt", {}, label), el("dd", {}, text)])))));
  }

  function onTheWay() {
    overlay(phrase("table.coming"), coming("list"), !game().coming.length && el("p", { class: "caption" }, phrase("table.coming.none")));
  }

  function hide() {
    hiding = !hiding;
    draw();
  }

  /** The focus goes to the next card that can be chosen, or to the one before. */
  function step(way) {
    const cards = [...place.querySelectorAll(".hand-card:not([disabled]), button.place")];
    const at = cards.indexOf(document.activeElement);
    cards[at < 0 ? (way > 0 ? 0 : cards.length - 1) : (at + way + cards.length) % cards.length]?.focus();
  }

  function log() {
    overlay(phrase("bar.log"), logList(200));
  }

  async function scores() {
    const found = await request("sheet");
    if (!found) return;
    overlay(phrase("bar.scores.so_far"), standings(rules, shown, SHAPES),
      found.sheet.length ? sheet(rules, shown, found.sheet) : el("p", { class: "caption" }, phrase("sheet.none")));
  }

  function help() {
    const keys = [["1–9, 0, a–k", "card"], ["u", "undo"], ["t", "more"], ["h", "hint"], ["← →", "step"], ["i", "read"], ["o", "coming"], ["s", "scores"], ["l", "log"], ["p", "hide"], ["?", "help"]];
    overlay(phrase("bar.help"),
      el("dl", { class: "rules keys" }, keys.flatMap(([key, id]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, phrase(`key.${id}`))])),
      el("label", { class: "line" },
        el("input", { type: "checkbox", checked: !lettersOff, change: (event) => { lettersOff = !event.target.checked; remember("letters off", lettersOff); } }),
        el("span", {}, phrase("keys.letters"))),
      el("h3", {}, phrase("rules.points")),
      el("dl", { class: "rules" }, Object.values(rules.rules).flatMap((own) => [el("dt", {}, own.label), el("dd", {}, own.text)])),
      el("h3", {}, phrase("rules.cards")),
      el("ul", { class: "card-list" }, Object.keys(rules.cards).map((name) => el("li", {}, card(rules, name), el("span", {}, el("strong", {}, rules.cards[name].label), " ", rules.cards[name].text)))));
  }

  const ON_KEY = {
    s: scores, w: scores, l: log, "?": help, o: onTheWay, p: hide,
    i: () => read(document.activeElement?.dataset.card ?? game().hand[0]?.[0] ?? ""),
    ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea") || find("dialog[open]")) return;
    if (event.key === "Enter" && event.target === document.body) {
      find('[data-focus="ready"], [data-focus="uncover"]')?.click();
      return;
    }
    if (lettersOff && /^[a-z?]$/.test(event.key)) return;
    const target = find(`[data-key="${CSS.escape(event.key)}"]`) ?? find(`[data-focus="${{ u: "undo", t: "more", h: "hint" }[event.key] ?? "none"}"]`);
    if (target) {
      target.click();
      target.focus({ preventScroll: true });
    } else if (game() && rules && ON_KEY[event.key]) ON_KEY[event.key]();
    else return;
    event.preventDefault();
  });
}
