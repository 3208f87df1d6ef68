// The workshop: the text of a game with what is found in it, what it means, what it does, and ways to play and share it.

import { alarm, el, find, overlay, remember, rememberTable, remembered, replace, say } from "../dom.js";
import { ask } from "../net.js";
import { begin, language, phrase } from "../phrases.js";
import { LanguageServer } from "./connection.js";
import { keepVersion, linkTo, openDraft, titleOf, versionsOf } from "./drafts.js";
import { Panes } from "./panes.js";

const CALM = 700;
/** The length of the longest text, as a message; the server takes a little more. */
const LARGEST = Number(document.body.dataset.largest) - 2048;

document.documentElement.dataset.theme = remembered("theme", "");
await begin();

let editor = null, server = null, panes = null, held = 0, slow = 0, usual = 3, errors = 0, first = new Set(), later = [], typed = 0;
const draft = await openDraft(showState, met).catch((error) => { alarm(error.message, true); throw error; });
const KNOWN = `known ${draft.key}`;
const path = `/api/workshop/${encodeURIComponent(draft.shop)}`;

if (draft.missing) {
  replace(find("#main"), el("div", { class: "pause" }, el("h1", {}, phrase("shop.title")), el("p", {}, phrase("shop.missing")), el("p", {}, el("a", { class: "button main", href: "/" }, phrase("home")))));
} else {
  draw();
  fits(draft.text, "shop.large.here");
  panes.change(draft.text);
}

function draw() {
  panes = new Panes(`${path}/panes`, { colour: (hues) => editor?.colour(hues), named, judged: (line, error) => editor || panes.stale(line, error), waits: wait, taken: (text) => editor?.replace(text) });
  replace(find("#bar"),
    el("h1", {}, el("a", { href: "/", "aria-label": phrase("home") }, el("img", { src: new URL("../icon.svg", import.meta.url).pathname, alt: "", width: 28, height: 28 })), el("span", { id: "title" }, phrase("shop.title"))),
    el("span", { class: "caption of", id: "of" }), el("span", { class: "caption saved desk", id: "saved", "data-state": "saved" }, phrase(`shop.state.${draft.file ? "saved" : "kept"}`, { file: draft.file })),
    el("span", { class: "desk row-of" },
      el("button", { class: "quiet", "aria-label": phrase("shop.undo"), click: () => editor?.undo() }, "↶"), el("button", { class: "quiet", "aria-label": phrase("shop.redo"), click: () => editor?.redo() }, "↷"),
      el("button", { class: "quiet", click: versions, "data-focus": "versions" }, phrase("shop.versions"))),
    el("span", { class: "grow" }), panes.count(),
    el("button", { click: print, "data-focus": "print" }, phrase("shop.print")), el("button", { click: share, "data-focus": "share" }, phrase("shop.share")),
    el("button", { class: "main", click: play, "data-focus": "play" }, `▶ ${phrase("shop.play")}`));
  replace(find("#main"), el("div", { class: "shop" }, writer(), panes.elements()));
  document.body.dataset.room = panes.room;
  if (remembered(KNOWN, null)) named(panes.offer(remembered(KNOWN)));
  if (matchMedia("(min-width: 700px)").matches) openEditor();
}

function writer() {
  return el("section", { class: "pane write", "aria-label": phrase("shop.write") },
    el("header", {}, el("h2", {}, draft.file || phrase("shop.rules")), el("span", { class: "grow" }),
      ["card", "rule", "variant"].map((name) => el("button", { click: () => write(name) }, `+ ${phrase(`shop.add.${name}`)}`))),
    el("div", { id: "editor" }),
    el("section", { class: "findings", "aria-label": phrase("shop.findings") }, el("h2", {}, el("span", { id: "how-many", "aria-live": "polite" }, phrase("shop.soon")), el("span", { class: "caption checking" }, ` · ${phrase("shop.checking")}`)), el("ul", { id: "findings" })));
}

