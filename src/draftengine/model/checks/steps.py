"""Checks of the zones, markers and step lists that steps use, and of cards that not everybody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.effects import all_effects, for_others, later_lists, waits, without_groups
from draftengine.model.cardset.facts import sides_after, steps_of, with_most_copies
from draftengine.model.cardset.records import DECK, DISCARD
from draftengine.model.checks.context import word_in
from draftengine.model.diagnostics import diagnose
from draftengine.model.diagnostics.suggest import did_you_mean, possible
from draftengine.model.language.macros import LAID_OUT
from draftengine.model.records import formulas_in, referenced_names
from draftengine.model.verbs.actions import about_the_card, by_itself
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DrawStep
from draftengine.model.verbs.effects import DiscardStep, TakeStep
from draftengine.model.verbs.give import GiveStep, Ranked
from draftengine.model.verbs.piles import FlipStep, MoveStep, ShuffleStep
from draftengine.model.verbs.turns import DoStep, RepeatStep
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.model.cardset.effects import DeferredSteps
    from draftengine.model.cardset.records import Card, CardSet
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.records.reader import Zone
    from draftengine.model.verbs.verb import Step
    from draftengine.model.verbs.who import Who


def check_zones(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about unusable zones, cards that cannot count in a zone, and circular covers."""
    zones, steps = {zone.id: zone for zone in model.zones}, [step for _, step in steps_of(model)]
    moved = {DECK, *(step.zone for step in steps if isinstance(step, ShuffleStep))}
    moved |= {name for step in steps for name in referenced_names(step, "zone", "to")}
    for path, step in steps_of(model):
        for wrong in step.problems(zones):
            target = zones.get(step.to) if isinstance(step, DrawStep) else None
            if wrong.say == "draw-would-tell" and wrong.zone not in moved and target and target.seen_by == "everyone":
                continue  # everybody knows the cards there, and sees which of them leave
            values = {"zone": wrong.zone, "verb": step.verb, **wrong.values}
            yield diagnose(
                "zone-misuse", word_in(*(wrong.at or (step.span, wrong.zone))), path, say=wrong.say, **values
            )
    for zone in model.zones:
        free: set[str] = set()
        while True:
            more = {place.id for place in zone.layout if place.id not in free and free.issuperset(place.covered_by)}
            if not more:
                break
            free |= more
        covered = [place.id for place in zone.layout if place.id not in free]
        if covered:
            yield diagnose(
                "cover-cycle",
                word_in(zone.span, covered[0]),
                f"/zones/{zone.id}",
                places=", ".join(covered[:4]),
                zone=zone.id,
            )
        path = f"/zones/{zone.id}"
        if zone.counts and zone.per == "table":
            yield diagnose("zone-misuse", word_in(zone.span, "table"), f"{path}/per", say="shared", zone=zone.id)
        elif zone.counts and zone.seen_by != "everyone":
            place = word_in(zone.span, zone.seen_by)
            yield diagnose("zone-misuse", place, f"{path}/seen_by", say="unseen", zone=zone.id)
    # Abilities whose card returns to a hand (or place), although no cards are chosen from there.
    plays = [step for _, step in steps_of(model) if isinstance(step, ChooseStep) and step.plays(zones)]
    sources = [zones[source] for step in plays for source in step.sources if source in zones]
    for ability in model.abilities:
        other = "hand" if ability.returns_to == "hand" else "place"
        wrong_source = next((source for source in sources if bool(source.layout) == (other == "hand")), None)
        if ability.returns_to == other and wrong_source is not None:
            place, path = word_in(ability.span, other), f"/abilities/{ability.id}/returns_to"
            say = f"returning-{other}"
            yield diagnose("zone-misuse", place, path, say=say, card=ability.card, wrong=wrong_source.id)


