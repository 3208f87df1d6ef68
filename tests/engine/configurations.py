"""Configurations of all card sets of the library, and the selection of them that tests play by day.

`CONFIGURATIONS` has every combination of variants with every number of players, and each option of a reading alone.
`PAIRWISE` has a quarter as many: every two choices that can be combined occur together in at least one of them. Choices
are editions, players, variants and readings, so readings meet the variants that they concern. If a game is always
played with a menu, each menu occurs with one number of players at least, and each number of players with one menu.
`EVERY` has both; `ENTERING` is what a suite plays: by night `EVERY`, by day `PAIRWISE`, but of `ONCE_BY_DAY` only one
number of players.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations as pairs_of
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from compiled import load_program
from conftest import NIGHTLY
from draftengine.model.library import open_set
from draftengine.model.selection import Selection, allowed, combinations, document_json, resolve_tree
from draftengine.model.selection.overlays import allowances_in, default_in
from draftengine.model.shelf import shelf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from draftengine.engine.program import Program
    from draftengine.model.selection import Document

Fact = tuple[str, str]
"""One choice: its subject (card set, players, group of variants, variant or reading), and its value."""


class Configuration(NamedTuple):
    cardset: str
    players: int
    selection: Selection

    def __str__(self) -> str:
        chosen = [*self.selection.variants, *(f"{name}={option}" for name, option in self.selection.readings)]
        return "-".join([self.cardset, f"{self.players}p", *chosen])

    @property
    def program(self) -> Program:
        return _compiled(self)


@cache
def _compiled(configuration: Configuration) -> Program:
    return load_program(document_of(configuration.cardset), configuration.selection, configuration.players)


@cache
def document_of(cardset: str) -> Document:
    """Return the document of a card set of the library, which must be valid."""
    document = open_set(cardset).document
    assert document is not None, f"{cardset} is not valid"
    return document


def named(name: str) -> Configuration:
    """Return the configuration with this name."""
    return next(own for own in EVERY if str(own) == name)


def _bases(cardset: str) -> Iterator[Configuration]:
    """Yield every combination of variants with every number of players, readings at their defaults."""
    document = document_of(cardset)
    fewest, most = document.players
    for players in range(fewest, most + 1):
        for selection in combinations(document, players):
            yield Configuration(cardset, players, selection)


def _all() -> Iterator[Configuration]:
    for cardset in shelf():
        document = document_of(cardset)
        readings = [
            Selection(readings=((reading.id, option.id),))
            for reading in document.readings
            for option in reading.options
            if option.id != reading.default
        ]
        bases = list(_bases(cardset))
        for players in sorted({own.players for own in bases}):
            yield from (own for own in bases if own.players == players)
            for selection in readings:
                if not allowed(document, (), players, selection):
                    yield Configuration(cardset, players, selection)


# ── A quarter of them ────────────────────────────────────────────────────────────────────────────────────────────────


def facts_of(configuration: Configuration) -> tuple[Fact, ...]:
    """Return all choices of a configuration, including defaults."""
    document, chosen = document_of(configuration.cardset), configuration.selection
    facts = {"card set": configuration.cardset, "players": str(configuration.players)}
    dishes = _dishes(configuration.cardset)
    if dishes:
        facts["menu"] = " ".join(own for own in chosen.variants if own in dishes)
    for variant in (own for own in document.variants if own.id not in dishes):
        facts.setdefault(variant.group or variant.id, "")
        if variant.id in chosen.variants:
            facts[variant.group or variant.id] = variant.id
    return *facts.items(), *({own.id: own.default for own in document.readings} | dict(chosen.readings)).items()


@cache
def _dishes(cardset: str) -> frozenset[str]:
    """Return the variants that menus consist of, if the game is always played with a menu."""
    document = document_of(cardset)
    groups = allowances_in(document.root) if default_in(document.root) is not None else {}
    return frozenset(own.id for own in document.variants if own.group in groups)


def pairs_in(facts: Iterable[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Return all ordered pairs of choices that must occur together, except menus with players."""
    return (pair for pair in permutations(facts, 2) if {own for own, _ in pair} != {"players", "menu"})


