// The hand: a fan to look over, one card raised to read, and what can be done with it.

import { el, sign, svg } from "./dom.js";
import { SHAPES, about, card, cardIn, labels } from "./faces.js";
import { coach } from "./coach.js";
import { bars, brings, caption, cost, pile, waitingFor } from "./felt.js";
import { late } from "./room.js";
import { comma, listed, phrase } from "./phrases.js";

/** From this width on, up to so many cards are shown whole, and none has to be raised. */
const WIDE = 1100;
const MOST_WHOLE = 10;
const PHONE = 700;
/** The height of a phone on which a browser shows its bars. */
const LOW = 720;
/** The height of a phone on its side. */
const SIDEWAYS = 500;
/** Pixels by which a card in the hand is pushed up to play it. */
const PUSH = 60;
/** Milliseconds of a long press. */
const HOLD = 500;
/** How the lines of a chart are told apart without their colours. */
const DASHES = ["none", "6 2", "1.5 1.5", "9 2 2 2", "3 2", "12 3", "6 2 2 2 2 2", "1.5 4"];

/** Where a card goes without a word about it, or with a word of its own. */
const NAMED = new Set(["tableau", "hand", "discard"]);

/** Whether there is room for whole cards and for what is said beside the own seat. */
export const wide = () => innerWidth >= WIDE;

/** Whether this is a phone on which little height is left, upright or on its side. */
export const lowPhone = () => innerHeight <= (innerWidth < PHONE ? LOW : SIDEWAYS);

export function dock(t) {
  const own = t.game;
  const chosen = t.chosen() ?? t.begun?.move ?? null;
  const taken = chosen ? t.takenBy(chosen) : [];
  const places = own.layouts.length > 0 && own.waiting.includes(t.me) && own.asked.places;
  const hand = places ? [] : own.hand.flatMap(([name, copies]) => Array.from({ length: copies }, (_, at) => ({ name, at })));
  const cards = places && !t.film ? t.offered().filter(({ card: id }) => t.places().some((each) => each.id === id)).map((each) => ({ name: each.card, at: 0 })) : hand;
  const names = taken.map(cardIn), copies = chosenCopies(t, cards, names);
  const idOf = ({ name, at }) => `${name} ${at}`, free = (each) => !copies.has(idOf(each));
  const staged = cards.length > 0 && !t.hiding && !t.film && (places || !wide() || hand.length > MOST_WHOLE);
  const asked = !t.toChoose() || cards.some((each) => t.optionsFor(each.name).length);
  const up = !asked ? null : cards.find((each) => idOf(each) === t.raised) || (t.chosen() && !t.begun && cards.find((each) => !free(each))) || cards.find((each) => free(each) && advised(t, each.name)) || (t.begun && cards.find((each) => free(each) && t.optionsFor(each.name).length)) || cards[0];
  const lettersOf = (each) => room(about(t.rules, t.placeName(each.name)).text);
  t.up = staged && up ? idOf(up) : "";
  return el("footer", { class: `dock${t.film ? " seen" : ""}${staged ? " staged" : ""}` },
    wide() && coach(t),
    el("div", { class: "stage", vars: { "--letters": `${up ? lettersOf(up) : 0}`, "--most": `${Math.max(0, ...cards.map(lettersOf))}` } },
      staged && t.hint && hint(t),
      staged && up && raised(t, up),
      el("div", { class: "tell" },
        el("div", { class: "prompt" }, prompt(t, taken)),
        !staged && t.hint && hint(t),
        t.film && filmControls(t),
        choices(t, hand.map((each) => each.name)),
        el("div", { class: "doing" }, buttons(t, staged && up, copies)))),
    hand.length > 0 && t.hiding && el("button", { class: "wide", "data-focus": "show", click: t.hide }, phrase("hand.show"), el("kbd", { class: "wide-only" }, "p")),
    hand.length > 0 && !t.hiding && fan(t, hand, copies, staged, up));
}

