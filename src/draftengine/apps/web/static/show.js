// The moment when all turn over what they have chosen: large, together, and gone with the first tap or key.

import { el, remembered } from "./dom.js";
import { SHAPES, card } from "./faces.js";
import { phrase } from "./phrases.js";

/** Milliseconds that a reveal stays where nobody taps. */
const STAYS = 1900;
/** Milliseconds in which it goes, and still catches the tap that ended it. */
const GOES = 220;

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

/** Show what everybody has just laid down over the page as it was, then call `after`, which draws what follows, and show how hands travel. A tap or a key ends it and does nothing else. */
export function reveal(t, after) {
  const seats = t.game.seats.map((own, at) => ({ at, cards: own.laid ?? [] })).filter((own) => own.cards.length);
  showing?.abort();
  document.querySelector(".reveal")?.remove();
  t.revealing = !still() && seats.length > 1;
  if (!t.revealing) { after(); return; }
  const box = el("div", { class: "reveal", "aria-hidden": "true" },
    el("ul", { vars: { "--n": seats.length } }, seats.map(({ at, cards }, place) => el("li", { vars: { "--place": place } },
      el("span", { class: "laid-cards" }, cards.map((name) => el("span", { class: "flip" }, card(t.rules, name, { size: "large" }), card(t.rules, "", { size: "large" })))),
      el("span", { class: "by" }, el("span", { class: "shape" }, SHAPES[at] ?? "○"), t.seatName(at))))),
    el("p", {}, phrase("reveal.skip")));
  const end = showing = new AbortController();
  const close = (event) => {
    if (event?.type === "keydown" && event.key !== "Tab") { event.preventDefault(); event.stopImmediatePropagation(); }
    end.abort();
    t.revealing = false;
    box.classList.add("gone");
    setTimeout(() => box.remove(), GOES);
    after();
    travel(t);
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, close, { signal: end.signal, capture: true });
  const timer = setTimeout(() => close(), STAYS);
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
    const box = el("div", { class: "travelling", "aria-hidden": "true" }, Array.from({ length: Math.min(3, size) }, () => card(t.rules, "", { size: "medium" })), el("b", {}, `${size}`));
    const at = ({ left, top, width, height }) => `${left + width / 2 - 29}px ${top + height / 2 - 40}px`;
    document.body.append(box);
    box.animate({ translate: [at(one), at(other)], opacity: [0.2, 1, 1, 0.2] }, { duration: TRAVELS, easing: "ease-in-out" }).finished.then(() => box.remove(), () => box.remove());
  }
}
