// The choice of a language, for the page and for what card sets say.

import { el, remember } from "./dom.js";
import { language, languages, phrase } from "./phrases.js";

/** What the speakers of a language call it. */
function called(tag) {
  try {
    return new Intl.DisplayNames(tag, { type: "language" }).of(tag);
  } catch {
    return tag; // no tag that this browser knows
  }
}

/** A choice among the languages of the page and of card sets. The page is loaded again in the new one. */
export function languageChoice(others) {
  const tags = [...new Set([...Object.keys(languages()), ...others])];
  const own = tags.find((tag) => tag === language()) ?? tags.find((tag) => tag === language().split("-")[0]) ?? tags[0];
  return el("select", { "aria-label": phrase("language"), class: "language", "data-focus": "language", change: (event) => {
    remember("language", event.target.value);
    location.assign(location.pathname);
  } }, tags.map((tag) => el("option", { value: tag, lang: tag, selected: tag === own }, called(tag))));
}