async function openEditor() {
  const { Editor } = await import("./editor.js");
  server = new LanguageServer(`${path}/language`, `workshop:/${draft.file || "rules.yaml"}`, { found: hold, refused: unchecked, state: away });
  server.change(draft.text);
  editor = new Editor(find("#editor"), server, draft.text, {
    changed: (text) => { typed = performance.now(); document.body.classList.add("checks"); fits(text, "shop.large.here"); keepVersion(draft, true); draft.change(text); panes.change(text); },
    rename: renameAt, fits,
  });
}

/** True unless a text is longer than what a server takes, as a message. Says that, and what follows from it. */
function fits(text, follows = "shop.large") {
  const fit = text.length <= LARGEST && new Blob([JSON.stringify(text)]).size <= LARGEST;
  alarm(fit ? "" : phrase(follows, { most: Math.floor(LARGEST / 1000) }));
  return fit;
}

/** Without a connection nothing is checked, and nothing is written into a file. */
function away(there) {
  document.body.classList.toggle("away", !there);
  if (!there) find("#how-many").textContent = phrase("shop.away");
}

const ENTRIES = {
  card: ["cards", () => `  \${1:${phrase("shop.new.id")}}:\n    count: \${2:4}\n    icon: \${3:🍜}\n    label: \${4:${phrase("shop.new.card")}}\n`],
  rule: ["scoring", (kind) => `  \${1:${newest() ?? phrase("shop.new.rule")}}: {${RULES[kind]("${2:" + (newest() ?? phrase("shop.new.id")) + "}")}}\n`],
  variant: ["variants", () => `  \${1:one_round}:\n    title: \${2:${phrase("shop.new.variant")}}\n    changes: {\${3:rounds: 1}}\n`],
};

/** The rules that can be begun, by what they reward; `card` is the gap for what is counted. */
const RULES = {
  each: (card) => `each: ${card}, points: \${3:2}`,
  set: (card) => `set: ${card}, size: \${3:2}, points: \${4:5}`,
  table: (card) => `table: ${card}, points: \${3:[1, 3, 6]}`,
  majority: (card) => `majority: ${card}, most: \${3:[6, 3]}`,
  formula: (card) => `points: 5 if ${card} > \${3:2} else 0`,
};

