"""Answers to the requests of editors about one text, from a `DocumentInfo` about that text.

Editors count lines and characters from 0, by default in units of UTF-16.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from draftengine.api.facts import Things
from draftengine.apps.lsp.completion import offers, place
from draftengine.apps.lsp.texts import at_path, declared, locate, name_at, names_in, plain_path
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.rules import kind_named
from draftengine.model.shelf import shipped
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, Sequence
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import in_language
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.apps.lsp.texts import DocumentInfo, Name
    from draftengine.model.diagnostics import Diagnostic, Fix
    from draftengine.model.yaml.tree import Node
    from draftengine.support.source import Source


_WIDTH = {"utf-8": 1, "utf-16": 2}


def units(text: str, encoding: str) -> int:
    """Return the length of a text as an encoding counts it: in bytes, UTF-16 units or characters."""
    if encoding not in _WIDTH:
        return len(text)
    return len(text.encode("utf-8" if encoding == "utf-8" else "utf-16-le", "surrogatepass")) // _WIDTH[encoding]


def position(source: Source, offset: int, encoding: str) -> types.Position:
    line, column = source.position(offset)
    return types.Position(line - 1, units(source.text[offset - column + 1 : offset], encoding))


def range_of(span: Span, encoding: str) -> types.Range:
    return types.Range(position(span.source, span.start, encoding), position(span.source, span.end, encoding))


def offset_of(source: Source, place: types.Position, encoding: str) -> int:
    """Return the offset of a position. A position beyond the end of a line means its end."""
    lines = source.text.split("\n")
    if place.line >= len(lines):
        return len(source.text)
    start = sum(len(line) + 1 for line in lines[: place.line])
    for index in range(len(lines[place.line])):
        if units(lines[place.line][:index], encoding) >= place.character:
            return start + index
    return start + len(lines[place.line])


_KINDS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "function": types.CompletionItemKind.Function,
    "fact": types.CompletionItemKind.Constant,
    "file": types.CompletionItemKind.File,
    "cards": types.CompletionItemKind.Class,
}
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class Answers:
    """Answers to requests about one text. `uri_of` returns the address of a file, given its name.

    Findings and their fixes are in the language of the reader; explanations of keys and functions are in English.
    """

    def __init__(self, known: DocumentInfo, encoding: str, uri_of: Callable[[str], str], language: str = "en") -> None:
        self.known, self.encoding, self.uri_of = known, encoding, uri_of
        self.words = spoken(language)

    def diagnostics(self) -> list[types.Diagnostic]:
        return [self._shown(finding) for finding in self.known.findings]

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        text, span = hover(self.known, self._offset(params))
        if not text:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content, range_of(span, self.encoding) if span else None)

    def complete(self, params: types.CompletionParams) -> types.CompletionList:
        items = [
            types.CompletionItem(
                label=offer.text,
                kind=_KINDS.get(offer.kind, types.CompletionItemKind.Variable),
                detail=offer.detail or None,
                documentation=offer.about or None,
                insert_text=offer.snippet or (f"{offer.text}: " if offer.kind == "key" else offer.text),
                insert_text_format=types.InsertTextFormat.Snippet if offer.snippet else None,
                sort_text=f"{at:03}",
            )
            for at, offer in enumerate(offers(self.known, self._offset(params)))
        ]
        return types.CompletionList(is_incomplete=False, items=items)

    def definition(self, params: types.DefinitionParams) -> list[types.Location]:
        """Return the place that declares what is at the cursor: a file, a key of the extended game, or a name."""
        known = self.known
        if known.tree is None:
            return []
        offset = self._offset(params)
        path, _, on_key = locate(known.tree, offset)
        if path[-1:] in {("extends",), ("cardset",)} and known.document is not None:
            files = known.document.files
            target = files[1] if path[-1] == "extends" and len(files) > 1 else files[0]
            return [self._location(Span(target.source, 0, 0))]
        span = at_path(known.base, plain_path(path))[0] if on_key and known.base is not None else None
        if span is None:
            name = name_at(known.tree, offset)
            home = declared(known.merged).get((name.space, name.text)) if name and known.merged else None
            span = home.span if home is not None else None
            if home is None and on_key and known.merged is not None:
                span = at_path(known.merged, plain_path(path))[0]
        return [self._location(span)] if span is not None else []

    def references(self, params: types.ReferenceParams) -> list[types.Location]:
        name = self._name(params)
        return [self._location(use.span) for use in self._meant(name)] if name else []

    def prepare_rename(self, params: types.PrepareRenameParams) -> types.Range | None:
        name, merged = self._name(params), self.known.merged
        if name is None or merged is None or (name.space, name.text) not in declared(merged):
            return None
        return range_of(name.span, self.encoding)

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits that rename the thing at the cursor, in this file and the files that it extends.

        Refuses to rename things that a card set of the package declares.
        """
        name = self._name(params)
        names = declared(self.known.merged) if self.known.merged else {}
        home = names.get((name.space, name.text)) if name else None
        if name is None or home is None:
            return None
        new = params.new_name
        if not new.replace("_", "a").isalnum() or not new.islower() or not new[0].isalpha():
            self._refuse("rename.form", new=new)
        if _is_shipped(home.span.source.name):
            self._refuse("rename.shipped", name=name.text, file=Path(home.span.source.name).name)
        if (name.space, new) in names:
            self._refuse("rename.taken", new=new)
        changes: dict[str, list[types.TextEdit]] = {}
        for use in self._meant(name):
            edit = types.TextEdit(range_of(use.span, self.encoding), new)
            changes.setdefault(self.uri_of(use.span.source.name), []).append(edit)
        return types.WorkspaceEdit(changes=changes)

    def _refuse(self, why: str, **given: str) -> NoReturn:
        raise JsonRpcException(self.words.phrase(why, **given), code=types.LSPErrorCodes.RequestFailed)

    def _meant(self, name: Name) -> Iterator[Name]:
        """Yield all occurrences of a name in this file and in the author's files that it extends."""
        tree, document = self.known.tree, self.known.document
        trees = [tree] if tree else []
        for file in document.files[1:] if document else ():
            if not _is_shipped(file.source.name):
                other = load(file.source)[0]
                trees += [other] if other else []
        for tree in trees:
            yield from (use for use in names_in(tree) if (use.space, use.text) == (name.space, name.text))

    def symbols(self, _: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        known = self.known
        return list(self._symbols(known.tree, 2)) if known.tree else []

    def _symbols(self, node: Node, depth: int) -> Iterator[types.DocumentSymbol]:
        if not isinstance(node, Mapping):
            return
        for entry in node.entries:
            key = entry.key.span
            whole = Span(key.source, key.start, max(key.end, entry.value.span.end))
            below = list(self._symbols(entry.value, depth - 1)) if depth > 1 else []
            many = isinstance(entry.value, Mapping | Sequence)
            yield types.DocumentSymbol(
                name=entry.key.text or "?",
                kind=types.SymbolKind.Namespace if many and depth > 1 else types.SymbolKind.Field,
                range=range_of(whole, self.encoding),
                selection_range=range_of(key, self.encoding),
                children=below,
            )

    def actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Return the fixes of the findings in a range, and one action that applies all certain fixes."""
        known = self.known
        actions = []
        for finding in known.findings:
            diagnostic = self._shown(finding)
            here, asked = diagnostic.range, params.range
            meets = _key(here.start) <= _key(asked.end) and _key(asked.start) <= _key(here.end)
            if finding.fix is not None and meets:
                first = finding.fix.edits[0]
                text, new = first.place.source.text, first.new_text
                old = text[first.place.start : first.place.end]
                if old.strip() or new.strip():
                    key = "fix.take-out" if not new else "fix.write" if old else "fix.add"
                    given = {"new": new.strip(" ,\n"), "old": old.strip()}
                elif "\t" in old:  # spaces cannot be quoted, so they are named
                    key, given = "fix.tab", {}
                else:
                    key, given = "fix.indent" if text[: first.place.start][-1:] in {"\n", ""} else "fix.space", {}
                actions.append(
                    types.CodeAction(
                        title=self.words.phrase(key, **given),
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[diagnostic],
                        is_preferred=finding.fix.certain,
                        edit=self._edit([finding.fix]),
                    )
                )
        certain = [finding.fix for finding in known.findings if finding.fix is not None and finding.fix.certain]
        if len(certain) > 1:
            title = self.words.phrase("fix.all")
            kind = types.CodeActionKind.SourceFixAll
            actions.append(types.CodeAction(title=title, kind=kind, edit=self._edit(certain)))
        return actions

    def _edit(self, fixes: list[Fix]) -> types.WorkspaceEdit:
        changes: dict[str, list[types.TextEdit]] = {}
        for each in dict.fromkeys(edit for fix in fixes for edit in fix.edits):
            edit = types.TextEdit(range_of(each.place, self.encoding), each.new_text)
            changes.setdefault(self.uri_of(each.place.source.name), []).append(edit)
        return types.WorkspaceEdit(changes=changes)

    def _name(self, params: Any) -> Name | None:
        """Return the name at the position of a request, if there is one."""
        return name_at(self.known.tree, self._offset(params)) if self.known.tree else None

    def _offset(self, params: Any) -> int:
        return offset_of(self.known.source, params.position, self.encoding)

    def _shown(self, finding: Diagnostic) -> types.Diagnostic:
        """Return a finding in the form of the protocol, at its place in this file.

        A finding in another file is shown at the line of this file that extends or names the other one.
        """
        known, span, where = self.known, finding.span, ""
        if span.source.name != known.path:
            where = f"{Path(span.source.name).name}:{span.position[0]}: "
            entry = known.tree.entry("extends") if known.tree else None
            entry = entry or (known.tree.entry("cardset") if known.tree else None)
            span = entry.value.span if entry else Span(known.source, 0, 0)
        return types.Diagnostic(
            range=range_of(span, self.encoding),
            message=f"{where}{finding.message_in(self.words)} {finding.hint_in(self.words)}".strip(),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            source="draftengine",
            related_information=[
                types.DiagnosticRelatedInformation(self._location(note.span), in_language(note.text, self.words))
                for note in finding.related
            ],
        )

    def _location(self, span: Span) -> types.Location:
        return types.Location(self.uri_of(span.source.name), range_of(span, self.encoding))


ANSWERS: MappingProxyType[str, Callable[[Answers, Any], Any]] = MappingProxyType(
    {
        types.TEXT_DOCUMENT_HOVER: Answers.hover,
        types.TEXT_DOCUMENT_COMPLETION: Answers.complete,
        types.TEXT_DOCUMENT_DEFINITION: Answers.definition,
        types.TEXT_DOCUMENT_REFERENCES: Answers.references,
        types.TEXT_DOCUMENT_RENAME: Answers.rename,
        types.TEXT_DOCUMENT_PREPARE_RENAME: Answers.prepare_rename,
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Answers.symbols,
        types.TEXT_DOCUMENT_CODE_ACTION: Answers.actions,
    }
)
"""The method that answers each request of the protocol."""


def _key(place: types.Position) -> tuple[int, int]:
    return place.line, place.character


def _is_shipped(name: str) -> bool:
    return Path(name).resolve() in {path.resolve() for path in shipped().values()}


# ── Hover texts ───────────────────────────────────────────────────────────────────────────────────────────────────────


_FACTS = {
    "players": "How many people play.",
    "seats": "How many seats are compared: players, and extra seats that are ranked.",
    "round": "The number of the round, from 1.",
    "rounds": "How many rounds the game has.",
    "turn": "The number of the turn in the round, from 1.",
    "points": "The points of the seat so far.",
    "card": "How many of this card the seat has.",
    "amount": "What the card would add.",
}
_SHORT = 400
_CALLED = re.compile(r"\w+(?=\()")


def hover(known: DocumentInfo, offset: int) -> tuple[str, Span | None]:
    """Return a Markdown text about the key, name or function at an offset, and its span; or an empty text."""
    if known.tree is None:
        return "", None
    path, node, on_key = locate(known.tree, offset)
    if not path:
        return "", None
    name = name_at(known.tree, offset)
    span = at_path(known.tree, path)[0] if on_key else (name.span if name else node.span)
    word = next((it for it in _CALLED.finditer(known.source.text) if it.start() <= offset <= it.end()), None)
    builtin = BUILTINS.get(word[0]) if word else None
    parts = []
    if builtin is not None:
        parts.append(f"`{builtin.signature}`\n\n{builtin.doc}\n\nFor example `{builtin.example.text}`.")
    parts += _thing(known, name, on_key=on_key)
    if on_key:
        kinds = {}
        for length in range(2, len(path)):  # a section and a name at least
            above = at_path(known.merged, path[:length])[1] if known.merged else None
            if isinstance(above, Mapping) and (kind := kind_named({entry.key.text for entry in above.entries})):
                kinds[path[:length]] = kind
        shape = place(path[:-1], kinds, known).keys.get(path[-1])
        if shape and shape.get("description"):
            parts.append(f"`{path[-1]}`: {shape['description']}")
        if known.document is not None and len(known.document.files) > 1:
            # The value that the key has with all changes, and its value without this file.
            plain = plain_path(path)
            now = at_path(known.document.root, plain)[1]
            if isinstance(now, Mapping) and len(plain) > 1:
                lines = "\n".join(f"{entry.key.text}: {_flow(entry.value)}" for entry in now.entries)
                parts.append(f"After `extends`:\n\n```yaml\n{lines}\n```")
            key, before = at_path(known.base, plain) if known.base else (None, None)
            if key is not None and before is not None:
                was = "" if isinstance(before, Mapping) else f"There it is `{_flow(before)}`. "
                parts.append(f"{was}{_where(known, key)}")
    return "\n\n".join(dict.fromkeys(part for part in parts if part)), span


def _thing(known: DocumentInfo, name: Name | None, *, on_key: bool) -> Iterator[str]:
    """Yield texts about the thing with this name: its meaning, and where it is declared."""
    merged, labels = known.merged, known.labels
    if name is None or merged is None:
        return
    home = declared(merged).get((name.space, name.text))
    if home is None:
        if name.space == "shared" and name.text in _FACTS and not on_key:
            yield f"**{name.text}**: {_FACTS[name.text]}"
        return
    sentence = ""
    if labels is not None:
        things, model = Things(labels), labels.model
        label, card = labels.thing(name.text), next((card for card in model.cards if card.id == name.text), None)
        if name.space == "variant":
            meant = (variant for variant in model.variants if variant.id == name.text)
            sentence = next((labels.text(variant.text) or labels.text(variant.title) for variant in meant), "")
        elif name.space in {"rule", "modifier", "ability", "trigger"}:
            facts = {"rule": things.rules, "modifier": things.modifiers, "ability": things.abilities}
            stated = facts.get(name.space, things.triggers)
            sentence = next((fact.plain for fact in stated if fact.id == name.text), "")
        elif card is not None:
            there = f"a side of {labels.card(card.side_of)}" if card.side_of else f"{card.count} in the deck"
            sentence = f"{labels.card(card.id)}, {there}. {things.card(card).plain}".strip()
        elif label != name.text:
            sentence = label
    what = {"adds": "counter", "scoring": "scoring rule"}.get(home.declares, home.declares.removesuffix("s"))
    yield f"**{name.text}** ({what}){': ' + sentence if sentence else ''}"
    yield _where(known, home.span)


def _where(known: DocumentInfo, span: Span) -> str:
    """Return a sentence with the file and line of a declaration; empty if it is in this file."""
    if span.source.name == known.path:
        return ""
    return f"From {Path(span.source.name).name}, line {span.position[0]}."


def _flow(node: Node) -> str:
    if isinstance(node, Mapping):
        text = "{" + ", ".join(f"{entry.key.text}: {_flow(entry.value)}" for entry in node.entries) + "}"
    elif isinstance(node, Sequence):
        text = "[" + ", ".join(map(_flow, node.items)) + "]"
    else:
        text = str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
    return text if len(text) <= _SHORT else text[:_SHORT] + "…"
