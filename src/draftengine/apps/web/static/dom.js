// Making elements. Texts become text nodes, so nothing that a card set says is ever read as markup.

import { phrase } from "./phrases.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (functions are listeners, `vars` are variables of its style, `null` and `false` leave an attribute out) and children. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for the parts of a picture. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(own, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "vars") for (const [variable, set] of Object.entries(value)) own.style.setProperty(variable, set);
    else if (typeof value === "function") own.addEventListener(name, value);
    else if (value === true) own.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) own.setAttribute(name, value);
  }
  const shown = children.flat(4).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
  own.append(...(name === "code" ? shown : shown.map((child) => (typeof child === "string" ? inPrint(child) : child))));
  return own;
}

/** Arithmetic with the signs of print in place of those of a keyboard. */
const inPrint = (text) => text.replace(/(^|[^\w.)])-(?=\d)/g, "$1−").replace(/(\d) - (?=\d)/g, "$1 − ").replace(/(\d) x (?=\d)/g, "$1 × ");

export const find = (selector) => document.querySelector(selector);

/** Say something to whoever listens instead of looking. */
export function say(text) {
  const place = find("#say");
  if (place.textContent !== text) place.textContent = text;
}

/** Say that something went wrong; an empty text takes it back. */
export function alarm(text) {
  find("#alarm").textContent = text;
}

/** Put new content in a place and keep the focus where it was, by `data-focus`. */
export function replace(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  place.replaceChildren(...children.flat(4).filter(Boolean));
  if (focused !== undefined) {
    called(place, focused)?.focus({ preventScroll: true });
  }
}

/** What stands in a place under a name now, whenever it was drawn. */
const called = (place, name) => [...place.querySelectorAll("[data-focus]")].find((own) => own.dataset.focus === name);

// A button that is drawn anew between press and release is no longer what was pressed, so the browser would drop the click.
// A finger's tap is all one, at its end.
let pressed = null;
document.addEventListener("pointerdown", (event) => { pressed = event; });
document.addEventListener("pointerup", (event) => {
  const button = pressed?.target.closest?.("[data-focus]");
  const still = button && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < 8;
  if (still && event.pointerType === "mouse" && event.button === 0 && !button.isConnected) called(document, button.dataset.focus)?.click();
});

/** A dialog over the page. The focus comes back when it is closed, also to what was drawn anew meanwhile. */
export function overlay(title, ...children) {
  const box = el("dialog", { class: "overlay", "aria-label": title },
    el("div", { class: "overlay-head" },
      el("h2", {}, title),
      el("button", { class: "quiet", "aria-label": phrase("close"), click: () => box.close() }, "✕")),
    ...children);
  const focused = document.activeElement?.dataset.focus;
  box.addEventListener("close", () => {
    box.remove();
    if (focused !== undefined && document.activeElement === document.body) called(document, focused)?.focus({ preventScroll: true });
  });
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What this browser remembers under a name. */
export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

const MOST_TABLES = 12;

/** Remember the seats that this browser has at a table, which comes first among its tables; without seats it is none of them. */
export function rememberTable(table, seats) {
  remember(`table ${table}`, seats);
  remember("tables", [...(seats.length ? [table] : []), ...remembered("tables", []).filter((own) => own !== table)].slice(0, MOST_TABLES));
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing plays all the same
  }
}
