// Which page this is, and what all pages have: the bar and the theme.

import { alarm, el, find, nextTheme, replace, themed } from "./dom.js";
import { begin, phrase } from "./phrases.js";

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
const words = begin();
const [, first, second] = location.pathname.split("/");
const [module, show] = first === "t" ? ["table", "tablePage"] : first === "games" ? ["games", second ? "replay" : "games"] : first === "score" ? ["scorekeeper", "scorekeeper"] : ["lobby", "lobby"];
const page = await import(`./${module}.js`);
const asked = page.ahead?.(); // what a page asks for first is on its way while the words come
await words;
install();
await Promise.resolve(page[show](find("#main"), bar, decodeURIComponent(second ?? ""), asked)).catch((error) => { alarm(error.message, true); throw error; });
