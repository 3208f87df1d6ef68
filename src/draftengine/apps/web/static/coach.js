// Tips in a first game: each once, one in a turn. The server knows what there is to say; here is remembered what was said.

import { el, find, remember, remembered } from "./dom.js";
import { phrase } from "./phrases.js";

/** So many tips are remembered. */
const MOST = 400;

/** The tip of this moment, as a bubble; nothing where all is known, or nobody wants any. */
export function coach(t) {
  const given = remembered("tips", []);
  if (t.film || t.me < 0 || !t.game || given === "off") return null;
  const decision = t.shown.decision.join(), chosen = Boolean(t.game.chosen);
  if (t.tip?.decision !== decision || (t.tip.chosen !== chosen && !t.tip.id)) ask(t, given, t.tip = { decision, chosen });
  if (!t.tip.text) return null;
  const close = (all) => (event) => {
    t.tip.text = "";
    if (all) remember("tips", "off");
    t.draw();
    if (!event.detail) find('[data-focus="play"], .hand-card:not([aria-disabled="true"]), button.place')?.focus({ preventScroll: true }); // by keyboard
  };
  return el("div", { class: "bubble", role: "note" },
    el("p", {}, t.tip.text),
    el("div", { class: "row" },
      el("button", { class: "main", "data-focus": "tip", click: close(false) }, phrase("coach.ok")),
      el("button", { class: "quiet", "data-focus": "no tips", click: close(true) }, phrase("coach.off"))));
}

/** Ask once in a moment what there is to say. The page goes on without an answer. */
async function ask(t, given, moment) {
  const by = matchMedia("(pointer: coarse)").matches ? "touch" : "mouse";
  const found = await t.line().ask("tip", { given: given.slice(-MOST), by }).catch(() => null);
  if (!found?.tip || t.tip !== moment) return;
  Object.assign(moment, found.tip);
  remember("tips", [...given, moment.id]);
  t.draw();
}
