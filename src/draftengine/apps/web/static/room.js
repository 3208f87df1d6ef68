// Before a game and between two: who sits where, who wants another one, and the link for friends. Between two people at
// one screen: the cover.

import { alarm, el, overlay, remember, rememberTable, remembered, replace, sign } from "./dom.js";
import { SHAPES, card } from "./faces.js";
import { emoteOf, rulebook } from "./menu.js";
import { LEVELS, ask } from "./net.js";
import { phrase, refusal } from "./phrases.js";

/** The room of a table: before the first game the places and the link, after a game who wants another one. */
export function room(t) {
  const { shown } = t, between = Boolean(t.game), free = shown.seats.filter((own) => own.kind === "free").length;
  const host = t.me >= 0 && t.mine.some((own) => own.seat === shown.host);
  const guest = t.me < 0 && free > 0;
  const invited = (!between || free > 0) && el("section", { class: "box" }, el("h2", {}, phrase("room.invite")), invitation(t));
  return el("div", { class: "lobby room" },
    el("div", { class: "column" },
      !guest && invited,
      el("section", { class: "box" }, el("h2", {}, phrase(between ? "again.title" : "lobby.seats")),
        between && el("p", {}, phrase("again.text")),
        shown.same && el("p", {}, el("strong", {}, phrase("again.same")), el("span", { class: "caption" }, phrase("again.same.about"))),
        guest && sitForm(t),
        el("ol", { class: "seat-list" }, shown.seats.map((own, at) => seat(t, own, at, host))),
        hostChange(t) && el("p", { class: "caption" }, hostChange(t)),
        !host && !between && el("p", { class: "caption" }, t.me >= 0 ? phrase("room.wait", { name: t.sitter(shown.host) }) : free ? "" : phrase("room.full")),
        el("div", { class: "row doing" },
          between && el("button", { "data-focus": "out", click: () => t.again(false) }, phrase("again.out")),
          host && el("button", { class: "main big grow", "data-focus": "start", click: t.start }, sign("play", 20), free ? phrase("room.start.bots", { count: free }) : phrase("room.start")))),
      guest && invited),
    el("div", { class: "column" },
      between && el("section", { class: "box" }, el("h2", {}, phrase("again.series")), series(t)),
      !between && el("section", { class: "box" }, el("h2", {}, phrase("rules.points")),
        el("dl", { class: "rules" }, Object.values(t.rules.rules).flatMap((own) => [el("dt", {}, own.label), el("dd", {}, own.text)])), rulebook(t))));
}

function seat(t, own, at, host) {
  const levels = LEVELS.map((level) => [level, phrase("bot.level", { level: phrase(`level.${level}`) })]);
  const mine = at === t.me, person = own.kind === "person", left = person && t.awayFor(at) >= t.patience()[0];
  const chosen = host && (!person || (t.game && left)); // the host chooses who sits there, and sees it in the choice
  const note = mine ? phrase("seat.you") : own.kind === "bot" ? !chosen && phrase("bot.seat", { level: phrase(`level.${own.level}`) }) : at === t.shown.host ? phrase("seat.host") : "";
  return el("li", {},
    el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
    el("span", { class: "grow" }, el("strong", {}, own.name || phrase("seat.free")), " ", el("span", { class: "caption inline" }, note), emoteOf(t, at),
      el("span", { class: "caption" }, person ? whereabouts(t, own, left) : own.kind === "free" ? phrase("seat.free.about") : "")),
    t.game && own.again && el("strong", { class: "good row" }, sign("check", 18), phrase("again.yes")),
    host && person && !mine && own.here && t.me === t.shown.host && el("button", { class: "small quiet", "data-focus": `host ${at}`, click: () => t.request("host", { seat: at }) }, phrase("room.make_host")),
    chosen && el("select", { "aria-label": phrase("seat.who.at", { number: at + 1 }), "data-focus": `to ${at}`, change: (event) => {
      const to = event.target.value;
      t.request("seat", { seat: at, ...(to === "free" ? { to } : { to: "bot", level: to }) });
    } }, [person && ["person", own.name], ["free", phrase("seat.friend")], ...levels].filter(Boolean).map(([id, title]) => el("option", { value: id, selected: id === (own.kind === "bot" ? own.level : own.kind) }, title))));
}

/** Where somebody is: at the table, or still at the results of the last game, or gone. */
function whereabouts(t, own, left) {
  if (!t.game) return phrase(own.here ? "seat.there" : "seat.gone");
  return own.away ? phrase("seat.botted") : left ? phrase("again.left") : own.again ? "" : phrase("again.thinking");
}

/** The games that each has won at this table. */
const series = (t) => el("ul", { class: "seat-list" }, t.shown.seats.map((own, at) => el("li", {},
  el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]), el("strong", { class: "grow" }, own.name),
  el("span", { class: "crown place-1", "aria-hidden": "true" }, Array.from({ length: Math.min(own.wins, 5) }, () => sign("crown", 18))), el("strong", {}, `${own.wins}`))));

/** A link to copy and to share; whoever can change it is told of one that leads to no other device. */
function link(address, note, warned) {
  const alone = warned && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return el("div", { class: "grow" },
    el("input", { type: "text", class: "address", readonly: true, "aria-label": phrase("room.link"), value: address, focus: (event) => event.target.select() }),
    el("button", { class: "wide main", "data-focus": "copy", click: (event) => copy(event.currentTarget, address) }, phrase("room.copy")),
    navigator.share && el("button", { class: "wide", "data-focus": "share", click: () => navigator.share({ title: document.title, url: address }).catch(() => {}) }, phrase("room.share")),
    el("p", { class: alone ? "warning" : "caption" }, alone ? phrase("room.only_here") : note));
}

