"""Rule kinds: cases from the YAML files of this folder, properties, and the schema."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import draftengine.model.rules
from draftengine import load
from draftengine.model.diagnostics import diagnose
from draftengine.model.records.reader import Reader
from draftengine.model.rules import COMMON_KEYS, RULE_KINDS, schema_definitions
from draftengine.model.rules.kind import OneSeatKind, RankedKind, UnusableNumberError
from draftengine.model.rules.majority import in_units
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence
from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import in_print, plain
from draftengine.support.source import Source, Span
from written import cases_in

if TYPE_CHECKING:
    from draftengine.api.phrasing import CardSetPhraser

HERE = Path(__file__).parent
SPAN = Span(Source("case", ""), 0, 0)
FEWEST_CASES = 8


# ── helpers ──


def tree(value: Any) -> Node:
    """Return plain data as a tree without places."""
    if isinstance(value, dict):
        return Mapping(tuple(Entry(Key(name, SPAN), tree(item)) for name, item in value.items()), SPAN)
    if isinstance(value, list):
        return Sequence(tuple(tree(item) for item in value), SPAN)
    return Scalar(value, SPAN)


def spec_of(kind: str, rule: dict[str, Any]) -> Any:
    """Return the rule as its kind reads it."""
    node = tree(rule)
    assert isinstance(node, Mapping)
    reader = Reader(node, "/scoring/case")
    spec = RULE_KINDS[kind].read(reader)
    assert reader.findings == []
    return spec


def numbers_of(kind: str, rule: dict[str, Any], facts: dict[str, int] | None = None) -> Any:
    """Return the numbers of a rule; `facts` holds the values of formulas that are not plain numbers."""
    known = {"true": 1, "false": 0, **(facts or {})}
    spec = spec_of(kind, rule)
    constants = {formula.text for formula in RULE_KINDS[kind].constants(spec)}

    def constant(formula: Any) -> int:
        assert formula.text in constants
        return known[formula.text] if formula.text in known else int(formula.text)

    return RULE_KINDS[kind].resolve(spec, constant)


@lru_cache
def speech() -> CardSetPhraser:
    """Return the phraser of the card set that the cases are about."""
    return load(str(HERE / "told" / "cardset.yaml"), 3).labels.speech


def one_seat(kind: str) -> type[OneSeatKind[Any]]:
    """Return a rule kind that scores each seat by itself."""
    found = RULE_KINDS[kind]
    assert issubclass(found, OneSeatKind)
    return found


def ranked() -> type[RankedKind[Any]]:
    """Return the rule kind that compares seats."""
    found = RULE_KINDS["majority"]
    assert issubclass(found, RankedKind)
    return found


def totals(rule: dict[str, Any], measures: list[int], facts: dict[str, int] | None = None) -> list[int]:
    """Return the points of every seat from a ranking."""
    awards = ranked().rank(numbers_of("majority", rule, facts), measures)
    return [sum(award.points for award in seat) for seat in awards]


def cases(kind: str) -> list[dict[str, Any]]:
    """Return the cases of one file."""
    loaded: list[dict[str, Any]] = cases_in(HERE / f"{kind}.yaml")
    return loaded


def params(*kinds: str) -> list[Any]:
    """Return the cases of some kinds as test parameters."""
    return [pytest.param(kind, case, id=f"{kind}: {case['name']}") for kind in kinds for case in cases(kind)]


ONE_SEAT = [name for name, kind in RULE_KINDS.items() if issubclass(kind, OneSeatKind)]
RANKED = [name for name, kind in RULE_KINDS.items() if issubclass(kind, RankedKind)]


# ── cases ──


@pytest.mark.parametrize(("kind", "case"), [param for param in params(*ONE_SEAT) if "scores" in param.values[1]])
def test_scores_and_explanations(kind: str, case: dict[str, Any]) -> None:
    """Each line of a case gives its points and, where written, its explanation and its example text.

    Formulas have no example text, because the points alone say as much; nor have cards that are worth one point.
    """
    rule = one_seat(kind)
    numbers = numbers_of(kind, case["rule"], case.get("given"))
    for line in case["scores"]:
        values = line["of"] if isinstance(line["of"], list) else [line["of"]]
        assert rule.score(numbers, values) == line["points"], line
        explained = rule.explain(numbers, values, line["points"]).within(spoken("en"))
        assert explained == line.get("explain", explained)
        told = rule.example_text(numbers, values, line["points"], speech())
        assert told == line.get("told", told)
        assert (told == "") == (kind == "formula" or (kind == "each" and numbers.points == 1))


@pytest.mark.parametrize(("kind", "case"), [param for param in params(*RANKED) if "measures" in param.values[1]])
def test_rankings_and_explanations(kind: str, case: dict[str, Any]) -> None:
    """Each seat of a case gets its points and, where written, its explanation and its progress."""
    assert kind == "majority"
    rule = ranked()
    numbers = numbers_of(kind, case["rule"], case.get("given"))
    awards = rule.rank(numbers, case["measures"])
    assert [sum(award.points for award in seat) for seat in awards] == case["points"]
    explained = [
        rule.explain(numbers, measure, seat).within(spoken("en"))
        for measure, seat in zip(case["measures"], awards, strict=True)
    ]
    assert explained == case.get("explain", explained)
    so_far = [rule.progress(numbers, measure, seat) for measure, seat in zip(case["measures"], awards, strict=True)]
    assert [own.have for own in so_far] == case["measures"]
    told = [own.text for own in so_far]
    assert told == case.get("progress", told)


@pytest.mark.parametrize(("kind", "case"), [param for param in params(*RULE_KINDS) if "unusable" in param.values[1]])
def test_numbers_that_cannot_be_used_are_refused(kind: str, case: dict[str, Any]) -> None:
    """An unusable constant is refused with a message and the formula at fault."""
    with pytest.raises(UnusableNumberError) as caught:
        numbers_of(kind, case["rule"], case.get("given"))
    wrong = caught.value
    finding = diagnose("unusable-number", wrong.formula.span, say=wrong.say, number=wrong.number)
    assert finding.message == case["unusable"]


@pytest.mark.parametrize(("kind", "case"), [param for param in params(*RULE_KINDS) if "sentence" in param.values[1]])
def test_rulebook_sentences(kind: str, case: dict[str, Any]) -> None:
    """Each case has its sentence in the rulebook."""
    given = case.get("given", {})
    facts = {"players": 3, "seats": 3, "2 * players": 6, "6 - players": 3, "-6 if seats > 2 else 0": -6, **given}
    numbers = numbers_of(kind, case["rule"], {"-3 if players == 2 else -6": -6, "players == 2": 0, "bonus": 5, **facts})
    said = RULE_KINDS[kind].sentence(spec_of(kind, case["rule"]), numbers, speech())
    assert plain(said) == case["sentence"].strip()


RUN = {"runs": ["p1", "p2", "p3"], "points": [1, 4, 8]}


@pytest.mark.parametrize(
    ("kind", "rule", "counts", "cells", "copies", "examples"),
    [
        ("each", {"each": "soup", "points": 2}, "each", ["2"], 1, [(2,), (3,)]),
        ("set", {"set": "soup", "size": 3, "points": 5}, "set of 3", ["5"], 3, [(4,), (2,)]),
        ("collection", {"collection": ["soup", "bread"], "points": 7}, "one of each", ["7"], 0, []),
        ("table", {"table": "soup", "points": [1, 3]}, "1, 2 or more", ["1 1", "2+ 3"], 0, [(3,), (2,)]),
        ("runs", RUN, "run of 1, 2, 3", ["1 1", "2 4", "3 8"], 0, [(1, 1, 0)]),
        ("majority", {"majority": "soup", "most": [6, 3]}, "most, second", ["most 6", "second 3"], 0, [(5, 3, 2, 3)]),
        ("majority", {"majority": "soup", "most": [6], "tie": "next"}, "most", ["most 6"], 0, [(2, 2, 1, 0)]),
        ("majority", {"majority": "soup", "fewest": [-6]}, "fewest", ["fewest −6"], 0, [(4, 3, 1, 1)]),
        ("majority", {"majority": "soup", "most": [6], "fewest": [2]}, "", ["most 6", "fewest 2"], 0, [(4, 3, 0, 0)]),
    ],
)
def test_quick_references(
    kind: str, rule: dict[str, Any], counts: str, cells: list[str], copies: int, examples: list[tuple[int, ...]]
) -> None:
    """A quick reference says what counts and what each step brings; examples show the rule at work."""
    numbers = numbers_of(kind, rule)
    quick = spec_of(kind, rule).quick_reference(numbers, speech())
    assert quick.counts.startswith(counts)
    assert [" ".join(filter(None, cell)) for cell in quick.cells] == cells
    assert quick.copies == copies
    assert [*numbers.example_values()] == examples


@pytest.mark.parametrize(
    ("kind", "rule", "values", "whole", "brief"),
    [
        ("set", {"set": "soup", "size": 3, "points": 5}, [0], "0/3", ""),
        ("set", {"set": "soup", "size": 3, "points": 5}, [3], "3/3", "3/3"),
        ("set", {"set": "soup", "size": 3, "points": 5}, [4], "1/3", "1/3"),
        ("runs", RUN, [0, 0, 0], "0", ""),
        ("runs", RUN, [1, 1, 0], "run of 2", "run of 2"),
        ("runs", RUN, [2, 1, 0], "runs of 2 and 1", "runs of 2 and 1"),
    ],
)
def test_progress(kind: str, rule: dict[str, Any], values: list[int], whole: str, brief: str) -> None:
    """The progress of a seat says what it still collects: the set or the runs."""
    progress = numbers_of(kind, rule).progress(values)
    assert (progress.text, progress.brief(spoken("en"))) == (whole, brief)


def test_progress_in_places() -> None:
    """A place has a name in full, and a short one for narrow columns; shared places say so."""
    rule = numbers_of("majority", {"majority": "soup", "most": [6, 3, 1, 1]})
    measures = [5, 4, 4, 1]
    so_far = [rule.progress(measure, seat) for measure, seat in zip(measures, rule.rank(measures), strict=True)]
    assert [progress.text for progress in so_far] == [
        "5 · most",
        "4 · second most (shared)",
        "4 · second most (shared)",
        "1 · fourth most",
    ]
    assert [progress.short(spoken("en")) for progress in so_far] == ["most", "2nd=", "2nd=", "4th"]


@pytest.mark.parametrize(
    ("usual", "other", "sentence"),
    [
        ({"most": [6], "fewest": [-6]}, {"most": [6]}, "With 2 players nobody loses points."),
        ({"most": [6], "fewest": [3, 0]}, {"most": [6]}, "With 2 players nobody scores for the fewest."),
        (
            {"most": [6], "fewest": [3]},
            {"most": [5]},
            "With 2 players: the player with the most soups scores 5 points.",
        ),
        ({"most": [6, 3]}, {"most": [6]}, "With 2 players: the player with the most soups scores 6 points."),
        (
            {"most": [6]},
            {"most": [6], "nobody_if_all_equal": True},
            "With 2 players: if all have the same number, nobody scores.",
        ),
        ({"most": [6]}, {"most": [4], "nobody_if_all_equal": True}, None),
        ({"most": [6]}, {"most": [6], "tie": "full"}, None),
    ],
)
def test_what_differs_with_other_numbers_of_players(
    usual: dict[str, Any], other: dict[str, Any], sentence: str | None
) -> None:
    """A short sentence says what differs; without one, the whole rule is needed."""
    numbers, others = (numbers_of("majority", {"majority": "soup", **rule}) for rule in (usual, other))
    differs = spec_of("majority", {"majority": "soup", **usual}).exception_sentence(
        numbers, others, speech(), "With 2 players"
    )
    assert (differs and plain(differs)) == sentence


@pytest.mark.parametrize(
    ("rule", "measures", "expected"),
    [
        ({"most": [6, 3]}, [5, 3, 2, 3], ["5, the most", "3, second, 3 ÷ 2", "2, no place", "3, second, 3 ÷ 2"]),
        ({"most": [6, 3], "tie": "full"}, [5, 3, 2, 3], ["5, the most", "3, second", "2, no place", "3, second"]),
        ({"most": [6], "fewest": [-2]}, [5, 3, 1, 0], ["5, the most", "3, no place", "1, no place", "0, the fewest"]),
    ],
)
def test_examples_of_rankings(rule: dict[str, Any], measures: list[int], expected: list[str]) -> None:
    """The example of a ranking names each seat's place, and its share of a split place."""
    majority = cast("Any", numbers_of("majority", {"majority": "soup", **rule}))
    awards = majority.rank(measures)
    texts = [majority.example_text(*seat, speech()) for seat in zip(measures, awards, strict=True)]
    assert list(map(plain, texts)) == expected


