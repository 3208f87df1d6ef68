"""Broken card sets, with a table of what a person would say about each, compared with the checker.

A row of `wrong.tsv` has the kind of mistake, the card set, the offset, and the old and the new text. Then come line and
column of the finding, its code, and the intended word. `make.py` writes the table, and `make docs` runs it again when a
card set has changed.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from conftest import NIGHTLY
from draftengine.api.scenario.suite import check_bytes
from draftengine.model.library import examine
from draftengine.model.selection import open_document
from draftengine.model.shelf import fetcher

HERE = Path(__file__).parent
SETS = HERE.parents[1] / "cardsets"
ROWS = [line.split("\t") for line in (HERE / "wrong.tsv").read_text(encoding="utf-8").splitlines()]
BY_DAY = 20
APART = 200
TOGETHER = 300 if NIGHTLY else 4


def findings_of(name, offset, old, new):
    """Return the findings of a card set with one text replaced."""
    path = SETS / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    old, new = (own.replace("\\n", "\n").replace("\\t", "\t") for own in (old, new))
    assert text.startswith(old, int(offset)), "the card set has changed: make docs writes the table again"
    text = text[: int(offset)] + new + text[int(offset) + len(old) :]
    document, findings = open_document(text.encode(), f"{name}.yaml", fetcher(str(path)))
    return findings if document is None else examine(document)


def several(chance, size):
    """Return this many rows of one card set, far enough apart to be separate mistakes."""
    while True:
        name = chance.choice(ROWS)[1]
        rows = sorted(chance.sample([row for row in ROWS if row[1] == name], size), key=lambda row: int(row[2]))
        if all(int(later[2]) - int(row[2]) > APART for row, later in pairwise(rows)):
            return rows


def with_all(rows):
    """Return the text with all these mistakes, and the expected (line, column, code) of each."""
    text = (SETS / f"{rows[0][1]}.yaml").read_text(encoding="utf-8")
    parts, at, lines, expected = [], 0, 0, []
    for _, _, offset, before, after, place, code, _ in rows:
        old, new = (own.replace("\\n", "\n").replace("\\t", "\t") for own in (before, after))
        line, column = map(int, place.split(":"))
        expected.append((line + lines, column, code))
        lines += new.count("\n") - old.count("\n")
        parts += [text[at : int(offset)], new]
        at = int(offset) + len(old)
    return "".join([*parts, text[at:]]), expected


def problem(row):
    """Return the difference from what a person would say; empty if there is none."""
    _, name, offset, old, new, place, code, meant = row
    found = findings_of(name, offset, old, new)
    errors = [own for own in found if own.severity == "error"]
    here = [own for own in errors if "{}:{}".format(*own.span.position) == place and own.code == code]
    said = "; ".join("{}:{} {} {}".format(*own.span.position, own.code, own.hint) for own in errors[:3])
    if not here:
        return f"{' '.join(row)}: {said or 'nothing found'}"
    if meant and not any(meant in f"{own.message} {own.hint}" for own in here):
        return f"{' '.join(row)}: not suggested: {said}"
    return ""


def test_the_table_is_large_and_of_many_kinds():
    assert len(ROWS) >= 600
    assert len({tuple(row[1:5]) for row in ROWS}) == len(ROWS)
    assert min(Counter(row[0] for row in ROWS).values()) >= 4


PLAYED = ROWS if NIGHTLY else ROWS[:: len(ROWS) // BY_DAY]


@pytest.mark.parametrize("row", PLAYED, ids=[f"{at} {' '.join(row[:3])}" for at, row in enumerate(PLAYED)])
def test_what_is_said_is_what_a_person_would_say(row):
    assert not problem(row)


def test_several_mistakes_are_found_at_once():
    """Check two or three mistakes in a file: nearly all are found at once, with hardly any other finding."""
    chance = random.Random(22)
    missed, more, wanted = [], [], 0
    for number in range(TOGETHER):
        rows = several(chance, 2 + number % 2)
        text, expected = with_all(rows)
        name = f"{rows[0][1]}.yaml"
        found = check_bytes(str(SETS / name), name, text.encode())
        told = [(*own.span.position, own.code) for own in found if own.severity != "note"]
        wanted += len(expected)
        missed += [(rows, own) for own in expected if own not in told]
        more += [(rows, own) for own in told if own not in expected]
    few = -(-wanted // 50)  # two in a hundred, rounded up for the small sample by day
    assert len(missed) <= few, missed
    assert len(more) <= few, more
