"""Lists of one seat: who chooses in them, and whether they come to an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import steps_of
from draftengine.model.cardset.records import DISCARD
from draftengine.model.cardset.step_lists import later_lists
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.model.records.record import formulas_in, referenced_names
from draftengine.model.verbs import choose, discard, move
from draftengine.model.verbs.actions import about_the_card, by_itself

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet, Zone
    from draftengine.model.cardset.step_lists import DeferredSteps
    from draftengine.model.verbs.verb import Step


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Steps for others in a list of one seat, lists that nobody carries out, and lists without an end."""
    lists = later_lists(model)
    cards = [later for later in lists if later.cause == "card"]
    for path, step in steps_of(model):
        for key in ("who", "also") if step.for_one else ():
            if getattr(step, key, None):
                message = f"In a list this {step.verb} is for the seat that carries the list out, and for nobody else."
                hint = f"Leave out “{key}”, or let the step stand in the flow."
                yield Diagnostic("misplaced-step", "error", message, word_in(step.span, key), f"{path}/{key}", hint)
        if cards and isinstance(step, choose.ChooseStep) and step.also:
            message = f"An extra seat may get “{cards[0].id}”, whose list asks somebody to act, and nobody sits there."
            hint = "Leave out “also”, or let the card do only what needs no choice and no cards."
            yield Diagnostic("misplaced-step", "error", message, step.span, f"{path}/also", hint)
    for later in lists if model.extra_seats else ():
        if later.cause == "trigger":
            message = f"The trigger {later.id} may be for an extra seat, and nobody sits there who could act."
            hint = "Let it do only what needs no choice and no cards, and a step of the flow the rest."
            yield Diagnostic("misplaced-step", "error", message, later.span, f"/triggers/{later.id}/do", hint)
    yield from _about_a_card(lists)
    if lists:
        yield from _circles(model)


def _about_a_card(lists: tuple[DeferredSteps, ...]) -> Iterator[Diagnostic]:
    """What waits of a way is no longer about the card that went it."""
    for later in lists:
        for step in later.steps if later.cause == "way" else ():
            for formula, *_ in formulas_in(by_itself(step), ""):
                if name := about_the_card(formula.expr):
                    message = f"When this step comes, nobody knows any more which card went the way {later.id}."
                    hint = f"Keep its({name}) in a counter by an effect at the beginning of the list."
                    yield Diagnostic("misplaced-step", "error", message, formula.span, "", hint)


def _circles(model: CardSet) -> Iterator[Diagnostic]:
    """Choices of lists that play cards which lists bring back to where they are played from."""
    zones = {zone.id: zone for zone in model.zones}
    listed = [pair for card in model.cards for pair in _listed(f"/cards/{card.id}/on_play", card.on_play)]
    ways = {way for _, step in listed for way in _ways_of(step)}
    for path, step in listed:
        if isinstance(step, choose.ChooseStep | move.MoveStep):
            for target in _played_into(step, zones):
                if step.from_ in _reached(target, ways):
                    message = (
                        f"The list may never end: the cards that it plays can come back to {step.from_} by such lists, "
                        "and are played again."
                    )
                    hint = f"Let no list bring cards from {target} back to {step.from_}."
                    yield Diagnostic("endless-turns", "error", message, word_in(step.span, step.from_), path, hint)


def _listed(path: str, steps: tuple[Step, ...]) -> Iterator[tuple[str, Step]]:
    """The steps of a list, and of the lists of the ways in it."""
    for step in steps:
        yield path, step
        for _, branch in step.branches:
            yield from _listed(path, branch)


def _played_into(step: choose.ChooseStep | move.MoveStep, zones: dict[str, Zone]) -> list[str]:
    """The zones in which a step plays cards."""
    if isinstance(step, move.MoveStep):
        return [step.to] if step.played else []
    return [target for target in step.targets if step.plays_into(target, zones)]


def _ways_of(step: Step) -> Iterator[tuple[str, str]]:
    """From where to where cards can go by a step."""
    if isinstance(step, discard.DiscardStep):
        yield "tableau", DISCARD
    for source in referenced_names(step, "zone", "from"):
        for target in step.targets if isinstance(step, choose.ChooseStep) else referenced_names(step, "zone", "to"):
            yield source, target


def _reached(zone: str, ways: set[tuple[str, str]]) -> set[str]:
    """The zones to which cards can come from one."""
    reached = {zone}
    while True:
        more = {target for source, target in ways if source in reached} - reached
        if not more:
            return reached
        reached |= more
