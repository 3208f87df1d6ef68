// Games that were played here, and who won against whom.

import { el, replace } from "./dom.js";
import { ask } from "./net.js";
import { comma, language, listed, phrase } from "./phrases.js";
import { tablePage } from "./table.js";

export async function games(place, bar) {
  bar("draftengine", [el("span", {}, phrase("title.past"))], [el("a", { class: "button quiet", href: "/" }, phrase("home"))]);
  document.title = phrase("title.tab", { page: phrase("title.past") });
  const found = await ask("/api/games");
  replace(place, el("div", { class: "pause" }, el("h2", {}, phrase("title.past")),
    !found.length && el("p", { class: "caption" }, phrase("past.none")),
    against(found),
    el("ul", { class: "past" }, found.map((own) => el("li", { class: "box" },
      el("div", { class: "row" }, el("strong", {}, own.title), el("span", { class: "caption" }, new Date(own.ended * 1000).toLocaleString(document.documentElement.lang))),
      el("p", {}, `${phrase("past.won", { names: listed(own.winners.map((at) => own.seats[at]?.name ?? phrase("seat.somebody"))) })} `,
        own.seats.map((seat, at) => `${seat.bot ? phrase("bot.named", { name: seat.name }) : seat.name} ${own.scores[at]}`).join(comma())),
      el("div", { class: "row" },
        el("a", { class: "button", href: `/games/${encodeURIComponent(own.id)}` }, phrase("past.watch")),
        el("a", { class: "button", href: `/api/games/${encodeURIComponent(own.id)}`, download: `${own.id}.json` }, phrase("past.record"))))))));
}

const MOST_NAMES = 12;

/** Who won against whom: for each two that met, how many of their games the one won and the other did not. */
function against(games) {
  const called = (own) => (own.bot ? phrase("bot.level", { level: phrase(`level.${own.bot}`) }) : own.name);
  const played = new Map(), met = new Map();
  const pair = (one, other) => JSON.stringify([one, other]);
  for (const own of games) {
    const won = own.seats.map((_, at) => own.winners.includes(at));
    own.seats.forEach((seat, at) => {
      played.set(called(seat), (played.get(called(seat)) ?? 0) + 1);
      own.seats.forEach((rival, there) => {
        if (called(seat) === called(rival)) return;
        const key = pair(called(seat), called(rival)), before = met.get(key) ?? { games: 0, won: 0 };
        met.set(key, { games: before.games + 1, won: before.won + (won[at] && !won[there]) });
      });
    });
  }
  const names = [...played].sort((one, other) => other[1] - one[1]).slice(0, MOST_NAMES).map(([name]) => name);
  if (names.length < 2) return null;
  return el("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": phrase("past.against") }, el("table", { class: "sheet" },
    el("caption", {}, phrase("past.against")),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, phrase("past.won_against")), names.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, names.map((one) => el("tr", {}, el("th", { scope: "row" }, one), names.map((other) => {
      const own = met.get(pair(one, other));
      return el("td", {}, one === other || !own ? "–" : phrase("past.of", own));
    }))))));
}

/** A finished game, decision by decision, from any seat; it is shown by the page of the table itself. */
export async function replay(place, bar, game) {
  const address = `/api/games/${encodeURIComponent(game)}/replay`;
  const film = { seat: 0, at: 0, frames: [], listeners: [] };

  film.look = async (seat) => {
    const found = await ask(`${address}?seat=${seat}&language=${language()}`);
    Object.assign(film, { seat, frames: found.frames, rules: found.rules, story: found.story });
    film.go(Math.min(film.at, film.frames.length - 1));
  };
  film.go = (at) => {
    film.at = Math.max(0, Math.min(film.frames.length - 1, at));
    film.show?.({ type: "table", ...film.frames[film.at], rules: film.rules, story: film.story.filter((own) => own.part <= film.at), since: 0, told: 0 });
  };
  film.opinion = () => ask(`${address}?seat=${film.seat}&at=${film.at}`);
  tablePage(place, bar, null, film);
  await film.look(0);
}
