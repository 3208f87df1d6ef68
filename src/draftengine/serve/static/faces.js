// Card faces, drawn from what the card set says: panel and pattern by family, a picture or a seal, pips, label, text.

import { el, svg } from "./dom.js";

export const SHAPES = ["●", "■", "◆", "▲", "⬟", "✚", "★", "⬢", "◗", "✦"];
const HUES = 8;

/** The patterns of the panels: each family has one, as a second sign beside its colour. */
const PATTERNS = [
  () => [svg("circle", { cx: 4, cy: 4, r: 1.6 }), svg("circle", { cx: 12, cy: 12, r: 1.6 })],
  () => [svg("path", { d: "M-4 12 L12 -4 M4 20 L20 4", class: "line" })],
  () => [svg("path", { d: "M0 4 q4 -5 8 0 t8 0 M0 12 q4 -5 8 0 t8 0", class: "line" })],
  () => [svg("path", { d: "M0 8 H16 M8 0 V16", class: "line" })],
  () => [svg("circle", { cx: 8, cy: 8, r: 4.4, class: "line" })],
  () => [svg("path", { d: "M0 4 H16 M0 12 H16", class: "line" })],
  () => [svg("path", { d: "M0 12 L4 6 L8 12 L12 6 L16 12", class: "line" })],
  () => [svg("path", { d: "M8 5 V11 M5 8 H11 M0 -3 V3 M-3 0 H3 M16 13 V19 M13 16 H19", class: "line" })],
];

/** The definitions that every panel refers to; once for each page. */
export function patterns() {
  return svg("svg", { class: "unseen", "aria-hidden": "true", width: 0, height: 0 },
    svg("defs", {}, PATTERNS.map((drawn, at) =>
      svg("pattern", { id: `pattern-${at}`, width: 16, height: 16, patternUnits: "userSpaceOnUse", class: "pattern" }, drawn()))));
}

let canvas = null;
const drawable = new Map();

/** Can this machine draw a sign: it looks different from one that nobody has. */
function canDraw(sign) {
  if (!drawable.has(sign)) {
    canvas ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const drawn = (text) => {
      canvas.canvas.width = canvas.canvas.height = 24;
      canvas.font = "18px sans-serif";
      canvas.fillText(text, 0, 18);
      return canvas.getImageData(0, 0, 24, 24).data.join();
    };
    drawable.set(sign, drawn(sign) !== drawn("\u{10FFFD}"));
  }
  return drawable.get(sign);
}

/** What is known of a card, a face, or a card in a form. */
export function about(rules, name) {
  const [card, form] = name.split("@");
  const base = rules.cards[card] ?? { label: card, icon: "", text: "", family: 0, adds: [], ...rules.faces[card] };
  return form ? { ...base, label: `${base.label} as ${rules.cards[form]?.label ?? form}`, form: rules.cards[form] } : base;
}

function seal(name, label) {
  const letters = [...label.replace(/[^\p{L}\p{N}]/gu, "")].slice(0, 2).join("") || name.slice(0, 2);
  return el("span", { class: "seal" }, letters);
}

function pips(rules, own) {
  if (!own.adds.length) return null;
  const [counter, amount] = own.adds[0];
  const shape = ["●", "◆", "▲", "■", "★", "⬟"][Object.keys(rules.things).indexOf(counter) % 6] ?? "●";
  const size = Math.abs(amount);
  const text = size > 6 || size === 0 ? `${amount}` : (amount < 0 ? "○" : shape).repeat(size);
  return el("span", { class: `pips${amount < 0 ? " loss" : ""}` }, text);
}

/** A card. Sizes: `small` (picture alone), `full` (label and text); `back` shows nothing of it. */
export function card(rules, name, { size = "small", extra = "" } = {}) {
  if (!name) return el("span", { class: `card ${size} back ${extra}` }, el("span", { class: "back-mark" }, "?"));
  const own = about(rules, name);
  const family = own.form?.family ?? own.family;
  const place = (family + 3 * Math.floor(family / HUES)) % HUES;
  const icon = own.icon && canDraw(own.icon) ? el("span", { class: "icon" }, own.icon) : seal(name, own.label);
  return el("span", { class: `card ${size} hue-${family % HUES} ${extra}` },
    el("span", { class: "panel" },
      svg("svg", { class: "drawn", "aria-hidden": "true" }, svg("rect", { width: "100%", height: "100%", fill: `url(#pattern-${place})` })),
      el("span", { class: "medallion" }, icon),
      pips(rules, own)),
    size === "full" && el("span", { class: "words" },
      el("span", { class: "label" }, own.label),
      el("span", { class: "text" }, own.text)));
}

/** A name of cards in words, for labels that are read out. */
export function words(rules, names) {
  const counted = new Map();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return [...counted].map(([name, copies]) => (copies > 1 ? `${copies} ${about(rules, name).label}` : about(rules, name).label)).join(", ");
}