@pytest.mark.parametrize("kind", RULE_KINDS)
def test_every_kind_has_cases(kind: str) -> None:
    """Every kind has enough cases, with distinct names and known keys only."""
    known = {"name", "source", "rule", "given", "scores", "measures", "points", "explain", "progress", "sentence"}
    known |= {"unusable"}
    found = cases(kind)
    assert len(found) >= FEWEST_CASES
    assert [case["name"] for case in found if set(case) - known] == []
    assert [name for name, times in Counter(case["name"] for case in found).items() if times > 1] == []


def test_every_module_with_a_kind_is_listed() -> None:
    """Every module that defines a kind is in the table of kinds; otherwise it would be dead code."""
    for info in pkgutil.iter_modules(draftengine.model.rules.__path__):
        importlib.import_module(f"draftengine.model.rules.{info.name}")
    defined = {kind.name for base in (OneSeatKind, RankedKind) for kind in base.__subclasses__()}
    assert defined == set(RULE_KINDS)
    assert {path.stem for path in HERE.glob("*.yaml")} == set(RULE_KINDS)


# ── properties ──

measures_ = st.lists(st.integers(-2, 6), min_size=2, max_size=6)
places_ = st.lists(st.integers(-9, 9), min_size=1, max_size=4)
majorities = st.fixed_dictionaries(
    {"majority": st.just("soup"), "most": places_, "fewest": places_},
    optional={
        "tie": st.sampled_from(["split", "full", "nobody", "next"]),
        "tie_takes_places": st.booleans(),
        "at_least": st.integers(-3, 3),
        "nobody_if_all_equal": st.booleans(),
    },
)


