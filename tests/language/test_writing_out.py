"""Expansion of abbreviations in formulas."""

import pytest
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.language.macros import ANY_CARD, EACH_LYING, Definition, MacroScope, expand
from draftengine.model.language.mistakes import FormulaError
from draftengine.model.language.parse import parse
from draftengine.model.language.tree import Binary, Call, Comparison, Name, Number, Unary, print_formula


def defined(**texts):
    """Return definitions by name; each has the parameters x and y, or none."""
    return {
        name: Definition(("x", "y"), parse(text), bare=False) if "x" in text else Definition((), parse(text), bare=True)
        for name, text in texts.items()
    }


WORDS = MacroScope(
    defined(area="x * y", might="swords + (shields > 1)", box="area(x, y) * x", here="there + 1", there="here + 1")
    | {"open": Definition(("x",), parse("(x and soup > 1) or (not x and not (soup > 1) and bread > 1)"), bare=False)},
    {"goods": ("silk", "metal"), "nothing": ()},
    {"silk": {"silk": 1, "goods": 1, "cost": 3}, "spice": {"cost": -2}},
    "spice",
    ("tableau", "relics"),
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("area(soup, 2) + 1", "soup * 2 + 1"),
        ("box(soup + 1, might)", "(soup + 1) * (swords + (1 if shields > 1 else 0)) * (soup + 1)"),
        ("its(cost) + its(silk)", "-2 + 0"),
        ("over(goods, card)", "top(2, silk, metal)"),
        ("over(goods, card > 0)", "kinds(silk, metal)"),
        ("over(nothing, card)", "0"),
        ("top(1, goods, card + 1)", "top(1, silk + 1, metal + 1)"),
        ("top(1, goods, soup)", "top(1, goods, soup)"),
        ("soup > 1 and bread > 1", "soup > 1 and bread > 1"),
        ("-(soup > 1)", "-(1 if soup > 1 else 0)"),
        ("most(soup > bread) + seats_with(soup > bread)", "most(1 if soup > bread else 0) + seats_with(soup > bread)"),
        ("soup > 1 if bread > 1 else soup < 1", "soup > 1 if bread > 1 else soup < 1"),
        ("soup > 1 if bread > 1 else 4", "(1 if soup > 1 else 0) if bread > 1 else 4"),
        ("open(true)", "soup > 1"),
        ("open(false)", "not (soup > 1) and bread > 1"),
        ("over(goods, relics.card)", "top(2, relics.silk, relics.metal)"),
        ("sum(market, (cost > 1) + soup)", "sum(market, (1 if cost > 1 else 0) + soup)"),
        (
            "over(goods, lowest(market, soup * 2, card))",
            "top(2, lowest(market, soup * 2, silk), lowest(market, soup * 2, metal))",
        ),
        ("total(over(goods, left(card)))", "total(top(2, left(silk), left(metal)))"),
    ],
)
def test_written_out(text, written):
    found = expand(parse(text), WORDS)
    assert found == parse(written), print_formula(found)


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        ("over(goods, its(cost))", "top(2, 3, 0)", "top(2, 3, 0)"),
        ("over(goods, my(its(cost)))", "top(2, -2, -2)", "top(2, its.cost, its.cost)"),
        (
            "over(goods, card * my(its(card)))",
            "top(2, silk * 0, metal * 0)",
            "top(2, silk * its.silk, metal * its.metal)",
        ),
        ("its(silk) and soup > 1", "false", "its.silk > 0 and soup > 1"),
        ("not its(goods) or soup > 1", "true", "not its.goods > 0 or soup > 1"),
        ("3 if its(spice) else 2", "3", "3 if its.spice > 0 else 2"),
        ("2 * its(silk)", "2 * 0", "2 * its.silk"),
        ("others_with(soup > my(its(cost)))", "others_with(soup > my(-2))", "others_with(soup > my(its.cost))"),
    ],
)
def test_what_the_asking_card_has(text, known, unknown):
    """Check values of the asking card: numbers if it is known, names if an action is about it."""
    words = replace(WORDS, has={**WORDS.has, "metal": {"metal": 1}, "spice": {**WORDS.has["spice"], "spice": 1}})
    assert expand(parse(text), words) == parse(known)
    assert expand(parse(text), words.about(ANY_CARD)) == parse(unknown)


