"""Break the shipped card sets as authors do: ``python tests/corpus/make.py > tests/corpus/wrong.tsv``.

The expectation follows from the change, never from the checker: place of the broken word, code of the mistake, and the
word before.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

from draftengine.apps.lsp.texts import declared, names_in
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.shelf import shelf
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence
from draftengine.support.source import Source

SETS = Path(__file__).parents[2] / "cardsets"
WANTED = {
    "key": 180, "name": 80, "citation": 40, "type": 70, "range": 40, "word": 40, "missing": 60, "twice": 80,
    "formula": 23, "yaml": 80, "function": 14,
}  # fmt: skip
OURS = {"cards", "counters", "modifiers", "abilities", "zones", "extra_seats", "markers", "chips", "parameters"} | {
    "triggers", "scoring", "adds", "then", "add", "set", "variants", "readings", "steps", "sources", "examples",
    "options", "points", "tables", "families", "label", "title", "text", "about", "tokens", "cards_by",
    "as", "has", "menus",
}  # fmt: skip
WORDS = {"tie", "order", "kind", "when", "returns_to", "opens", "seen_by", "per"}


WHOLE = {"six_nimmt", "coloretto", "medieval_academy", "nidavellir", "point_salad"}
"""Games that nobody breaks: with each further one, all samples would be others."""


def slip(word, chance):
    """Return the word with one slip after its first letter; ``None`` if it is too short."""
    letters = [place for place in range(1, len(word)) if word[place].isalpha()]
    if len(word) < 5 or len(letters) < 4:
        return None
    place = chance.choice(letters[:-1])
    kind = chance.choice(("swap", "drop", "double"))
    if kind == "swap" and word[place + 1].isalpha() and word[place] != word[place + 1]:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return word[:place] + word[place + 1 :] if kind == "drop" else word[: place + 1] + word[place:]


def walk(node, path=()):
    """Yield every entry of a tree with its path."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield (*path, entry.key.text), entry
            yield from walk(entry.value, (*path, entry.key.text))
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from walk(item, (*path, str(index)))


def broken(name, chance):  # noqa: PLR0912 (a branch for each way to break something)
    """Yield possible mistakes: kind, offset, old, new, offset of the finding, code, suggestion."""
    text = (SETS / f"{name}.yaml").read_text(encoding="utf-8")
    source = Source(name, text)
    root, _ = load(source)
    lines = text.split("\n")
    known = set(declared(root))
    for path, entry in walk(root):
        if path[0] in {"sources", "examples", "about"} or entry.key.span.source.text is not text:
            continue
        key, start = entry.key.text, entry.key.span.start
        named = len(path) > 1 and (path[-2] in OURS or bool({"label", "title", "text", "menus"} & {*path[:-1]}))
        within_changes = "changes" in path or "extends" in {own.key.text for own in root.entries}
        wrong = None if named or within_changes else slip(key, chance)
        if wrong:
            yield "key", start, key, wrong, start, "unknown-key", key
        value = entry.value
        if isinstance(value, Scalar) and type(value.value) is int and key == "count" and not within_changes:
            shown = text[value.span.start : value.span.end]
            yield (
                "type",
                value.span.start,
                shown,
                chance.choice(("many", "ten", "[4]", "yes please")),
                (value.span.start),
                "wrong-type",
                "",
            )
            yield "range", value.span.start, shown, "700", value.span.start, "out-of-range", ""
        if isinstance(value, Scalar) and key in WORDS and isinstance(value.value, str) and not within_changes:
            wrong = slip(value.value, chance)
            if wrong and not re.search(r"\W", value.value):
                at = value.span.start
                yield "word", at, value.value, wrong, at, "not-allowed-value", value.value
        line_start = text.rfind("\n", 0, start) + 1
        line = lines[text.count("\n", 0, start)]
        alone = not text[line_start:start].strip() and "\n" not in text[start : value.span.end]
        if alone and key in {"kind", "default"} and not within_changes:
            owner = next(own for at, own in walk(root) if at == path[:-1])
            yield "missing", line_start, line + "\n", "", owner.key.span.start, "required-key", key
        within_braces = line.count("{") != line.count("}")  # doubled, the line would close an outer brace
        if alone and text[line_start:start] and not within_changes and not within_braces:
            again = line_start + len(line) + 1 + (start - line_start)
            yield "twice", line_start, line, f"{line}\n{line}", again, "duplicate-key", ""
            if isinstance(value, Scalar) and isinstance(value.value, str | int) and value.text_at != -1:
                bare = text[value.span.start : value.span.end]
                if bare and bare[0] not in "\"'>|":
                    if len(text[line_start:start]) >= 2:
                        yield "yaml", line_start, "  ", "\t", line_start, "tab", ""
                    gap = text[entry.key.span.end : value.span.start]
                    if gap == ": " and re.fullmatch(r"\w+", bare):
                        yield "yaml", entry.key.span.end, ": ", ":", entry.key.span.end, "missing-space", ""
    for _ in range(2 if root.entry("extends") is None else 0):
        yield from names(text, root, known, chance)


