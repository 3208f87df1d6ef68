"""Catalogue entries for games: complete, and with examples that show the mistake and its correction."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

import draftengine
from draftengine.model import checks, flow, verbs
from draftengine.model.checks import run
from draftengine.model.diagnostics import catalogue, table
from draftengine.model.selection import open_document, resolve
from written import TWO_DISHES, cases_in, says

ROOMS = (Path(own.__file__).parent for own in (checks, flow, verbs))
WRITERS = [path for room in ROOMS for path in room.glob("*.py")]
EXAMPLES = [entry for entry in table("game") if entry.bad]


def codes(part: str) -> set[str]:
    """Return the codes found in the small game with the keys of `part`; `scoring` is merged."""
    game, change = says(TWO_DISHES), says(part)
    game["scoring"] |= change.pop("scoring", {})
    text = yaml.safe_dump(game | change, sort_keys=False)
    document, findings = open_document(text.encode(), "game.yaml", lambda _name: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    return {finding.code for finding in run(model)}


@pytest.mark.parametrize("entry", EXAMPLES, ids=[entry.code for entry in EXAMPLES])
def test_examples(entry):
    """Check that the bad example has the mistake and the good one does not."""
    assert entry.code in codes(entry.bad)
    assert entry.code not in codes(entry.good)


def test_the_table_is_complete():
    """Check that the codes in the sources of checks and plan are exactly those of the catalogue."""
    text = "".join(path.read_text("utf-8") for path in WRITERS)
    written = set(re.findall(r'diagnose\(\s*"([a-z-]+)"|\brefuse\("([a-z-]+)"', text))
    elsewhere = {"wrong-type", "out-of-range", "hidden-cards"}  # codes of the file's form and of formulas, too
    named = {one or other for one, other in written} - elsewhere
    named -= {entry.code for entry in table("playing")}
    known = {entry.code for entry in table("game")}
    unknown = {"card", "zone", "marker", "chip-pile", "extra-seat", "score-label"}
    assert known == named | {f"unknown-{kind}" for kind in unknown}


def test_the_catalogue_knows_every_severity():
    """Check that each severity with which the sources make a finding is one of its entry."""
    sources = [
        path for path in Path(draftengine.__file__).parent.rglob("*.py") if "diagnose(" in path.read_text("utf-8")
    ]
    calls = [
        node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8"))) if type(node) is ast.Call
    ]
    made = set()
    for call in calls:
        chosen = [word.value for word in call.keywords if word.arg == "severity"]
        values = {node.value for value in chosen for node in ast.walk(value) if isinstance(node, ast.Constant)}
        if call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value in catalogue():
            made |= {(call.args[0].value, severity) for severity in values & {"error", "warning", "note"}}
    assert ("example-fails", "warning") in made
    assert {
        (code, one) for code, one in made if one not in {catalogue()[code].severity, *catalogue()[code].also}
    } == set()


def test_every_code_has_a_case():
    """Check that every code has a case that finds it, with its severity."""
    cases = cases_in(Path(__file__).parent / "cases.yaml")["cases"]
    of_large_files = {"not-all-checked"}  # see test_bounded.py
    assert {entry.code for entry in table("game")} - of_large_files <= {case["code"] for case in cases}