def check_sides(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about steps that turn or roll nothing, and about shared faces in games with dice."""
    sides = sorted({card.side for card in model.cards} - {""})
    unknown = {zone.side: zone for zone in model.zones if zone.side not in {"", *sides}} if sides else {}
    for side, zone in unknown.items():
        hint = did_you_mean(side, sides) or possible(sides)
        yield diagnose("not-a-side", word_in(zone.span, side), f"/zones/{zone.id}", say="unknown", side=side, hint=hint)
    for path, step in steps_of(model):
        if isinstance(step, FlipStep) and step.side in unknown:
            continue  # this is reported at the zone
        if isinstance(step, FlipStep) and step.side and sides and step.side not in sides:
            hint = did_you_mean(step.side, sides) or possible(sides)
            yield diagnose("not-a-side", step.span, path, say="unknown", side=step.side, hint=hint)
        elif isinstance(step, FlipStep) and not any(sides_after(step, model.cards)):
            say = "roll" if step.at_random else "flip"
            dice = any(sides_after(replace(step, at_random=True), model.cards))
            instead = said("hint.roll-zone", name=step.zone) if dice else None
            yield diagnose("not-a-side", step.span, path, say=f"nothing-to-{say}", hint=instead)
    if any(card.sides for card in model.cards):
        for card in (card for card in model.cards if card.face is not None):
            yield diagnose("not-a-side", word_in(card.span, "face"), f"/cards/{card.id}/face", say="face", side=card.id)


def check_markers(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about markers that seats outside the game hold, and markers that nobody ever holds."""
    gifts = [step for _, step in steps_of(model) if isinstance(step, GiveStep)]
    given = {step.marker for step in gifts if isinstance(step.to, Ranked)}
    got = given.union(*(referenced_names(effect, "marker", "taken") for effect in all_effects(model)))
    # The markers whose holder a step or the turn order needs.
    needed = {name for _, step in steps_of(model) for name in referenced_names(step, "marker", "asked")}
    if model.turn_order:
        needed.add(model.turn_order.marker)
    for marker in model.markers:
        if isinstance(marker.start, int) and marker.start >= model.min_players:
            span = word_in(marker.span, str(marker.start))
            yield diagnose(
                "marker-seat",
                span,
                f"/markers/{marker.id}/start",
                seat=marker.start,
                players=model.min_players,
                last=model.min_players - 1,
            )
        if marker.start == "nobody" and marker.id in needed and marker.id not in got:
            yield diagnose("marker-never-held", marker.span, f"/markers/{marker.id}", marker=marker.id)


_OF_THE_FLOW = frozenset({"deal", "end", "score"})
"""Verbs for which there is a special hint if they are in a step list, where they cannot be."""


def check_lists(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about step lists: impossible steps, lists for extra seats, and lists without end."""
    lists, zones = later_lists(model), {zone.id: zone for zone in model.zones}
    cards = [later for later in lists if later.cause == "card"]
    counts = range(model.min_players, model.max_players + 1)
    for path, step in steps_of(model):
        repeat = step.short_for if isinstance(step, DoStep) else None
        for cases in filter(None, (repeat.times, repeat.at_most) if isinstance(repeat, RepeatStep) else ()):
            given = {players for players, _ in cases.cases}
            for players in [] if None in given else sorted({*counts} - given):
                yield diagnose("missing-player-count", cases.span, path, say="number", players=players)
        if step.for_one and not step.in_lists:
            hint = said(f"hint.flow-{step.verb}") if step.verb in _OF_THE_FLOW else None
            yield diagnose("misplaced-step", step.span, path, say="flow", verb=step.verb, hint=hint)
        if step.for_one and isinstance(step, ChooseStep) and step.also:
            yield diagnose("misplaced-step", word_in(step.span, "also"), f"{path}/also", say="also")
        if step.who is not None:
            yield from _for_seats(path, step, step.who, zones)
        if cards and isinstance(step, ChooseStep) and step.also:
            yield diagnose("misplaced-step", step.span, f"{path}/also", say="extra-seat", card=cards[0].id)
    yield from _misplaced(lists, extra=bool(model.extra_seats))
    if lists:
        listed = [pair for card in model.cards for pair in _listed(f"/cards/{card.id}/on_play", card.on_play)]
        moves = [way for _, step in listed for way in _moves_of(step)]
        waiting = {card.id for card in model.cards if waits(card.on_play)}
        starting = [card for card in model.cards if waiting & {card.id, *(card.forms.of if card.forms else ())}]
        for path, step in listed:
            target = next((way.target for way in _moves_of(step) if _comes_back(way, moves, starting, zones)), None)
            if target is not None and isinstance(step, ChooseStep | MoveStep):
                zone = step.from_
                yield diagnose("endless-turns", word_in(step.span, zone), path, zone=zone, other=target)


def _for_seats(path: str, step: Step, who: Who, zones: Mapping[str, Zone]) -> Iterator[Diagnostic]:
    """Yield findings about the seats that the key `who` of a step names."""
    if who.seen_from_one and not step.for_one:
        place = f"{path.rpartition('/')[0]}/who"
        yield diagnose("misplaced-step", step.span, place, say="beside", who=who.seen_from_one)
    for taken in step.do if isinstance(step, DoStep) and who.is_everyone else ():
        if isinstance(taken, TakeStep):
            place = path.rpartition("/")[0]
            yield diagnose("misplaced-step", taken.span, place, say="taken", marker=taken.marker)
    if isinstance(step, DoStep) and any(for_others(step.within)):
        yield from _for_others_again(path, step)
    for inner in without_groups(step.within) if isinstance(step, DoStep) and not who.is_one else ():
        for source in map(zones.get, inner.sources) if isinstance(inner, ChooseStep) else ():
            if source is not None and source.per == "table" and source.id != LAID_OUT:
                yield diagnose("zone-misuse", inner.span, path, say="all-at-once", zone=source.id)


def _for_others_again(path: str, step: DoStep) -> Iterator[Diagnostic]:
    """Yield a finding for each step in a group that is for other seats again, or names their zone."""
    for inner in step.within:
        if not isinstance(inner, DoStep):
            continue
        if inner.of_other_seats is not None or inner.who is not None:
            say = "others-of-others" if inner.of_other_seats is None else "zone-of-others"
            yield diagnose("misplaced-step", inner.span, path, say=say)
        else:
            yield from _for_others_again(path, inner)


def _misplaced(lists: tuple[DeferredSteps, ...], *, extra: bool) -> Iterator[Diagnostic]:
    """Yield findings about triggers whose lists extra seats would get, and about forgotten cards.

    Steps that wait must not read the chosen card, because it is forgotten by then.
    """
    for later in lists:
        if extra and later.cause == "trigger":
            yield diagnose("misplaced-step", later.span, say="trigger", trigger=later.id)
        for step in without_groups(later.steps) if later.cause == "way" else ():
            for formula, *_ in formulas_in(by_itself(step), ""):
                if name := about_the_card(formula.expr):
                    yield diagnose("misplaced-step", formula.span, say="card-forgotten", way=later.id, name=name)


def _comes_back(
    played: _CardMove, moves: Sequence[_CardMove], starting: Sequence[Card], zones: Mapping[str, Zone]
) -> bool:
    """True if a move plays a card that starts a step list, and the card can come back to its source."""
    source, target = zones[played.source], zones[played.target]
    if not played.plays or source.counts or not target.counts:
        return False
    for card in filter(played.admits, starting):
        ways = {(way.source, way.target) for way in moves if way.admits(card)}
        reached = {played.target}
        while more := {there for here, there in ways if here in reached} - reached:
            reached |= more
        if played.source in reached:
            return True
    return False


class _CardMove(Struct, frozen=True):
    """A possible move of cards from one zone to another."""

    source: str
    target: str
    of: tuple[str, ...] = ()
    """The cards or families that move; empty if all cards can move."""
    plays: bool = True

    def admits(self, card: Card) -> bool:
        """True if a card can make this move, in any of its forms."""
        names = {card.id, *card.family, *(card.forms.of if card.forms else ())}
        return not self.of or card.forms is not None or not names.isdisjoint(self.of)


def _listed(path: str, steps: tuple[Step, ...]) -> Iterator[tuple[str, Step]]:
    """Yield the steps of a list with their paths, including the steps in branches.

    A step that names the zone of another seat is one step, which names the zone alone.
    """
    for step in steps:
        if not isinstance(step, DoStep):
            yield path, step
        elif step.of_other_seats is not None:
            yield path, step.of_other_seats
        else:
            yield from _listed(path, step.within)
        for _, branch in step.branches:
            yield from _listed(path, branch)


def _moves_of(step: Step) -> Iterator[_CardMove]:
    """Yield the moves of cards that a step can make."""
    if isinstance(step, DiscardStep):
        yield _CardMove("tableau", DISCARD, step.of, plays=False)
    elif isinstance(step, ChooseStep):
        for way in step.as_:
            yield _CardMove(way.from_ or step.from_, way.to or step.to, way.of)
        if not step.as_:
            yield _CardMove(step.from_, step.to, step.of)
    else:
        plays = isinstance(step, MoveStep) and step.played
        of = step.of if isinstance(step, DrawStep) else ()
        for source in referenced_names(step, "zone", "from"):
            for target in referenced_names(step, "zone", "to"):
                yield _CardMove(source, target, of, plays)


def check_hidden(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about faces that reveal something, and choices of cards that the chooser cannot see.

    A face reveals something if a wild card shares it, or if an action accepts only some of its cards.
    """
    in_the_box = [card for card in with_most_copies(model.cards) if card.count]
    for card in (card for card in in_the_box if card.forms):
        alike = [other for other in in_the_box if other is not card and _face(other) == _face(card)]
        if alike:
            faced = card if card.face else alike[0]
            span = word_in(faced.span, _face(card))
            yield diagnose(
                "face-given-away", span, f"/cards/{faced.id}/face", say="forms", card=card.id, other=alike[0].id
            )
    for path, step in steps_of(model):
        for entry, way in {way.entry: way for way in step.as_}.items() if isinstance(step, ChooseStep) else ():
            place, of = (f"{path}/as/{entry}", "") if entry else (path, ".of")
            going = {_face(card) for card in in_the_box if way.admits(card.id, card.family)}
            staying = [card for card in in_the_box if not way.admits(card.id, card.family) and _face(card) in going]
            face = next((card.face for card in in_the_box if card.face), None) if way.is_about_a_card else None
            if face:
                yield diagnose("face-given-away", way.span, place, say=f"asked{of}", way=entry, face=face)
            if staying:
                yield diagnose(
                    "face-given-away",
                    way.span,
                    f"{place}/of",
                    say=f"left-behind{of}",
                    card=staying[0].id,
                    way=entry,
                )
    # Choices from zones that nobody may see, because the seat that chooses would see their cards. Layouts are left
    # out: their cards lie open, regardless of `seen_by`.
    unseen = {zone.id: zone.per for zone in model.zones if zone.seen_by == "nobody" and not zone.layout}
    copies = {copy: zone for zone, _, places in model.copied for copy, _ in places.copies}
    # Draws of certain cards from a zone where equal faces hide which cards these are.
    open_zones = {zone.id for zone in model.zones if zone.seen_by == "everyone" and not zone.counts}
    some_share = any(card.face for card in in_the_box)
    for path, step in steps_of(model):
        if isinstance(step, DrawStep) and step.from_ in open_zones and (step.of or step.such):
            drawn = {_face(card) for card in in_the_box if not {card.id, *card.family}.isdisjoint(step.of)}
            others = {_face(card) for card in in_the_box if {card.id, *card.family}.isdisjoint(step.of)}
            if some_share if step.such else not drawn.isdisjoint(others):
                yield diagnose("hidden-cards", word_in(step.span, step.from_), path, zone=step.from_)
        sources = {(copies.get(zone, zone), unseen.get(zone)): None for zone in getattr(step, "sources", ())}
        for source, per in sources if isinstance(step, ChooseStep) else ():
            if per == "seat" or (per and step.for_one):
                say = "owner" if per == "seat" else "everyone"
                yield diagnose("blind-choice", word_in(step.span, source), path, say=say, zone=source)


def _face(card: Card) -> str:
    return card.face or card.id
