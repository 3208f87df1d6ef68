// Score sheets: what each rule gave, and why.

import { capital, el } from "./dom.js";
import { card } from "./faces.js";
import { phrase } from "./phrases.js";

const seatName = (rules, shown, at) => shown.game?.names?.[at] || shown.seats[at]?.name || rules.extra[at - shown.seats.length] || "";

/** What gives points: a rule, a trigger, a card or another thing of the game. */
const ruleName = (rules, id) => rules.rules[id]?.label ?? rules.causes[id] ?? rules.things[id] ?? rules.cards[id]?.label ?? id;

/** What the rules gave in some of all `rounds`, with the cards and the arithmetic of each on request; below it the points with those of earlier rounds, and at the end with chips. */
export function sheet(rules, shown, rounds, some = rounds) {
  const count = shown.seats.length + rules.extra.length;
  const seats = Array.from({ length: count }, (_, at) => at);
  const given = (own, at) => own.rows.reduce((all, row) => all + (row.chips ? 0 : row.points[at]), 0);
  const last = rounds[rounds.length - 1];
  const sum = (label, numbers) => el("tr", { class: "sum" }, el("th", { scope: "row" }, label), numbers.map((own) => el("td", {}, `${own}`)));
  const sums = (round) => {
    const points = seats.map((at) => rounds.slice(0, rounds.indexOf(round) + 1).reduce((all, own) => all + given(own, at), 0));
    const chips = seats.map((at) => (shown.game.over && round === last ? shown.game.scores[at] - points[at] : 0));
    return [
      !round.rows.every((row) => row.chips) && sum(phrase("sheet.together"), seats.map((at) => given(round, at))),
      round !== rounds[0] && points.some(Boolean) && sum(phrase("sheet.so_far"), points),
      chips.some(Boolean) && [sum(phrase("sheet.chips"), chips), sum(phrase("sheet.all"), shown.game.scores)],
    ];
  };
  return some.map((round) => el("div", { class: "scroll" }, el("table", { class: "sheet" },
    el("caption", {}, round.end ? phrase("sheet.end") : rules.rounds !== 1 ? phrase("sheet.round", { round: round.round }) : phrase("sheet.points")),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, phrase("sheet.rule")), seats.map((at) => el("th", { scope: "col" }, seatName(rules, shown, at))))),
    el("tbody", {}, round.rows.flatMap((row, at) => {
      const lines = row.lines.filter((line) => line.text || line.cards.length);
      const text = rules.rules[row.rule]?.text;
      const detail = el("tr", { class: "detail", hidden: true }, el("td", { colspan: count + 1 }, el("div", { class: "proofs" }, lines.map((line) => el("div", { class: "proof" },
        el("strong", {}, seatName(rules, shown, line.seat)),
        el("span", { class: "stack flat" }, line.cards.map((name) => card(rules, name, { size: "tiny" }))),
        el("span", {}, line.text || `${line.is}`))),
      text && el("p", { class: "caption" }, text))));
      const best = Math[rules.order === "fewest" ? "min" : "max"](...row.points);
      const rule = capital(ruleName(rules, row.rule)), label = row.chips ? phrase("sheet.of_chips", { rule }) : rule;
      const button = !lines.length && !text ? label : el("button", { class: "quiet fold", "aria-expanded": "false", "data-focus": `rule ${round.round} ${row.rule}`, click: () => {
        detail.hidden = !detail.hidden;
        button.setAttribute("aria-expanded", String(!detail.hidden));
      } }, label);
      return [el("tr", { vars: { "--row": at } }, el("th", { scope: "row" }, button), seats.map((at) => el("td", { class: row.points[at] === best && row.points.some((own) => own > 0) ? "best" : "" }, row.points[at] ? `${row.points[at]}` : "–"))), detail];
    }),
    sums(round)))));
}

/** Everybody's points, the winners first: also those who won among equals. */
export function standings(rules, shown, shapes) {
  const sign = rules.order === "most" ? -1 : 1, won = (at) => Number(shown.game.winners?.includes(at) ?? false);
  const seats = shown.game.scores.map((_, at) => at).sort((one, other) => won(other) - won(one) || sign * (shown.game.scores[one] - shown.game.scores[other]));
  return el("ol", { class: "standings" }, seats.map((at) => el("li", { class: won(at) ? "won" : "" },
    el("span", { class: "shape", "aria-hidden": "true" }, shapes[at] ?? "○"),
    el("span", { class: "grow" }, seatName(rules, shown, at), won(at) ? " ★" : ""),
    el("strong", {}, `${shown.game.scores[at]}`))));
}
