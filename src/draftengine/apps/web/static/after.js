// When points are read: the sheet of a round until everybody is ready, and the end of a game.

import { el, find, sign } from "./dom.js";
import { SHAPES } from "./faces.js";
import { wide } from "./hand.js";
import { emoteOf } from "./menu.js";
import { hostChange, late } from "./room.js";
import { still } from "./show.js";
import { sheet, standings } from "./sheet.js";
import { listed, phrase, records } from "./phrases.js";

/** The sheet of the last round that gave points; a game may give none. */
export const lastSheet = (t) => t.shown.sheet.at(-1) ?? { round: t.rules.rounds || t.game.round, rows: [] };

/** A sheet is counted rule by rule until a tap or a key; then it stays whole. */
const whole = () => { if (!find(".reveal:not(.gone)")) for (const own of document.querySelectorAll(".counting")) own.classList.remove("counting"); };
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, whole, { capture: true });

export function pause(t) {
  const decision = t.shown.decision.join();
  if (t.counted?.decision !== decision) t.counted = { decision, at: still() ? -Infinity : performance.now() };
  const { over } = t.game, { winners } = t.game;
  const reading = t.shown.seats.filter((own, at) => own.reading && at !== t.me).map((own) => own.name);
  const eager = t.shown.seats.filter((own, at) => own.again && own.kind === "person" && at !== t.me).map((own) => own.name);
  const host = t.mine.some((own) => own.seat === t.shown.host), free = t.me < 0 && t.shown.seats.some((own) => own.kind !== "person");
  return el("div", { class: `pause${over ? " over" : find(".pause") && !find(".counting") ? "" : " counting"}`, vars: { "--since": `${Math.max(-1e6, Math.round(t.counted.at - performance.now()))}ms`, "--rows": lastSheet(t).rows.length } },
    el("div", { class: over ? "triumph" : "" },
      over && el("span", { class: "shape huge", "aria-hidden": "true" }, SHAPES[winners[0]] ?? "○"),
      el("h2", {}, over ? won(t) : lead(t)),
      over && by(t) && el("p", {}, by(t))),
    over ? standings(t.rules, t.shown, SHAPES) : tally(t),
    el("div", { class: "row doing" },
      !over && el("button", { class: "main big", "data-focus": "ready", click: t.ready }, phrase("pause.ready", t.game), el("kbd", { class: "wide-only" }, "Enter")),
      over && next(t, host, free),
      over && el("button", { "data-focus": "look", click: t.look }, phrase("over.look")),
      over && el("a", { class: "button", href: "/games" }, phrase("title.past")),
      over && hostChange(t) && el("span", { class: "caption" }, hostChange(t)),
      over && said(t),
      over && t.shown.repeats && el("p", { class: "caption" }, phrase("again.same.about")),
      over && records(t.rules.title) && el("p", { class: "caption" }, el("strong", {}, phrase("record.title")), ": ", records(t.rules.title)),
      over && eager.length > 0 && el("strong", { class: "good row" }, sign("check", 18), phrase("again.others", { names: listed(eager), count: eager.length })),
      !over && reading.length > 0 && el("span", { class: "caption" }, phrase("pause.reading", { names: listed(reading) }))),
    over && lost(t),
    over ? sheet(t.rules, t.shown, t.shown.sheet) : el("details", { class: "why", open: t.why ?? wide(), toggle: (event) => { t.why = event.currentTarget.open; } }, el("summary", { "data-focus": "why" }, phrase("pause.why")), sheet(t.rules, t.shown, t.shown.sheet, [lastSheet(t)])),
    over && el("details", { class: "fair" }, el("summary", {}, phrase("over.fair")),
      el("p", { class: "caption" }, phrase("over.fair.about")),
      el("dl", { class: "rules" }, ["commitment", "seed", "salt"].flatMap((name) => [el("dt", {}, phrase(`over.fair.${name}`)), el("dd", {}, el("code", { class: "mono" }, t.shown[name]))]))));
}

