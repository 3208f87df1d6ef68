"""Evenings at a real table: a game that the engine plays at random, and what its players would enter of it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import draftengine as de
from draftengine.api.errors import SelectionError
from draftengine.api.scenario.score_tables import Round, counters_of, markers_of, positions
from draftengine.model.library.library import shelf

if TYPE_CHECKING:
    from collections.abc import Sequence


class Evening(NamedTuple):
    """A game that was played, and what lay there whenever a round was scored."""

    game: de.Game
    rounds: list[Round]
    """With all that no table shows, but without chips."""
    after: list[tuple[int, ...]]
    """The points after each round but the last, without chips."""
    chips: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def evening(seed: int, name: str = "") -> Evening:
    """Return a random evening: a set of the shelf with some of its variants, for some players."""
    chance = Random(seed)
    while True:
        rules = de.open_rules(name or chance.choice(sorted(shelf())))
        variants = [variant.id for variant in rules.model.variants]
        wanted = chance.sample(variants, min(len(variants), chance.randrange(3)))
        try:
            game = de.load(rules.model.id, players=chance.randint(*rules.players), variants=wanted)
        except SelectionError:
            continue  # such variants are not played together
        return played(game, seed)


def played(game: de.Game, seed: int) -> Evening:
    """Play a game at random."""
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
    """Return what players enter of a table: its cards, and beside them what cards do not show."""
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
    """Return the cards of a table that were not there before."""
    left = Counter(there)
    new = []
    for name in table:
        if left[name]:
            left[name] -= 1
        else:
            new.append(name)
    return new
