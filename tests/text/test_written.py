"""Card sets written for features of the language: worked examples, and equal games in all engines."""

from pathlib import Path

import pytest

from draftengine.api.scenario.suite import check
from draftengine.engine.plan import Plan
from draftengine.model.selection import open_document
from engine.drawn import programs_of
from text.forms import as_it_stands, compiled
from text.test_text import GAMES, counts_alike, policies_of

FILES = sorted(Path(__file__).with_name("written").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_worked_examples(file):
    """A file has no findings, and its examples come out as written."""
    document, findings = open_document(file.read_bytes(), file.name, lambda _: None)
    assert document is not None
    assert not findings
    assert not check(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_games(file):
    """The kernel plays what the reference engine plays."""
    programs = list(programs_of(file.read_text("utf-8"), (2, 3, 5)))
    assert programs
    for program in programs:
        for policies in ("random", "mixed"):
            names = policies_of(policies, program.players)
            counts_alike(as_it_stands(program, names), program, names, 2 * GAMES)
    names = policies_of("random", programs[0].players)
    counts_alike(compiled(programs[0], names), programs[0], names, 10 * GAMES)


def test_what_no_deal_reaches_is_not_shuffled():
    """Cards that no deal reaches are not shuffled, unless some of them are shuffled again."""
    again = next(file for file in FILES if file.stem == "again").read_text("utf-8")
    once = again.replace("  - shuffle: deck\n", "").replace("round:\n", "setup: [{shuffle: deck}]\nround:\n", 1)
    anew = again.replace("  - shuffle: deck\n", "  - gather: deck\n  - shuffle: deck\n")
    found = [next(programs_of(text, (3,))) for text in (again, once, anew)]
    unshuffled = [Plan(program, ["random"] * 3).irrelevant_cards(program.zone_index("deck")) for program in found]
    assert unshuffled == [0, 60 - 24, 60 - 12]


def test_a_moment_is_one_thing(tmp_path):
    """A trigger does not react to a step whose id equals the name of another moment."""
    text = next(file for file in FILES if file.stem == "moments").read_text("utf-8").replace("dealing", "round")
    file = tmp_path / "moments.yaml"
    file.write_text(text, "utf-8")
    (clash, *_) = [finding for finding in check(file) if finding.severity == "error"]
    assert (clash.code, clash.hint) == ("name-clash", "Give the step another id.")