/** Which copies of cards are the chosen ones, and their places in the choice: those that were tapped last, or else the first. */
function chosenCopies(t, cards, names) {
  const found = new Map();
  names.forEach((name, order) => {
    const all = cards.filter((own) => own.name === name).map(({ at }) => `${name} ${at}`);
    const tapped = t.pressed.filter((copy) => all.includes(copy)).slice(-names.filter((own) => own === name).length);
    const copy = [...tapped, ...all].find((own) => !found.has(own));
    if (copy) found.set(copy, order + 1);
  });
  return found;
}

/** What a card brings is said only where it can be played in one form. */
const only = (options) => (options.length === 1 ? options[0] : null);

/** Whether a hint names a card or a way, as the best choice or as one that is about as good. */
const advised = (t, name) => Boolean(t.hint?.slice(0, t.hint[0]?.equal ? 2 : 1).some(({ move }) => t.takenBy(move).some((own) => own === name || cardIn(own) === name)));

/** The card that is up, of the hand or at a place, large, with its whole text and what it brings. */
function raised(t, { name }) {
  const option = t.toChoose() ? only(t.optionsFor(name)) : null;
  return el("div", { class: "raised", click: () => t.read(t.placeName(name)) }, card(t.rules, t.placeName(name), { size: "full", extra: "big" }),
    el("span", { class: "foot" }, option && t.shown.effects && brings(t, option) && el("span", { class: "brings" }, brings(t, option)), bars(t, t.optionsFor(name))));
}

/** How many letters of room a text takes; a sign of Japanese takes that of two. */
const room = (text) => [...text].reduce((sum, letter) => sum + (letter > "⺀" ? 2 : 1), 0);

/** How many rows a fan needs so that enough of each card is seen, and how many cards stand in each. */
function rowsOf(count) {
  const narrow = innerWidth < PHONE && Math.min(100, innerWidth - 26 - 32 * (count - 1)) < 74;
  const rows = count > MOST_WHOLE || narrow ? 2 : 1;
  return { rows, each: Math.ceil(count / rows) };
}

function fan(t, hand, copies, staged, up) {
  const { rows, each } = rowsOf(hand.length);
  const lines = Array.from({ length: rows }, (_, row) => hand.slice(row * each, (row + 1) * each));
  const box = el("div", { class: `hand${staged ? " lapped" : ""}${rows > 1 ? " many" : ""}`, role: "group", "aria-label": phrase("hand.yours") },
    lines.map((line, row) => el("div", { class: "hand-row", vars: { "--n": line.length } }, line.map((own, at) => handCard(t, own, row * each + at, at - (line.length - 1) / 2, copies, staged && own === up)))));
  if (staged) box.addEventListener("pointerdown", (event) => slide(t, box, event));
  return box;
}

function handCard(t, { name, at }, index, middle, copies, up) {
  const found = t.toChoose() ? t.optionsFor(name) : [];
  const order = copies.get(`${name} ${at}`), chosen = Boolean(order);
  const before = Array.from({ length: at }, (_, each) => `${name} ${each}`).every((each) => copies.has(each));
  const option = only(found), key = t.key(index);
  const { label } = about(t.rules, name);
  const press = { timer: 0, read: false };
  const released = () => clearTimeout(press.timer);
  return el("button", {
    class: `hand-card${up ? " up" : ""}${chosen ? " taken" : ""}${!chosen && copies.size && !(t.begun && found.length) ? " dim" : ""}${before && !chosen && advised(t, name) ? " advised" : ""}`,
    "aria-pressed": String(chosen), "data-focus": `card ${name} ${at}`, "data-key": key, "data-card": name, "data-at": `${name} ${at}`,
    "aria-disabled": String(!chosen && !found.length), "aria-label": [label, option && t.shown.effects && brings(t, option), t.bars() && t.worth(found) > 0 && phrase("bars.of", { count: t.worth(found) })].filter(Boolean).join(comma()),
    vars: { "--nth": `${index}`, "--middle": `${middle}`, "--word": `${longest(label)}` },
    click: () => {
      if (press.read) press.read = false;
      else if (t.sliding) t.sliding = false;
      else t.tap(`${name} ${at}`, chosen);
    },
    contextmenu: (event) => { event.preventDefault(); if (event.pointerType !== "touch") t.read(name); },
    pointerenter: (event) => { if (event.pointerType === "mouse") t.raise(`${name} ${at}`); },
    focus: () => t.raise(`${name} ${at}`),
    pointerdown: (event) => { if (event.pointerType === "touch" && !t.staged()) press.timer = setTimeout(() => { press.read = true; t.read(name); }, HOLD); },
    pointerup: released, pointercancel: released, pointerleave: released,
  },
  key && el("kbd", { class: "number", "aria-hidden": "true" }, key),
  chosen && el("span", { class: "badge", "aria-hidden": "true" }, copies.size > 1 ? order : sign("check", 14)),
  card(t.rules, name, { size: "full" }),
  el("span", { class: "under", "aria-hidden": "true" }, bars(t, found), option && t.shown.effects ? caption(t, option) : el("span", { class: "brings" }, " ")));
}

