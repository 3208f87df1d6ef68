// The language of card sets: their names and texts, in those that they have.

import { el, remember } from "./dom.js";
import { language } from "./net.js";

/** What the speakers of a language call it. */
function called(tag) {
  try {
    return new Intl.DisplayNames(tag, { type: "language" }).of(tag);
  } catch {
    return tag; // no tag that this browser knows
  }
}

/** A choice among languages, if there is one. The page is loaded again in the new one. */
export function languageChoice(tags, now = null) {
  if (tags.length < 2) return null;
  const own = now ?? tags.find((tag) => tag === language()) ?? tags.find((tag) => tag === language().split("-")[0]) ?? tags[0];
  return el("select", { "aria-label": "Language of the cards", class: "language", "data-focus": "language", change: (event) => {
    remember("language", event.target.value);
    location.reload();
  } }, tags.map((tag) => el("option", { value: tag, lang: tag, selected: tag === own }, called(tag))));
}
