// Games that were played here, and who won against whom.

import { el, listed, replace } from "./dom.js";
import { ask } from "./net.js";

export async function games(place, bar) {
  bar("draftengine", [el("span", {}, "Past games")], [el("a", { class: "button quiet", href: "/" }, "New table")]);
  document.title = "draftengine: past games";
  const found = await ask("/api/games");
  replace(place, el("div", { class: "pause" }, el("h2", {}, "Past games"),
    !found.length && el("p", { class: "caption" }, "No game has been finished here yet."),
    el("ul", { class: "past" }, found.map((own) => el("li", { class: "box" },
      el("div", { class: "row" }, el("strong", {}, own.title), el("span", { class: "caption" }, new Date(own.ended * 1000).toLocaleString())),
      el("p", {}, `${listed(own.winners.map((at) => own.seats[at]?.name ?? "somebody else"))} won: `,
        own.seats.map((seat, at) => `${seat.name}${seat.bot ? " (bot)" : ""} ${own.scores[at]}`).join(", ")),
      el("a", { class: "button", href: `/api/games/${encodeURIComponent(own.id)}`, download: `${own.id}.json` }, "Record"))))));
}
