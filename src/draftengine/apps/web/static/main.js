// Which page this is, and what all pages have: the bar and the theme.

import { el, find, remember, remembered, replace } from "./dom.js";
import { begin, phrase } from "./phrases.js";

const themes = ["", "light", "dark"];

function themed() {
  document.documentElement.dataset.theme = remembered("theme", "");
}

function nextTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = remembered("theme", "") || (dark ? "dark" : "light");
  remember("theme", now === "dark" ? themes[1] : themes[2]);
  themed();
}

/** The bar: a title, what belongs to the page, and the theme. */
export function bar(title, middle = [], buttons = []) {
  replace(find("#bar"),
    el("h1", {}, el("a", { href: "/", "data-focus": "home" }, el("img", { src: new URL("icon.svg", import.meta.url).pathname, alt: "", width: 30, height: 30 }), el("span", {}, title))),
    el("div", { class: "bar-middle" }, middle),
    el("nav", { "aria-label": phrase("navigation") }, buttons,
      el("button", { class: "quiet", "aria-label": phrase("theme"), "data-focus": "theme", click: nextTheme }, "◐")));
}

/** Where the page can be installed: what says so without a connection, once all else is done. */
function install() {
  if (!find('link[rel="manifest"]') || !navigator.serviceWorker || !window.isSecureContext) return;
  const script = new URL("worker.js", import.meta.url).pathname;
  const trusted = window.trustedTypes?.createPolicy("worker", { createScriptURL: () => script }).createScriptURL("") ?? script;
  navigator.serviceWorker.register(trusted, { scope: "/" }).catch(() => {});
}

themed();
await begin();
const [, first, second] = location.pathname.split("/");
const [module, show] = first === "t" ? ["table", "tablePage"] : first === "games" ? ["games", second ? "replay" : "games"] : first === "score" ? ["scorekeeper", "scorekeeper"] : ["lobby", "lobby"];
(await import(`./${module}.js`))[show](find("#main"), bar, decodeURIComponent(second ?? ""));
install();
