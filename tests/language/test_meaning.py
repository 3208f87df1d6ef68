"""The meaning of formulas: values, types, ranges, and the examples of the functions."""

from __future__ import annotations

import pytest

from draftengine.model.language.bounds import bounds
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.language.check import check
from draftengine.model.language.evaluate import bound, compile_formula, conditions_in, constant_value, references
from draftengine.model.language.macros import Board, MacroScope, Naming, expand
from draftengine.model.language.mistakes import FormulaError
from draftengine.model.language.parse import parse
from draftengine.model.language.tree import Comparison, nodes_in, parts, with_parts
from language.interpreter import Interpreter
from language.world import World, cases, scope

TABLE = {
    "soup": (2, 5, 3),
    "bread": (4, 0, 4),
    "points": (10, -3, 7),
    "round": (2,),
    "android": (1, 0, 0),
    "order": (2, 0, 0),
    "nothing": (5, 0, 0),
    "trueish": (6, 0, 0),
    "max": (8, 0, 0),
    "gained(soup)": (1, 0, 0),
    "holds(trophy)": (1, 0, 0),
    "cards(hand)": (6, 5, 4),
    "cards(deck)": (20,),
    "best_of(cards)": (12, -3, 0),
}
WORDS = MacroScope(
    members={"drink": ("tea", "milk")},
    has={"dish": {"cost": 3}, "soup": {}},
    card="dish",
    board=Board(namings=(Naming("goal", "row"),)),
)
"""Values in a small game for the functions that are expanded."""
WORLD = World(3, {"players": 3, "seats": 3, "rounds": 3, "bonus": 7})


@pytest.mark.parametrize("case", cases("values.yaml"), ids=lambda case: case["formula"])
def test_value(case) -> None:
    """Check the type and value of a formula, also with the plain interpreter."""
    expr = parse(case["formula"])
    checked = check(expr, scope())
    assert checked.mistakes == ()
    assert checked.type == case["type"]
    value = compile_formula(expr, WORLD)(TABLE, 0)
    assert (type(value), value) == (type(case["value"]), case["value"])
    assert Interpreter(WORLD, TABLE).value(expr, 0) == value


@pytest.mark.parametrize("case", cases("values.yaml"), ids=lambda case: case["formula"])
def test_who_hears_of_conditions_changes_nothing(case) -> None:
    """Check that reporting conditions changes no value, and reports those of `conditions_in`."""
    expr, heard = parse(case["formula"]), []
    value = compile_formula(expr, WORLD, tell=lambda part, result: heard.append((part, result)))(TABLE, 0)
    assert value == case["value"]
    conditions = conditions_in(expr)
    places = {(condition.start, condition.end) for condition in conditions}
    compared = {(node.left.start, node.left.end) for node in nodes_in(expr) if isinstance(node, Comparison)}
    assert {(part.start, part.end) for part, _ in heard} <= places | compared
    if case["type"] == "bool":
        assert heard[-1] == (bound(expr, 0), value) or "my(" in case["formula"]


def test_of_a_choice_only_what_is_asked_is_told() -> None:
    """Check that only the evaluated branch reports conditions, also if the number of players decides."""
    expr, heard = parse("(1 if soup > 1 else 2) if players == 3 else (3 if bread > 1 else 4)"), []
    compile_formula(expr, WORLD, tell=lambda own, held: heard.append((own.start, own.end, held)))(TABLE, 0)
    assert [(own.start, own.end) for own in conditions_in(expr)] == [(26, 38), (6, 14), (50, 59)]
    assert [part for part in heard if part[:2] in {(26, 38), (6, 14), (50, 59)}] == [(26, 38, 1), (6, 14, 1)]


@pytest.mark.parametrize("case", cases("ranges.yaml"), ids=lambda case: case["formula"])
def test_range(case) -> None:
    """Check that bounds and cost of a formula are known before play."""
    checked = check(parse(case["formula"]), scope())
    assert checked.mistakes == ()
    assert [checked.low, checked.high] == case["range"]
    assert checked.cost == case["cost"]


class Near:
    """A source of ranges: each name has its value, give or take `slack`."""

    seat_count = player_count = 3

    def __init__(self, slack):
        self.slack = slack

    def range_of(self, function, name, seat):
        if (constant := WORLD.constant(name)) is not None and function == "name":
            return constant, constant
        values = TABLE[name if function == "name" else f"{function}({name})"]
        value = values[seat % len(values)]
        return value - self.slack, value + self.slack


