"""Checks for rules that can be played but are probably not meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import ranked_seats, steps_of
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.diagnostic import Diagnostic, Related
from draftengine.model.loading.texts import numbers_of
from draftengine.model.records.record import referenced_names
from draftengine.model.verbs.dealing import Dealing
from draftengine.model.verbs.piles import GatherStep, ShuffleStep
from draftengine.model.verbs.turns import EndStep, ScoreStep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import Card, CardSet


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield piles that are never shuffled, odd places in rankings, and cards of one name."""
    yield from _never_shuffled(model)
    yield from _too_many_places(model)
    yield from _odd_places(model)
    yield from _left_out(model)
    yield from _called_alike(model)


def _never_shuffled(model: CardSet) -> Iterator[Diagnostic]:
    steps = list(steps_of(model))
    shuffled = {step.zone for _, step in steps if isinstance(step, ShuffleStep)}
    filled = frozenset[str]().union(*(referenced_names(step, "zone", "to") for _, step in steps))
    gathered = any(isinstance(step, GatherStep) for _, step in steps)
    open_piles = {zone.id for zone in model.zones if zone.seen_by == "everyone"}  # their order is visible, so meant
    for path, step in steps:
        if not isinstance(step, Dealing) or step.from_ in shuffled | open_piles:
            continue
        kinds = {card.id for card in model.cards if card.count and card.starts_in == step.from_}
        if len(kinds) > 1 and not (step.from_ in filled and gathered):
            yield diagnose("never-shuffled", step.span, path, zone=step.from_)
            return


def _too_many_places(model: CardSet) -> Iterator[Diagnostic]:
    """Yield rankings with more places than there are ranked seats."""
    seats = ranked_seats(model, model.max_players)
    for rule in model.scoring:
        for key in ("most", "fewest"):
            places = getattr(rule.spec, key, ())
            if len(places) > seats:
                path = f"/scoring/{rule.id}/{key}/{seats}"
                yield diagnose(
                    "place-never-given", places[seats].span, path, rule=rule.id, places=len(places), seats=seats
                )


def _odd_places(model: CardSet) -> Iterator[Diagnostic]:
    """Yield rankings whose later places are worth more, and those that pay both the most and the fewest."""
    for rule in model.scoring:
        numbers = next(iter(numbers_of(model, rule).values()), {})
        for key in ("most", "fewest"):
            points = numbers.get(key, ())
            if len(set(points)) > 1 and points[0] and sorted(map(abs, points)) == [*map(abs, points)]:
                span = getattr(rule.spec, key)[0].span
                best = ", ".join(map(str, sorted(points, key=abs, reverse=True)))
                yield diagnose(
                    "second-beats-first", span, f"{rule.path}/{key}", say="certain", rule=rule.id, key=key, best=best
                )
        paid = [min(numbers.get(key) or (0,)) > 0 for key in ("most", "fewest")]
        if all(paid):
            span, loss = getattr(rule.spec, "fewest")[0].span, -numbers["fewest"][0]  # noqa: B009 (of one kind alone)
            yield diagnose(
                "fewest-rewarded", span, f"{rule.path}/fewest", say="certain", rule=rule.id, points=-loss, loss=loss
            )


def _called_alike(model: CardSet) -> Iterator[Diagnostic]:
    """Yield cards with equal labels that are not meant to look alike, once for each first card."""
    known: dict[str, Card] = {}
    reported = set()
    for card in model.cards:
        for text in dict.fromkeys(text for language, text in card.label if "#" not in language):
            first = known.setdefault(text, card)
            alike = card.face is not None and card.face == first.face
            if first is card or alike or first.id in reported:
                continue
            reported.add(first.id)
            path = f"/cards/{card.id}/label"
            related = (Related(f"“{first.id}” is here", first.span),)
            yield diagnose("label-twice", card.span, path, related=related, first=first.id, card=card.id, text=text)


def _left_out(model: CardSet) -> Iterator[Diagnostic]:
    """Yield the step that ends a game of one round before a later step could score."""
    if model.rounds > 1 or any(isinstance(step, ScoreStep) for path, step in steps_of(model) if "/finish/" in path):
        return
    order = [(path, step) for path, step in steps_of(model) if path.startswith("/round/")]
    first = next((index for index, (_, step) in enumerate(order) if isinstance(step, ScoreStep)), 0)
    scored = [path for path, step in order if isinstance(step, ScoreStep)]
    for path, step in order[:first]:
        if isinstance(step, EndStep) and step.what == "round" and not _scored_before(path, scored):
            label = min(referenced_names(order[first][1], "label"))
            yield diagnose("score-left-out", step.span, path, label=label)
            return


def _scored_before(path: str, scored: list[str]) -> bool:
    """True if the step is inside a repeat that also scores, so that an earlier turn may have scored."""
    inside = path.split("/repeat/do/")
    repeats = ["/repeat/do/".join(inside[: depth + 1]) + "/repeat/do/" for depth in range(len(inside) - 1)]
    return any(place.startswith(repeat) for place in scored for repeat in repeats)