@given(rule=majorities, measures=measures_, data=st.data())
def test_permuting_seats_permutes_awards(rule: dict[str, Any], measures: list[int], data: st.DataObject) -> None:
    """Permuting the seats permutes their awards."""
    order = data.draw(st.permutations(range(len(measures))))
    numbers = numbers_of("majority", rule)
    awards = ranked().rank(numbers, measures)
    assert ranked().rank(numbers, [measures[seat] for seat in order]) == [awards[seat] for seat in order]


@given(rule=majorities.filter(lambda rule: rule.get("tie", "split") != "full"), measures=measures_)
def test_no_place_pays_more_than_it_is_worth(rule: dict[str, Any], measures: list[int]) -> None:
    """The shares of a place never exceed its prize, and lose less than one point for each seat."""
    paid: Counter[tuple[str, int]] = Counter()
    prizes: dict[tuple[str, int], tuple[int, int]] = {}
    for seat in ranked().rank(numbers_of("majority", rule), measures):
        for award in seat:
            paid[award.order, award.place] += award.points
            prizes[award.order, award.place] = (award.prize, award.shared_by)
    for place, (prize, seats) in prizes.items():
        assert 0 <= abs(prize) - abs(paid[place]) < seats
        assert paid[place] * prize >= 0


@given(rule=majorities, measures=measures_)
def test_awards_go_to_equal_seats_in_full(rule: dict[str, Any], measures: list[int]) -> None:
    """Seats with equal numbers have equal awards, and `shared_by` is the number of these seats."""
    awards = ranked().rank(numbers_of("majority", rule), measures)
    by_number = dict(zip(measures, awards, strict=True))
    assert awards == [by_number[measure] for measure in measures]
    for seat, measure in zip(awards, measures, strict=True):
        assert all(award.shared_by == measures.count(measure) for award in seat)


