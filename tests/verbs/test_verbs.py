"""Verbs: cases from the YAML files of this folder, in the game of ``table.yaml``."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

import draftengine.model.verbs
from draftengine.api.labels import Labels
from draftengine.model.diagnostics import diagnose
from draftengine.model.flow import COUNTING, DryRun, FlowKey, Position
from draftengine.model.flow.dry_run import UnprovedError
from draftengine.model.language.macros import Board, MacroScope
from draftengine.model.records.reader import Reader
from draftengine.model.schema.validate import validate
from draftengine.model.selection import open_document, resolve
from draftengine.model.verbs import EFFECTS, VERBS
from draftengine.model.verbs.verb import Step, read_step
from draftengine.model.yaml.load import load, read_source
from draftengine.support.locale.catalogue import plain
from written import cases_in, says

HERE = Path(__file__).parent
TABLE = (HERE / "table.yaml").read_text("utf-8")

CASES = {verb: cases_in(HERE / f"{verb}.yaml") for verb in VERBS}
PARAMS = [pytest.param(verb, case, id=f"{verb}: {case['name']}") for verb, cases in CASES.items() for case in cases]


def cases_with(key):
    """Return the cases that have a key."""
    return pytest.mark.parametrize(("verb", "case"), [own for own in PARAMS if key in own.values[1]])


@pytest.fixture(scope="module")
def model():
    """Return the game of the cases as a model."""
    document, findings = open_document(TABLE.encode(), "table.yaml", lambda _name: None)
    assert document is not None, findings
    found, findings = resolve(document)
    assert found is not None, findings
    return found


def read(step):
    """Return a step from plain data."""
    root, findings = load(read_source(yaml.safe_dump(step, sort_keys=False).encode(), "step.yaml")[0])
    assert root is not None, findings
    reader = Reader(root, "", short=MacroScope(board=Board(markers=("starter", "boat"), players=2)))
    found = read_step(reader, for_one=not EFFECTS.keys().isdisjoint(step))
    assert reader.findings == []
    return found


def counted(model, verb, case):
    """Return the dry run, and the positions that can follow the case's position."""
    step = read(case["step"])
    run = DryRun(FlowKey(replace(model, round=(*model.round, step)), case.get("players", 2)), COUNTING)
    zones = [
        case.get("before", {}).get(zone.id, [0] * len(own))
        for zone, own in zip(model.zones, run.counts.largest, strict=True)
    ]
    nothing = [0] * run.seats
    start = Position([list(own) for own in zones], [0, -1], nothing[:], nothing[:])
    return run, lambda: run.run_all((step,), [start])


def shown(model, position, zones):
    """Return the card counts of some zones; ``0-1`` where that depends on play."""
    sizes = {zone.id: own for zone, own in zip(model.zones, position.zones, strict=True) if zone.id in zones}
    return {
        zone: [size if isinstance(size, int) else f"{size.low}-{size.high}" for size in own]
        for zone, own in sizes.items()
    }


def distinct(found):
    """Return the distinct values, sorted."""
    return sorted({repr(own) for own in found})


@cases_with("says")
def test_sentences(model, verb, case):
    """Each step has the sentence of its case."""
    assert plain(read(case["step"]).sentence(Labels(model).speech)) == case["says"]


@cases_with("after")
def test_card_counts(model, verb, case):
    """Zones hold the case's card counts after a step, in each way the game can continue."""
    _, count = counted(model, verb, case)
    found = [shown(model, position, set().union(*case["after"])) for position in count()]
    assert distinct(found) == distinct([shown_in_order(model, own) for own in case["after"]])


def shown_in_order(model, sizes):
    """Return card counts in the order of the zones."""
    return {zone.id: sizes[zone.id] for zone in model.zones if zone.id in sizes}


@cases_with("holders")
def test_holders(model, verb, case):
    """Markers have the case's possible holders after a step."""
    run, count = counted(model, verb, case)
    ((marker, holders),) = case["holders"].items()
    assert sorted({own for position in count() for own in position.holders(run.markers[marker])}) == holders


@cases_with("refused")
def test_refusals(model, verb, case):
    """A flow that cannot be played on gives a finding at the step."""
    run, count = counted(model, verb, case)
    with pytest.raises(Exception, match=r"^$"):
        count()
    assert [finding.message for finding in run.findings] == [case["refused"]]


@cases_with("doubted")
def test_doubts(model, verb, case):
    """A flow that might not be playable on is followed again, with a stop at the step."""
    run, count = counted(model, verb, case)
    run.places = defaultdict(int)  # the step is not part of the game
    with pytest.raises(UnprovedError) as doubt:
        count()
    assert doubt.value.stop.finding.message == case["doubted"]


@cases_with("problem")
def test_problems(model, verb, case):
    """Unusable zones of a step give findings with advice."""
    zones, step = {zone.id: zone for zone in model.zones}, read(case["step"])
    (problem,) = step.problems(zones)
    finding = diagnose("zone-misuse", step.span, say=problem.say, zone=problem.zone, verb=verb, **problem.values)
    assert (problem.zone in zones, finding.message, bool(finding.hint)) == (True, case["problem"], True)


@cases_with("says")
def test_the_schema_accepts_them(verb, case):
    """The schema accepts every step of the cases."""
    root = says(TABLE)
    root["round"].append(case["step"])
    tree, _ = load(read_source(yaml.safe_dump(root, sort_keys=False).encode(), "table.yaml")[0])
    assert validate(tree) == ()


def test_every_verb_is_listed():
    """Every class with a verb is in a table of verbs; otherwise it would not be used."""
    for module in pkgutil.iter_modules(draftengine.model.verbs.__path__):
        importlib.import_module(f"draftengine.model.verbs.{module.name}")
    waiting, verbs = [Step], set()
    while waiting:
        waiting += waiting[0].__subclasses__()
        verbs |= {waiting.pop(0).__dict__.get("verb")} - {None}
    assert verbs == VERBS.keys()
