// What the server says of the text: what changes, the rulebook, the aid, cards, and what games show.

import { el, find, overlay, replace, svg } from "../dom.js";
import { phrase } from "../phrases.js";
import { Connection } from "./connection.js";

const ROOMS = ["changes", "book", "aid", "watch", "balance"];
/** What can be printed, by row; cards come on sheets of two sizes. */
const PRINTED = [["print", "print_letter"], ["book"], ["aid"]];
const PAPERS = { print: "A4", print_letter: "Letter" };
const percent = (value) => `${Math.round(100 * value)} %`;
const points = (value) => value.toFixed(1);
const signed = (value) => `${value <= -0.05 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;

export class Panes {
  #version = 0;
  #text = "";
  #players = 0;
  #known = {};
  #line = 0;
  #error = "";
  #refusal = "";
  #number = null;

  /** `judged` is called with the line and the sentence of the first error, or with 0 if there is none; `taken` with a text to take over; `waits` when that line is another one. */
  constructor(path, { colour, named, judged, taken, waits }) {
    Object.assign(this, { colour, named, judged, taken, waits });
    this.room = "changes";
    this.connection = new Connection(path, { opened: () => this.#ask(), heard: (message) => this.#take(message), gone: () => {} });
  }

  /** The two panes: what the rules say, and what games show. */
  elements() {
    this.#tabs = el("div", { class: "tabs", role: "tablist", "aria-label": phrase("shop.read") }, ROOMS.map((room) => this.#tab(room)));
    return [
      el("section", { class: "pane see", "aria-label": phrase("shop.read") },
        el("header", {}, this.#tabs), el("p", { class: "old" }), this.#body("changes"), this.#body("book"), this.#body("aid"), this.#body("watch")),
      el("section", { class: "pane weigh", "aria-label": phrase("shop.balance") },
        el("header", { class: "wide-head" }, el("h2", {}, phrase("shop.balance"))), el("p", { class: "old" }), this.#body("balance")),
    ];
  }

  #tabs = null;

  #tab(room) {
    return el("button", { role: "tab", id: `tab-${room}`, "aria-controls": `room-${room}`, "aria-selected": `${room === this.room}`, tabindex: room === this.room ? 0 : -1, click: () => this.open(room), keydown: (event) => this.#step(event, room) }, phrase(`shop.room.${room}`));
  }

  #step(event, room) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const shown = ROOMS.filter((own) => find(`#tab-${own}`).checkVisibility());
    const next = shown[(shown.indexOf(room) + by + shown.length) % shown.length];
    this.open(next);
    find(`#tab-${next}`).focus();
  }

  #body(room) {
    return el("div", { class: "body", id: `room-${room}`, "data-room": room, role: "tabpanel", "aria-label": phrase(`shop.room.${room}`), tabindex: 0 },
      el("p", { class: "caption soon" }, phrase("shop.soon")));
  }

  /** The number of players that everything is about. */
  count() {
    return el("label", { class: "caption players" }, phrase("shop.players"), el("select", { id: "players", change: (event) => { this.#players = Number(event.target.value); this.#mark(); this.#ask(); } }));
  }

  /** Let people choose among the numbers of players of a game, and return what is known about it. */
  offer(known) {
    const { players, usual } = known, select = find("#players");
    if (select.dataset.counts !== players.join()) {
      this.#players = players.includes(this.#players) ? this.#players : usual;
      replace(select, players.map((count) => el("option", { value: count, selected: count === this.#players }, `${count}`)));
      select.dataset.counts = players.join();
    }
    return known;
  }

  /** Show one of the rooms where there is no place for all. */
  open(room) {
    this.room = room;
    document.body.dataset.room = room;
    for (const own of ROOMS) {
      const tab = find(`#tab-${own}`);
      tab.setAttribute("aria-selected", `${own === room}`);
      tab.tabIndex = own === room ? 0 : -1;
    }
    this.#mark();
    this.#ask();
  }

  /** Say what the text is now. */
  change(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.#version += 1;
    this.#mark();
    this.#ask();
  }

  #ask() {
    const weighed = find("#room-balance")?.checkVisibility();
    const pages = find("#printed") ? PRINTED.flat() : ["book", "aid", "watch"].filter((room) => room === this.room);
    const panes = ["changes", "cards", ...pages, ...(weighed ? ["number", "balance", "wanted", "course"] : [])];
    this.#refuse("");
    if (this.#text) this.connection.send({ v: 1, text: this.#text, version: this.#version, panes, players: this.#players, number: this.#number });
  }

  /** Grey everything: it is what was said before an error, in the line of that number; 0 ends that. */
  stale(line, error = "") {
    this.#line = line;
    this.#error = error;
    document.body.classList.toggle("stale", line > 0);
    this.#mark();
    this.#showPrinted();
    this.waits();
  }

  /** The line of the first error; 0 if there is none. */
  get line() {
    return this.#line;
  }

  /** Say why the server makes nothing of the text; an empty text takes it back. */
  #refuse(message) {
    this.#refusal = message;
    document.body.classList.toggle("refused", Boolean(message));
    this.#mark();
  }

  /** Say of each pane what it is about, if that is not the text as it is now. */
  #mark() {
    const shown = [["see", this.room], ["weigh", "balance"]];
    const error = () => this.#error && el("span", { class: "small-only" }, `: ${this.#error}`);
    for (const [side, pane] of shown) replace(find(`.${side} .old`), this.#line ? [phrase(this.#known[pane] ? "shop.old" : "shop.never", { line: this.#line }), error()] : this.#refusal);
    const { balance } = this.#known, waits = Boolean(balance) && (balance.text !== this.#text || balance.count !== this.#players);
    find("#room-balance").classList.toggle("before", waits);
    if (waits && !this.#line && !this.#refusal) find(".weigh .old").textContent = phrase("shop.games.soon", { count: this.#players });
  }

  /** What can be printed: pages that the server makes while the box is open. */
  print() {
    const box = overlay(phrase("shop.print"), el("div", { id: "printed" }), el("p", { class: "caption" }, phrase("shop.print.about")));
    this.#showPrinted();
    this.#ask();
    return box;
  }

  #showPrinted() {
    const titles = { print: this.#known.changes?.base ? "shop.print.new" : "shop.print.all", book: "shop.room.book", aid: "shop.room.aid" };
    const way = (pane) => {
      const { page, text } = this.#known[pane] ?? {};
      if (page && !this.#line && text === this.#text) return el("a", { class: "button", href: page, target: "_blank", rel: "noopener", "data-focus": `print ${pane}` }, PAPERS[pane] ?? phrase("shop.print.open"));
      return pane !== "print_letter" && el("span", { class: "caption" }, this.#line ? phrase("shop.never", { line: this.#line }) : page === "" ? phrase("shop.print.none") : phrase("shop.soon"));
    };
    const place = find("#printed");
    if (place) replace(place, PRINTED.map((row) => el("p", { class: "choice" }, el("b", {}, phrase(titles[row[0]])), row.map(way))));
  }

  #take({ method, params }) {
    if (method === "refused") this.#refuse(params.message);
    if (method !== "pane" || params.version !== this.#version) return;
    const { pane } = params;
    this.#known[pane] = pane === "number" ? { ...params, about: this.#text } : { ...params, text: this.#text };
    this.#known[pane].count ||= this.#known.changes?.usual;
    if (pane === "state") this.judged(params.line, params.message);
    this.#mark();
    this.#showPrinted();
    if (pane === "changes" || pane === "cards") this.#showChanges(this.#known.changes, this.#known.cards);
    else if (pane === this.room && params.page) replace(find(`#room-${pane}`), el("iframe", { src: params.page, sandbox: "", title: phrase(`shop.room.${pane}`) }));
    else if (pane === "watch") this.#showWatched(params);
    else if (["number", "balance", "wanted", "course"].includes(pane)) this.#showBalance();
    else if (pane === "quota") this.#refuse(phrase("shop.quota"));
    else if (pane === "refused") this.#refuse(params.message);
  }

  #showChanges(told, drawn) {
    if (!told) return;
    this.named(told);
    this.colour(new Map(Object.entries(told.hues)));
    this.offer(told);
    replace(find("#room-changes"), el("h2", { class: "unseen" }, phrase("shop.room.changes")),
      told.parts.length ? el("dl", { class: "changes" }, told.parts.map(({ title, things }) => [el("dt", {}, title), things.map(thing)]))
        : el("p", {}, phrase(told.base ? "shop.nothing" : "shop.whole", { base: told.base }), el("span", { class: "small-only" }, ` ${phrase("shop.small")}`)),
      drawn?.cards.length > 0 && [el("h3", {}, phrase(told.base ? "shop.about" : "shop.all")), el("div", { class: "faces" }, drawn.cards.map(face))]);
  }

  /** A game turn by turn, with a line for each choice. */
  #showWatched({ turns, totals, over }) {
    replace(find("#room-watch"), el("h2", { class: "unseen" }, phrase("shop.room.watch")), el("p", { class: "caption" }, phrase("shop.watch.about")),
      turns.map(({ round, turn, choices }) => [el("h3", {}, phrase("shop.watch.turn", { round, turn })),
        el("dl", { class: "watched" }, choices.map(({ who, text }) => el("div", {}, el("dt", {}, who), el("dd", {}, text))))]),
      el("p", { class: "lead" }, over ? phrase("shop.watch.points", { points: totals.join(", ") }) : phrase("shop.watch.long")));
  }

  #showBalance() {
    const { balance, wanted, course } = this.#known;
    if (!balance) return;
    const { games, sentences, effects, seldom } = balance;
    const { base, parts } = this.#known.changes ?? {}, compared = Boolean(base) && parts.length > 0;
    const of = (kind) => effects.filter((effect) => effect.kind === kind);
    const rules = of("rule").filter((effect) => effect.a || effect.b).sort((one, other) => other.difference - one.difference);
    const wins = of("win");
    replace(find("#room-balance"), el("h2", { class: "unseen" }, phrase("shop.room.balance")),
      base && el("p", { class: "lead" }, compared ? sentences[0].text : phrase("shop.same", { base })),
      el("div", { class: "figures" },
        of("average").map((effect) => figure(effect, points, phrase("shop.figure.points"), compared)),
        of("margin").map((effect) => figure(effect, points, phrase("shop.figure.margin"), compared)),
        wins.slice(0, 1).map((effect) => figure(effect, percent, phrase("shop.figure.first"), compared)),
        of("shared").map((effect) => figure(effect, percent, phrase("shop.figure.shared"), compared))),
      this.#otherNumber(),
      compared && rules.length > 0 && [el("h3", {}, phrase("shop.chart", { base })), chart(rules, phrase("shop.chart", { base }))],
      el("ul", { class: "sentences" }, 
        seldom.map(({ label, share }) => el("li", { class: "measured" }, phrase(share ? "shop.seldom" : "shop.unscored", { rule: label, share: `${(100 * share).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 })} %` }))),
        compared && sentences.slice(1).map(judged), course?.sentences.map(judged)),
      el("p", { class: "caption" }, phrase(compared ? "shop.games" : "shop.games.alone", { count: balance.count, games: games.toLocaleString(document.documentElement.lang) })),
      wanted?.cards.length > 0 && [el("h3", {}, phrase("shop.wanted")),
        el("ul", { class: "sentences" }, wanted.sentences.map((text) => el("li", { class: "measured" }, text))),
        el("ul", { class: "wanted" }, wanted.cards.map(({ label, before }) => el("li", {}, el("span", {}, label), el("meter", { value: before, min: 0, max: 1, "aria-label": label }), el("b", {}, percent(before))))),
        el("p", { class: "caption" }, phrase("shop.wanted.about", { games: wanted.games }))]);
  }
  /** A number of the rules to try, what games show of it, and ways to take it over into the text or to drop it. */
  #otherNumber() {
    const { changes: { numbers, called } = { numbers: {} }, number: found } = this.#known;
    const [name, value] = this.#number ?? ["", ""];
    const tried = found?.about === this.#text && found.name === name && found.value === value ? found : null;
    const choose = (number) => { this.#number = number; this.#showBalance(); this.#ask(); };
    const take = () => { this.taken(tried.text); choose(null); };
    return [el("h3", {}, phrase("shop.number")),
      el("p", { class: "row-of other" },
        el("select", { id: "number", "data-focus": "number", "aria-label": phrase("shop.number.which"), change: ({ target }) => choose(target.value ? [target.value, numbers[target.value]] : null) },
          el("option", { value: "" }, phrase("shop.number.which")), Object.entries(numbers).map(([own, now]) => el("option", { value: own, selected: own === name }, `${called[own]}: ${now}`))),
        name && el("input", { type: "number", id: "other", "data-focus": "other", "aria-label": phrase("shop.number.value"), value, step: 1, change: ({ target }) => target.value && choose([name, Math.trunc(target.valueAsNumber)]) })),
      name && value !== numbers[name] && [
        !tried ? el("p", { class: "caption soon" }, phrase("shop.soon")) : tried.refused ? el("p", { class: "bad" }, tried.refused)
          : [el("ul", { class: "sentences", id: "tried" }, tried.sentences.map(judged)), el("p", { class: "caption" }, phrase("shop.games", { count: tried.count, games: tried.games.toLocaleString(document.documentElement.lang) }))],
        el("p", { class: "row-of other" }, tried?.text && el("button", { class: "main desk", "data-focus": "take number", click: take }, phrase("shop.number.take")), el("button", { "data-focus": "drop number", click: () => choose(null) }, phrase("shop.number.drop")))]];
  }
}

const SIGNS = { "+": "new", "−": "gone", "=": "same", "≠": "edit" };

function thing({ about, lines }) {
  const edited = lines.length > 1 && lines[0][0] === "−";
  return lines.map(([sign, text], at) => el("dd", { class: SIGNS[sign] }, el("span", { class: "unseen" }, `${sign} `), text === about ? el("b", {}, about) : [(!edited || at === 0) && el("b", {}, `${about}. `), text]));
}

const pictures = new Map();
const MOST_PICTURES = 400;

/** The address of a drawing, which is made once. */
function picture(drawing) {
  if (!pictures.has(drawing)) {
    if (pictures.size >= MOST_PICTURES) {
      const [[oldest, address]] = pictures;
      URL.revokeObjectURL(address);
      pictures.delete(oldest);
    }
    pictures.set(drawing, URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" })));
  }
  return pictures.get(drawing);
}

function face({ name, count, new: fresh, svg: drawing }) {
  return el("figure", { class: "face" },
    el("img", { src: picture(drawing), alt: "", width: 63, height: 88 }),
    el("figcaption", {}, `${count} × ${name}`, fresh && [" ", el("span", { class: "flag" }, phrase("shop.new"))]));
}

/** A sentence with a mark that shows how certain it is. */
const judged = ({ text, sure }) => el("li", { class: sure }, text);

function figure(effect, worded, about, compared) {
  const way = !compared ? "" : !effect.certain ? "same" : effect.difference > 0 ? "up" : "down";
  return el("p", { class: `figure ${way}` }, el("b", {}, compared ? `${worded(effect.a)} → ${worded(effect.b)}` : worded(effect.b)), el("span", {}, about));
}

const ROW = 19, LEFT = 118, WIDTH = 240;

/** Differences with their intervals: a dot for more, a diamond for less, a ring for unknown. */
function chart(effects, title) {
  const low = Math.min(-0.5, ...effects.map((effect) => effect.low)), high = Math.max(0.5, ...effects.map((effect) => effect.high));
  const x = (value) => LEFT + (value - low) / (high - low) * WIDTH;
  const height = ROW * effects.length + 8;
  const step = [0.5, 1, 2, 5, 10, 20, 50].find((size) => (high - low) / size < 6) ?? 100;
  const ticks = Array.from({ length: 41 }, (_, at) => (at - 20) * step).filter((tick) => tick >= low && tick <= high);
  return svg("svg", { class: "chart", viewBox: `0 0 410 ${height + 14}`, role: "img", "aria-label": `${title}: ${effects.map((effect) => `${effect.label} ${signed(effect.difference)}`).join(", ")}` },
    ticks.map((tick) => [svg("line", { class: tick ? "grid" : "zero", x1: x(tick), x2: x(tick), y1: 2, y2: height }), svg("text", { class: "axis", x: x(tick), y: height + 12, "text-anchor": "middle" }, tick ? signed(tick).replace(".0", "") : "0")]),
    effects.map((effect, row) => {
      const y = 12 + ROW * row, at = x(effect.difference);
      const way = !effect.certain ? "none" : effect.difference > 0 ? "up" : "down";
      const mark = way === "up" ? svg("circle", { class: "up", cx: at, cy: y, r: 4.5 }) : way === "down" ? svg("path", { class: "down", d: `M${at} ${y - 6}l6 6l-6 6l-6 -6z` }) : svg("circle", { class: "none", cx: at, cy: y, r: 4 });
      return [svg("text", { x: 0, y: y + 4 }, effect.label.slice(0, 19)), svg("line", { class: `bar ${way}`, x1: x(effect.low), x2: x(effect.high), y1: y, y2: y }), mark, svg("text", { class: "num", x: 408, y: y + 4, "text-anchor": "end" }, signed(effect.difference))];
    }));
}