/** A finger slides along the fan and raises what is under it; a push upward plays it, and so does a tap on the card that is up. */
function slide(t, box, event) {
  const held = event.target.closest(".hand-card");
  if (!held || event.pointerType === "mouse") return;
  const [x, y, before] = [event.clientX, event.clientY, t.raised];
  t.sliding = true; // what the browser calls a click at the end is decided here
  t.raise(held.dataset.at);
  const move = (now) => {
    const over = document.elementsFromPoint(now.clientX, Math.max(now.clientY, y)).find((own) => own.classList?.contains("hand-card"));
    if (over && y - now.clientY < PUSH / 2) t.raise(over.dataset.at);
  };
  const end = (now) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    setTimeout(() => { t.sliding = false; });
    const still = Math.hypot(now.clientX - x, now.clientY - y) < 10;
    if (now.type === "pointerup" && (y - now.clientY > PUSH || (still && before === held.dataset.at))) t.tap(held.dataset.at, held.classList.contains("taken"));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** The letters of the longest word, by which its room is measured. */
const longest = (text) => Math.max(...text.split(/[\s-]/).map((own) => own.length));

function prompt(t, taken) {
  const own = t.game, { rules } = t;
  const what = listed(labels(rules, taken.map(t.placeName), "×")) || phrase("choose.nothing");
  const onlyWays = taken.length > 0 && taken.every((name) => rules.ways[name]);
  if (own.over) return [el("h2", {}, phrase("over.title")), el("p", {}, t.winners())];
  if (t.film) return [el("h2", {}, own.chosen ? phrase(onlyWays ? "film.chooses" : "film.plays", { name: t.seatName(t.me), cards: what }) : phrase("film.again")), el("p", {}, [rules.rounds !== 1 && phrase("film.round", own), own.turn > 0 && phrase("bar.turn", own)].filter(Boolean).join(comma()))];
  if (t.me < 0) return [el("h2", {}, phrase("choose.watching")), el("p", {}, waitingFor(t)), t.next ? el("p", {}, phrase("late.waits")) : el("button", { class: "main", "data-focus": "late", click: () => (t.mine.length ? t.back() : late(t)) }, phrase(t.mine.length ? "late.back" : "room.sit"))];
  if (t.shown.seats[t.me].late) return [el("h2", {}, phrase("late.soon")), el("p", {}, waitingFor(t))];
  if (t.chosen()) return [el("h2", {}, phrase(onlyWays ? "choose.chosen" : "choose.played", { cards: what })), el("p", {}, waitingFor(t), t.alone() && ` ${phrase("reveal.skip")}`)];
  if (!t.toChoose()) return [el("h2", {}, phrase("choose.wait")), el("p", {}, waitingFor(t))];
  return [el("h2", {}, question(t)), el("p", {}, restOf(t)), t.weighedInVain() && el("p", { class: "caption" }, phrase("bars.none"))];
}

/** What is asked. */
export function question(t) {
  const { asked } = t.game;
  if (t.begun) return phrase("choose.more");
  if (asked.offer) return phrase("choose.offer");
  if (asked.cards > 1) return phrase("choose.cards", { count: asked.cards });
  if (t.offered().every((each) => t.rules.ways[each.card])) return phrase("choose.way");
  return phrase({ hand: "choose.card.hand", discard: "choose.card.discard" }[asked.target] ?? "choose.card");
}

/** For whom or with what is chosen, or what becomes of the cards that are left. */
function restOf(t) {
  const { asked, receiver } = t.game, option = t.offered()[0];
  if (t.begun && option?.other) return phrase("choose.for", { name: option.other });
  if (t.begun && option?.ability) return phrase("choose.with", { name: t.rules.things[option.ability] ?? option.ability });
  if (receiver !== null) return phrase("choose.rest", { name: t.seatName(receiver) });
  const places = new Set(t.offered().map((own) => own.place).filter(Boolean));
  if (places.size > 1) return phrase("choose.card.where");
  if (!NAMED.has(asked.target)) return phrase("choose.card.aside", { zone: t.thing(asked.target) });
  const elsewhere = !["hand", ""].includes(asked.source) && !asked.places && t.offered().some((each) => !t.rules.ways[each.card]);
  return elsewhere ? phrase("choose.from", { zone: t.thing(asked.source) }) : "";
}

function buttons(t, up, copies) {
  const own = t.game, { begun } = t;
  if (t.film) return null;
  if (own.over) return el("button", { class: "main", "data-focus": "sheet", click: t.readSheet }, phrase("sheet.points"));
  if (t.me < 0) return null;
  const more = own.chosen && own.options && !begun ? own.options.options.find((each) => JSON.stringify(each.move) === JSON.stringify(own.chosen))?.more : false;
  return [
    up && t.toChoose() && !own.chosen && t.optionsFor(up.name).length > 0 && !copies.has(`${up.name} ${up.at}`) && el("button", { class: "main big", "data-focus": "play", click: t.playRaised }, sign("up"), phrase(own.asked.target === "tableau" && !own.asked.offer ? "choose.play" : "choose.take")),
    begun?.whole && el("button", { class: "main", "data-focus": "enough", click: () => t.take({ whole: true, move: begun.move }) }, phrase("choose.enough")),
    t.toChoose() && !own.chosen && !begun && own.options?.whole && el("button", { "data-focus": "nothing", click: () => t.take({ whole: true, move: { cards: [] } }) }, phrase("choose.none")),
    more && el("button", { "data-focus": "more", click: () => t.goOn(own.chosen) }, phrase("choose.again"), el("kbd", { class: "wide-only" }, "t")),
    (own.chosen || begun) && t.toChoose() && el("button", { "data-focus": "undo", click: t.withdraw }, sign("back", 18), phrase("choose.undo"), el("kbd", { class: "wide-only" }, "u")),
    t.shown.hints && t.toChoose() && !own.chosen && el("button", { "data-focus": "hint", "aria-busy": String(Boolean(t.advising)), click: t.advise }, sign("bulb", 18), phrase(t.advising ? "choose.thinking" : "choose.hint"), el("kbd", { class: "wide-only" }, "h")),
  ];
}

const hint = (t) => el("div", { class: "hint" }, sign("bulb", 20), el("p", {}, t.hint[0]?.sentence ?? ""));

/** What can be chosen and lies in no hand: ways without a card, cards that lie elsewhere. */
function choices(t, hand) {
  const found = t.toChoose() && !t.hiding && (t.begun || !t.game.chosen) ? t.offered().filter((own) => !hand.includes(own.card) && !hand.includes(cardIn(own.card))) : [];
  const open = found.filter((own) => !t.places().some(({ id }) => id === own.card));
  return open.length > 0 && el("div", { class: "choices-row", role: "group", "aria-label": phrase("choose.which") },
    open.map((own) => el("button", { class: advised(t, own.card) ? "advised" : "", "data-focus": `choice ${own.card}`, "data-key": hand.length ? null : t.key(t.offered().indexOf(own)), click: () => t.take(own) },
      hand.length ? null : el("kbd", { class: "wide-only", "aria-hidden": "true" }, t.key(t.offered().indexOf(own)) ?? ""),
      (own.lies ?? t.rules.cards[cardIn(own.card)]) && card(t.rules, own.lies ?? own.card),
      el("span", { class: "way" },
        own.lies ? `${about(t.rules, own.card).label}: ${about(t.rules, own.lies).label}` : about(t.rules, own.card).label,
        !own.lies && wayText(t, own)),
      aimed(t, own), bars(t, [own]), t.shown.effects && own.points ? caption(t, own) : null)));
}

/** The pile that a way is about, where one card does not stand for it, and what it scores. */
function aimed(t, option) {
  const found = t.game.piles.find(({ zone }) => zone === option.aim);
  return found && [!option.lies && pile(t, found), cost(t, found)];
}

/** What a way does, where its name does not say it. */
export function wayText(t, option) {
  const text = about(t.rules, option.card).way;
  return text && el("span", { class: "caption" }, text);
}

// ── A finished game, seen again ────────────────────────────────────────────────────────────────────────────────────

/** Forwards and backwards through a finished game. */
function filmControls(t) {
  const { film } = t, all = film.frames.length - 1;
  return el("div", { class: "film" },
    el("button", { "data-focus": "back", "aria-label": phrase("film.back"), disabled: film.at === 0, click: () => film.go(film.at - 1) }, "◀"),
    el("input", { type: "range", min: 0, max: all, value: film.at, "aria-label": phrase("film.choice"), "data-focus": "film", input: (event) => film.go(Number(event.target.value)) }),
    el("button", { "data-focus": "forward", "aria-label": phrase("film.on"), disabled: film.at === all, click: () => film.go(film.at + 1) }, "▶"),
    el("select", { "aria-label": phrase("film.seat"), "data-focus": "seat", change: (event) => film.look(Number(event.target.value)) },
      [...t.shown.seats.map((own, at) => [at, own.name]), [-1, phrase("film.spectator")]].map(([at, name]) => el("option", { value: at, selected: at === film.seat }, name))),
    t.game.waiting.includes(t.me) && el("button", { "data-focus": "opinion", click: t.opinion }, phrase("film.opinion")),
    chart(t));
}

/** Everybody's points over the game, as lines that end in the shapes of their seats; the table of points says the same in figures. */
function chart(t) {
  const points = t.film.frames.map((frame) => frame.points), last = points[points.length - 1];
  const most = Math.max(1, ...points.flat()), least = Math.min(0, ...points.flat());
  const x = (at) => 4 + (at / Math.max(1, points.length - 1)) * 172, y = (value) => 56 - ((value - least) / (most - least)) * 50;
  const ends = apart(t.shown.seats.map((_, seat) => y(last[seat])), 50 / Math.max(6, t.shown.seats.length - 1), 56);
  return svg("svg", { class: "chart", viewBox: "0 0 200 60", role: "img", "aria-label": phrase("film.chart", { list: t.shown.seats.map((own, at) => `${own.name} ${last[at]}`).join(comma()) }) },
    t.shown.seats.map((_, seat) => svg("g", { class: `hue-${seat % 8}` },
      svg("polyline", { "stroke-dasharray": DASHES[seat % DASHES.length], points: [...points.map((own, at) => `${x(at)},${y(own[seat])}`), `186,${ends[seat]}`].join(" ") }),
      svg("text", { x: 188, y: ends[seat] + 3 }, SHAPES[seat]))),
    svg("line", { x1: x(t.film.at), x2: x(t.film.at), y1: 2, y2: 58 }));
}

/** Heights with a gap between every two, none below the last; each is as near to its own as that leaves it. */
function apart(heights, gap, last) {
  const found = [...heights], order = heights.map((_, at) => at).sort((one, other) => heights[one] - heights[other]);
  order.forEach((at, rank) => { if (rank) found[at] = Math.max(found[at], found[order[rank - 1]] + gap); });
  order.reverse().forEach((at, rank) => { found[at] = Math.min(found[at], rank ? found[order[rank - 1]] - gap : last); });
  return found;
}
