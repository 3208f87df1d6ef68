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

const SIGNS = {
  play: "M7 5l12 7-12 7z", friends: "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c.6-4 3-6 6.500-6s5.900 2 6.500 6M16 4.500a3.300 3.300 0 010 6.300M17.500 14.300c2.300.7 3.600 2.600 4 5.700",
  file: "M7 3h7l4 4v14H7zM14 3v4h4", bulb: "M9 18h6M10 21h4M12 3a6 6 0 00-3.600 10.800c.6.5.9 1.200.9 2.200h5.400c0-1 .3-1.700.9-2.200A6 6 0 0012 3z",
  crown: "M3 18h18M3.500 7l4.500 4 4-6.500 4 6.500 4.500-4-1.500 8.500h-14z", check: "M5 12.500l4.500 4.500L19 7.500", up: "M12 20V5M5.500 11.500L12 5l6.500 6.500",
  book: "M12 6c-2-1.500-5-2-8-1.500V18c3-.5 6 0 8 1.500 2-1.500 5-2 8-1.500V4.500C17 4 14 4.500 12 6zM12 6v13.500", points: "M5 20v-7M12 20V4M19 20v-11", menu: "M4 7h16M4 12h16M4 17h16", coming: "M20 12H5M11 6l-6 6 6 6", back: "M9 7L4 12l5 5M4 12h11a5 5 0 010 10h-2",
  ...Object.fromEntries(Object.entries({ nice: "M8 14c1.500 2.500 6.500 2.500 8 0", wow: "M12 13a2 2.300 0 100 4.600 2 2.300 0 000-4.600", ouch: "M8 16.500c1.500-2.500 6.500-2.500 8 0", think: "M8.500 15.500h7", thanks: "M7.500 13.500h9c-.5 4.500-8.500 4.500-9 0z", good: "M7.500 14c3 4 7 3.500 9-1" })
    .map(([id, mouth]) => [id, `M12 3a9 9 0 100 18 9 9 0 000-18zM9 9.500v.6M15 9.500v.6${mouth}`])),
};

/** A sign beside a word; whoever listens hears the word alone. */
export function sign(name, size = 22) {
  return svg("svg", { class: `sign sign-${name}`, viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" }, svg("path", { d: SIGNS[name] }));
}

/** Say something to whoever listens instead of looking. */
export function say(text) {
  const place = find("#say");
  if (place.textContent !== text) place.textContent = text;
}

/** Milliseconds for which it is said that something went wrong. */
const ALARM = 8000;
let silence = 0;

/** Say that something went wrong, for a while or as long as it `stays`; an empty text takes it back. */
export function alarm(text, stays = false) {
  find("#alarm").textContent = text;
  clearTimeout(silence);
  if (text && !stays) silence = setTimeout(alarm, ALARM, "");
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

const MOST_ENDS = 50;

/** Remember how a game ended here, once: its number at its table, its title, and whether it was won. */
export function rememberEnd(id, title, won) {
  const { games, ends } = remembered("record", { games: {}, ends: [] }), [played, wins] = games[title] ?? [0, 0];
  if (!ends.includes(id)) remember("record", { games: { ...games, [title]: [played + 1, wins + won] }, ends: [id, ...ends].slice(0, MOST_ENDS) });
}

/** What this browser remembers no longer. */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // it kept nothing
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing plays all the same
  }
}

/** Light or dark, as it was chosen here; otherwise as the device has it. */
export function themed() {
  document.documentElement.dataset.theme = remembered("theme", "");
}

export function nextTheme() {
  const now = remembered("theme", "") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  remember("theme", now === "dark" ? "light" : "dark");
  themed();
}
