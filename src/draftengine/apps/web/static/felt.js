// What lies on the table: seats with their cards, piles, layouts, and what is on its way. `t` is the table as `table.js` knows it.

import { coach } from "./coach.js";
import { el, sign } from "./dom.js";
import { SHAPES, about, card, cardIn, words } from "./faces.js";
import { wide } from "./hand.js";
import { emoteOf } from "./menu.js";
import { comma, listed, phrase } from "./phrases.js";

/** Cards of a group that are shown one by one; more are counted. */
const MOST_SHOWN = 6;
const DICE = "⚀⚁⚂⚃⚄⚅";

/** All that lies on the table: the others in the order in which hands go round and what belongs to all, which scroll if they must; below them the own seat, over which tips lie. */
export function felt(t) {
  const count = t.rules.extra.length + t.shown.seats.length, first = Math.max(0, t.me);
  const order = Array.from({ length: count }, (_, at) => (first + at) % count);
  const others = t.me >= 0 ? order.slice(1) : order;
  return el("div", { class: "felt" },
    el("div", { class: "board", role: "region", tabindex: 0, "aria-label": phrase("table.name"), "data-focus": "felt" },
      el("h2", { class: "unseen" }, phrase("table.name")),
      el("div", { class: "others", vars: { "--others": others.length } }, others.map((at) => seat(t, at))),
      t.game.layouts.map((own) => layout(t, own)),
      t.game.common.length > 0 && el("ul", { class: "groups" }, t.game.common.map((own) => belonging(t, own))),
      piles(t, t.game.piles)),
    t.me >= 0 && el("div", { class: "own" }, seat(t, t.me), !wide() && coach(t)));
}

function seat(t, at) {
  const own = t.shown.seats[at], name = t.seatName(at), mine = at === t.me;
  const [AWAY, SILENCE] = t.patience();
  const away = own && !mine && !t.game.over ? t.awayFor(at) : 0;
  return el("section", { class: `seat${mine ? " me" : ""}${own?.chosen ? " chosen" : ""}${away >= AWAY ? " away-seat" : ""}`, "aria-label": phrase("seat.points", { name, count: t.game.scores[at] }), "data-seat": at },
    el("div", { class: "seat-head" },
      el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at] ?? "○"),
      el("h3", { title: name }, name),
      mine && el("span", { class: "tag" }, phrase("seat.you")),
      own?.kind === "bot" && el("span", { class: "tag", title: phrase(`level.${own.level}.about`) }, phrase(`level.${own.level}`)),
      (own?.away || own?.late) && el("span", { class: "tag" }, phrase("seat.botted")),
      away >= AWAY && el("span", { class: "tag bad" }, phrase("seat.away")),
      emoteOf(t, at),
      el("span", { class: "points" }, `${t.game.scores[at]}`)),
    el("ul", { class: "groups" }, t.game.seats[at].items.filter((item) => !item.on_cards).map((item) => belonging(t, item)), groups(t, at)),
    slot(t, own, at),
    !mine && held(t, t.game.seats[at].holds ?? 0),
    away >= SILENCE && t.me >= 0 && el("button", { class: "small", "data-focus": `replace ${at}`, click: () => t.request("replace", { seat: at }) }, phrase("seat.let")),
    piles(t, t.game.seats[at].piles.filter((pile) => !mine || !t.toChoose() || pile.zone !== t.game.asked.source))); // the hand shows those
}

/** The cards in somebody's hand, face down, with their number. */
function held(t, count) {
  return count > 0 && el("span", { class: "held", title: phrase("seat.holds", { count }) },
    el("span", { class: "stack", "aria-hidden": "true" }, Array.from({ length: Math.min(count, MOST_SHOWN) }, () => card(t.rules, "", { size: "tiny" }))),
    el("b", { "aria-hidden": "true" }, `${count}`), el("span", { class: "unseen" }, phrase("seat.holds", { count })));
}

/** Whether somebody has chosen: a card face down with a tick, or an empty place. */
function slot(t, own, at) {
  const choosing = t.game.waiting.includes(at);
  if (!own || t.game.over || t.film || !(choosing || own.chosen) || at === t.me) return null;
  return el("span", { class: `slot state${own.chosen ? " good" : ""}` },
    own.chosen ? [card(t.rules, ""), sign("check", 14), el("span", { class: "unseen" }, phrase("seat.has"), phrase("seat.chosen"))] : el("span", { title: phrase("seat.choosing") }, "…"));
}

function groups(t, at) {
  const newest = [...(t.fresh.get(at) ?? [])];
  const all = t.game.seats[at].groups.map((group) => ({ ...group, fresh: new Set() }));
  for (const group of [...all].reverse()) {
    for (let place = group.cards.length - 1; place >= 0; place -= 1) {
      const found = newest.indexOf(group.cards[place]);
      if (found < 0) continue;
      newest.splice(found, 1);
      group.fresh.add(place);
    }
  }
  return all.map((own) => group(t, own));
}

