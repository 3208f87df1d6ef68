"""Plants mistakes of meaning in card sets and says who notices: ``python benchmarks/planted.py 80``.

A mistake drops or swaps a step, turns a sign, an order or a threshold round, or takes one name for another. The checks
notice it if they find something that they do not find in the card set as it was, and games if they show something
more. With ``--without-examples`` worked examples, which notice most, are left out; another ``--seed`` draws others.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random

import yaml

from draftengine.api.scenario.suite import check_opened
from draftengine.model.diagnostics import has_errors
from draftengine.model.library import open_text
from draftengine.model.shelf import fetcher
from draftengine.studies.playtest import playtest

ROOT = Path(__file__).parents[1]
FOLDERS = ("cardsets", "cardsets/house", "cardsets/more", "examples/recipes", "tests/natural")
LARGEST = 12_000
"""Characters: larger card sets take too long."""
SECTIONS = ("cards", "setup", "round", "finish", "modifiers", "abilities", "triggers", "scoring", "winner", "variants")
FLOW = {"setup", "round", "finish", "do"}
POINTS = {"points", "most", "fewest"}
NUMBER = re.compile(r"(?<![\w.@])\d+(?![\w.@])")
OPPOSITES = {">=": "<", "<=": ">", " > ": " < ", " < ": " > ", "most": "fewest", "fewest": "most"}


def nodes(data, path=()):
    """Yield every place in a document with what stands there."""
    yield path, data
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield from nodes(value, (*path, key))


def mistakes(data):
    """Yield every mistake that can be planted in a card set: kind, place, and what to write there."""
    names = sorted(data.get("cards") or {})
    for path, value in nodes(data):
        if path and path[0] in SECTIONS and not {"examples", "text", "title", "label", "source"} & set(path):
            for kind, wrong in (*in_steps(path, value), *in_numbers(path, value), *in_formulas(path, value, names)):
                yield kind, path, wrong


def in_steps(path, value):
    """Yield lists of steps with one dropped, or with two swapped."""
    if path[-1] in FLOW and isinstance(value, list) and all(isinstance(step, dict) for step in value):
        for index in range(len(value)):
            yield "drop", [*value[:index], *value[index + 1 :]]
        for index in range(len(value) - 1):
            yield "swap", [*value[:index], value[index + 1], value[index], *value[index + 2 :]]


def in_numbers(path, value):
    """Yield points with another sign or in another order, and numbers that ask for far more."""
    of_points = not POINTS.isdisjoint(path[-2:])
    if of_points and type(value) is int and value:
        yield "sign", -value
    if of_points and isinstance(value, list) and value != value[::-1]:
        yield "order", value[::-1]
    if path[-1] in {"size", "at_least", "take"} and type(value) is int:
        yield "threshold", 3 * value + 5


def in_formulas(path, value, names):
    """Yield formulas with another comparison, another number or another name."""
    if not isinstance(value, str):
        return
    compares = re.search("[<>=]", value) is not None
    for old, new in OPPOSITES.items():
        if (compares and old in value) or (path[-1] == "order" and old == value):
            yield "order", value.replace(old, new, 1)
    for number in NUMBER.finditer(value) if compares else ():
        yield "threshold", value[: number.start()] + str(3 * int(number[0]) + 5) + value[number.end() :]
    if path[0] in {"scoring", "modifiers", "triggers", "abilities"}:
        for name in names:
            whole = re.compile(rf"(?<![\w@]){name}(?![\w@])")
            yield from (("name", whole.sub(other, value)) for other in names if other != name and whole.search(value))


def draw(sources, chance):
    """Draw a card set and a mistake: return its name, it without and with that, kind and description."""
    while True:
        name, data = chance.choice(sources)
        by_kind = {}
        for kind, path, value in mistakes(data):
            by_kind.setdefault(kind, []).append((path, value))
        if by_kind:
            kind = chance.choice(sorted(by_kind))
            path, value = chance.choice(by_kind[kind])
            changed = deepcopy(data)
            place = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            return name, data, changed, kind, f"{'/'.join(map(str, path))}: {str(value)[:80]}"


def findings(name, data):
    """Return what checks find and what games show, each by code and message."""
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    opened = open_text(name, text.encode(), fetcher(name))
    static = check_opened(opened)
    played = () if opened.document is None or has_errors(static) else playtest(opened.document, static)
    return [{(finding.code, finding.message) for finding in each} for each in (static, played)]


def main(count, seed, *, examples):
    """Plant `count` mistakes and write who noticed each, and how many nobody noticed."""
    chance, sources = Random(seed), []
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.yaml")):
        data = yaml.safe_load(path.read_text("utf-8"))
        if path.stat().st_size < LARGEST:
            sources.append((str(path), data if examples else {**data, "examples": []}))
    before, totals = {}, Counter()
    for _ in range(count):
        name, data, changed, kind, place = draw(sources, chance)
        if name not in before:
            before[name] = findings(name, data)
        static, played = (new - old for new, old in zip(findings(name, changed), before[name], strict=True))
        who = "checks" if static else "games" if played else "nobody"
        totals[kind, who] += 1
        print(f"{who:7} {kind:10} {Path(name).name} {place}", flush=True)
    for (kind, who), number in sorted(totals.items()):
        print(f"{kind:10} {who:7} {number}")
    silent = sum(number for (_, who), number in totals.items() if who == "nobody")
    print(f"Nobody noticed {silent} of {count} mistakes, {silent / count:.0%}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plant mistakes of meaning, and see who notices them.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--without-examples", action="store_true")
    asked = parser.parse_args()
    main(asked.count, asked.seed, examples=not asked.without_examples)
