"""Hover texts: the meaning of a rule, the purpose of a key, and its value after all changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.api.facts import Things
from draftengine.apps.lsp.completion import place
from draftengine.apps.lsp.texts import at_path, declared, locate, name_at, plain_path
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.rules import kind_named
from draftengine.model.yaml.tree import Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.api.labels import Labels
    from draftengine.apps.lsp.texts import DocumentInfo, Name
    from draftengine.model.yaml.tree import Node
    from draftengine.support.source import Span

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
    """Return a Markdown text about a place, and the span that it describes; empty if there is none."""
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
        parts += _before(known, path)
    return "\n\n".join(dict.fromkeys(part for part in parts if part)), span


def _thing(known: DocumentInfo, name: Name | None, *, on_key: bool) -> Iterator[str]:
    """Yield texts about the thing that is named here: its meaning, and where it is declared."""
    merged, labels = known.merged, known.labels
    if name is None or merged is None:
        return
    home = declared(merged).get((name.space, name.text))
    if home is None:
        if name.space == "shared" and name.text in _FACTS and not on_key:
            yield f"**{name.text}**: {_FACTS[name.text]}"
        return
    sentence = _sentence(labels, name) if labels else ""
    what = {"adds": "counter", "scoring": "scoring rule"}.get(home.declares, home.declares.removesuffix("s"))
    yield f"**{name.text}** ({what}){': ' + sentence if sentence else ''}"
    yield _where(known, home.span)


def _sentence(labels: Labels, name: Name) -> str:
    """Return the meaning of a name as a sentence."""
    things, model = Things(labels), labels.model
    if name.space == "variant":
        return next((labels.text(it.text) or labels.text(it.title) for it in model.variants if it.id == name.text), "")
    if name.space in {"rule", "modifier", "ability", "trigger"}:
        facts = {"rule": things.rules, "modifier": things.modifiers, "ability": things.abilities}
        return next((fact.plain for fact in facts.get(name.space, things.triggers) if fact.id == name.text), "")
    card = next((card for card in model.cards if card.id == name.text), None)
    if card is not None:
        return f"{labels.card(card.id)}, {card.count} in the deck. {things.card(card).plain}".strip()
    label = labels.thing(name.text)
    return label if label != name.text else ""


def _before(known: DocumentInfo, path: tuple[str, ...]) -> Iterator[str]:
    """Yield the value that a key has in the game with all changes, and its value without this file."""
    if known.document is None or len(known.document.files) < 2:  # noqa: PLR2004 (it extends nothing)
        return
    plain = plain_path(path)
    node = at_path(known.document.root, plain)[1]
    if isinstance(node, Mapping) and len(plain) > 1:
        lines = "\n".join(f"{entry.key.text}: {_flow(entry.value)}" for entry in node.entries)
        yield f"After `extends`:\n\n```yaml\n{lines}\n```"
    key, before = at_path(known.base, plain) if known.base else (None, None)
    if key is not None and before is not None:
        was = "" if isinstance(before, Mapping) else f"There it is `{_flow(before)}`. "
        yield f"{was}{_where(known, key)}"


def _where(known: DocumentInfo, span: Span) -> str:
    """Return the file and line of a declaration; empty if it is in this file."""
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