def test_what_each_card_of_a_zone_has_inside_over():
    """Check that `my` inside `over` reads the card that a `move` would take."""
    words = replace(WORDS, has={**WORDS.has, "metal": {"metal": 1}}).about(EACH_LYING)
    terms = expand(parse("over(goods, card * my(its(card)))"), words).arguments[1:]
    assert terms == tuple(Binary("*", Name(name), Name(f"*its.{name}")) for name in ("silk", "metal"))


def test_what_the_asking_card_has_among_others():
    """Check that the asking card and the cards of a zone stay distinct, also in nested aggregates."""
    outer = expand(parse("cards(row, its(cost) > my(its(cost)) + sum(heap, my(its(cost)) - its(cost)))"), WORDS)
    (_, compared), words = outer.arguments, WORDS.about(ANY_CARD)
    assert (compared.left, compared.right.left) == (Name("*its.cost"), Unary("-", Number(2)))
    assert compared.right.right.arguments[1] == Binary("-", Unary("-", Number(2)), Name("*its.cost"))
    asked = expand(parse("cards(row, its(cost) == my(its(cost) + bread)) + its(cost)"), words)
    assert asked.left.arguments[1] == Comparison(
        "==", Name("*its.cost"), Call("my", (Binary("+", Name("its.cost"), Name("bread")),))
    )
    assert asked.right == Name("its.cost")


def test_what_is_defined_for_the_cards_of_a_zone():
    """Check that a definition called by name within an aggregate applies to each card."""
    words = MacroScope(defined(alike="its(cost) == my(its(cost))", price="its(cost)", drink="spice"), {}, WORDS.has)
    for short, long in (
        ("cards(row, alike)", "cards(row, its(cost) == my(its(cost)))"),
        ("sum(row, price)", "sum(row, its(cost))"),
        ("cards(row, drink)", "cards(row, spice)"),
    ):
        assert expand(parse(short), words.about(ANY_CARD)) == expand(parse(long), words.about(ANY_CARD))


def test_a_definition_may_be_called_like_what_cards_have():
    """Check that a definition may share the name of a card value, which is read with `its`."""
    words = MacroScope(defined(cost="its(cost) + 1"), {}, WORDS.has)
    assert expand(parse("cost"), words.about(ANY_CARD)) == parse("its.cost + 1")
    assert expand(parse("its(cost) + 1"), words, of="cost") == parse("its(cost) + 1")


def test_a_definition_may_ask_for_a_zone():
    """Check that a zone passed as an argument is used like one written there."""
    both = {"both": Definition(("x", "y"), parse("over(goods, x.card + y.silk)"), bare=False)}
    words = replace(WORDS, defined=both)
    assert expand(parse("both(relics, tableau)"), words) == parse(
        "top(2, relics.silk + tableau.silk, relics.metal + tableau.silk)"
    )
    assert expand(both["both"].expr, words, ("x", "y")) == parse("top(2, x.silk + y.silk, x.metal + y.silk)")
    with pytest.raises(FormulaError, match=r"no “market\.card”"):
        expand(parse("both(market, relics)"), words)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("1 + area(soup)", (4, 14), "takes 2 values, not 1"),
        ("1 + here", (4, 8), "by itself"),
        ("its(price)", (4, 9), "No card has"),
        ("over(goods, hand.card)", (12, 21), "There is no “hand.card”"),
        ("my(its(card))", (7, 11), "No card has a number “card”"),
    ],
)
def test_what_cannot_be_written_out(text, place, said):
    with pytest.raises(FormulaError, match=said) as caught:
        expand(parse(text), WORDS)
    assert (caught.value.start, caught.value.end) == place or said == "by itself"


def test_nothing_grows_without_end():
    """Check that thirty definitions, each twice the one before, do not grow without limit."""
    many = defined(d0="soup", **{f"d{number}": f"d{number - 1} + d{number - 1}" for number in range(1, 31)})
    with pytest.raises(FormulaError, match=str(limits.NODES)):
        expand(parse("d30"), MacroScope(many))
