// Tips in a first game: each once, one in a turn, when what it is about lies on the table. They know no game: sets,
// crowns and open modifiers come with the data.

import { el, remember, remembered } from "./dom.js";
import { words } from "./faces.js";
import { phrase } from "./phrases.js";

const touch = () => matchMedia("(pointer: coarse)").matches;
const progress = (group) => ({ have: 0, need: 0, ranks: [], ...group.progress });
const named = (t, group) => (group.named && t.rules.rules[group.rule]?.label) || words(t.rules, [...new Set(group.cards)]);

/** Whether several people choose at the same time, from hands. */
const together = (t) => t.game.waiting.length > 1 && t.game.hand.length > 1;

/** The own groups of cards for which something holds; the first of them is what a tip is about. */
const ownGroup = (t, holds) => t.game.seats[t.me].groups.find(holds);

/** Each tip: when it is given (something true), and what it says. */
const TIPS = {
  "first.turn": [(t) => t.toChoose() && !t.game.chosen && together(t) && t.game.asked.cards === 1, () => phrase(touch() ? "coach.first.touch" : "coach.first.mouse")],
  chosen: [(t) => t.game.chosen && together(t), () => phrase("coach.chosen")],
  reveal: [(t) => t.fresh.size > 1 && together(t), () => phrase("coach.reveal")],
  passing: [(t) => t.toChoose() && t.game.giver !== null && t.game.turn > 1, (t) => phrase("coach.passing", { to: t.seatName(t.game.receiver), from: t.seatName(t.game.giver) })],
  modifier: [(t) => ownGroup(t, (own) => own.waits), (t, own) => phrase("coach.modifier", { card: named(t, own), change: own.change })],
  set: [(t) => ownGroup(t, (own) => progress(own).have > 0 && progress(own).have < progress(own).need), (t, own) => phrase("coach.set", { card: named(t, own), ...progress(own) })],
  most: [(t) => ownGroup(t, (own) => progress(own).ranks.some(({ order }) => order === "most")), (t, own) => phrase("coach.most", { card: named(t, own) })],
};

/** The tip of this moment, as a bubble; nothing where all is known, or nobody wants any. */
export function coach(t) {
  const given = remembered("tips", []);
  if (t.film || t.me < 0 || t.game.over || given === "off") return null;
  const decision = t.shown.decision.join();
  if (t.tip?.decision !== decision || t.tip.chosen !== Boolean(t.game.chosen)) {
    const id = t.tip?.decision === decision && t.tip.id ? null : Object.keys(TIPS).find((own) => !given.includes(own) && TIPS[own][0](t));
    t.tip = { decision, chosen: Boolean(t.game.chosen), id };
    if (id) remember("tips", [...given, id]);
  }
  if (!t.tip.id) return null;
  const [holds, says] = TIPS[t.tip.id], about = holds(t);
  if (!about) return null;
  const close = (all) => { t.tip.id = null; if (all) remember("tips", "off"); t.draw(); };
  return el("div", { class: "bubble", role: "note" },
    el("p", {}, says(t, about)),
    el("div", { class: "row" },
      el("button", { class: "main", "data-focus": "tip", click: () => close(false) }, phrase("coach.ok")),
      el("button", { class: "quiet", "data-focus": "no tips", click: () => close(true) }, phrase("coach.off"))));
}
