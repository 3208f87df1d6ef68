// A new table: which game, with which variants, who sits where.

import { alarm, el, listed, remember, rememberTable, remembered, replace } from "./dom.js";
import { languageChoice } from "./language.js";
import { SHAPES, card } from "./faces.js";
import { ask, language } from "./net.js";

const LEVELS = [["easy", "Easy", "looks at the points at once"], ["medium", "Medium", "knows what cards are worth later"], ["hard", "Hard", "looks ahead to the end of the round"]];

export async function lobby(place, bar) {
  const drawBar = (languages) => bar("draftengine", [el("span", {}, "New table")], [
    languageChoice(languages),
    el("a", { class: "button quiet", href: "/games" }, "Past games"),
    el("a", { class: "button quiet", href: "/score" }, "Scorekeeper"),
  ]);
  document.title = "draftengine: new table";
  drawBar([]);
  const { sets, uploads } = await ask(`/api/sets?language=${language()}`);
  drawBar([...new Set(sets.flatMap((own) => own.languages))]);
  const chosen = {
    set: sets.find((own) => own.id === remembered("set", "")) ?? sets[0],
    variants: [],
    readings: {},
    seats: [],
    options: { hints: true, effects: true, memory: true },
    problems: { now: [], beside: {} },
  };
  let tables = [];
  const name = () => remembered("name", "");
  chosen.variants = [...chosen.set.played];
  chosen.seats = [{ kind: "person", name: name() }, ...Array.from({ length: chosen.set.usual - 1 }, () => ({ kind: "bot", level: "medium" }))];

  async function check() {
    fit();
    draw();
    const { set, seats } = chosen;
    const found = await ask("/api/problems", { ...named(set), variants: selection(), players: seats.length });
    chosen.problems = found;
    draw();
  }

  /** What is played, as on the command line: variants, and readings that are not the usual ones. */
  const selection = () => [...chosen.variants, ...Object.entries(chosen.readings).map(([name, option]) => `${name}=${option}`)];

  function fit() {
    const [fewest, most] = chosen.set.players;
    while (chosen.seats.length < fewest) chosen.seats.push({ kind: "bot", level: "medium" });
    while (chosen.seats.length > most) chosen.seats.pop();
  }

  function pick(set) {
    chosen.set = set;
    chosen.variants = [...set.played];
    chosen.readings = {};
    chosen.problems = { now: [], beside: {} };
    remember("set", set.id);
    check();
  }

  function toggle(variant) {
    const { set, variants } = chosen;
    if (variants.includes(variant.id)) chosen.variants = variants.filter((own) => own !== variant.id);
    else {
      const peers = variants.filter((id) => variant.group && set.variants.find((own) => own.id === id).group === variant.group);
      const gone = peers.length >= (set.allowances[variant.group] ?? 1) ? peers[0] : "";
      chosen.variants = [...variants.filter((own) => own !== gone), variant.id];
    }
    check();
  }

  async function begin() {
    const mine = chosen.seats.filter((own) => own.kind === "person");
    for (const own of mine) own.name = own.name?.trim() || (own === mine[0] ? "Ada" : `Player ${chosen.seats.indexOf(own) + 1}`);
    remember("name", mine[0].name);
    alarm("");
    try {
      const made = await ask("/api/tables", { ...named(chosen.set), variants: selection(), seats: chosen.seats, ...chosen.options });
      rememberTable(made.table, Object.entries(made.tokens).map(([seat, token]) => ({ seat: Number(seat), token })));
      location.assign(`/t/${made.table}`);
    } catch (error) {
      alarm(error.message);
    }
  }

  /** How the server knows a card set: by its name, or by its text if somebody brought it. */
  const named = (set) => (set.upload ? { upload: set.upload } : { set: set.id });

  async function bring(file) {
    alarm("");
    try {
      const upload = await file.text();
      const set = { ...await ask("/api/sets", { upload, language: language() }), upload, file: file.name };
      const at = sets.findIndex((own) => own.file === set.file);
      sets.splice(at < 0 ? sets.length : at, at < 0 ? 0 : 1, set);
      pick(set);
    } catch (error) {
      alarm(error.message);
    }
  }

  function bringer() {
    const input = el("input", { type: "file", class: "unseen", accept: ".yaml,.yml", "aria-label": "A card set of your own", "data-focus": "upload", change: () => input.files[0] && bring(input.files[0]) });
    return el("label", { class: "button wide bring" }, input, "Bring a card set of your own (YAML)");
  }

  function draw() {
    const { set, problems } = chosen;
    const readings = set.readings.filter((own) => own.options.length > 1);
    const free = chosen.seats.filter((own) => own.kind === "free").length;
    replace(place, el("div", { class: "lobby" },
      el("div", { class: "column" },
        tables.length > 0 && el("section", { class: "box", "aria-labelledby": "tables" }, el("h2", { id: "tables" }, "Your tables"),
          el("ul", { class: "table-list" }, tables.map(tableRow))),
        el("section", { class: "box", "aria-labelledby": "game" }, el("h2", { id: "game" }, "Game"),
          el("div", { class: "choices", role: "radiogroup", "aria-labelledby": "game" }, sets.map(gameChoice)),
          uploads && bringer()),
        set.variants.length > 0 && el("section", { class: "box", "aria-labelledby": "variants" },
          el("h2", { id: "variants" }, "Variants"),
          problems.now.length > 0 && el("p", { class: "problem" }, problems.now.join(" ")),
          set.menus.length > 0 && el("div", { class: "tabs", role: "group", "aria-label": "Menus" }, set.menus.map(menuChoice)),
          set.variants.map((own, at) => [groupTitle(own, set.variants[at - 1]), variantChoice(own)])),
        readings.length > 0 && el("section", { class: "box", "aria-labelledby": "readings" },
          el("h2", { id: "readings" }, "Where the rules leave a question open"),
          readings.map(readingChoice))),
      el("div", { class: "column" },
        el("section", { class: "box", "aria-labelledby": "seats" }, el("h2", { id: "seats" }, "Seats"),
          el("ol", { class: "seat-list" }, chosen.seats.map(seatRow)),
          chosen.seats.length < set.players[1] && el("button", {
            class: "wide", "data-focus": "add", click: () => { chosen.seats.push({ kind: "free" }); check(); },
          }, "+ Add a seat")),
        el("section", { class: "box", "aria-label": "Options" },
          option("hints", "Hints on request", "Anybody may ask; nobody sees that you asked."),
          option("effects", "Points under the cards", "What each card would bring at once."),
          option("memory", "Memory help", "Hands that you know are shown while they travel."),
          el("button", { class: "main wide", "data-focus": "begin", disabled: problems.now.length > 0, click: begin },
            free ? `Open the table and invite ${free === 1 ? "a friend" : `${free} friends`}` : "Open the table")))));
  }

  /** The tables of this browser that are still there, those first that wait for somebody here. */
  async function findTables() {
    const found = await Promise.all(remembered("tables", []).map(async (id) => {
      try {
        const own = await ask(`/api/tables/${encodeURIComponent(id)}/now?language=${language()}`);
        const mine = remembered(`table ${id}`, []).map((seat) => seat.seat);
        return { ...own, id, mine, turn: own.begun ? own.waiting.some((at) => mine.includes(at)) : mine.includes(own.host) };
      } catch (error) {
        if (error.code === "no-such-table") rememberTable(id, []);
        return null;
      }
    }));
    tables = found.filter(Boolean).sort((one, other) => other.turn - one.turn);
    draw();
  }

  function tableRow(own) {
    const names = (seats) => listed(seats.filter((at) => !own.mine.includes(at) && own.names[at]).map((at) => own.names[at]));
    const others = names([...own.names.keys()]);
    const state = own.over ? "The game is over" : own.turn ? (own.begun ? "Your turn" : "You can start")
      : names(own.begun ? own.waiting : [own.host]) ? `Waiting for ${names(own.begun ? own.waiting : [own.host])}` : "All have chosen";
    return el("li", {}, el("span", { class: "grow" }, el("strong", {}, own.title), others && el("span", { class: "caption" }, `with ${others}`),
      el("span", { class: `state${own.turn ? " good" : ""}` }, state)),
    el("a", { class: "button", href: `/t/${encodeURIComponent(own.id)}`, "aria-label": `Go on: ${own.title}`, "data-focus": `table ${own.id}` }, "Go on"));
  }

  function gameChoice(own) {
    const selected = own === chosen.set;
    const span = own.players[0] === own.players[1] ? own.players[0] : `${own.players[0]}–${own.players[1]}`;
    const facts = [`${span} players`, own.rounds > 1 && `${own.rounds} rounds`, own.minutes && `about ${own.minutes} minutes`].filter(Boolean);
    return el("button", {
      class: `choice${selected ? " selected" : ""}`, role: "radio", "aria-checked": String(selected), "data-focus": `set ${own.id}`,
      click: () => pick(own),
    },
    el("span", { class: "fan", "aria-hidden": "true" }, Object.keys(own.drawn).map((id) => card(own, id, { size: "tiny" }))),
    el("span", { class: "choice-words" }, el("strong", {}, own.title), el("span", { class: "caption" }, facts.join(" · ")),
      selected && own.text && el("span", { class: "caption" }, own.text)));
  }

  function variantChoice(own) {
    const on = chosen.variants.includes(own.id);
    const against = on ? [] : chosen.problems.beside[own.id] ?? [];
    const peers = own.group ? chosen.set.variants.filter((other) => other.group === own.group).length : 1;
    return el("label", { class: `line${against.length ? " off" : ""}` },
      el("input", { type: "checkbox", class: peers > 1 && !chosen.set.allowances[own.group] ? "round" : "", checked: on, disabled: against.length > 0, "data-focus": `variant ${own.id}`, change: () => toggle(own) }),
      el("span", {}, el("strong", {}, own.title), el("span", { class: "caption" }, own.text),
        against.length > 0 && el("span", { class: "caption why" }, against.join(" "))));
  }

  /** Before the first variant of a group of which several are played: what the group is called, and how many. */
  function groupTitle(own, before) {
    const many = chosen.set.allowances[own.group];
    if (!many || before?.group === own.group) return null;
    const title = own.group.replaceAll("_", " ");
    return el("p", { class: "group-title" }, `${title[0].toUpperCase()}${title.slice(1)}: choose ${many}`);
  }

  function menuChoice(own) {
    const same = own.variants.length === chosen.variants.length && own.variants.every((id) => chosen.variants.includes(id));
    return el("button", { class: "small", "aria-pressed": String(same), "data-focus": `menu ${own.title}`, click: () => { chosen.variants = [...own.variants]; check(); } }, own.title);
  }

  function readingChoice(own) {
    const now = chosen.readings[own.id] ?? own.usual;
    const pick_ = (id) => {
      if (id === own.usual) delete chosen.readings[own.id];
      else chosen.readings[own.id] = id;
      check();
    };
    return el("fieldset", { class: "reading" }, el("legend", {}, own.question),
      own.options.map((each) => el("label", { class: "line" },
        el("input", { type: "radio", name: `reading ${own.id}`, checked: each.id === now, "data-focus": `reading ${own.id}=${each.id}`, change: () => pick_(each.id) }),
        el("span", {}, each.text, each.id === own.usual && el("span", { class: "caption" }, ["Usual here.", own.reason].filter(Boolean).join(" "))))));
  }

  function option(id, title, text) {
    return el("label", { class: "line" },
      el("input", { type: "checkbox", checked: chosen.options[id], "data-focus": `option ${id}`, change: (event) => { chosen.options[id] = event.target.checked; } }),
      el("span", {}, el("strong", {}, title), el("span", { class: "caption" }, text)));
  }

  function seatRow(own, at) {
    const first = at === 0;
    const kinds = [["free", "A friend, by link"], ["person", "Here, on this screen"], ...LEVELS.map(([level, title]) => [level, `Bot: ${title.toLowerCase()}`])];
    const value = own.kind === "bot" ? own.level : own.kind;
    const note = own.kind === "free" ? "whoever opens the link sits here" : own.kind === "bot" ? LEVELS.find(([level]) => level === own.level)[2] : first ? "you" : "the screen is passed round and covered in between";
    return el("li", {},
      el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[at]),
      el("span", { class: "grow" },
        own.kind === "person"
          ? el("input", { type: "text", maxlength: 24, placeholder: first ? "Your name" : "Name", "aria-label": `Name at seat ${at + 1}`, "data-focus": `name ${at}`, value: own.name ?? "", input: (event) => { own.name = event.target.value; } })
          : el("strong", {}, own.kind === "free" ? "Free seat" : "Bot"),
        el("span", { class: "caption" }, note)),
      !first && el("select", { "aria-label": `Who sits at seat ${at + 1}`, "data-focus": `kind ${at}`, change: (event) => {
        const kind = event.target.value;
        chosen.seats[at] = ["free", "person"].includes(kind) ? { kind } : { kind: "bot", level: kind };
        draw();
      } }, kinds.map(([id, title]) => el("option", { value: id, selected: id === value }, title))),
      !first && chosen.seats.length > chosen.set.players[0] && el("button", {
        class: "quiet", "aria-label": `Remove seat ${at + 1}`, "data-focus": `remove ${at}`, click: () => { chosen.seats.splice(at, 1); check(); },
      }, "✕"));
  }

  check();
  findTables();
}
