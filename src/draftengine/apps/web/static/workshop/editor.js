// The editor: CodeMirror in a shadow root, so that its styles need no exception in the policy of the pages. Findings,
// fixes, completion, hover and renaming come from the language server; names stand in the colour of their cards.

import * as cm from "../vendor/editor.js";
import { el } from "../dom.js";
import { phrase } from "../phrases.js";

const SEVERITIES = ["", "error", "warning", "info", "hint"];
const KINDS = { 3: "function", 6: "variable", 7: "class", 10: "property", 12: "enum", 17: "text", 21: "constant" };
const NO_NAMES = /(?!)/g;

const offsetIn = (doc, { line, character }) => {
  const row = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(row.from + character, row.to);
};
const positionIn = (doc, offset) => ({ line: doc.lineAt(offset).number - 1, character: offset - doc.lineAt(offset).from });

/** Leave what is written behind: Tab indents a line only where it begins. */
function pastLine({ state, dispatch }) {
  const { main } = state.selection, line = state.doc.lineAt(main.from);
  if (main.to > line.to || !state.sliceDoc(line.from, main.from).trim()) return false;
  dispatch({ selection: { anchor: line.to } });
  return true;
}

/** After a key without a value, begin a line that belongs to it. */
function below(view) {
  const { main } = view.state.selection, line = view.state.doc.lineAt(main.head);
  if (!main.empty || main.head < line.to || !/^\s*[^#\s].*:\s*$/.test(line.text)) return false;
  view.dispatch(view.state.replaceSelection(`\n${/^\s*/.exec(line.text)[0]}  `));
  return true;
}

/** Names in the colour of their card, and underlined. */
function coloured(hues) {
  const names = new cm.MatchDecorator({
    regexp: hues.size ? new RegExp(`(?<![\\w:])(${[...hues.keys()].join("|")})(?!\\w)`, "g") : NO_NAMES,
    decoration: (match) => cm.Decoration.mark({ class: `name hue-${hues.get(match[1])}` }),
  });
  return cm.ViewPlugin.define(
    (view) => ({ marks: names.createDeco(view), update(update) { this.marks = names.updateDeco(update, this.marks); } }),
    { decorations: (plugin) => plugin.marks },
  );
}

export class Editor {
  #server;
  #hues = new Map();
  #colours = new cm.Compartment();

  /** `changed` is called with each new text, `rename` when somebody wants another name at the cursor; what is typed or pasted is not taken where the text no longer `fits`. */
  constructor(host, server, text, { changed, rename, fits }) {
    this.#server = server;
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    const state = cm.EditorState.create({ doc: text, extensions: this.#extensions(changed, rename, fits) });
    this.view = new cm.EditorView({ root, parent: root, state });
    this.view.scrollDOM.tabIndex = 0;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    new ResizeObserver(() => this.#showCursor()).observe(host);
  }

  /** Findings below the text must not hide the line that somebody is writing. */
  #showCursor() {
    if (this.view.hasFocus) this.view.dispatch({ effects: cm.EditorView.scrollIntoView(this.view.state.selection.main.head, { yMargin: 24 }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Put another text in the place of this one, however long it is; it can be undone. */
  replace(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, filter: false });
  }

  /** Colour the names of cards, each by its hue. */
  colour(hues) {
    if (JSON.stringify([...this.#hues]) === JSON.stringify([...hues])) return;
    this.#hues = hues;
    this.view.dispatch({ effects: this.#colours.reconfigure(coloured(hues)) });
  }

  /** Underline what was found, and offer its fixes there. */
  mark(findings) {
    const { doc } = this.view.state;
    this.view.dispatch(cm.setDiagnostics(this.view.state, findings.filter(({ range }) => range.start.line < doc.lines).map((finding) => ({
      from: offsetIn(doc, finding.range.start), to: offsetIn(doc, finding.range.end), severity: SEVERITIES[finding.severity], message: finding.message,
      actions: finding.data.fixes.map(({ title, edit }) => ({ name: title, apply: () => this.apply(edit) })),
    }))));
  }

  /** Change the text as the language server says. */
  apply(edit) {
    const { doc } = this.view.state;
    const edits = edit.changes[this.#server.uri] ?? [];
    this.view.dispatch({ changes: edits.map(({ range, newText }) => ({ from: offsetIn(doc, range.start), to: offsetIn(doc, range.end), insert: newText })) });
    this.view.focus();
  }

  /** Show a line, counted from 1. */
  go(line) {
    const { from } = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: cm.EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  /** Write an entry of a section, which is begun if it is not there, with gaps to step through. */
  write(section, entry) {
    const { doc } = this.view.state;
    const lines = doc.toString().split("\n");
    const head = lines.findIndex((line) => line.startsWith(`${section}:`));
    let last = head + 1 || lines.findLastIndex((line) => line.trim()) + 1 || 1;
    for (let at = head + 1; head >= 0 && /^(\s|#|$)/.test(lines[at] ?? "-"); at += 1) if (/^\s+\S/.test(lines[at])) last = at + 1;
    const { to } = doc.line(last);
    const above = head < 0 ? `\n\n${section}:\n` : "\n";
    // A gap between lines, as an entry would be indented like the line in which it begins.
    this.view.dispatch({ changes: { from: to, insert: above } });
    cm.snippet(entry.trimEnd())(this.view, null, to + above.length, to + above.length);
    this.#showCursor();
    this.view.focus();
  }

  undo() {
    cm.undo(this.view);
  }

  redo() {
    cm.redo(this.view);
  }

  #extensions(changed, rename, fits) {
    return [
      cm.lineNumbers(), cm.foldGutter(), cm.history(), cm.drawSelection(), cm.indentUnit.of("  "), cm.bracketMatching(), cm.closeBrackets(),
      cm.highlightActiveLine(), cm.highlightActiveLineGutter(), cm.highlightSelectionMatches(), cm.search({ top: true }), cm.yaml(), cm.syntaxHighlighting(HIGHLIGHTS),
      cm.autocompletion({ override: [(context) => this.#complete(context)], activateOnTypingDelay: 60, icons: false, addToOptions: [{ render: (option) => this.#dot(option.label), position: 20 }] }),
      cm.lintGutter(), cm.hoverTooltip((view, offset) => this.#hover(view, offset)), this.#colours.of(coloured(this.#hues)), cm.EditorView.lineWrapping,
      cm.EditorState.changeFilter.of((change) => change.newDoc.length <= change.startState.doc.length || fits(change.newDoc.toString())),
      cm.keymap.of([
        { key: "Tab", run: pastLine }, { key: "Enter", run: below },
        { key: "F2", run: (view) => { rename(positionIn(view.state.doc, view.state.selection.main.head)); return true; } },
        ...cm.closeBracketsKeymap, ...cm.completionKeymap, ...cm.lintKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.foldKeymap, cm.indentWithTab, ...cm.defaultKeymap,
      ]),
      cm.EditorView.contentAttributes.of({ "aria-label": phrase("shop.text") }),
      cm.EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.#server.change(update.state.doc.toString());
        changed(update.state.doc.toString());
      }),
    ];
  }

  #dot(name) {
    const hue = this.#hues.get(name);
    return el("span", { class: `dot ${hue === undefined ? "" : `hue-${hue}`}` });
  }

  async #complete(context) {
    if (!context.explicit && !context.matchBefore(/[\w: ({[]$/)) return null;
    const answer = await this.#server.request("textDocument/completion", { position: positionIn(context.state.doc, context.pos) });
    if (!answer) return null;
    return {
      from: context.matchBefore(/\w*$/)?.from ?? context.pos,
      options: answer.items.map((item, at) => ({
        label: item.label, apply: item.insertTextFormat === 2 ? cm.snippet(item.insertText) : item.insertText ?? item.label.replace("()", "("), boost: Math.max(-99, 99 - 2 * at), detail: item.detail, type: KINDS[item.kind],
        info: item.documentation ? () => el("p", {}, item.documentation) : undefined,
      })),
      validFor: /^\w*$/,
    };
  }

  async #hover(view, offset) {
    const answer = await this.#server.request("textDocument/hover", { position: positionIn(view.state.doc, offset) });
    return answer && { pos: offset, create: () => ({ dom: el("div", { class: "hover" }, answer.contents.value.replace(/[`*]/g, "")) }) };
  }
}

const { tags } = cm;
const HIGHLIGHTS = cm.HighlightStyle.define([
  { tag: tags.propertyName, class: "key" }, { tag: [tags.definition(tags.propertyName)], class: "key" }, { tag: tags.comment, class: "comment" },
  { tag: tags.keyword, class: "keyword" }, { tag: [tags.punctuation, tags.separator], class: "dim" },
]);

const STYLE = `
:host { display: block; height: 100%; min-height: 0; }
.cm-editor { height: 100%; background: var(--paper); color: var(--ink); font-size: .8rem; }
.cm-editor.cm-focused { outline: none; }
.cm-scroller { font-family: "JetBrains Mono", "Cascadia Code", ui-monospace, "DejaVu Sans Mono", monospace; line-height: 1.55; }
.cm-gutters { background: var(--paper) !important; color: var(--caption) !important; border: 0 !important; }
.cm-activeLine, .cm-activeLineGutter { background: var(--shade) !important; }
.cm-cursor { border-left: 2px solid var(--ink) !important; }
.cm-selectionBackground { background: var(--select) !important; }
.key { color: var(--key); } .comment { color: var(--caption); font-style: italic; } .keyword { color: var(--gold); } .dim { color: var(--caption); }
.name { font-weight: 600; border-bottom: 2px solid var(--hue); }
.cm-lintRange-error { background: none !important; text-decoration: underline wavy var(--bad); text-underline-offset: 3px; }
.cm-lintRange-warning, .cm-lintRange-info { background: none !important; text-decoration: underline wavy var(--gold); text-underline-offset: 3px; }
.cm-tooltip { background: var(--paper) !important; color: var(--ink) !important; border: 1px solid var(--rim) !important; border-radius: 8px; box-shadow: var(--lift); overflow: hidden; }
.cm-tooltip.cm-tooltip-autocomplete > ul { font-family: inherit; max-height: 15em; min-width: 20em; }
.cm-tooltip.cm-tooltip-autocomplete > ul > li { padding: 4px 10px; display: flex; align-items: center; gap: .5em; }
.cm-tooltip-autocomplete ul li[aria-selected] { background: var(--ink) !important; color: var(--paper) !important; }
.cm-completionInfo { padding: .5rem .7rem !important; max-width: 22rem !important; font: .8rem/1.4 system-ui, sans-serif; } .cm-completionInfo p { margin: 0; }
.cm-completionDetail { margin-left: auto; font: .7rem system-ui, sans-serif; opacity: .7; font-style: normal; }
.cm-completionMatchedText { text-decoration: none; font-weight: 700; }
.dot { width: 9px; height: 9px; border-radius: 3px; background: var(--hue, transparent); border: 1px solid var(--hue, var(--rim)); flex: none; }
.hover { padding: .5rem .7rem; max-width: 24rem; font: .82rem/1.4 system-ui, sans-serif; white-space: pre-line; }
.cm-diagnostic { font: .82rem/1.4 system-ui, sans-serif; padding: .5rem .7rem !important; border-left: 4px solid var(--bad) !important; }
.cm-diagnosticAction { background: var(--ink) !important; color: var(--paper) !important; border-radius: 6px; padding: .25rem .6rem !important; margin: .3rem 0 0 !important; font-weight: 600; display: block; }
.cm-panels { background: var(--shade) !important; color: var(--ink) !important; border-color: var(--edge) !important; }
.cm-lint-marker { content: none !important; width: .8em; height: .8em; border-radius: 50%; background: var(--gold); } .cm-lint-marker-error { background: var(--bad); border-radius: 2px; }
.cm-matchingBracket { background: var(--gold-soft) !important; outline: 1px solid var(--gold); }
${Array.from({ length: 8 }, (_, hue) => `.hue-${hue} { --hue: var(--hue-${hue}); }`).join("\n")}
`;