def names(text, root, known, chance):
    """Yield misspelt names: in values, in formulas, of functions and of statements."""
    codes = {"card": "unknown-card", "applies_to": "unknown-card", "zone": "unknown-zone", "marker": "unknown-marker"}
    for own in names_in(root):
        line = text.rfind("\n", 0, own.span.start) + 1
        head = text[line : own.span.start]
        section = re.findall(r"^(\w+):", text[: own.span.start], re.MULTILINE)[-1]
        if own.declares or section in {"examples", "sources", "readings", "variants"}:
            continue
        at = own.span.start
        if own.space == "statement":
            yield "citation", at, own.text, own.text + "9", at, "unknown-citation", ""
            continue
        wrong = slip(own.text, chance)
        if wrong is None:
            continue
        key = re.findall(r"(\w+): *(?:\[[^\]]*|\{)?$", head) or [""]
        if own.text in BUILTINS and text[own.span.end : own.span.end + 1] == "(":
            yield "function", at, own.text, wrong, at, "unknown-name", own.text
        elif (own.space, own.text) in known and section == "scoring" and key[-1] in {"of", "points", "most"}:
            yield "name", at, own.text, wrong, at, "unknown-name", own.text
            if key[-1] == "of" and text[own.span.end : own.span.end + 1] in "\n,}":
                end = own.span.end
                yield "formula", at, own.text, f"{own.text} times 2", end + 1, "formula-syntax", ""
        elif key[-1] in codes and section in {"modifiers", "abilities"}:
            yield "name", at, own.text, wrong, at, codes[key[-1]], own.text
        elif own.text in {"deck", "hand", "tableau", "discard"} and section in {"setup", "round", "finish"}:
            yield "name", at, own.text, wrong, at, "unknown-zone", own.text


def table():
    """Return the rows of the table, the wanted number of each kind."""
    chance = random.Random(24)
    found = {kind: [] for kind in WANTED}
    for path in sorted(path for game, path in shelf().items() if game not in WHOLE):
        name = str(path.relative_to(SETS).with_suffix(""))
        text = path.read_text(encoding="utf-8")
        for kind, offset, old, new, at, code, meant in broken(name, chance):
            after = text[:offset] + new + text[offset + len(old) :]
            line = after.count("\n", 0, at) + 1
            column = at - after.rfind("\n", 0, at)
            said = [own.replace("\n", "\\n").replace("\t", "\\t") for own in (old, new)]
            found[kind].append((kind, name, str(offset), *said, f"{line}:{column}", code, meant))
    for kind, wanted in WANTED.items():
        rows = sorted(set(found[kind]))
        yield from sorted(chance.sample(rows, min(wanted, len(rows))))


if __name__ == "__main__":
    sys.stdout.writelines("\t".join(row) + "\n" for row in table())