/** The last card that the text itself adds or changes: a new rule is most likely about it. */
function newest() {
  const cards = editor.text.match(/^cards:.*\n(?:(?:[ #].*)?\n)*/m)?.[0] ?? "";
  return [...cards.matchAll(/^  (\w+):/gm)].at(-1)?.[1];
}

function write(name) {
  const [section, entry] = ENTRIES[name], begin = (kind) => editor?.write(section, entry(kind));
  if (name !== "rule") return begin();
  const choose = (kind) => { box.close(); begin(kind); };
  const box = overlay(phrase("shop.rule.which"), Object.keys(RULES).map((kind) => el("p", { class: "choice" }, el("b", { class: "grow" }, phrase(`shop.rule.${kind}`)), el("button", { "data-focus": `rule ${kind}`, click: () => choose(kind) }, kind))));
  return box;
}

function renameAt(position) {
  const name = el("input", { type: "text", "aria-label": phrase("shop.rename"), maxlength: 40 });
  const box = overlay(phrase("shop.rename"), el("form", { submit: async (event) => {
    event.preventDefault();
    try {
      const edit = await server.request("textDocument/rename", { position, newName: name.value });
      if (edit) editor.apply(edit);
      box.close();
    } catch (error) {
      alarm(error.message);
    }
  } }, name, el("button", { class: "main" }, phrase("shop.rename.do"))));
  name.focus();
}

/** What the text calls itself, and the game that it changes. */
function named({ title, base, players, usual: count }) {
  usual = count;
  remember(KNOWN, { title, base, players, usual });
  find("#title").textContent = title;
  find("#of").textContent = base ? phrase("shop.of", { base }) : "";
  document.title = phrase("title.tab", { page: title });
}

function showState(state) {
  const place = find("#saved");
  if (!place) return;
  place.dataset.state = state;
  place.textContent = phrase(state === "saved" && !draft.file ? "shop.state.kept" : `shop.state.${state}`, { file: draft.file });
}

/** A word that is still being written is no mistake yet: new errors wait until nothing was typed for a moment. The first errors of a text come before all else, which stays as it was until it is found again. */
function hold(found, partial) {
  clearTimeout(held);
  const known = (finding) => JSON.stringify(finding);
  if (partial) first = new Set(found.map(known));
  else later = found.filter((finding) => !first.has(known(finding)));
  const all = partial ? [...found, ...later].sort((one, other) => one.range.start.line - other.range.start.line) : found;
  const count = all.filter((finding) => finding.severity === 1).length;
  if (count > errors) held = setTimeout(showFindings, typed + CALM - performance.now(), all, count, partial);
  else showFindings(all, count, partial);
}

/** A text of which no more can be found, for a reason that is no line's fault: what was found stays. */
function unchecked(message) {
  clearTimeout(slow);
  document.body.classList.remove("checks");
  find("#how-many").textContent = message;
}

/** Show what was found in the text. As long as these are only the first errors, none means nothing yet. */
function showFindings(found, count, partial = false) {
  errors = count;
  if (count) find("#title").textContent = titleOf(draft.text) || phrase("shop.title");
  document.body.classList.toggle("checks", partial);
  editor.mark(found);
  const wrong = found.find((finding) => finding.severity === 1);
  panes.stale(wrong ? wrong.range.start.line + 1 : 0, wrong?.message);
  const rest = found.length - count;
  clearTimeout(slow);
  const many = find("#how-many"), words = [count && phrase("shop.errors", { count }), rest && phrase("shop.thoughts", { count: rest })].filter(Boolean).join(", ");
  const wait = () => { many.textContent = phrase("shop.soon"); };
  if (words || !partial) many.textContent = words || phrase("shop.clean");
  else if (many.textContent === phrase("shop.clean")) slow = setTimeout(wait, CALM);
  else wait();
  replace(find("#findings"), found.map((finding, at) => el("li", { class: `finding ${finding.severity === 1 ? "error" : "thought"}` },
    el("span", { class: "sign", "aria-hidden": "true" }, finding.severity === 1 ? "✕" : "◆"),
    el("div", {},
      el("p", {}, el("button", { class: "where", "data-focus": `line ${at}`, click: () => editor.go(finding.range.start.line + 1) }, phrase("shop.line", { number: finding.range.start.line + 1 })), " ", finding.message),
      el("div", { class: "ways" },
        finding.data.fixes.map((fix) => el("button", { "data-focus": `fix ${at} ${fix.title}`, click: () => editor.apply(fix.edit) }, fix.title)),
        finding.data.explanation && el("details", {}, el("summary", { "data-focus": `meaning ${at}` }, phrase("shop.meaning")), el("p", { lang: "en" }, finding.data.explanation.split("`").map((part, at) => at % 2 ? el("code", {}, part) : part))))))));
}

/** A text that was written elsewhere: taken over, or shown beside this one where both have changed. What is left stays a version. */
function met(theirs, take, mine, later) {
  if (!take) {
    editor?.replace(theirs);
    panes.change(theirs);
    return;
  }
  const here = draft.text;
  keepVersion({ key: draft.key, text: theirs });
  keepVersion(draft);
  let done = false;
  const choose = (act, chosen) => { done = true; act(); if (editor?.text !== chosen) editor?.replace(chosen); panes.change(chosen); box.close(); };
  const column = (title, lines, other, act) => el("div", {}, el("h3", {}, title), el("button", { click: () => choose(act, lines.join("\n")) }, phrase("shop.both.take")), el("pre", { tabindex: 0, "aria-label": title }, differing(lines, other)));
  const [one, two] = [here.split("\n"), theirs.split("\n")];
  const box = overlay(phrase("shop.both"), el("p", {}, phrase("shop.both.about")), el("div", { class: "both" },
    column(phrase("shop.both.mine"), one, two, mine), column(draft.file ? phrase("shop.both.file", { file: draft.file }) : phrase("shop.both.theirs"), two, one, take)));
  box.classList.add("wide");
  box.querySelectorAll("mark").forEach((mark) => mark.scrollIntoView({ block: "nearest" }));
  box.addEventListener("close", () => { if (!done) later(); });
}

/** Lines of a text: those that another one begins with too, those that differ, and those that it ends with too. */
function apart(lines, other) {
  let first = 0, last = 0;
  while (first < Math.min(lines.length, other.length) && lines[first] === other[first]) first += 1;
  while (last < Math.min(lines.length, other.length) - first && lines.at(-1 - last) === other.at(-1 - last)) last += 1;
  return [lines.slice(0, first), lines.slice(first, lines.length - last), lines.slice(lines.length - last)];
}

/** Lines of a text, those between the first and the last that differ from another one marked. */
function differing(lines, other) {
  const [before, marked, after] = apart(lines, other).map((part) => part.map((line) => `${line}\n`).join(""));
  return [before, el("mark", {}, marked), after];
}

/** The first line that says more than a name, of those that a text has and the one before it has not, and the other way round. */
function firstChange(text, before) {
  const [lines, other] = [text.split("\n"), before.split("\n")];
  const telling = (changed) => changed.find((line) => /: *\S/.test(line)) ?? changed.find((line) => line.trim());
  return [["−", apart(other, lines)], ["+", apart(lines, other)]].map(([sign, [, changed]]) => [sign, telling(changed)])
    .filter(([, line]) => line).map(([sign, line]) => el("span", { class: "caption changed" }, `${sign} ${line.trim()}`));
}

// ── Playing, printing and sharing ────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a text without errors is needed, say so before anybody asks. */
function wait() {
  for (const button of document.querySelectorAll(".needs-sound")) {
    if (panes.line || "waits" in button.dataset) button.disabled = panes.line > 0;
    button.toggleAttribute("data-waits", panes.line > 0);
  }
  const place = find("dialog .waits");
  if (place) place.textContent = panes.line ? phrase("shop.waits", { line: panes.line }) : "";
}

function play() {
  const way = (title, about, seat, watch = false) => el("p", { class: "choice" }, el("span", { class: "grow" }, el("b", {}, title), el("span", { class: "caption" }, about)), el("button", { class: "main needs-sound", click: (event) => open(seat, watch, event.target) }, phrase("shop.play.begin")));
  const box = overlay(phrase("shop.play"),
    way(phrase("shop.play.bots"), phrase("shop.play.bots.about", { count: usual - 1 }), { kind: "bot", level: "medium" }),
    way(phrase("shop.play.friends"), phrase("shop.play.friends.about"), { kind: "free" }),
    way(phrase("shop.play.watch"), phrase("shop.play.watch.about"), { kind: "bot", level: "medium" }, true),
    el("p", { class: "caption" }, phrase("shop.play.keeps")), el("p", { class: "bad", role: "status" }), el("p", { class: "bad waits", role: "status" }));
  wait();

  async function open(seat, watch, button) {
    button.disabled = true;
    keepVersion(draft);
    try {
      const { set } = await ask(`${path}/play`, { text: draft.text });
      const person = { kind: "person", name: remembered("name", "").trim() || phrase("seat.guest") };
      const made = await ask("/api/tables", { set, variants: [], hints: true, effects: true, memory: true, seats: [person, ...Array.from({ length: usual - 1 }, () => seat)] });
      remember(`shop ${made.table}`, location.pathname);
      rememberTable(made.table, Object.entries(made.tokens).map(([at, token]) => ({ seat: Number(at), token })));
      if (seat.kind === "bot") remember("begin", made.table);
      if (watch) remember("watch", made.table);
      location.assign(`/t/${made.table}`);
    } catch (error) {
      find(".overlay .bad").textContent = error.message;
      button.disabled = false;
    }
  }
  return box;
}

/** What the text was before; going back is a change like any other, which can be undone. */
function versions() {
  keepVersion(draft);
  const when = (at) => new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const back = (text) => { editor?.replace(text); box.close(); };
  const kept = versionsOf(draft);
  const box = overlay(phrase("shop.versions"), el("p", { class: "caption" }, phrase("shop.versions.about")),
    kept.map(({ at, text }, number) => el("p", { class: "choice" }, el("span", { class: "grow" }, el("b", {}, when(at)), el("span", { class: "caption" }, phrase("shop.versions.lines", { count: text.split("\n").length })), number + 1 < kept.length && firstChange(text, kept[number + 1].text)),
      number > 0 && el("button", { click: () => back(text) }, phrase("shop.versions.back")))));
}

function print() {
  keepVersion(draft);
  return panes.print();
}

async function share() {
  keepVersion(draft);
  const link = await linkTo(draft.text);
  const field = el("input", { type: "text", readonly: true, value: link, "aria-label": phrase("shop.share.link") });
  const name = draft.file || `${/^id: *(\w+)/m.exec(draft.text)?.[1] ?? "rules"}.yaml`;
  overlay(phrase("shop.share"),
    el("p", { class: "choice" }, el("span", { class: "grow" }, el("b", {}, phrase("shop.share.link")), el("span", { class: "caption" }, phrase("shop.share.link.about", { count: link.length }), ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) && ` ${phrase("shop.share.here")}`)),
      el("button", { class: "main", click: () => copy(field) }, phrase("shop.share.copy"))), field,
    el("p", { class: "choice" }, el("span", { class: "grow" }, el("b", {}, phrase("shop.share.file")), el("span", { class: "caption" }, name)),
      el("a", { class: "button", "data-focus": "file", download: name, href: URL.createObjectURL(new Blob([draft.text], { type: "application/yaml" })) }, phrase("shop.share.save"))), draft.file ? null : el("div", { id: "shelf" }));
  showShelf();
}

/** The place of this text on the shelf of the server, from which everybody can play it. */
function showShelf() {
  const place = find("#shelf"), there = draft.shelf;
  if (!place) return;
  const act = async (event, data, told) => {
    event.target.disabled = true;
    try {
      const now = await ask("/api/shelf", { ...(there && { rule: there.rule, token: there.token }), ...data });
      await draft.record({ shelf: now.rule ? { ...now, open: data.open } : null, at: Date.now() });
      say(phrase(told));
      showShelf();
    } catch (error) {
      if (error.code === "no-such-set") await draft.record({ shelf: null });
      place.querySelector(".bad").textContent = error.message;
      event.target.disabled = false;
    }
  };
  const open = el("input", { type: "checkbox", checked: there?.open ?? false });
  replace(place,
    el("p", { class: "choice" }, el("span", { class: "grow" }, el("b", {}, phrase("shop.shelf.put")), el("span", { class: "caption" }, phrase(!there ? "shop.shelf.about" : there.open ? "shop.shelf.open.now" : "shop.shelf.closed.now"))),
      there && el("button", { "data-focus": "unshelve", click: (event) => act(event, {}, "shop.shelf.gone") }, phrase("shop.shelf.undo")),
      el("button", { class: "needs-sound", "data-focus": "shelve", click: (event) => act(event, { text: draft.text, open: open.checked }, "shop.shelf.done") }, phrase("shop.shelf.do"))),
    el("label", { class: "caption row-of" }, open, phrase("shop.shelf.open")), el("p", { class: "bad", role: "status" }), el("p", { class: "bad waits", role: "status" }));
  wait();
}

async function copy(field) {
  field.select();
  await navigator.clipboard?.writeText(field.value).catch(() => {});
  say(phrase("shop.share.copied"));
}
