"""Mutated card sets: each is refused with findings at places, or is a game that can be played."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from cardset.measuring import memory_of
from compiled import load_program
from conftest import NIGHTLY, sample
from draftengine.api.ruleset import games_of
from draftengine.api.scenario.files import problems_of
from draftengine.engine.policies import random_game
from draftengine.model.diagnostics import catalogue, has_errors
from draftengine.model.library import examine
from draftengine.model.selection import NOTHING_SELECTED, open_document
from draftengine.model.shelf import fetcher, shelf
from written import says

GENEROUS = 4
"""Processor seconds for work that takes less than one; a busy machine needs more."""
MUTANTS = 10_000 if NIGHTLY else 80
ODD = (
    None, True, -1, 0, 1, 7, 10**6, 10**9, "", "x", "nobody", "é\u202e", "1 // 0", "a + ", [], {}, [[]], ["x"],
    {"x": 1}, {"x": {}}, "players", "most(1)", "-" * 70,
)  # fmt: skip
SHIPPED = {name: Path(path).read_text(encoding="utf-8") for name, path in shelf().items()}
WRITTEN = {
    f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8")
    for room in ("cli", "natural", "simulation", "tournaments")
    for path in sorted((Path(__file__).parents[1] / room).glob("*.yaml"))
}
"""Short games of other tests: quick to check, and rich in language."""
SOURCES = SHIPPED | WRITTEN
EXTENDED = {name: says(text).get("extends") for name, text in SOURCES.items()}
LENGTHS = {name: len(text) + len(SOURCES.get(EXTENDED[name], "")) for name, text in SOURCES.items()}
"""Number of characters checked for each card set, with the file that it extends."""
WEIGHTS = {name: 1 / (length + 4_000) ** 2 for name, length in LENGTHS.items()}


def share(name, mutants):
    """Return the number of mutants of a card set: far fewer of longer ones, which take longer to check."""
    return -(-mutants * WEIGHTS[name] // sum(WEIGHTS.values()))


def nodes(data, path=()):
    """Yield the path of every place in a document."""
    yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from nodes(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from nodes(value, (*path, index))


def at(data, path):
    for part in path:
        data = data[part]
    return data


def mutant(data, chance):
    """Return a document with one change: another value or key, or a lost, doubled or misplaced part."""
    copy = deepcopy(data)
    places = [path for path in nodes(copy) if path]
    path, other = chance.choice(places), chance.choice(places)
    owner, key = at(copy, path[:-1]), path[-1]
    match chance.randrange(5):
        case 0:
            owner[key] = chance.choice(ODD)
        case 1:
            owner[key] = deepcopy(at(copy, other))
        case 2:
            del owner[key]
        case 3 if isinstance(owner, dict):
            owner[f"{key}x"] = owner.pop(key)
        case _:
            if isinstance(owner, list):
                owner.append(owner[key])
            else:
                owner[chance.choice(["players", "count", "soup", "of", "keep"])] = owner[key]
    return json.dumps(copy, indent=1, ensure_ascii=False)


def check(text, name):
    """Check a text as `validate` does; return document and findings, each with known code and place."""
    document, findings = open_document(text.encode(), name, fetcher(name))
    if document is not None:
        findings = examine(document)
        if not has_errors(findings):
            findings += problems_of(document, games_of(document))
    for finding in findings:
        line, column = finding.span.position
        assert finding.code in catalogue(), finding.code
        assert line >= 1
        assert column >= 1
        assert finding.message.endswith((".", "?", "!", "”")), finding.message
    return document, findings


@pytest.mark.parametrize("name", [name for name in WRITTEN if not name.startswith("natural/")])
def test_what_is_mutated_plays(name):
    """Check that the short games have no errors and end; those of `natural/` are checked and played there."""
    document, findings = check(SOURCES[name], name)
    assert not has_errors(findings)
    assert random_game(load_program(document, NOTHING_SELECTED, document.players[0]), 1).over


@pytest.mark.parametrize("name", sample(SOURCES, 16))
def test_mutants(name):
    data, chance = says(SOURCES[name]), Random(name)
    for _ in range(int(share(name, MUTANTS))):
        text = mutant(data, chance)
        began = time.process_time()
        document, findings = check(text, name)
        assert time.process_time() - began < GENEROUS, text
        if not has_errors(findings):
            assert document is not None
            players = document.players[chance.randrange(2)]
            assert random_game(load_program(document, NOTHING_SELECTED, players), 1).over


@pytest.mark.night
def test_memory_of_mutants(tmp_path):
    """Check that validating some mutants takes at most 256 MB."""
    texts = []
    for name, source in [*SHIPPED.items()]:
        data, chance = says(source), Random(f"{name} memory")
        texts += [mutant(data, chance) for _ in range(MUTANTS // 1000 + 1)]
    _, most = memory_of(texts, tmp_path)
    assert most < 256_000_000


@pytest.mark.parametrize("name", sample(SOURCES, 20))
def test_cut_and_spoilt_text(name):
    """Check texts with bytes lost, doubled or swapped anywhere."""
    text, chance = SOURCES[name], Random(name)
    for _ in range(int(share(name, MUTANTS // 5))):
        start, length = chance.randrange(len(text)), chance.randrange(1, 30)
        spoilt = chance.choice(
            [
                text[:start],
                text[:start] + text[start + length :],
                text[:start] + chance.choice("{}[]:,-#&*!|>'\"%@`\t\x00") + text[start:],
                text[:start] + text[start : start + length] + text[start:],
            ]
        )
        began = time.process_time()
        check(spoilt, name)
        assert time.process_time() - began < GENEROUS, spoilt
