"""Checks of step lists: who chooses in them, and whether they come to an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.facts import steps_of
from draftengine.model.cardset.records import DISCARD
from draftengine.model.cardset.step_lists import later_lists, waits
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.records.record import formulas_in, referenced_names
from draftengine.model.verbs.actions import about_the_card, by_itself
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DrawStep
from draftengine.model.verbs.effects import DiscardStep
from draftengine.model.verbs.piles import MoveStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.model.cardset.records import Card, CardSet, Zone
    from draftengine.model.cardset.step_lists import DeferredSteps
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.verbs.verb import Step


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield steps for other seats in a list of one seat, lists that nobody carries out, and endless lists."""
    lists = later_lists(model)
    cards = [later for later in lists if later.cause == "card"]
    for path, step in steps_of(model):
        for key in ("who", "also") if step.for_one else ():
            if getattr(step, key, None):
                yield diagnose(
                    "misplaced-step", word_in(step.span, key), f"{path}/{key}", say="one-seat", verb=step.verb, key=key
                )
        if cards and isinstance(step, ChooseStep) and step.also:
            yield diagnose("misplaced-step", step.span, f"{path}/also", say="extra-seat", card=cards[0].id)
    yield from _misplaced(lists, extra=bool(model.extra_seats))
    if lists:
        yield from _circles(model)


def _misplaced(lists: tuple[DeferredSteps, ...], *, extra: bool) -> Iterator[Diagnostic]:
    """Yield triggers whose lists extra seats would carry out, and steps about a card no longer known."""
    for later in lists:
        if extra and later.cause == "trigger":
            yield diagnose("misplaced-step", later.span, f"/triggers/{later.id}/do", say="trigger", trigger=later.id)
        for step in later.steps if later.cause == "way" else ():
            for formula, *_ in formulas_in(by_itself(step), ""):
                if name := about_the_card(formula.expr):
                    yield diagnose("misplaced-step", formula.span, say="card-forgotten", way=later.id, name=name)


def _circles(model: CardSet) -> Iterator[Diagnostic]:
    """Yield the steps in lists of cards that can play a card with a list again and again."""
    zones = {zone.id: zone for zone in model.zones}
    listed = [pair for card in model.cards for pair in _listed(f"/cards/{card.id}/on_play", card.on_play)]
    moves = [way for _, step in listed for way in _moves_of(step)]
    waiting = {card.id for card in model.cards if waits(card.on_play)}
    starting = [card for card in model.cards if waiting & {card.id, *(card.forms.of if card.forms else ())}]
    for path, step in listed:
        target = next((way.target for way in _moves_of(step) if _comes_back(way, moves, starting, zones)), None)
        if target is not None and isinstance(step, ChooseStep | MoveStep):
            zone = step.from_
            yield diagnose("endless-turns", word_in(step.span, zone), path, zone=zone, other=target)


def _comes_back(
    played: _CardMove, moves: Sequence[_CardMove], starting: Sequence[Card], zones: Mapping[str, Zone]
) -> bool:
    """True if a move can play a card that starts a list and can return to the move's source."""
    source, target = zones[played.source], zones[played.target]
    if not played.plays or source.counts or not target.counts:
        return False
    return any(
        played.source in _reached(played.target, {(way.source, way.target) for way in moves if way.admits(card)})
        for card in starting
        if played.admits(card)
    )


class _CardMove(Struct, frozen=True):
    """A move of certain cards from one zone to another."""

    source: str
    target: str
    of: tuple[str, ...] = ()
    """Cards or families that move; empty = all."""
    plays: bool = True

    def admits(self, card: Card) -> bool:
        """True if a card can move that way, in any of its forms."""
        names = {card.id, *card.family, *(card.forms.of if card.forms else ())}
        return not self.of or card.forms is not None or not names.isdisjoint(self.of)


def _listed(path: str, steps: tuple[Step, ...]) -> Iterator[tuple[str, Step]]:
    """Yield the steps of a list with their path, those of its branches included."""
    for step in steps:
        yield path, step
        for _, branch in step.branches:
            yield from _listed(path, branch)


def _moves_of(step: Step) -> Iterator[_CardMove]:
    """Yield the moves of cards that a step can make."""
    if isinstance(step, DiscardStep):
        yield _CardMove("tableau", DISCARD, step.of, plays=False)
    elif isinstance(step, ChooseStep):
        for way in step.as_:
            yield _CardMove(step.from_, way.to or step.to, way.of)
        if not step.as_:
            yield _CardMove(step.from_, step.to, step.of)
    else:
        plays = isinstance(step, MoveStep) and step.played
        of = step.of if isinstance(step, DrawStep) else ()
        for source in referenced_names(step, "zone", "from"):
            for target in referenced_names(step, "zone", "to"):
                yield _CardMove(source, target, of, plays)


def _reached(zone: str, ways: set[tuple[str, str]]) -> set[str]:
    """Return the zones that cards from `zone` can reach, itself included."""
    reached = {zone}
    while True:
        more = {target for source, target in ways if source in reached} - reached
        if not more:
            return reached
        reached |= more
