// For people with real cards on a real table: tap what lies in front of each player, round by round.

import { alarm, el, remember, remembered, replace } from "./dom.js";
import { ask } from "./net.js";
import { language, phrase } from "./phrases.js";
import { sheet, standings } from "./sheet.js";
import { SHAPES, about, card } from "./faces.js";

/** What somebody without a name is called. */
const player = (at) => phrase("seat.player", { number: at + 1 });

export async function scorekeeper(place, bar) {
  bar("draftengine", [el("span", {}, phrase("title.score"))], [el("a", { class: "button quiet", href: "/" }, phrase("home"))]);
  document.title = phrase("title.tab", { page: phrase("title.score") });
  const { sets } = await ask(`/api/sets?language=${language()}`);
  const kept = remembered("scorekeeper", null);
  const now = kept && sets.some((own) => own.id === kept.set)
    ? kept
    : { set: sets[0].id, variants: [], names: ["Ada", "Ben"], rounds: [[[], []]], round: 0, seat: 0 };
  now.beside ??= [{}];
  let found = null;
  let asked = 0;
  const set = () => sets.find((own) => own.id === now.set);
  now.variants = now.variants.filter((name) => set().variants.some((own) => own.id === name));

  /** Count what lies there; only the last answer counts, because an earlier one may come after it. */
  async function count() {
    remember("scorekeeper", now);
    alarm("");
    draw(); // every tap is seen at once, and the next one acts on it
    const own = ++asked;
    const names = now.names.map((name, at) => name.trim() || player(at));
    const answer = await ask("/api/score", { set: now.set, variants: now.variants, names, rounds: said(), language: language() })
      .catch((error) => ({ error }));
    if (own !== asked) return;
    if (answer.error) alarm(answer.error.message);
    else found = answer;
    draw();
  }

  /** The tables of all seats; those of extra seats follow the players. */
  function padded() {
    const extra = found?.rules.extra.length ?? 0;
    return now.rounds.map((own) => Array.from({ length: now.names.length + extra }, (_, at) => own[at] ?? []));
  }

  /** Every round as it is sent: its tables, and what was said of markers, counters and points. */
  function said() {
    return padded().map((tables, at) => {
      const beside = { ...now.beside[at] };
      for (const part of ["points", "chips"]) beside[part] &&= beside[part].slice(0, tables.length); // a player may have left
      return { tables, ...beside };
    });
  }

  function begin(id) {
    Object.assign(now, { set: id, variants: [], rounds: [now.names.map(() => [])], beside: [{}], round: 0, seat: 0 });
    const [fewest, most] = set().players;
    while (now.names.length < fewest) now.names.push("");
    now.names.length = Math.min(now.names.length, most);
    found = null;
    count();
  }

  function lay(name) {
    const own = (now.rounds[now.round][now.seat] ??= []);
    own.push(name);
    count();
  }

  /** Something beside the cards of this round: a marker, a counter, or points. */
  function say(part, name, value) {
    const own = (now.beside[now.round] ??= {});
    if (name) (own[part] ??= {})[name] = value;
    else own[part] = value;
    count();
  }

  /** A number with what makes it smaller and larger. */
  function stepper(label, value, change) {
    return el("div", { class: "row stepper", role: "group", "aria-label": label },
      el("button", { class: "small", "aria-label": phrase("score.less", { label }), "data-focus": `less ${label}`, click: () => change(value - 1) }, "−"),
      el("span", {}, label, " ", el("strong", {}, `${value}`)),
      el("button", { class: "small", "aria-label": phrase("score.one_more", { label }), "data-focus": `more ${label}`, click: () => change(value + 1) }, "+"));
  }

  function beside(rules) {
    const answered = found.lying[now.round] ?? { markers: {}, counters: {} };
    const own = now.beside[now.round] ?? {};
    const lying = { markers: { ...answered.markers, ...own.markers }, counters: { ...answered.counters, ...own.counters } };
    const seats = now.names.length + rules.extra.length;
    const points = Array.from({ length: seats }, (_, at) => own.points?.[at] ?? 0);
    return el("div", { class: "beside" },
      Object.entries(lying.markers).map(([name, holder]) =>
        el("button", { class: "small", "aria-pressed": String(holder === now.seat), "data-focus": `marker ${name}`, click: () => say("markers", name, holder === now.seat ? null : now.seat) }, `★ ${rules.things[name] ?? name}`)),
      Object.entries(lying.counters).map(([name, values]) => stepper(rules.things[name] ?? name, values[now.seat] ?? 0, (value) => {
        const shared = rules.shared.includes(name);
        say("counters", name, values.map((own, at) => (shared || at === now.seat ? value : own)));
      })),
      found.chips && el("label", { class: "row" }, phrase("score.chips"),
        el("input", { type: "number", value: own.chips?.[now.seat] ?? "", "data-focus": "chips", change: (event) => {
          const worth = event.target.value === "" ? null : Math.trunc(Number(event.target.value));
          say("chips", "", Array.from({ length: seats }, (_, at) => (at === now.seat ? worth : own.chips?.[at] ?? null)));
        } })),
      stepper(phrase("score.other"), points[now.seat], (value) => say("points", "", points.map((own, at) => (at === now.seat ? value : own)))));
  }

  function draw() {
    const rules = found?.rules;
    const laid = now.rounds[now.round][now.seat] ?? [];
    const seatNames = [...now.names.map((own, at) => own || player(at)), ...(rules?.extra ?? [])];
    replace(place, el("div", { class: "lobby" },
      el("div", { class: "column" },
        el("section", { class: "box" }, el("h2", {}, phrase("score.players")),
          el("select", { "aria-label": phrase("score.game"), "data-focus": "set", change: (event) => begin(event.target.value) },
            sets.map((own) => el("option", { value: own.id, selected: own.id === now.set }, own.title))),
          el("div", { class: "tabs" }, set().variants.map((own) => el("button", { class: "small", "aria-pressed": String(now.variants.includes(own.id)), "data-focus": `variant ${own.id}`, click: () => {
            now.variants = now.variants.includes(own.id) ? now.variants.filter((other) => other !== own.id) : [...now.variants, own.id];
            count();
          } }, own.title))),
          now.names.map((own, at) => el("input", { type: "text", maxlength: 24, value: own, placeholder: player(at), "aria-label": player(at), "data-focus": `name ${at}`, change: (event) => { now.names[at] = event.target.value; count(); } })),
          el("div", { class: "row" },
            now.names.length < set().players[1] && el("button", { "data-focus": "more", click: () => { now.names.push(""); count(); } }, phrase("score.more")),
            now.names.length > set().players[0] && el("button", { "data-focus": "fewer", click: () => { now.names.pop(); now.seat = 0; count(); } }, phrase("score.fewer")))),
        el("section", { class: "box" }, el("h2", {}, phrase("score.lies")),
          rules && rules.rounds !== 1 && el("div", { class: "tabs" }, Array.from({ length: rules.rounds || now.rounds.length + 1 - Boolean(found.over) }, (_, at) =>
            el("button", { "aria-pressed": String(at === now.round), disabled: at > now.rounds.length - Boolean(found.over), "data-focus": `round ${at}`, click: () => {
              if (at === now.rounds.length) now.rounds.push([]);
              now.beside[at] ??= {};
              now.round = at;
              count();
            } }, phrase("sheet.round", { round: at + 1 })))),
          el("div", { class: "tabs" }, seatNames.map((name, at) => el("button", { "aria-pressed": String(at === now.seat), "data-focus": `seat ${at}`, click: () => { now.seat = at; draw(); } }, name))),
          rules && el("div", { class: "taps" }, Object.entries(rules.cards).flatMap(([name, own]) => (own.forms.length ? own.forms.map((form) => `${name}@${form}`) : [name])).map((name) =>
            el("button", { "data-focus": `tap ${name}`, click: () => lay(name) }, card(rules, name), about(rules, name).label))),
          el("div", { class: "laid", role: "group", "aria-label": phrase("score.take_away") }, rules && laid.map((name, at) =>
            el("button", { "aria-label": phrase("score.take", { card: about(rules, name).label }), "data-focus": `laid ${at}`, click: () => { laid.splice(at, 1); count(); } }, card(rules, name)))),
          found?.lying && beside(rules),
          el("button", { "data-focus": "again", click: () => { now.rounds = [[]]; now.beside = [{}]; now.round = now.seat = 0; count(); } }, phrase("score.again")))),
      el("div", { class: "column" }, found && [
        el("h2", {}, phrase("sheet.points")),
        standings(found.rules, found, SHAPES),
        found.missing.length > 0 && el("div", { role: "status" }, found.missing.map((own) => el("p", {}, own))),
        sheet(found.rules, found, found.sheet, [...found.sheet].reverse())])));
  }

  count();
}
