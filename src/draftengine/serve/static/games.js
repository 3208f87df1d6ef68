// Games that were played here, and who won against whom.

import { el, listed, replace } from "./dom.js";
import { ask } from "./net.js";
import { tablePage } from "./table.js";

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
      el("div", { class: "row" },
        el("a", { class: "button", href: `/games/${encodeURIComponent(own.id)}` }, "Watch again"),
        el("a", { class: "button", href: `/api/games/${encodeURIComponent(own.id)}`, download: `${own.id}.json` }, "Record")))))));
}

/** A finished game, decision by decision, from any seat; it is shown by the page of the table itself. */
export async function replay(place, bar, game) {
  const address = `/api/games/${encodeURIComponent(game)}/replay`;
  const film = { seat: 0, at: 0, frames: [], listeners: [] };

  film.look = async (seat) => {
    const found = await ask(`${address}?seat=${seat}`);
    Object.assign(film, { seat, frames: found.frames, rules: found.rules, story: found.story });
    film.go(Math.min(film.at, film.frames.length - 1));
  };
  film.go = (at) => {
    film.at = Math.max(0, Math.min(film.frames.length - 1, at));
    film.show?.({ type: "table", ...film.frames[film.at], rules: film.rules, story: film.at === film.frames.length - 1 ? film.story : [], since: 0, told: 0 });
  };
  film.opinion = () => ask(`${address}?seat=${film.seat}&at=${film.at}`);
  tablePage(place, bar, null, film);
  await film.look(0);
}