/** A group of cards: what is missing as empty outlines, what waits in gold, a crown for a lead. */
function group(t, own) {
  const { have = 0, need = 0, count = "", ranks = [] } = own.progress ?? {};
  const missing = have > 0 && have < need ? need - have : 0;
  const label = own.named ? t.rules.rules[own.rule]?.label ?? own.rule : words(t.rules, [...new Set(own.cards)]);
  const text = own.waits ? "" : own.text;
  const points = own.points && !own.later && !ranks.length && own.rule ? own.points : 0;
  const spoken = phrase(own.waits ? "group.open.count" : points ? "group.spoken.points" : "group.spoken", { label, text: text || own.cards.length, count: own.waits ? own.cards.length : own.points });
  const more = Math.max(0, own.cards.length - MOST_SHOWN);
  return el("li", { class: `group${own.waits ? " waits" : ""}`, "aria-label": spoken, title: `${label} ${text}`.trim() },
    el("span", { class: "stack", "aria-hidden": "true" },
      own.cards.slice(more).map((name, at) => card(t.rules, name, { extra: own.fresh.has(at + more) ? "fresh" : "" })),
      Array.from({ length: Math.min(missing, 3) }, () => el("span", { class: "card small slot-of" })),
      own.waits && el("span", { class: "card small slot-of gold" }, own.change || "+")),
    el("span", { class: "group-words", "aria-hidden": "true" },
      own.waits ? el("span", { class: "open" }, own.change, " ", phrase("group.open"))
        : ranks.length ? [crown(ranks), count, ranks.map(({ order, place }) => (order === "fewest" && place === 1 && (!own.later || t.game.round === t.rules.rounds) ? el("span", { class: "low" }, phrase("group.fewest")) : null))]
          : el("span", { class: "count" }, need ? [have >= need ? el("span", { class: "done" }, sign("check", 14)) : null, count || `${have}/${need}`]
            : count || (own.cards.length > 1 ? `×${own.cards.length}` : "")),
      points ? el("b", { class: t.rules.order === "fewest" ? "cost" : points < 0 ? "minus" : "plus" }, points < 0 ? `−${-points}` : t.rules.order === "fewest" ? points : `+${points}`) : null));
}

/** A filled crown for whoever has the most, a hollow one for the second. */
function crown(ranks) {
  const { place, shared } = ranks.find(({ order }) => order === "most") ?? { place: 0 };
  if (place < 1 || place > 2) return null;
  return el("span", { class: `crown place-${place}`, title: phrase(place === 1 ? (shared ? "group.lead.shared" : "group.lead") : "group.second") }, sign("crown", 14));
}

function belonging(t, own) {
  const value = own.value === null ? "?" : own.value;
  const mark = own.kind === "marker" ? "★" : own.kind === "die" ? DICE[own.value - 1] ?? value : value;
  return el("li", { class: `belonging ${own.kind}`, title: t.thing(own.thing) }, el("span", { class: "token", "aria-hidden": "true" }, mark), el("span", {}, t.thing(own.thing)), own.kind !== "marker" && el("span", { class: "unseen" }, ` ${value}`));
}

/** Piles, each with its name and with what its cards score by themselves. */
function piles(t, all) {
  return all.length > 0 && el("ul", { class: "piles" }, all.map((own) => (own.cards.length || !own.size
    ? el("li", { class: "pile", title: t.thing(own.zone) }, pile(t, own), el("span", { class: "caption" }, el("span", {}, t.thing(own.zone)), " ", cost(t, own)))
    : el("li", { class: "pile closed" }, card(t.rules, "", { size: "tiny" }), el("span", { class: "caption" }, `${t.thing(own.zone)} ×${own.size}`)))));
}

/** The cards of a pile. */
export function pile(t, own) {
  const unknown = own.size - own.cards.reduce((sum, [, copies]) => sum + copies, 0);
  return el("span", { class: "stack" },
    own.cards.flatMap(([name, copies]) => Array.from({ length: copies }, () => card(t.rules, name))),
    own.size === 0 && el("span", { class: "card slot-of" }),
    unknown > 0 && card(t.rules, ""), unknown > 1 && el("span", { class: "caption" }, `×${unknown}`));
}

/** What the cards of a pile score by themselves. */
export function cost(t, own) {
  const points = own.cards.reduce((sum, [name, copies]) => sum + copies * (t.rules.cards[cardIn(name)]?.points ?? 0), 0);
  return points !== 0 && el("b", { class: "cost", title: t.rules.scored }, el("span", { class: "unseen" }, `${t.rules.scored} `), `${points}`);
}

