// The moment when all turn over what they have chosen: large, together, and gone with the first tap or key.

import { el, remembered } from "./dom.js";
import { SHAPES, card } from "./faces.js";
import { phrase } from "./phrases.js";

/** Milliseconds that a reveal stays where nobody taps. */
export const STAYS = 1900;

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden || remembered("quick", false);

const CONFETTI = 36;
/** Milliseconds until the last of it has fallen. */
const FALLEN = 2700;

/** Let confetti fall, once. */
export function celebrate() {
  const box = el("div", { class: "confetti", "aria-hidden": "true" }, Array.from({ length: CONFETTI }, (_, at) =>
    el("i", { class: `hue-${at % 8}`, vars: { "--x": `${(at * 37) % 100}%`, "--r": `${(at * 61) % 360}deg`, "--d": `${(at * 53) % 700}ms` } })));
  document.body.append(box);
  setTimeout(() => box.remove(), FALLEN);
}

/** Ends the timer and the listeners of the reveal that is seen. */
let showing = null;

/** Show what everybody has just laid down, then how hands travel; then call `after`. It lies over the page and holds nothing up: the hand below can be used at once. Results below it stay `hidden` until it goes. */
export function reveal(t, hidden, after) {
  const seats = t.game.seats.map((own, at) => ({ at, cards: own.laid ?? [] })).filter((own) => own.cards.length);
  showing?.abort();
  document.querySelector(".reveal")?.remove();
  if (still() || seats.length < 2) { after(); return; }
  const box = el("div", { class: `reveal${hidden ? " solid" : ""}`, "aria-hidden": "true" },
    el("ul", { vars: { "--n": seats.length } }, seats.map(({ at, cards }, place) => el("li", { vars: { "--place": place } },
      el("span", { class: "laid-cards" }, cards.map((name) => card(t.rules, name, { size: "large" }))),
      el("span", { class: "by" }, el("span", { class: "shape" }, SHAPES[at] ?? "○"), t.seatName(at))))),
    el("p", {}, phrase("reveal.skip")));
  const end = showing = new AbortController();
  const close = () => { end.abort(); box.classList.add("gone"); setTimeout(() => box.remove(), 220); travel(t); after(); };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, close, { signal: end.signal, capture: true });
  const timer = setTimeout(close, STAYS);
  end.signal.addEventListener("abort", () => clearTimeout(timer));
  document.body.append(box);
}

/** Milliseconds that a hand is on its way to its next seat. */
const TRAVELS = 620;

/** Let all hands travel at once, face down and each with its number of cards, from seat to seat. */
export function travel(t) {
  const where = (seat) => document.querySelector(`[data-seat="${seat}"]`)?.getBoundingClientRect();
  if (still()) return;
  for (const [from, to, size] of t.game.passed ?? []) {
    const [one, other] = [where(from), where(to)];
    if (!one || !other || !size) continue;
    const box = el("div", { class: "travelling", "aria-hidden": "true" }, card(t.rules, "", { size: "medium" }), el("b", {}, `${size}`));
    const at = ({ left, top, width, height }) => `${left + width / 2 - 29}px ${top + height / 2 - 40}px`;
    document.body.append(box);
    box.animate({ translate: [at(one), at(other)], opacity: [0.2, 1, 1, 0.2] }, { duration: TRAVELS, easing: "ease-in-out" }).finished.then(() => box.remove(), () => box.remove());
  }
}
