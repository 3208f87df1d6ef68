// Before a game: who sits where, and the link for friends. Between two people at one screen: the cover.

import { alarm, el, remember, rememberTable, remembered } from "./dom.js";
import { SHAPES } from "./faces.js";
import { ask } from "./net.js";
import { phrase } from "./phrases.js";

export function waitingRoom(t) {
  const { shown } = t, free = shown.seats.filter((own) => own.kind === "free").length;
  const host = t.me >= 0 && t.me === shown.host;
  return el("div", { class: "lobby" },
    el("div", { class: "column" },
      el("section", { class: "box" }, el("h2", {}, phrase("lobby.seats")),
        el("ol", { class: "seat-list" }, shown.seats.map((own, at) => seat(t, own, at, host))),
        t.me < 0 && free > 0 && sitForm(t),
        host && el("button", { class: "main big wide", "data-focus": "start", click: () => t.request("start") }, free ? phrase("room.start.bots", { count: free }) : phrase("room.start")),
        hostChange(t) && el("p", { class: "caption" }, hostChange(t)),
        !host && el("p", { class: "caption" }, t.me >= 0 ? phrase("room.wait", { name: t.seatName(shown.host) }) : free ? "" : phrase("room.full")))),
    el("div", { class: "column" },
      el("section", { class: "box" }, el("h2", {}, phrase("room.invite")), invitation(t)),
      el("section", { class: "box" }, el("h2", {}, phrase("rules.points")),
        el("dl", { class: "rules" }, Object.values(t.rules.rules).flatMap((own) => [el("dt", {}, own.label), el("dd", {}, own.text)])))));
}

function seat(t, own, at, host) {
  const levels = ["easy", "medium", "hard"].map((level) => [level, phrase("bot.level", { level: phrase(`level.${level}`) })]);
  return el("li", {},
    el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
    el("span", { class: "grow" }, el("strong", {}, own.name || phrase("seat.free")), " ",
      el("span", { class: "caption inline" }, at === t.me ? phrase("seat.you") : own.kind === "bot" ? phrase("bot.seat", { level: phrase(`level.${own.level}`) }) : at === t.shown.host ? phrase("seat.host") : ""),
      el("span", { class: "caption" }, own.kind === "person" ? phrase(own.here ? "seat.there" : "seat.gone") : own.kind === "free" ? phrase("seat.free.about") : "")),
    host && own.kind !== "person" && el("select", { "aria-label": phrase("seat.who.at", { number: at + 1 }), "data-focus": `to ${at}`, change: (event) => {
      const to = event.target.value;
      t.request("seat", { seat: at, ...(to === "free" ? { to } : { to: "bot", level: to }) });
    } }, [["free", phrase("seat.friend")], ...levels].map(([id, title]) => el("option", { value: id, selected: id === (own.kind === "bot" ? own.level : "free") }, title))));
}

/** The link to this table, to copy, to share and to scan; a link that leads nowhere else says so. */
function invitation(t) {
  const address = `${location.origin}/t/${t.table}`;
  const alone = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return el("div", { class: "invite" },
    el("div", { class: "grow" },
      el("input", { type: "text", class: "address", readonly: true, "aria-label": phrase("room.link"), value: address, focus: (event) => event.target.select() }),
      el("button", { class: "wide", "data-focus": "copy", click: (event) => copy(event.currentTarget, address) }, phrase("room.copy")),
      navigator.share && el("button", { class: "wide", "data-focus": "share", click: () => navigator.share({ title: t.rules.title, url: address }).catch(() => {}) }, phrase("room.share")),
      el("p", { class: alone ? "warning" : "caption" }, phrase(alone ? "room.only_here" : "room.link.about"))),
    el("img", { class: "code", src: `/api/tables/${encodeURIComponent(t.table)}/code.svg`, alt: phrase("room.code"), width: 132, height: 132 }));
}

/** Who is the host now, where that was somebody else before. */
export const hostChange = (t) => t.shown.host_before >= 0 && phrase(t.shown.host === t.me ? "room.host.you" : "room.host.other", { name: t.seatName(t.shown.host_before), host: t.seatName(t.shown.host) });

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = phrase("room.copied");
  } catch {
    button.previousElementSibling?.select();
  }
}

export function sitForm(t) {
  const field = el("input", { type: "text", maxlength: 24, placeholder: phrase("seat.name"), "aria-label": phrase("seat.name"), "data-focus": "name", value: t.typed ?? remembered("name", ""), input: () => { t.typed = field.value; } });
  return el("form", { class: "sit", submit: (event) => { event.preventDefault(); sit(t, field.value); } },
    field, el("button", { class: "main", "data-focus": "sit" }, phrase("room.sit")));
}

async function sit(t, name) {
  if (t.sitting) return;
  t.sitting = true;
  try {
    const own = await ask(`/api/tables/${encodeURIComponent(t.table)}/sit`, { name: name.trim() || phrase("seat.guest") });
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

export function cover(t) {
  const name = t.seatName(t.covered.seat);
  return el("div", { class: "cover" },
    el("span", { class: "shape huge", "aria-hidden": "true" }, SHAPES[t.covered.seat]),
    el("p", {}, phrase("cover.about")),
    el("h2", {}, phrase("cover.title", { name })),
    el("button", { class: "main big", "data-focus": "uncover", click: t.uncover }, phrase("cover.show", { name })));
}