/** What each seat has by now, as a bar in which every rule of the round has its part, and below it what still waits for the end of the game. */
function tally(t) {
  const { rows } = lastSheet(t), { scores } = t.game, most = Math.max(1, ...scores.map(Math.abs));
  const later = Object.values(t.rules.rules).filter((own) => own.at === "game").map((own) => own.label);
  const part = (points, id, at) => points > 0 && el("i", { class: id === null ? "before" : `hue-${at % 8}`, title: id === null ? phrase("pause.before") : t.rules.rules[id]?.label ?? id, vars: { "--points": `${(100 * points) / most}%`, "--row": at } });
  return el("section", { class: "tally" },
    el("ol", {}, scores.map((score, seat) => {
      const given = rows.map((row) => (row.chips ? 0 : row.points[seat]));
      return el("li", {},
        el("span", { class: "row" }, el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[seat] ?? "○"), el("strong", { class: "grow" }, t.seatName(seat)), total(score, given)),
        el("span", { class: "tally-bar", "aria-hidden": "true" }, part(score - given.reduce((all, own) => all + own, 0), null, 0), given.map((points, at) => part(points, rows[at].rule, at))));
    })),
    el("ul", { class: "legend" }, rows.map((row, at) => row.points.some((own) => own > 0) && el("li", {}, el("i", { class: `hue-${at % 8}` }), t.rules.rules[row.rule]?.label ?? t.rules.causes[row.rule] ?? t.thing(row.rule)))),
    later.length > 0 && el("p", { class: "caption" }, phrase("pause.later", { names: listed(later) })));
}

/** The points of a seat: while they are counted, what it has after each rule; the last figure is read to whoever listens. */
function total(score, given) {
  const counted = given.map((points, at) => ({ points, at })).filter(({ points }) => points);
  const from = [-1, ...counted.map(({ at }) => at)]; // the first figure stands from the beginning
  let now = score - counted.reduce((all, { points }) => all + points, 0);
  const steps = counted.map(({ points }, nth) => {
    const step = el("i", { "aria-hidden": "true", vars: { "--from": from[nth], "--to": from[nth + 1] } }, `${now}`);
    now += points;
    return step;
  });
  return el("strong", { class: "total" }, steps, el("span", { vars: { "--from": from.at(-1) } }, `${score}`));
}

/** The way to the next game, which may have begun meanwhile. */
function next(t, host, free) {
  if (t.nextBegun) return [el("strong", {}, phrase("again.begun")), el("button", { class: "main big", "data-focus": "follow", click: t.follow }, phrase("again.follow"))];
  if (t.me < 0) return free && el("button", { class: "main big", "data-focus": "late", click: () => late(t) }, phrase("room.sit"));
  return [
    el("button", { class: "main big", "data-focus": "again", click: () => t.again(true) }, phrase("over.again")),
    host && el("button", { "data-focus": "same", click: () => t.again(true, true) }, phrase("again.same")),
  ];
}

/** Where the own seat lost points, as the source of the hints sees it; it is asked once. */
function lost(t) {
  if (t.me < 0) return null;
  const game = `${t.shown.decision[0]} ${t.me}`;
  if (t.lost?.game !== game) {
    t.lost = { game };
    t.line().ask("lost").then((found) => found.lost, () => []).then((texts) => { t.lost = { game, texts }; t.draw(); });
  }
  const { texts } = t.lost;
  return texts?.length !== 0 && el("section", { class: "box lost" }, el("h3", {}, phrase(t.game.winners.includes(t.me) ? "over.lost.won" : "over.lost")), texts ? texts.map((text) => el("p", {}, text)) : el("p", { class: "caption" }, phrase("over.lost.busy")));
}

/** What people say about it. */
const said = (t) => el("p", { class: "row" }, [...t.emotes.keys()].map((at) => el("span", {}, t.sitter(at), " ", emoteOf(t, at))));

/** Who has won, as the person at this screen would say it. */
function won(t) {
  const { winners } = t.game;
  if (winners.includes(t.me) && t.mine.length < 2) return phrase(winners.length > 1 ? "over.shared" : "over.you");
  return t.winners();
}

/** Points of the winners, and how far they are ahead, or which rule decided. */
function by(t) {
  const { scores, winners, end } = t.game;
  if (end.decided_by === "unknown") return "";
  if (end.decided_by === "wins") return t.rules.wins;
  const points = scores[winners[0]], others = t.shown.seats.map((_, at) => at).filter((at) => !winners.includes(at));
  if (points === undefined || !others.length) return "";
  const ahead = Math.min(...others.map((at) => Math.abs(points - scores[at])));
  return ahead ? phrase("over.by", { count: points, ahead }) : [phrase("late.points", { count: points }), t.rules.ties && el("span", { class: "ties" }, t.rules.ties)];
}

/** Who leads after a round, and by how much. */
function lead(t) {
  const order = t.rules.order === "most" ? -1 : 1, { scores } = t.game;
  const players = t.shown.seats.map((_, at) => at).sort((one, other) => order * (scores[one] - scores[other]));
  const ahead = Math.abs(scores[players[0]] - scores[players[1] ?? players[0]]);
  if (!ahead) return phrase("pause.over", lastSheet(t));
  return players[0] === t.me && t.mine.length < 2 ? phrase("pause.you", { count: ahead }) : phrase("pause.leads", { name: t.seatName(players[0]), count: ahead });
}