/** The hands on their way to this seat, the next one first. */
export function coming(t) {
  return t.game.coming.map((own) => {
    const known = own.cards.reduce((sum, [, copies]) => sum + copies, 0), name = t.seatName(own.from);
    return el("section", { class: "coming", "aria-label": phrase("table.coming.from", { name }) },
      el("div", { class: "coming-head" },
        el("strong", {}, phrase(own.turns === 1 ? "table.coming.next" : "table.coming.turns", { count: own.turns, name })),
        el("span", { class: "caption" }, known < own.size ? phrase("table.coming.known", { known, size: own.size }) : phrase("table.coming.cards", { count: own.size, turns: own.turns }))),
      el("span", { class: "stack flat" }, own.cards.flatMap(([id, copies]) => Array.from({ length: copies }, () =>
        el("span", { title: about(t.rules, id).label }, card(t.rules, id))))),
      el("p", { class: "caption" }, words(t.rules, own.cards.flatMap(([id, copies]) => Array(copies).fill(id)))));
  });
}

/** A layout in rows, each place as a card; what can be taken is a button. */
function layout(t, own) {
  const rows = own.rows.filter((row) => row.some(Boolean));
  return el("div", { class: "layout", role: "group", "aria-label": t.rules.things[own.zone] ?? own.zone, vars: { "--widest": Math.max(...rows.map((row) => row.length)), "--rows": rows.length } },
    rows.map((row) => el("div", { class: "layout-row" }, row.map((at) => (at ? place(t, own, at) : el("span", { class: "place gone" }, card(t.rules, "")))))));
}

function place(t, zone, at) {
  const option = t.toChoose() && t.game.asked?.source === zone.zone ? t.offered().find((each) => each.card === at.id) : null;
  if (!option) return el("span", { class: `place${at.open ? "" : " covered"}` }, card(t.rules, at.face));
  const chosen = Boolean(t.game.chosen && t.takenBy(t.game.chosen).includes(at.id));
  const key = t.key(t.offered().indexOf(option)), id = `${at.id} 0`, { label } = about(t.rules, at.face);
  let reads = false; // a finger reads a card with the first tap, and takes it with the second
  return el("button", {
    class: `place${chosen ? " taken" : ""}${t.up === id ? " up" : ""}`, "data-focus": `card ${at.id}`, "data-key": key, "data-card": at.face, "data-at": id, "aria-pressed": String(chosen), "aria-label": [label, t.shown.effects && brings(t, option)].filter(Boolean).join(comma()),
    pointerdown: (event) => { reads = event.pointerType !== "mouse" && t.up !== id; },
    pointerenter: (event) => { if (event.pointerType === "mouse") t.raise(id); },
    focus: () => t.raise(id),
    click: () => {
      if (reads) t.raise(id);
      else if (chosen) t.withdraw();
      else t.take(option);
      reads = false;
    },
  }, key && el("kbd", { class: "number", "aria-hidden": "true" }, key), card(t.rules, at.face), bars(t, [option]));
}

/** What a move brings, as far as no later card can take it away; a place among others is only the place. */
export function brings(t, option) {
  const parts = [];
  const { count = "", ranks: [rank] = [] } = option.progress ?? {};
  if (rank && rank.order === "most" && rank.place <= 2) parts.push(phrase(rank.place === 1 ? "brings.lead" : "brings.second", { count }));
  else if (option.certain) parts.push(phrase("brings.points.sure", { amount: `${option.certain > 0 ? "+" : "−"}${Math.abs(option.certain)}`, count: Math.abs(option.certain) }));
  else if (option.short && !rank) parts.push(option.short);
  else if (count) parts.push(phrase("brings.count", { count }));
  if (option.chips) parts.push(phrase("brings.chips", { amount: `${option.chips > 0 ? "+" : "−"}${Math.abs(option.chips)}`, count: option.chips }));
  for (const own of option.uses) parts.push(phrase("brings.on", { card: about(t.rules, own).label }));
  parts.push(option.paid);
  return parts.filter(Boolean).join(" · ");
}

export const caption = (t, option) => el("span", { class: "brings" }, brings(t, option) || " ");

/** What the best of some options is worth to the seat, in one to five bars; their room, until that is known. */
export function bars(t, options) {
  const count = t.worth(options);
  return t.bars() && options.length > 0 && el("span", { class: `bars${count ? "" : " unknown"}`, ...(count ? { role: "img", "aria-label": phrase("bars.of", { count }) } : { "aria-hidden": "true" }) },
    Array.from({ length: 5 }, (_, at) => el("i", { class: at < count ? "full" : "" })));
}

/** Whom everybody waits for. */
export function waitingFor(t) {
  const names = t.game.waiting.filter((at) => !t.shown.seats[at]?.chosen && at !== t.me).map(t.seatName);
  return names.length ? phrase("choose.waiting", { names: listed(names) }) : phrase("choose.all");
}
