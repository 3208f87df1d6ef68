// What the page says, in the reader's language: messages of the server's catalogue by id, filled here.

import { el, remember, remembered } from "./dom.js";

const FIELD = /\{(\w+)(?:\|([^{}]*))?\}/g;
let spoken = { language: document.documentElement.lang, languages: {}, comma: ", ", and: " and ", messages: {} };
let plurals = new Intl.PluralRules("en");

/** Get the messages: in the language of `?lang=`, which is remembered, or the one chosen before, or the browser's. */
export async function begin() {
  const named = new URLSearchParams(location.search).get("lang");
  if (named) remember("language", named);
  const chosen = remembered("language", "");
  for (const query of new Set([chosen && `?language=${encodeURIComponent(chosen)}`, ""])) {
    const answer = await fetch(`/api/words${query}`);
    if (answer.ok) {
      spoken = await answer.json();
      break;
    }
  }
  plurals = new Intl.PluralRules(spoken.language);
  document.documentElement.lang = spoken.language;
  document.querySelector(".skip").textContent = phrase("skip");
}

/** The language in which everything is read: the one that was chosen, or else that of the page. */
export const language = () => remembered("language", "") || spoken.language;

/** A message of the page, filled in. */
export const phrase = (id, given = {}) => filled(spoken.messages[`page.${id}`] ?? id, given);

/** Why something is refused, in the words of the page; what the server says about this very case stands behind it. */
export function refusal({ code, error, detail }) {
  const text = spoken.messages[`server.${code ?? error}`] ?? phrase("wrong");
  return detail ? `${text} ${detail}` : text;
}

function filled(text, given) {
  return text.replace(FIELD, (_, name, forms) => {
    if (forms === undefined) return `${given[name]}`;
    const texts = new Map(forms.split("|").map((own) => own.split(/:(.*)/s)));
    return (texts.get(plurals.select(Math.abs(given[name]))) ?? texts.get("other") ?? "").replaceAll("#", given[name]);
  });
}

/** What stands between the items of a list. */
export const comma = () => spoken.comma;

/** `a`, `a and b`, `a, b and c`. */
export function listed(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(spoken.comma)}${spoken.and}${items[items.length - 1]}`;
}

/** How the games of this browser ended, those of one title or all. */
export const records = (title = null) => Object.entries(remembered("record", { games: {} }).games).filter(([game]) => title === null || game === title)
  .map(([game, [games, won]]) => phrase("record.game", { game, games, won })).join(" · ");

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
  const tags = [...new Set([...Object.keys(spoken.languages), ...others])];
  const own = tags.find((tag) => tag === language()) ?? tags.find((tag) => tag === language().split("-")[0]) ?? tags[0];
  return el("select", { "aria-label": phrase("language"), class: "language", "data-focus": "language", change: (event) => {
    remember("language", event.target.value);
    location.assign(location.pathname);
  } }, tags.map((tag) => el("option", { value: tag, lang: tag, selected: tag === own }, called(tag))));
}
