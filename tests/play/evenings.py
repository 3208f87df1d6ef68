"""Evenings at a real table: a game played at random by the engine, and what its players would enter."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import draftengine as de
from draftengine.api.errors import SelectionError
from draftengine.api.scenario.missing import Round
from draftengine.api.scenario.score_tables import counters_of, markers_of, positions
from draftengine.model.shelf import shelf

if TYPE_CHECKING:
    from collections.abc import Sequence


class Evening(NamedTuple):
    """A finished game, and what lay on the table whenever a round was scored."""

    game: de.Game
    rounds: list[Round]
    """The rounds as entered, including what cards do not show, but without chips."""
    after: list[tuple[int, ...]]
    """The points after each round but the last, without chips."""
    chips: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def evening(seed: int, name: str = "") -> Evening:
    """Return a random evening: a shipped card set with up to two variants and a random number of players."""
    chance = Random(seed)
    while True:
        rules = de.open_rules(name or chance.choice(sorted(shelf())))
        variants = [variant.id for variant in rules.model.variants]
        wanted = chance.sample(variants, min(len(variants), chance.randrange(3)))
        try:
            game = de.load(rules.model.id, players=chance.randint(*rules.players), variants=wanted)
        except SelectionError:
            continue  # these variants exclude each other
        if game.deciding_zones or any(counter.track for counter in game.model.counters):
            continue  # no sheet can score it, or none that has the order of arrival
        return played(game, seed)


def played(game: de.Game, seed: int) -> Evening:
    """Play a game at random; return it as an evening."""
    chance, state = Random(seed), game.start(seed)
    rounds, after = [], [(0,) * game.seats]
    while not state.over:
        seat = state.waiting[0]
        move = chance.choice(state.view(seat).moves)
        then = state.commit(seat, move)
        if any(event.kind in {"points", "awarded"} and event.text for event in then.events):
            rounds.append(_entered(state.before_scoring(seat, move), rounds, after[-1]))
            after.append(then.points)
        state = then
    chips = tuple(score - points for score, points in zip(state.result.scores, state.points, strict=True))
    return Evening(game, rounds, after[1:-1], chips, state.result.scores, state.result.winners)


def _entered(lying: de.State, rounds: Sequence[Round], before: Sequence[int]) -> Round:
    """Return what players enter for a round: its new cards, counters, markers and points."""
    game, position = lying.game, lying.position
    *_, stays = positions(game, [*rounds, Round(((),) * game.seats)])
    names, zones = position.program.play_names, [at for at, zone in enumerate(position.program.zones) if zone.counts]
    tables = [[names[play] for zone in zones for play in position.zones[zone][seat]] for seat in range(game.seats)]
    counters = {name: tuple(values[name] for values in lying.counters) for name in counters_of(game)}
    markers = {name: holder for name, holder in lying.view(-1).markers.items() if name in markers_of(game)}
    markers |= {name: None for name, holder in markers.items() if holder < 0}
    points = tuple(now - then for now, then in zip(lying.points, before, strict=True))
    new = tuple(tuple(_without(table, there)) for table, there in zip(tables, stays.tables, strict=True))
    return Round(new, markers, counters, points if any(points) else ())


def _without(table: list[str], there: Sequence[str]) -> list[str]:
    """Return the cards of a table without those that were there before."""
    left = Counter(there)
    new = []
    for name in table:
        if left[name]:
            left[name] -= 1
        else:
            new.append(name)
    return new