const addressOf = (t) => `${location.origin}/t/${t.table}`;

/** The link that takes a seat along to another device. */
export const passage = (t, token) => el("div", { class: "invite" }, link(`${addressOf(t)}#${token}`, phrase("menu.device.about"), true));

/** The link for friends, which can be scanned, too. */
export function invitation(t) {
  return el("div", { class: "invite" }, link(addressOf(t), phrase("room.link.about"), t.me >= 0 && t.mine.some((own) => own.seat === t.shown.host)),
    el("img", { class: "code", src: `/api/tables/${encodeURIComponent(t.table)}/code.svg`, alt: phrase("room.code"), width: 132, height: 132 }));
}

/** Who is the host now, where that was somebody else before. */
export function hostChange(t) {
  const { host, host_before: before, host_left: left } = t.shown;
  const [you, other] = left ? ["room.host.you", "room.host.other"] : ["room.host.made.you", "room.host.made.other"];
  return before >= 0 && phrase(host === t.me ? you : other, { name: t.sitter(before), host: t.sitter(host) });
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = phrase("room.copied");
  } catch {
    button.previousElementSibling?.select();
  }
}

/** The page of a table that is not there: what may be wrong, a place for the right code, and the way home. */
export function nowhere(place, bar, message) {
  bar("draftengine");
  document.title = refusal(message);
  const field = el("input", { type: "text", autocomplete: "off", value: location.pathname.split("/").pop(), "data-focus": "code", "aria-label": phrase("none.code") });
  const open = (event) => { event.preventDefault(); location.assign(`/t/${encodeURIComponent(field.value.trim().split("/").pop())}`); };
  replace(place, el("div", { class: "lobby nowhere" }, el("section", { class: "box" },
    el("span", { class: "tile-art", "aria-hidden": "true" }, ["", "", ""].map(() => card({}, "", { size: "large" }))),
    el("h2", {}, refusal(message)), el("p", {}, phrase("none.text")),
    el("form", { class: "sit", submit: open }, field, el("button", {}, phrase("none.open"))),
    el("a", { class: "button main big", href: "/", "data-focus": "games" }, phrase("land.games")))));
}

// ── Sitting down ───────────────────────────────────────────────────────────────────────────────────────────────────

function nameField(t) {
  const field = el("input", { type: "text", maxlength: 24, placeholder: phrase("seat.name"), "aria-label": phrase("seat.name"), "data-focus": "name", value: t.typed ?? remembered("name", ""), input: () => { t.typed = field.value; } });
  return field;
}

function sitForm(t) {
  const field = nameField(t);
  return el("form", { class: "sit", submit: (event) => { event.preventDefault(); sit(t, field.value); } },
    field, el("button", { class: "main", "data-focus": "sit" }, phrase("room.sit")));
}

/** Take a free seat, or that of a bot; any where none is named. */
export async function sit(t, name, seat = -1) {
  if (t.sitting) return;
  t.sitting = true;
  try {
    const own = await ask(`/api/tables/${encodeURIComponent(t.table)}/sit`, { name: name.trim() || phrase("seat.guest"), seat });
    remember("name", name);
    t.mine = [...t.mine, own];
    rememberTable(t.table, t.mine);
    t.connect(own.token);
  } catch (error) {
    alarm(error.message);
  } finally {
    t.sitting = false;
  }
}

/** For those who come late: the seat of a bot at once, one in the next game, or a look. */
export function late(t) {
  const field = nameField(t), bots = t.shown.seats.map((own, at) => ({ ...own, at })).filter((own) => own.kind === "bot" || own.kind === "free");
  if (!bots.length) return;
  const leave = (then) => () => { box.close(); then?.(); };
  const box = overlay(phrase(t.game.over ? "again.title" : "late.title"),
    !t.game.over && el("p", {}, phrase("late.text")), field,
    el("ol", { class: "seat-list" }, bots.map(({ name, at }) => el("li", {},
      el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
      el("span", { class: "grow" }, el("strong", {}, name || phrase("seat.free")), !t.game.over && el("span", { class: "caption" }, phrase("late.points", { count: t.game.scores[at] }))),
      el("button", { class: "main", "data-focus": `take ${at}`, click: leave(() => sit(t, field.value, at)) }, phrase("late.take"))))),
    el("div", { class: "row" },
      !t.game.over && el("button", { "data-focus": "next", click: leave(() => { t.next = field.value || phrase("seat.guest"); t.draw(); }) }, phrase("late.next")),
      el("button", { class: "quiet", "data-focus": "watch", click: leave() }, phrase("late.watch"))));
  box.classList.add("sheet-below");
}

// ── One screen for several ─────────────────────────────────────────────────────────────────────────────────────────

export function cover(t) {
  const name = t.seatName(t.covered.seat);
  return el("div", { class: "cover" },
    el("span", { class: "shape huge", "aria-hidden": "true" }, SHAPES[t.covered.seat]),
    el("p", {}, phrase("cover.about")),
    el("h2", {}, phrase("cover.title", { name })),
    el("button", { class: "main big", "data-focus": "uncover", click: t.uncover }, phrase("cover.show", { name })));
}
