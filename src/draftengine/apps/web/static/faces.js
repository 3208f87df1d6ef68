// Cards. Their pictures come from the server, which draws every card as it is printed; here they get their words.

import { el, svg } from "./dom.js";
import { comma, phrase } from "./phrases.js";

export const SHAPES = ["●", "■", "◆", "▲", "⬟", "✚", "★", "⬢", "◗", "✦"];

const DRAWN = new Set(["svg", "g", "defs", "pattern", "path", "rect", "circle", "text"]);
const pictures = new WeakMap();
const addresses = new Map();

/** The elements of a drawing that the server sent as data. */
function made([name, attributes, ...children]) {
  return DRAWN.has(name) ? svg(name, attributes, children.map((own) => (Array.isArray(own) ? made(own) : own))) : null;
}

/** The address of a drawing as a picture, in which no script could run. It is laid out once, however often it is shown. */
function picture(data) {
  if (!pictures.has(data)) {
    const text = new XMLSerializer().serializeToString(made(data));
    if (!addresses.has(text)) addresses.set(text, URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })));
    pictures.set(data, addresses.get(text));
  }
  return pictures.get(data);
}

/** A name without what is told of how its card lies: `bread^butter` and `butter-0` were played as bread and butter. */
const asPlayed = (name) => name.replace(/[-^][^@]*/g, "");

/** The card, or the face, that a name is about. */
export const cardIn = (name) => asPlayed(name).split("@")[0];

/** What is told of that: `Bread on Butter`, `Butter (used)`, `Butter (used) on Tray`. */
function lying(rules, name, label) {
  const marks = [...name.matchAll(/([-^])([^-^@]+)/g)].sort(([, one], [, other]) => (one === "^") - (other === "^"));
  for (const [, sign, own] of marks) {
    if (sign === "^") label = phrase("lies.on", { card: label, what: rules.things[own] ?? rules.cards[own]?.label ?? own });
    else label = phrase(`lies.${{ 0: "used", closed: "closed" }[own] ?? "left"}`, { card: label, count: own });
  }
  return label;
}

/** What is known of a card, a face, a card in a form or one that goes a way, or of a way by itself (`way`: its text). */
export function about(rules, name) {
  const at = name.lastIndexOf("@");
  const way = rules.ways[name.slice(at + 1)];
  if (way && at > 0) {
    const own = about(rules, name.slice(0, at));
    return { ...own, label: phrase("lies.way", { card: own.label, way: way.label }), way: way.text };
  }
  if (way && !rules.cards[name]) return { label: way.label, text: "", way: way.text, about: [] };
  const [card, form] = asPlayed(name).split("@");
  const base = rules.cards[card] ?? { label: card, text: "", ...rules.faces[card] };
  const label = form ? phrase("lies.as", { card: base.label, form: rules.cards[form]?.label ?? form }) : base.label;
  return { ...base, label: lying(rules, name, label) };
}

/** The picture of a card, also of one that goes a way; nothing for a way by itself. */
function drawn(rules, name) {
  const played = asPlayed(name);
  const found = rules.drawn[played] ?? rules.drawn[played.slice(0, played.lastIndexOf("@"))];
  return found ? el("img", { class: "drawn", alt: "", src: picture(found) }) : null;
}

/** A card. Sizes: `tiny` and `small` (picture alone), `full` (label and text); without a name its back. */
export function card(rules, name, { size = "small", extra = "" } = {}) {
  if (!name) return el("span", { class: `card ${size} back ${extra}` }, el("span", { class: "back-mark" }, "?"));
  const own = size === "full" && about(rules, name);
  return el("span", { class: `card ${size} ${extra}` },
    el("span", { class: "panel" }, drawn(rules, name)),
    own && el("span", { class: "words" },
      el("span", { class: "label" }, own.label),
      el("span", { class: "text" }, own.text)));
}

/** The labels of cards, each once; `times` follows the number of copies. */
export function labels(rules, names, times = "") {
  const counted = new Map();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return [...counted].map(([name, copies]) => (copies > 1 ? `${copies}${times} ` : "") + about(rules, name).label);
}

/** A name of cards in words, for labels that are read out. */
export const words = (rules, names) => labels(rules, names).join(comma());
