"""Wrong files: for each there stands in a table what a person would say of it, and the checker says that.

A row of `wrong.tsv` is: the kind of mistake, the card set, the offset, what stands there and what is written instead,
the line and column of the finding, its code, and the word that was meant. `make.py` writes the table from what it
breaks, and `make docs` runs it again when a card set has changed.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from conftest import NIGHTLY
from draftengine.cardset.resolve import open_document
from draftengine.library import examine, fetcher

HERE = Path(__file__).parent
SETS = HERE.parents[1] / "cardsets"
ROWS = [line.split("\t") for line in (HERE / "wrong.tsv").read_text(encoding="utf-8").splitlines()]
BY_DAY = 20


def findings_of(name, offset, old, new):
    """What is found in a card set in which something is written instead of something else."""
    path = SETS / f"{name}.yaml"
    text = path.read_text(encoding="utf-8")
    old, new = (own.replace("\\n", "\n").replace("\\t", "\t") for own in (old, new))
    assert text.startswith(old, int(offset)), "the card set has changed: make docs writes the table again"
    text = text[: int(offset)] + new + text[int(offset) + len(old) :]
    document, findings = open_document(text.encode(), f"{name}.yaml", fetcher(str(path)))
    return findings if document is None else examine(document)


def problem(row):
    """What is otherwise than a person would say; empty if nothing is."""
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


@pytest.mark.parametrize("row", ROWS if NIGHTLY else ROWS[:: len(ROWS) // BY_DAY], ids=lambda row: " ".join(row[:3]))
def test_what_is_said_is_what_a_person_would_say(row):
    assert not problem(row)
