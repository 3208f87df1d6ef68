// A table: what is known of it, what is asked of the server, and which page shows it. It knows no game: groups, progress,
// points and legal moves come from the server.

import { lastSheet, pause } from "./after.js";
import { alarm, capital, el, find, forget, overlay, remember, rememberEnd, rememberTable, remembered, replace, say, sign } from "./dom.js";
import { SHAPES, about, card, cardIn, words } from "./faces.js";
import { caption, coming, felt, pile } from "./felt.js";
import { dock, lowPhone, question, wayText } from "./hand.js";
import { emoted, help, menu } from "./menu.js";
import { Line } from "./net.js";
import { cover, hostChange, invitation, late, nowhere, passage, room, sit } from "./room.js";
import { comma, languageChoice, listed, phrase, refusal } from "./phrases.js";
import { sheet, standings } from "./sheet.js";
import { celebrate, reveal } from "./show.js";
import { play } from "./sound.js";

const KEYS = [..."1234567890abcdefgijk"];
/** Milliseconds after a reveal in which something may still move. */
const LONGEST = 2500;

/** How soon a second tap on a card belongs to the first, in ms, so that it does not undo it; the card may have been drawn anew between them. */
const DOUBLE = 500;

export function tablePage(place, bar, table, film = null) {
  const t = {
    table, film,
    mine: film ? [] : remembered(`table ${table}`, []),
    shown: null, rules: null, fresh: new Map(), begun: null, sent: null, pressed: [], hint: null, advising: null, weighed: { of: "", bars: new Map() }, covered: null, revealing: false, hiding: false, raised: null, up: "", sliding: false,
    emotes: new Map(), muted: new Set(remembered(`muted ${table}`, [])), next: "", lettersOff: remembered("letters off", false),
    get me() { return this.shown?.seat ?? -1; },
    get game() { return this.shown?.game; },
    /** Who plays in a seat, or played there in the game that is over; `sitter`: who sits there now. */
    seatName: (seat) => t.game?.names?.[seat] || t.sitter(seat),
    sitter: (seat) => t.shown.seats[seat]?.name || t.rules?.extra[seat - t.shown.seats.length] || phrase("seat.nobody"),
    thing: (id) => t.rules.things[id] ?? t.rules.cards[id]?.label ?? id,
    toChoose: () => !film && t.game && !t.sent && !t.game.over && t.game.waiting.includes(t.me) && !t.shown.seats[t.me].late,
    offered: () => t.begun?.options ?? t.game?.options?.options ?? [],
    /** For how many seconds somebody is gone. */
    awayFor: (at) => { const own = t.shown.seats[at]; return own?.kind === "person" && !own.here && !own.away ? own.gone + (performance.now() - t.heardAt) / 1000 : 0; },
    /** The seconds after which somebody who is gone counts as away, and after which a bot may play on. */
    patience: () => t.shown.patience ?? [],
    /** What this seat has chosen; it is shown at once, before the server has it. */
    chosen: () => t.sent ?? t.game.chosen,
    /** The options that take a card (in all its forms), or a place. */
    optionsFor: (name) => t.offered().filter((own) => own.card === name || cardIn(own.card) === name),
    takenBy: (move) => [...move.cards, ...Object.values(move.with ?? {}).flat(), ...Object.values(move.for ?? {}).flat()],
    key: (at) => KEYS[at],
    /** The places of all layouts on which something lies. */
    places: () => t.game.layouts.flatMap((own) => own.rows.flat()).filter(Boolean),
    /** How many bars a card, a place or a way is worth, in its best form; 0 where that is not known. */
    worth: (options) => Math.max(0, ...options.map((own) => (t.weighed.of === choice() && t.weighed.bars.get(JSON.stringify(own.move))) || 0)),
    /** Whether bars are wanted: in the first game, and then by the switch. */
    barsWanted: () => remembered("bars", !remembered("finished", false)),
    bars: () => t.toChoose() && t.shown.hints && t.barsWanted() && !weighedInVain(),
    /** Tap a copy of a card: `name at`. */
    tap: (copy, taken) => {
      const now = performance.now();
      if (tapped.copy === copy && tapped.taken !== taken && now - tapped.at < DOUBLE) return; // two copies are two choices
      tapped = { copy, taken, at: now };
      if (taken) withdraw();
      else pick(copy);
    },
    line: () => line,
    staged: () => Boolean(find(".dock.staged")),
    winners, placeName, weighedInVain, alone, connect, draw, request, take, goOn, pick, withdraw, advise, read, hide, raise, playRaised, log,
    ready: () => {
      sheetRead = t.shown.decision.join();
      request("ready", { decision: t.shown.decision });
      if (t.mine.length > 1) t.covered = t.mine.find((own) => own.seat === t.me) ?? null;
      draw();
    },
    follow: () => { for (const message of held.splice(0)) news(message); draw(); },
    get nextBegun() { return held.length > 0; },
    again: (yes, same = false) => request("again", { yes, same }),
    start,
    /** Let a bot play for this seat, and look on; whoever comes back to the seat plays from then on. */
    watch: async () => { await request("replace", { seat: t.me }); connect(null); },
    back: () => connect(t.mine[0].token),
    leave: async () => { await request("replace", { seat: t.me }); location.assign("/"); },
    invite: () => overlay(phrase("room.invite"), invitation(t)),
    move: () => overlay(phrase("menu.device"), passage(t, line.token)),
    look: () => { sheetRead = t.shown.decision.join(); draw(); },
    readSheet: () => { sheetRead = null; draw(); },
    uncover: () => { if (!t.covered) return; const { token } = t.covered; t.covered = t.shown = null; connect(token); },
    opinion: async () => {
      const { at, seat } = film;
      try {
        const { hints } = await film.opinion();
        if (film.at === at && film.seat === seat) t.hint = hints;
        draw();
      } catch (error) {
        alarm(error.message);
      }
    },
  };
  if (location.hash.length > 20) {
    const token = decodeURIComponent(location.hash.slice(1));
    if (!t.mine.some((own) => own.token === token)) t.mine = [...t.mine, { seat: -1, token }];
    history.replaceState(null, "", location.pathname);
  }
  let line = null, before = null, story = [], arrived = [], hostBefore = null, seenFor = "";
  /** The decision before which the sheet was read. */
  let sheetRead = null;
  /** Whether the cards of a hand were the last thing that was said. */
  let handSaid = false;
  let tapped = { copy: "", taken: false, at: -Infinity };
  let moved = { at: -Infinity, seen: false };
  /** What is known of the next game, as long as somebody reads the results of the last one. */
  const held = [];
  let waking = 0, asked = false;
  /** The last hint that was asked for: a server thinks about one at a time. */
  let advice = Promise.resolve();

  document.addEventListener("visibilitychange", catchUp);
  let width = innerWidth;
  addEventListener("resize", () => { if (width !== innerWidth) { width = innerWidth; draw(); } });
  if (film) film.show = (message) => { t.hint = null; sheetRead = message.decision.join(); news(message); draw(); };
  else connect(t.mine[0]?.token ?? null);

  function connect(token) {
    line?.close();
    held.length = 0;
    t.begun = t.sent = t.hint = t.advising = null;
    advice = Promise.resolve();
    t.fresh = new Map();
    story = [];
    arrived = [];
    before = null;
    line = new Line(table, token, heard, token ? t.mine.map((own) => own.token).filter((own) => own !== token).slice(0, 20) : []);
  }

  function heard(message) {
    if (message.type === "away") {
      alarm(phrase("away"), true);
      document.body.classList.add("away");
    } else if (message.type === "refused") {
      if (message.code === "no-such-table") return nowhere(place, bar, message);
      if (message.code === "wrong-token") rememberTable(table, t.mine = t.mine.filter((own) => own.token !== line.token));
      alarm(refusal(message));
    } else if (message.type === "notice") {
      story = [...story, { part: t.shown.decision[1], kind: "notice", seat: message.seat, text: message.text }];
      say(message.text);
      draw();
    } else if (message.type === "emote") emoted(t, message);
    else if (message.type === "table") {
      if (document.body.classList.contains("away")) alarm("");
      document.body.classList.remove("away");
      arrived.push(message);
      if (document.hidden) catchUp();
      else if (arrived.length === 1) requestAnimationFrame(catchUp);
    }
  }

  /** Everybody chooses at nearly the same time, so much arrives together: it is drawn once. A page that nobody sees has no frames to wait for, but a title that is seen. */
  function catchUp() {
    if (!arrived.length) return;
    for (const message of arrived.splice(0)) {
      if (held.length || reading(message)) held.push(message);
      else news(message);
    }
    draw();
    wake();
  }

  /** Whether the results of a game are read, from which no message about the next one pulls anybody off. */
  const reading = (message) => !film && t.game?.over && message.decision[0] > t.shown.decision[0] && !t.shown.seats[t.me]?.again;

  /** Draw again when somebody who is gone counts as away, and when a bot may play for them. */
  function wake() {
    clearTimeout(waking);
    const gone = t.shown.seats.map((_, at) => t.awayFor(at)).filter(Boolean);
    const waits = gone.flatMap((own) => t.patience().map((limit) => limit - own)).filter((own) => own > 0);
    if (waits.length) waking = setTimeout(() => { draw(); wake(); }, 1000 * Math.min(...waits) + 50);
  }

  function news(message) {
    const revealed = !t.shown || message.decision.join() !== t.shown.decision.join();
    if (message.since === 0) story = [];
    story = [...story, ...message.story];
    if (revealed) {
      moved = { at: performance.now(), seen: before !== null && !film };
      t.fresh = message.game && before?.decision[0] === message.decision[0] ? newCards(before.game, message.game) : new Map();
      if (t.mine.length > 1 && before?.game && message.game) coverNext(message);
      before = message;
      t.begun = t.hint = t.advising = t.raised = null;
      t.pressed = [];
    }
    t.rules = message.rules ?? t.rules;
    t.shown = message;
    if (revealed || message.game?.chosen) t.sent = null;
    t.heardAt = performance.now();
    const own = t.mine.find((each) => each.token === line?.token);
    if (own && own.seat !== message.seat) {
      own.seat = message.seat;
      rememberTable(table, t.mine);
    }
    const turn = handOver();
    if (turn && (t.covered === null || t.covered.token !== turn.token)) t.covered = turn;
    if (revealed) tell();
    if (revealed && moved.seen && t.game) show();
    if (hostBefore !== null && hostBefore !== message.host) say(hostChange(t) || "");
    hostBefore = message.host;
    if (!t.game && remembered("begin", "") === table && t.me === message.host) {
      forget("begin");
      request("start");
    }
    if (t.game && t.me >= 0 && remembered("watch", "") === table) {
      forget("watch");
      t.watch();
    }
    if (t.me < 0 && t.game && !film) comeLate();
  }

  /** Who comes late is asked once for a seat, and gets it after the game if that was the answer. */
  function comeLate() {
    if (t.next && t.game.over) sit(t, t.next);
    else if (!asked && !t.mine.length) requestAnimationFrame(() => late(t));
    asked = true;
    if (t.game.over) t.next = "";
  }

  /** What a reveal looks and sounds like. */
  function show() {
    const won = t.game.over && t.game.winners.includes(t.me);
    play(pausing() && !won ? "tick" : "flip");
    reveal(t, () => {
      moved.at = performance.now();
      draw();
      if (!won) return;
      celebrate();
      play("win");
    });
    if (passing()) setTimeout(play, 500, "pass");
  }

  /** On one screen for several people everybody looks at a reveal and at the points, and only one at a hand: it is covered before each choice. */
  function coverNext(message) {
    const own = t.mine.find((each) => each.token === line.token);
    if (own && message.game.waiting.includes(own.seat) && !message.seats[own.seat].reading) t.covered = own;
  }

  /** On one screen for several people: who has to choose next, once this person has. */
  function handOver() {
    if (t.mine.length < 2 || !t.game || t.game.over) return t.covered;
    const need = (own) => t.game.waiting.includes(own.seat) && !t.shown.seats[own.seat].chosen;
    if (need({ seat: t.me })) return t.covered;
    return t.mine.find(need) ?? t.covered;
  }

  /** The cards that came to each tableau since the last reveal. */
  function newCards(then, now) {
    const found = new Map();
    now.seats.forEach(({ tableau }, seat) => {
      const left = new Map();
      for (const name of then?.seats[seat].tableau ?? []) left.set(name, (left.get(name) ?? 0) + 1);
      const added = [];
      for (const name of tableau) {
        if (left.get(name)) left.set(name, left.get(name) - 1);
        else added.push(name);
      }
      if (added.length) found.set(seat, added);
    });
    return found;
  }

  function tell() {
    if (!t.game) return;
    const last = story.filter((own) => ["revealed", "rolled", "thrown", "marker"].includes(own.kind)).slice(-t.shown.seats.length).map((own) => own.text);
    handSaid = t.toChoose() && !t.covered;
    if (t.game.over) say(phrase("say.over", { winners: winners() }));
    else if (handSaid && !t.game.hand.length) say(phrase("say.ask", { news: last.join(" "), question: question(t) }).trim());
    else if (handSaid) say(phrase("say.choose", { news: last.join(" "), cards: words(t.rules, t.game.hand.flatMap(([name, copies]) => Array(copies).fill(name))) }).trim());
    else say(last.join(" "));
  }

  function winners() {
    const won = t.game.winners.map(t.seatName);
    return phrase("over.winner", { names: listed(won), count: won.length });
  }

  async function request(type, data = {}) {
    try {
      alarm("");
      return await line.ask(type, data);
    } catch (error) {
      if (error.code !== "late") alarm(error.message);
      return null;
    }
  }

  // ── Choosing ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async function take(option) {
    if (document.body.classList.contains("away") || t.sent) return;
    t.hint = t.advising = null;
    play("play");
    if (!option.whole || option.more) { // a second card is asked for before anything is sent, as all may turn over at once
      await goOn(option.move);
      return;
    }
    t.begun = null;
    t.sent = option.move;
    draw();
    if (await request("choose", { decision: t.shown.decision, move: option.move })) return;
    t.sent = null;
    draw();
  }

  async function goOn(move) {
    const found = await request("options", { move });
    if (found) t.begun = { move, options: found.options, whole: found.whole };
    t.raised = null;
    draw();
  }

  function pick(copy) {
    const [name] = copy.split(" ");
    t.pressed.push(copy);
    const found = t.optionsFor(name);
    if (found.length === 1) take(found[0]);
    else if (found.length > 1) chooseForm(name, found);
  }

  function chooseForm(name, found) {
    const { label } = about(t.rules, name);
    const goes = found.some((own) => t.rules.ways[own.card.split("@").pop()]), rows = found.filter((own) => own.place).length > 1;
    const lies = (own) => [...t.game.seats[t.me].piles, ...t.game.piles].find(({ zone }) => zone === own.place);
    const box = overlay(phrase(found.every((own) => own.place) ? "form.where" : goes ? "form.what" : "form.as", { card: label }),
      el("div", { class: `forms${rows ? " rows" : ""}` }, found.map((own) => el("button", { click: () => { box.close(); take(own); } },
        rows ? lies(own) && pile(t, lies(own)) : card(t.rules, goes ? cardIn(own.card) : own.card, { size: "full" }), el("strong", {}, goes ? capital(t.rules.ways[own.card.split("@").pop()]?.label ?? own.card) : about(t.rules, own.card).label), wayText(t, own), caption(t, own)))));
  }

  /** Whether nobody else plays but bots. */
  function alone() {
    return t.shown.seats.filter((own) => own.kind === "person").length === 1;
  }

  /** Turn over what all have chosen before the time in which it can be taken back is over: nobody else needs it. */
  function hurry() {
    if (t.toChoose() && t.game.chosen && alone()) request("ready", { decision: t.shown.decision });
  }

  async function withdraw() {
    t.begun = null;
    t.pressed = [];
    if (t.game?.chosen) await request("withdraw", { decision: t.shown.decision });
    else draw();
  }

  /** Ask for a hint, or take it away again. */
  async function advise() {
    const mine = t.hint || t.advising ? null : { of: choice() };
    t.hint = null;
    t.advising = mine;
    draw();
    if (!mine) return;
    const found = await (advice = advice.then(() => t.advising === mine && request("hint")));
    if (t.advising !== mine) return;
    t.advising = null;
    if (found && choice() === mine.of && t.toChoose() && !t.game.chosen) {
      t.hint = found.hints;
      say(t.hint[0]?.sentence ?? "");
      t.raised = null;
    }
    draw();
  }

  /** Start a game for the host, who may be another one at this screen. */
  function start() {
    const host = t.mine.find((own) => own.seat === t.shown.host);
    if (host.seat !== t.me) connect((t.covered = host).token);
    request("start");
  }

  /** What is chosen from now: the seat, the decision, and the cards that were picked for it. */
  const choice = () => `${t.me} ${t.shown.decision} ${JSON.stringify(t.begun?.move ?? null)}`;

  /** The connection that owes an answer about worth: a server weighs one choice at a time. */
  let weighing = null;

  /** Ask once what the cards of a choice are worth, where that is wanted. The page goes on without an answer. */
  async function weigh() {
    if (weighing === line || !t.bars() || t.game.chosen || t.weighed.of === choice()) return;
    const mine = t.weighed = { of: choice(), bars: new Map() }, asked = weighing = line;
    const found = await asked.ask("worth", { move: t.begun?.move ?? { cards: [] } }).catch(() => null);
    if (weighing !== asked) return;
    weighing = null;
    mine.failed = !found;
    mine.bars = new Map((found?.bars ?? []).map(([move, bars]) => [JSON.stringify(move), bars]));
    draw(); // who has chosen meanwhile has another choice to weigh
  }

  /** Whether nobody could say what the cards of this choice are worth. */
  function weighedInVain() {
    return t.weighed.failed && t.weighed.of === choice();
  }

  /** What lies at a place of a layout; the card itself for any other name. */
  function placeName(name) {
    return t.places().find(({ id }) => id === name)?.face ?? name;
  }

  /** Raise a card of the hand or at a place, where one is raised at all; the page is not drawn again for it. */
  function raise(name) {
    if (t.raised === name) return;
    t.raised = name;
    if (!t.staged()) return;
    play("raise");
    for (const own of place.querySelectorAll("[data-at]")) own.classList.toggle("up", own.dataset.at === name);
    const focused = document.activeElement?.dataset.focus, old = place.querySelector(".stage");
    const inside = old.contains(document.activeElement);
    old.replaceWith(dock(t).querySelector(".stage"));
    if (inside) find(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
  }

  function playRaised() {
    if (t.up) pick(t.up);
  }

  // ── Drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All of it anew, seen from where it was seen before. */
  function draw() {
    if (!t.shown || !t.rules) return;
    if (t.revealing) { // the page stays as it was; a screen for several shows no hand meanwhile
      if (t.mine.length > 1) replace(place, el("div", { class: "cover" }));
      return;
    }
    const top = find(".board")?.scrollTop ?? 0; // asked before anything changes, or the browser would lay out the old page once more
    const active = held.length > 0 || (t.toChoose() && !t.game.chosen);
    document.title = active ? phrase("tab.turn", { game: t.rules.title }) : t.rules.title;
    bar(t.rules.title, heading(), buttons());
    document.body.dataset.page = t.game && !inRoom() ? "table" : "waiting";
    document.body.dataset.decision = t.shown.decision.join(".");
    if (!t.game || inRoom()) return replace(place, room(t));
    if (t.covered) {
      if (handSaid) say("");
      handSaid = false;
      return replace(place, cover(t));
    }
    if (t.game.over && !film) {
      remember("finished", true);
      if (t.me >= 0 && t.mine.length < 2 && !t.shown.repeats) rememberEnd(`${table} ${t.shown.decision[0]}`, t.rules.title, Number(t.game.winners.includes(t.me)));
    }
    if (pausing()) return replace(place, pause(t));
    weigh();
    replace(place, playing());
    const board = find(".board");
    board.scrollTop = top;
    showMore(board);
    board.addEventListener("scroll", () => showMore(board), { passive: true });
    const asked = `${t.shown.decision} ${Boolean(t.hint)}`;
    if (active && seenFor !== asked) bringIntoSight();
    seenFor = asked;
  }

  /** The board fades out where it goes on. */
  function showMore(board) {
    board.classList.toggle("more-above", board.scrollTop > 4);
    board.classList.toggle("more-below", board.scrollTop + board.clientHeight < board.scrollHeight - 4);
  }

  /** What can be taken from a layout is in sight when it is asked for, and when a hint comes; from then on everybody scrolls as they like. */
  function bringIntoSight() {
    const last = [...place.querySelectorAll("button.place")].pop(), board = find(".board");
    if (last) board.scrollTop += Math.max(0, last.getBoundingClientRect().bottom + 6 - board.getBoundingClientRect().bottom);
  }

  /** Whether this person wants another game and has to wait for others. */
  const inRoom = () => t.game.over && t.shown.seats[t.me]?.again && t.shown.seats.some((own, at) => own.kind === "person" && !t.mine.some(({ seat }) => seat === at) && (own.here || t.awayFor(at) < t.patience()[0]));

  /** Is a score sheet read: of the round before, until everybody is ready, or at the end. */
  const pausing = () => sheetRead !== t.shown.decision.join() && (t.shown.seats[t.me]?.reading || t.game.over) && t.shown.sheet;

  function heading() {
    if (!t.game || inRoom()) return [el("span", {}, t.rules.variants.join(comma()))];
    const own = pausing() ? { ...t.game, round: lastSheet(t).round, turn: 0 } : t.game;
    return [
      t.rules.rounds !== 1 && el("span", { class: "round" }, el("span", { class: "word" }, phrase("bar.round"), " "), el("span", { class: "short" }, phrase("bar.round.short"), " "), [own.round, t.rules.rounds].filter(Boolean).join("/")),
      own.turn > 0 && own.turns > 0 && el("span", { class: "dots", "aria-hidden": "true" },
        Array.from({ length: Math.min(20, own.turns) }, (_, at) => el("span", { class: at + 1 < own.turn ? "done" : at + 1 === own.turn ? "now" : "" }))),
      own.turn > 0 && el("span", { class: own.turns ? "unseen" : "" }, phrase(own.turns ? "bar.turn.of" : "bar.turn", own)),
      t.rules.variants.length > 0 && el("span", { class: "wide-only caption" }, t.rules.variants.join(comma())),
    ];
  }

  function buttons() {
    if (!t.game || inRoom()) return [languageChoice(t.rules.languages)];
    if (t.covered) return []; // what is known so far is the seat's before
    if (film) return [el("a", { class: "button quiet", href: "/games" }, phrase("title.past"))];
    const button = (name, mark, title, click, inWords = false) => el("button", { class: "quiet", "data-focus": name, "aria-label": title, title, click }, sign(mark), inWords && el("span", { class: "wide-only" }, title));
    return [
      t.shown.watching > 0 && el("span", { class: "caption wide-only" }, phrase("bar.watching", { count: t.shown.watching })),
      t.game.coming.length > 0 && button("coming", "coming", phrase("table.coming"), onTheWay),
      button("help", "book", phrase("bar.rules"), () => help(t), true),
      button("scores", "points", phrase("sheet.points"), scores, true),
      button("menu", "menu", phrase("menu.title"), () => menu(t)),
    ];
  }

  function playing() {
    const count = t.rules.extra.length + t.shown.seats.length, since = performance.now() - moved.at, below = dock(t);
    return el("div", {
      class: `play${count > 5 || lowPhone() ? " dense" : ""}${count > 4 ? " crowded" : ""}${count > 5 ? " full" : ""}${t.game.layouts.length ? " laid-out" : ""}${t.game.piles.some((own) => own.cards.length) ? ` piled${t.game.hand.length || t.game.piles.some((own) => own.cards.length > 1) ? " growing" : ""}` : ""}${t.game.seats.some(({ piles }) => piles.some((own) => own.cards.length > 2)) ? " banked" : ""}${moved.seen && since < LONGEST ? " moving" : ""}${passing() ? ` passing-${passing()}` : ""}`,
      "data-seats": count,
      vars: { "--since": `${-since}ms`, "--side": passing() === "back" ? "-1" : "1" },
    }, felt(t), below);
  }

  /** Which way hands go: `on` to the next seat, `back` to the one before; nothing where they stay. */
  function passing() {
    const { receiver } = t.game, count = t.shown.seats.length;
    if (receiver === null || t.me < 0) return "";
    return (receiver - t.me + count) % count === 1 ? "on" : (t.me - receiver + count) % count === 1 ? "back" : "";
  }

  function logList(most) {
    return el("ol", { class: "log" }, told().slice(-most).reverse().map((texts) => el("li", {}, texts.map((text) => el("p", {}, text)))));
  }

  /** The story in parts: what happened at one reveal belongs together. */
  function told() {
    const parts = [];
    let part = null;
    for (const own of story) {
      if (own.part !== part || own.kind === "round-started") parts.push([]);
      part = own.part;
      parts[parts.length - 1].push(own.text);
    }
    return parts;
  }

  /** All that a card says, and the rules that look at it. */
  function read(name) {
    if (find("dialog[open]")) return;
    const own = t.rules.cards[cardIn(name)];
    overlay(about(t.rules, name).label, el("div", { class: "reading" }, card(t.rules, name, { size: "full" }),
      el("div", {}, own?.text && el("p", {}, own.text),
        el("dl", { class: "rules" }, (own?.about ?? []).flatMap(([label, text]) => [el("dt", {}, label), el("dd", {}, text)])))));
  }

  function onTheWay() {
    overlay(phrase("table.coming"), coming(t), !t.game.coming.length && el("p", { class: "caption" }, phrase("table.coming.none")));
  }

  function hide() {
    t.hiding = !t.hiding;
    draw();
  }

  /** The focus goes to the next card that can be chosen, or to the one before. */
  function step(way) {
    const cards = [...place.querySelectorAll(".hand-card, button.place")];
    const at = cards.indexOf(document.activeElement);
    cards[at < 0 ? (way > 0 ? 0 : cards.length - 1) : (at + way + cards.length) % cards.length]?.focus();
  }

  function log() {
    overlay(phrase("bar.log"), logList(200));
  }

  async function scores() {
    if (film) return;
    const found = await request("sheet");
    if (!found) return;
    overlay(phrase("bar.scores.so_far"), standings(t.rules, t.shown, SHAPES),
      found.sheet.length ? sheet(t.rules, t.shown, found.sheet) : el("p", { class: "caption" }, phrase("sheet.none")));
  }

  const ON_KEY = {
    s: scores, w: scores, l: log, "?": () => help(t), o: onTheWay, p: hide,
    i: () => { const name = document.activeElement?.dataset.card ?? (t.hiding ? "" : t.game.hand[0]?.[0]); if (name) read(name); },
    Escape: () => find('[data-focus="tip"]')?.click(), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  };

  document.addEventListener("click", (event) => { if (!event.target.closest("button, a, input, dialog")) hurry(); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea") || find("dialog[open]")) return;
    if (event.key === "Enter" && event.target === document.body) {
      find('[data-focus="ready"], [data-focus="uncover"]')?.click();
      hurry();
      return;
    }
    if (t.covered) return;
    if (t.lettersOff && /^[a-z?]$/.test(event.key)) return;
    const target = find(`[data-key="${CSS.escape(event.key)}"]`) ?? find(`[data-focus="${{ u: "undo", t: "more", h: "hint" }[event.key] ?? "none"}"]`);
    if (target) {
      target.click();
      target.focus({ preventScroll: true });
    } else if (t.game && t.rules && ON_KEY[event.key]) ON_KEY[event.key]();
    else return;
    event.preventDefault();
  });
}
