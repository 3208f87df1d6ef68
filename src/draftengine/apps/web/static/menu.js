// What is said and switched at a table beside the game: emotes, sound, people, keys and rules.

import { el, nextTheme, overlay, remember, remembered, say, sign } from "./dom.js";
import { SHAPES, card } from "./faces.js";
import { play, soundOn, switchSound } from "./sound.js";
import { language, phrase } from "./phrases.js";

/** Milliseconds for which an emote stands beside a name. */
const SHOWN = 3000;
const EMOTES = ["nice", "wow", "ouch", "think", "thanks", "good"];

const personAt = (t, at) => `${at} ${t.sitter(at)}`;

/** Show what somebody says, unless this person is muted here. */
export function emoted(t, { seat, emote }) {
  if (t.muted.has(personAt(t, seat))) return;
  clearTimeout(t.emotes.get(seat)?.timer);
  t.emotes.set(seat, { emote, timer: setTimeout(() => { t.emotes.delete(seat); t.draw(); }, SHOWN) });
  say(phrase("emote.said", { name: t.sitter(seat), text: phrase(`emote.${emote}`) }));
  play("say");
  t.draw();
}

/** What somebody says just now, beside the name. */
export function emoteOf(t, at) {
  const found = t.emotes.get(at);
  return found && el("span", { class: "emote" }, phrase(`emote.${found.emote}`));
}

function line(label, checked, change, name) {
  return el("label", { class: "line" }, el("input", { type: "checkbox", checked, "data-focus": name, change: (event) => change(event.target.checked) }), el("span", {}, label));
}

export function menu(t) {
  const others = t.shown.seats.map((own, at) => ({ ...own, at })).filter((own) => own.kind === "person" && own.at !== t.me);
  const close = (then) => () => { box.close(); then(); };
  const box = overlay(phrase("menu.title"),
    t.me >= 0 && el("div", { class: "emotes", role: "group", "aria-label": phrase("emote.all") }, EMOTES.map((id) =>
      el("button", { "data-focus": `emote ${id}`, click: close(() => t.request("emote", { emote: id })) }, sign(id, 30), phrase(`emote.${id}`)))),
    line(phrase("menu.sound"), soundOn(), switchSound, "sound"),
    line(phrase("quick"), remembered("quick", false), (on) => remember("quick", on), "quick"),
    t.shown.hints && line([phrase("bars"), el("span", { class: "caption" }, " ", phrase("bars.about"))], t.barsWanted(), (on) => { remember("bars", on); t.draw(); }, "bars"),
    line(phrase("menu.tips"), remembered("tips", []) !== "off", (on) => { remember("tips", on ? [] : "off"); t.tip = null; t.draw(); }, "tips"),
    others.length > 0 && el("h3", {}, phrase("menu.people")),
    el("ul", { class: "seat-list" }, others.map((own) => person(t, own))),
    el("div", { class: "row" },
      remembered(`shop ${t.table}`, "") && el("a", { class: "button", "data-focus": "shop", href: remembered(`shop ${t.table}`, "") }, phrase("shop.return")),
      el("button", { class: "phone-only", "data-focus": "light", click: nextTheme }, phrase("theme")),
      el("button", { "data-focus": "log", click: close(t.log) }, phrase("bar.log")),
      el("button", { "data-focus": "invite", click: close(t.invite) }, phrase("room.invite")),
      t.me >= 0 && el("button", { "data-focus": "device", click: close(t.move) }, phrase("menu.device")),
      t.me >= 0 && t.mine.length < 2 && !t.game.over && el("button", { "data-focus": "leave", title: phrase("menu.leave.about"), click: close(t.leave) }, phrase("menu.leave"))));
  box.classList.add("sheet-below");
}

function person(t, { name, here, at }) {
  const button = (id, label, click, pressed = null) => el("button", { class: "small", "data-focus": `${id} ${at}`, "aria-pressed": pressed, click }, label);
  const mute = (event) => {
    const id = personAt(t, at);
    if (!t.muted.delete(id)) t.muted.add(id);
    remember(`muted ${t.table}`, [...t.muted]);
    event.currentTarget.setAttribute("aria-pressed", String(t.muted.has(id)));
  };
  return el("li", {}, el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]), el("strong", { class: "grow" }, name),
    button("mute", phrase("menu.mute"), mute, String(t.muted.has(personAt(t, at)))),
    t.me === t.shown.host && here && button("host", phrase("room.make_host"), (event) => { event.currentTarget.remove(); t.request("host", { seat: at }); }));
}

/** The way to the printed rulebook, which opens beside the table. */
export const rulebook = (t) => el("a", { class: "button wide", href: `/t/${encodeURIComponent(t.table)}/rules?language=${language()}`, target: "_blank", rel: "noopener", "data-focus": "rulebook" }, sign("book", 20), phrase("rules.book"));

/** The rules of this game, each with a card that it is about; and the keys, where there is a keyboard. */
export function help(t) {
  const cards = Object.entries(t.rules.cards);
  const about = ({ label }) => cards.find(([, own]) => own.about.some(([each]) => each === label))?.[0];
  const keys = [["1–9, 0, a–k", "card"], ["u", "undo"], ["t", "more"], ["h", "hint"], ["← →", "step"], ["i", "read"], ["o", "coming"], ["s", "scores"], ["l", "log"], ["p", "hide"], ["?", "help"]];
  const box = overlay(t.rules.title,
    t.rules.round.length > 0 && [el("h3", {}, phrase("rules.round")), el("ol", { class: "steps-of" }, t.rules.round.map((text) => el("li", {}, text)))],
    el("h3", {}, phrase("rules.points")),
    el("ul", { class: "card-list" }, Object.values(t.rules.rules).map((own) => el("li", {}, about(own) && card(t.rules, about(own)), el("span", {}, el("strong", {}, own.label), el("span", { class: "caption" }, own.text))))),
    el("h3", {}, phrase("rules.cards")),
    el("ul", { class: "card-list" }, cards.map(([name, own]) => el("li", {}, card(t.rules, name), el("span", {}, el("strong", {}, own.label), el("span", { class: "caption" }, own.text))))),
    el("section", { class: "keyboard" }, el("h3", {}, phrase("rules.keys")),
      el("dl", { class: "rules keys" }, keys.flatMap(([key, id]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, phrase(`key.${id}`))])),
      line(phrase("keys.letters"), !t.lettersOff, (on) => { t.lettersOff = !on; remember("letters off", !on); }, "letters")),
    rulebook(t));
  box.classList.add("sheet-below");
}