@given(prizes=places_, measures=measures_)
def test_fewest_mirrors_most(prizes: list[int], measures: list[int]) -> None:
    """Ranking by fewest equals ranking the negated numbers by most."""
    low = totals({"majority": "soup", "fewest": prizes, "at_least": -9}, measures)
    assert low == totals({"majority": "soup", "most": prizes, "at_least": -9}, [-measure for measure in measures])


@given(prizes=places_, measures=st.lists(st.integers(0, 9), min_size=2, max_size=6, unique=True))
def test_without_ties_the_tie_rule_does_not_matter(prizes: list[int], measures: list[int]) -> None:
    """Without ties, the keys about ties change nothing."""
    rules = [
        {"majority": "soup", "most": prizes, "tie": tie, "tie_takes_places": takes}
        for tie in ("split", "full", "nobody", "next")
        for takes in (True, False)
    ]
    assert len({tuple(totals(rule, measures)) for rule in rules}) == 1


def brute_force(points: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, int]:
    """Return the best score of all divisions into runs, and the fewest runs that give it."""

    @lru_cache(None)
    def best(left: tuple[int, ...]) -> tuple[int, int]:
        first = next((place for place, count in enumerate(left) if count), None)
        if first is None:
            return 0, 0
        found, rest = [], list(left)
        for length, value in enumerate(points[: len(left) - first], start=1):
            if not rest[first + length - 1]:
                break
            rest[first + length - 1] -= 1
            further, runs = best(tuple(rest))
            found.append((value + further, runs - 1))
        return max(found)

    value, runs = best(counts)
    return value, -runs


@given(
    points=st.lists(st.integers(-5, 30) | st.integers(0, 3), min_size=1, max_size=7).map(tuple),
    counts=st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple),
)
def test_runs_are_divided_as_well_as_possible(points: tuple[int, ...], counts: tuple[int, ...]) -> None:
    """The division into runs has the best score and, of equal ones, the fewest runs."""
    numbers = numbers_of("runs", {"runs": [f"p{place}" for place in range(len(counts))], "points": list(points)})
    assert (one_seat("runs").score(numbers, counts), len(numbers.best_lengths(counts))) == brute_force(points, counts)