def _pairwise(cardset: str) -> Iterator[Configuration]:
    """Yield configurations greedily: each combines the most pairs that have not occurred together yet."""
    readings = [[(own.id, option.id) for option in own.options] for own in document_of(cardset).readings]
    bases = {own: facts_of(own)[: -len(readings) or None] for own in _bases(cardset)}
    apart = {pair for facts in bases.values() for pair in pairs_in(facts)}
    others = [own for facts in bases.values() for own in facts]
    for options in readings:
        apart |= {pair for own in options for other in others for pair in ((own, other), (other, own))}
        others += options

    def complete(facts: tuple[Fact, ...], wanted: tuple[Fact, ...] = ()) -> tuple[Fact, ...]:
        for options in readings:
            asked = [own for own in options if own in wanted] or options
            facts = (*facts, max(asked, key=lambda own: sum((own, other) in apart for other in facts)))
        return facts

    while apart:
        base, facts = max(
            ((own, complete(facts)) for own, facts in bases.items()),
            key=lambda own: len(apart.intersection(pairs_of(own[1], 2))),
        )
        if apart.isdisjoint(pairs_in(facts)):  # each of two readings would wait for the other
            wanted = min(apart)
            base = next(own for own, facts in bases.items() if {*wanted} <= {*complete(facts, wanted)})
            facts = complete(bases[base], wanted)
        apart -= {*pairs_in(facts)}
        yield _with_readings(base, facts[len(bases[base]) :])


def _with_readings(base: Configuration, options: tuple[Fact, ...]) -> Configuration:
    """Return the configuration with those of the options that can be played in it."""
    document, chosen = document_of(base.cardset), base.selection
    defaults = {own.id: own.default for own in document.readings}
    for name, option in options:
        more = replace(chosen, readings=(*chosen.readings, (name, option)))
        if option != defaults[name] and not allowed(document, chosen.variants, base.players, more):
            chosen = more
    return base._replace(selection=chosen)


CONFIGURATIONS = tuple(_all())
PAIRWISE = tuple(own for cardset in shelf() for own in _pairwise(cardset))
EVERY = (*CONFIGURATIONS, *(own for own in PAIRWISE if own not in CONFIGURATIONS))
ONCE_BY_DAY = {"six_nimmt": 3, "coloretto": 3, "medieval_academy": 3, "nidavellir": 3, "point_salad": 2}
"""Games that suites play by day with one number of players."""
ENTERING = (
    EVERY if NIGHTLY else tuple(one for one in PAIRWISE if ONCE_BY_DAY.get(one.cardset, one.players) == one.players)
)


# ── Families ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_FLOW = ("setup", "round", "finish", "zones", "extra_seats")


@cache
def _changes_the_flow(cardset: str, variant: str) -> bool:
    """True if the variant changes the flow of the game and not only its scoring."""
    document = document_of(cardset)
    tree, findings = resolve_tree(document, Selection((variant,)))
    assert tree is not None, findings
    base, changed = document_json(document.root), document_json(tree)
    return any(base.get(key) != changed.get(key) for key in _FLOW)


def family_of(configuration: Configuration) -> str:
    """Return the name of a family: the card set and its variants that change the flow."""
    flow = [own for own in configuration.selection.variants if _changes_the_flow(configuration.cardset, own)]
    return "-".join([configuration.cardset, *flow])


FAMILIES: dict[str, list[Configuration]] = {}
for _own in ENTERING:
    FAMILIES.setdefault(family_of(_own), []).append(_own)
"""Configurations of each family. Repetitions for a family are divided among them."""


_SMALLEST: dict[str, Configuration] = {}
"""Configuration of each family with the fewest players, but two only if there is no other."""
for _own in sorted(EVERY, key=lambda own: (own.players < 3, own.players)):
    _SMALLEST.setdefault(family_of(_own), _own)

ONE_OF_EACH = ENTERING if NIGHTLY else tuple(_SMALLEST[own] for own in FAMILIES)
EVEN, ODD = (ONE_OF_EACH if NIGHTLY else ONE_OF_EACH[start::2] for start in (0, 1))
"""The two halves of `ONE_OF_EACH` by day, so that tests of one subject together play every family."""
"""One configuration of each family, by night all, for tests of the flow of games."""


def one_of(family: str, chance: Random) -> Configuration:
    """Return a random configuration of a family by night, by day the one of `ONE_OF_EACH`."""
    return chance.choice(FAMILIES[family]) if NIGHTLY else _SMALLEST[family]


def of_family(configuration: Configuration, often: int) -> int:
    """Return a configuration's share of the `often` repetitions of its family, at least one."""
    family = FAMILIES[family_of(configuration)]
    each, more = divmod(often, len(family))
    return max(1, each + (family.index(configuration) < more))


def share(configuration: Configuration, by_day: int, by_night: int) -> int:
    """Return the number of repetitions: by day a share of those of the family, by night `by_night`."""
    return by_night if NIGHTLY else of_family(configuration, by_day)
