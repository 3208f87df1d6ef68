// One game before it begins: how many play, against whom, and with which variants and readings of the rules.

import { el, overlay, remember, remembered, replace, sign } from "./dom.js";
import { SHAPES, card } from "./faces.js";
import { facts } from "./lobby.js";
import { LEVELS, OPTIONS, ask } from "./net.js";
import { comma, phrase } from "./phrases.js";

/** Ask how a game is to be played, at first with bots or with free seats (`kind`); `open` opens the table. */
export function newGame(set, open, kind) {
  const chosen = {
    variants: [...set.played],
    readings: {},
    seats: [{ kind: "person", name: remembered("name", "") }, ...Array.from({ length: set.usual - 1 }, other)],
    options: { ...OPTIONS },
    problems: { now: [], beside: {} },
    unfolded: new Set(),
  };
  let round = 0, failed = "", opening = false;
  const body = el("div", { class: "new-game" });
  const box = overlay(set.title, body);
  box.classList.add("sheet-below");

  function other() {
    return kind === "bot" ? { kind, level: remembered("level", "medium") } : { kind };
  }

  /** What is played, as on the command line: variants, and readings that are not the usual ones. */
  const selection = () => [...chosen.variants, ...Object.entries(chosen.readings).map(([name, option]) => `${name}=${option}`)];

  /** Ask what stands against the selection; of several answers the one to the last question counts. */
  async function check() {
    draw();
    const number = round += 1;
    let problems = { now: [], beside: {} }, why = "";
    try {
      problems = await ask("/api/problems", { ...(set.upload ? { upload: set.upload } : { set: set.id }), variants: selection(), players: chosen.seats.length });
    } catch (error) {
      why = error.message;
    }
    if (number !== round) return;
    chosen.problems = problems;
    failed = why;
    draw();
  }

  async function begin(seats) {
    const [first, ...rest] = seats;
    remember("name", first.name.trim());
    const named = rest.map((own) => (own.kind === "person" ? { ...own, name: own.name?.trim() || phrase("seat.player", { number: seats.indexOf(own) + 1 }) } : own));
    opening = true;
    draw();
    try {
      await open(set, [first, ...named], { variants: selection(), ...chosen.options });
    } catch (error) {
      failed = error.message;
      opening = false;
      draw();
    }
  }

  const invite = () => begin(chosen.seats.map((own) => (own.kind === "bot" ? { kind: "free" } : own)));

  function count(players) {
    while (chosen.seats.length < players) chosen.seats.push(other());
    chosen.seats.length = players;
    check();
  }

  function level(id) {
    remember("level", id);
    chosen.seats = chosen.seats.map((own) => (own.kind === "bot" ? { kind: "bot", level: id } : own));
    draw();
  }

  function toggle(variant) {
    const { variants } = chosen;
    if (variants.includes(variant.id)) chosen.variants = variants.filter((own) => own !== variant.id);
    else {
      const peers = variants.filter((id) => variant.group && set.variants.find((own) => own.id === id).group === variant.group);
      const gone = peers.length >= (set.allowances[variant.group] ?? 1) ? peers[0] : "";
      chosen.variants = [...variants.filter((own) => own !== gone), variant.id];
    }
    check();
  }

  function draw() {
    const [fewest, most] = set.players;
    const bots = chosen.seats.filter((own) => own.kind === "bot"), free = chosen.seats.filter((own) => own.kind === "free").length;
    const levels = new Set(bots.map((own) => own.level));
    const readings = set.readings.filter((own) => own.options.length > 1 && own.players.includes(chosen.seats.length) && (!own.with.length || own.with.some((id) => chosen.variants.includes(id))));
    replace(body,
      el("div", { class: "row about" }, el("span", { class: "tile-art", "aria-hidden": "true" }, Object.keys(set.drawn).map((id) => card(set, id))),
        el("div", { class: "grow" }, el("p", { class: "caption" }, facts(set).join(" · ")), set.base && el("p", {}, phrase("shop.of", set)), set.text && el("p", {}, set.text))),
      set.differs?.length > 0 && el("section", {}, el("h3", {}, phrase("shop.room.changes")), el("ul", { class: "differs" }, set.differs.map((text) => el("li", {}, text)))),
      most > fewest && el("div", { class: "row" }, el("span", { class: "grow" }, phrase("game.players")),
        steps(Array.from({ length: most - fewest + 1 }, (_, at) => [`players ${fewest + at}`, `${fewest + at}`, chosen.seats.length === fewest + at, () => count(fewest + at)]), phrase("game.players"))),
      bots.length > 0 && el("div", { class: "row" }, el("span", { class: "grow" }, phrase("game.bots")),
        steps(LEVELS.map((id) => [`level ${id}`, phrase(`level.${id}`), levels.size === 1 && levels.has(id), () => level(id)]), phrase("game.bots"))),
      fold("seats", phrase("lobby.seats"), "", el("ol", { class: "seat-list" }, chosen.seats.map(seatRow))),
      set.variants.length > 0 && fold("variants", phrase("lobby.variants"), named(chosen.variants) || phrase("game.none"),
        set.menus.length > 0 && el("div", { class: "tabs", role: "group", "aria-label": phrase("lobby.menus") }, set.menus.map(menuChoice)),
        el("div", { class: "variants" }, set.variants.map((own, at) => [groupTitle(own, set.variants[at - 1]), variantChoice(own)])),
        set.exclusions.map((text) => el("p", { class: "caption" }, text))),
      readings.length > 0 && fold("readings", phrase("game.questions"), phrase("game.questions.n", { count: readings.length }), readings.map(readingChoice)),
      fold("options", phrase("lobby.options"), "", Object.keys(OPTIONS).map(option)),
      (failed || chosen.problems.now.length > 0) && el("p", { class: "problem", role: "alert" }, [failed, ...chosen.problems.now].filter(Boolean).join(" ")),
      el("div", { class: "foot" },
        free === 0 && bots.length > 0 && el("button", { class: "big", "data-focus": "invite", disabled: chosen.problems.now.length > 0, click: invite }, sign("friends"), phrase("game.friends")),
        el("button", { class: "main big", "data-focus": "begin", "aria-busy": String(opening), disabled: chosen.problems.now.length > 0, click: () => begin(chosen.seats) },
          sign("play"), opening ? phrase("loading") : free ? phrase("lobby.invite", { count: free }) : phrase("game.play"))));
  }

  const named = (ids) => ids.map((id) => set.variants.find((own) => own.id === id)?.title).filter(Boolean).join(comma());

  function steps(all, label) {
    return el("div", { class: "steps", role: "group", "aria-label": label }, all.map(([name, text, on, click]) => el("button", { "data-focus": name, "aria-pressed": String(on), click }, text)));
  }

  /** A part that is folded until somebody wants it. It stays as it is when the sheet is drawn again, which may be before the browser tells that it was unfolded. */
  function fold(id, title, note, ...inner) {
    return el("details", { open: chosen.unfolded.has(id) },
      el("summary", { "data-focus": `fold ${id}`, click: () => { if (!chosen.unfolded.delete(id)) chosen.unfolded.add(id); } },
        el("span", { class: "grow" }, title), note && el("span", { class: "caption" }, note)), ...inner);
  }

  function variantChoice(own) {
    const on = chosen.variants.includes(own.id);
    const against = on ? [] : chosen.problems.beside[own.id] ?? [];
    return el("button", { class: "variant", "aria-pressed": String(on), disabled: against.length > 0, "data-focus": `variant ${own.id}`, click: () => toggle(own) },
      el("strong", {}, own.title), against.length > 0 ? el("span", { class: "caption why" }, against.join(" ")) : own.text && el("span", { class: "caption" }, own.text));
  }

  /** Before the first variant of a group of which several are played: what the group is called, and how many. */
  function groupTitle(own, before) {
    const many = set.allowances[own.group];
    if (!many || before?.group === own.group) return null;
    return el("p", { class: "group-title" }, phrase("lobby.choose", { group: set.groups[own.group], count: many }));
  }

  function menuChoice(own) {
    const same = own.variants.length === chosen.variants.length && own.variants.every((id) => chosen.variants.includes(id));
    return el("button", { class: "small", "aria-pressed": String(same), "data-focus": `menu ${own.title}`, click: () => { chosen.variants = [...own.variants]; check(); } }, own.title);
  }

  function readingChoice(own) {
    const now = chosen.readings[own.id] ?? own.usual;
    const pick = (id) => {
      if (id === own.usual) delete chosen.readings[own.id];
      else chosen.readings[own.id] = id;
      check();
    };
    return el("fieldset", { class: "question" }, el("legend", {}, own.question),
      own.options.map((each) => el("label", { class: "line" },
        el("input", { type: "radio", name: `reading ${own.id}`, checked: each.id === now, "data-focus": `reading ${own.id}=${each.id}`, change: () => pick(each.id) }),
        el("span", {}, each.text, each.id === own.usual && el("span", { class: "caption" }, [phrase("lobby.usual"), own.reason].filter(Boolean).join(" "))))));
  }

  function option(id) {
    return el("label", { class: "line" },
      el("input", { type: "checkbox", checked: chosen.options[id], "data-focus": `option ${id}`, change: (event) => { chosen.options[id] = event.target.checked; } }),
      el("span", {}, el("strong", {}, phrase(`lobby.${id}`)), el("span", { class: "caption" }, phrase(`lobby.${id}.about`))));
  }

  function seatRow(own, at) {
    const kinds = [["free", phrase("seat.friend")], ["person", phrase("seat.here")], ...LEVELS.map((id) => [id, phrase("bot.level", { level: phrase(`level.${id}`) })])];
    const value = own.kind === "bot" ? own.level : own.kind;
    const note = own.kind === "free" ? phrase("seat.free.about") : own.kind === "bot" ? phrase(`level.${own.level}.about`) : phrase(at ? "seat.pass" : "seat.you");
    return el("li", {},
      el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
      el("span", { class: "grow" },
        own.kind === "person"
          ? el("input", { type: "text", maxlength: 24, placeholder: phrase(at ? "seat.other" : "seat.name"), "aria-label": phrase("seat.name.at", { number: at + 1 }), "data-focus": `seat name ${at}`, value: own.name ?? "", input: (event) => { own.name = event.target.value; } })
          : el("strong", {}, phrase(own.kind === "free" ? "seat.free" : "bot")),
        el("span", { class: "caption" }, note)),
      at > 0 && el("select", { "aria-label": phrase("seat.who.at", { number: at + 1 }), "data-focus": `kind ${at}`, change: (event) => {
        const to = event.target.value;
        chosen.seats[at] = ["free", "person"].includes(to) ? { kind: to } : { kind: "bot", level: to };
        draw();
      } }, kinds.map(([id, title]) => el("option", { value: id, selected: id === value }, title))));
  }

  check();
}