@given(points=st.lists(st.integers(0, 30), min_size=1, max_size=6).map(sorted), count=st.integers(0, 20))
def test_a_rising_table_never_falls(points: list[int], count: int) -> None:
    """If the table rises, one more never scores less, with `last` and with `repeat`."""
    for beyond in ("last", "repeat"):
        numbers = numbers_of("table", {"table": "soup", "points": points, "beyond": beyond})
        score = one_seat("table").score
        assert score(numbers, [count]) <= score(numbers, [count + 1])


@given(size=st.integers(1, 6), points=st.integers(-9, 9), count=st.integers(-3, 40))
def test_a_set_is_a_collection_of_equal_shares(size: int, points: int, count: int) -> None:
    """Dealing the cards of a set rule to `size` piles gives a collection with as many complete sets."""
    piles = [(max(0, count) + offset) // size for offset in range(size)]
    whole = numbers_of("set", {"set": "soup", "size": size, "points": points})
    apart = numbers_of("collection", {"collection": [f"p{pile}" for pile in range(size)], "points": points})
    assert one_seat("set").score(whole, [count]) == one_seat("collection").score(apart, piles)


@pytest.mark.parametrize(
    ("measure", "unit", "shown"),
    [
        (5, 1, "5"),
        (5, 2, "2½"),
        (4, 2, "2"),
        (0, 2, "0"),
        (-1, 2, "-½"),
        (5, 3, "1⅔"),
        (5, 7, "5/7"),
        (2469135, 10, "246913½"),
    ],
)
def test_a_measure_is_shown_in_units(measure: int, unit: int, shown: str) -> None:
    """Fractions are shown exactly, and as one sign if there is one."""
    assert in_units(measure, unit) == shown
    assert in_print(in_units(measure, unit)) == shown.replace("-", "−")


# ── schema ──


@lru_cache
def validator() -> Draft202012Validator:
    """Return a validator for rules, after checking that its schema is valid."""
    schema = {"$ref": "#/$defs/rule", "$defs": schema_definitions({"at": {"type": "string"}})}
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def schema_findings(rule: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the places and messages of what the schema rejects."""
    return [(error.json_path, error.message) for error in validator().iter_errors(rule)]


@pytest.mark.parametrize(("kind", "case"), params(*RULE_KINDS))
def test_the_schema_accepts_every_case(kind: str, case: dict[str, Any]) -> None:
    """The schema accepts every rule of the cases, together with all common keys."""
    assert schema_findings({"at": "round", "label": "A", "when": "soup", "source": "X", **case["rule"]}) == []


@pytest.mark.parametrize("kind", RULE_KINDS)
def test_the_examples_in_the_schema_are_valid(kind: str) -> None:
    """Every key has a description, and its examples and default are valid."""
    for key, schema in RULE_KINDS[kind].properties.items():
        assert key not in COMMON_KEYS
        assert schema["title"]
        assert schema["description"]
        for example in [*schema["examples"], *([schema["default"]] if "default" in schema else [])]:
            Draft202012Validator(schema).validate(example)
    assert set(RULE_KINDS[kind].required) <= set(RULE_KINDS[kind].properties)
    assert set(RULE_KINDS[kind].one_of) <= set(RULE_KINDS[kind].properties)


@pytest.mark.parametrize(
    ("rule", "findings"),
    [
        ({"label": "Soup"}, [("$", "'points' is a required property")]),
        ({"set": "soup", "points": 5}, [("$", "'size' is a required property")]),
        ({"set": "soup", "size": 0, "points": 5}, [("$.size", "0 is less than the minimum of 1")]),
        ({"each": "soup", "points": 1.5}, [("$.points", "1.5 is not of type 'integer', 'string'")]),
        ({"majority": "soup"}, [("$", "'most' is a required property")]),
        (
            {"each": "soup", "points": 1, "size": 2},
            [("$", "Additional properties are not allowed ('size' was unexpected)")],
        ),
    ],
)
def test_a_mistake_is_found_at_its_key(rule: dict[str, Any], findings: list[tuple[str, str]]) -> None:
    """One mistake gives one finding, at the place of the mistake."""
    assert schema_findings(rule) == findings


def test_the_definitions_are_the_callers_own() -> None:
    """Changing the returned schema does not change the kinds."""
    schema_definitions()["rule_set"]["properties"]["size"]["title"] = "changed"
    assert schema_definitions()["rule_set"]["properties"]["size"]["title"] == "Size"