@pytest.mark.parametrize("case", cases("values.yaml"), ids=lambda case: case["formula"])
def test_bounds(case) -> None:
    """Check that a value lies within its bounds, which are exact where all names are known."""
    expr, value = parse(case["formula"]), int(case["value"])
    low, high = bounds(expr, Near(1))
    assert low <= value <= high
    assert bounds(expr, Near(0)) == (value, value) or "of(trophy" in case["formula"]


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=list(BUILTINS))
def test_example_of_function(builtin) -> None:
    """Check that the example of each function uses it and has the documented value."""
    example = builtin.example
    world = World(max(len(values) for _, values in example.given))
    assert f"{builtin.name}(" in example.text
    assert builtin.signature.startswith(f"{builtin.name}(")
    expr = expand(parse(example.text), WORDS)
    assert compile_formula(expr, world)(dict(example.given), 0) == example.value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("place(soup)", (2, 1, 2)),
        ("place(0 - soup)", (1, 3, 1)),
        ("place(soup > 3)", (2, 1, 2)),
        ("1 if alone(soup > 3) else 0", (0, 1, 0)),
        ("alone(soup < 4) + 0", (0, 0, 0)),
        ("place(total(soup))", (1, 1, 1)),
    ],
)
def test_functions_that_compare_a_seat_with_all_others(text, values) -> None:
    """Check that equal seats share a place, and that nobody is alone with what others have, too."""
    compiled = compile_formula(expand(parse(text), WORDS), World(3))
    assert tuple(compiled({"soup": (2, 5, 2)}, seat) for seat in range(3)) == values


@pytest.mark.parametrize(
    "text", ["most(place(soup))", "left(place(soup))", "place(place(soup))", "alone(place(soup) > 1)"]
)
def test_a_place_is_not_asked_at_other_seats(text) -> None:
    """Check that a comparison with all other seats is refused within a function that asks at others."""
    with pytest.raises(FormulaError) as error:
        expand(parse(text), WORDS)
    assert "place" in str(error.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12 - players", 9),
        ("players == 3", True),
        ("total(bonus)", 21),
        ("others_most(-bonus)", -7),
        ("min(bonus, 3) if seats > 2 else 0", 3),
        ("soup", None),
        ("soup * 0", None),
        ("cards(deck)", None),
        ("1 // (players - 3)", None),
        ("unknown(3)", None),
        ("max()", None),
        ("gained(3)", None),
        ("true + 1", None),
    ],
)
def test_constant_value(text, value) -> None:
    """Check that a formula over constants has a value before play, and no other formula does."""
    assert constant_value(parse(text), WORLD) == value


def test_constants_are_computed_beforehand() -> None:
    """Check that constant parts, and branches that they exclude, do not read the state."""
    formula = compile_formula(parse("bonus * players if players == 3 or soup > 1 else soup"), WORLD)
    assert formula({}, 0) == 21


def test_choices_and_logic_take_only_what_they_need() -> None:
    """Check that the unneeded part of a choice or of logic is not evaluated."""
    assert compile_formula(parse("bread if soup > 1 else missing"), WORLD)(TABLE, 0) == 4
    assert compile_formula(parse("soup > 1 or missing > 1"), WORLD)(TABLE, 0) is True
    assert compile_formula(parse("soup > 9 and missing > 1"), WORLD)(TABLE, 0) is False


def test_others_of_a_lone_seat() -> None:
    """Check that functions over other seats are 0 for a lone seat."""
    for function in ("others_most", "others_fewest", "others_total"):
        expr = parse(f"{function}(die)")
        assert compile_formula(expr, World(1))({"die": (4,)}, 0) == 0
        assert check(expr, scope(min_seats=1)).low == 0


def test_references() -> None:
    """Check that the names in a formula are found, with the way each is used."""
    expr = parse("soup + gained(bread) if holds(trophy) else most(cards(hand) - soup) // bonus")
    assert references(expr) == {
        ("name", "soup"),
        ("gained", "bread"),
        ("holds", "trophy"),
        ("cards", "hand"),
        ("name", "bonus"),
    }
    assert check(expr, scope()).names == {"soup", "bread", "trophy", "hand", "bonus"}


def test_a_formula_is_remembered_as_the_object_that_it_is() -> None:
    """Check that results cached for a formula are not found for an equal one: no trees are compared."""
    expr = parse("soup + 1")
    other = with_parts(expr, parts(expr))
    assert other == expr
    assert references(expr) is references(expr)
    assert references(expr) == references(other)
    assert references(expr) is not references(other)
