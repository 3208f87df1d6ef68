"""Finds parts of a game that have no effect, and what the author probably did not intend."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.effects import all_effects, amounts_of
from draftengine.model.cardset.facts import constant_facts, sides_after, steps_of, with_most_copies
from draftengine.model.checks.context import name_in_file, names_in, word_in
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, with_others
from draftengine.model.diagnostics.suggest import closest, is_slip
from draftengine.model.language.evaluate import constant_value
from draftengine.model.language.macros import NAMED
from draftengine.model.records import referenced_names, references_in
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import Dealing
from draftengine.model.verbs.effects import Changing
from draftengine.model.verbs.naming import FindStep
from draftengine.model.verbs.piles import FlipStep, GatherStep, RollStep, ShuffleStep
from draftengine.model.verbs.turns import EndStep, ScoreStep
from draftengine.model.yaml.fixes import renamed
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.records import Card, CardSet, Modifier
    from draftengine.model.checks.context import FormulaUse
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.support.locale.phrases import Phrase
    from draftengine.support.source import Span

_AMOUNTS = (0, 1, 2, 7)
"""Sample amounts for testing whether a formula of a modifier always returns the amount itself."""
_LOOKAHEAD = 8
"""The number of characters after ``count`` in which a 0 is searched for."""
_SAME = said("modifier.same-amount")
CODES = frozenset({"card-does-nothing", "modifier-does-nothing", "never-used", "never-changes", "lonely-face"})
"""Codes of findings that are reported only if every game of the file has them."""


def check(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about cards, modifiers, counters and components without any effect."""
    read = {part for use in uses for name in names_in(use.formula) for part in (name, name.partition(".")[2])}
    read |= {
        name
        for _, step in steps_of(model)
        for name in referenced_names(step, "card or family") | referenced_names(step, "card")
    }
    read |= {counter for _, step in steps_of(model) if isinstance(step, ChooseStep) for counter in _paid(step)}
    yield from _cards(model, read)
    counts = {card.id: card.count for card in with_most_copies(model.cards)}
    for modifier in model.modifiers:
        why = _useless(model, modifier, read) if counts.get(modifier.card) else None
        if why:
            path = f"/modifiers/{modifier.id}"
            say = "amount" if why == _SAME else "it"
            finding = diagnose("modifier-does-nothing", modifier.span, path, say=say, modifier=modifier.id, why=why)
            for change in modifier.then:
                if change.counter not in read and (meant := _read_instead(change.counter, read, model)):
                    fix, hint = renamed(change.span, change.counter, [meant]), said("hint.did-you-mean", meant=meant)
                    finding = replace(finding, span=change.span, advice=hint, fix=fix)
                    break
            yield finding
    yield from _components(model, read)
    # Cards without copies, unless another finding follows from that and says it.
    named = read | {form for card in model.cards if card.forms for form in card.forms.of}
    named |= {name for modifier in model.modifiers for name in (modifier.card, *modifier.applies_to)}
    named |= {ability.card for ability in model.abilities}
    for card in (card for card in with_most_copies(model.cards) if card.count == 0 and card.id not in named):
        place = word_in(card.span, "count")
        written = place.source.text[place.start : place.end + _LOOKAHEAD]
        if re.match(r"count: *0(?![\w.])", written):  # an overlay that writes 0 removes the card on purpose
            yield diagnose("card-does-nothing", card.span, f"/cards/{card.id}", say="no-copies", card=card.id)
    faces = [card.face or card.id for card in model.cards]
    for card in model.cards:
        if card.face is not None and faces.count(card.face) == 1 and card.face != card.id:
            span = word_in(card.span, card.face)
            yield diagnose("lonely-face", span, f"/cards/{card.id}/face", card=card.id, face=card.face)


def check_parameters(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about parameters that no formula reads and that the file mentions only once."""
    read = {name for use in uses for name in names_in(use.formula)}
    for parameter in model.parameters:
        if parameter.id not in read and not _is_named_again(parameter.id, parameter.span):
            yield _never_used("parameter", parameter.id, parameter.span, f"/parameters/{parameter.id}")


def _is_named_again(name: str, span: Span) -> bool:
    """True if a name occurs more than once in its file, so that a variant may use it."""
    # The search is several times faster if the pattern begins with letters, and not with \b.
    return len(re.findall(rf"{name}(?<!\w{name})\b", span.source.text)) > 1


def _paid(step: ChooseStep) -> Iterator[str]:
    """Yield the counters from which a seat pays for the actions of a step."""
    for way in step.as_:
        yield from (amount.counter for amount in way.pay)


# ── Cards ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def unnoticed_cards(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[str]:
    """Yield the names of cards without any effect. The game may have errors."""
    read = {name for use in uses for name in names_in(use.formula)}
    yield from (finding.names[0] for finding in _cards(model, read))


def _cards(model: CardSet, read: set[str]) -> Iterator[Diagnostic]:
    with_a_use = {modifier.card for modifier in model.modifiers} | {ability.card for ability in model.abilities}
    others = [card.id for card in model.cards if not card.side_of and not card.sides]
    for card in model.cards:
        if card.on_play or card.forms or card.scores or card.sides or card.id in with_a_use:
            continue
        changed = {*amounts_of(model, card), *(name for name, _ in card.has)}
        for modifier in model.modifiers:
            if {card.id, *card.family} & set(modifier.applies_to):
                changed |= {change.counter for change in modifier.then}
        path = f"/cards/{card.id}"
        if (changed - {card.side_of}) & read:  # its thing does not speak for a side
            continue
        if card.count:
            yield diagnose("card-does-nothing", card.span, path, card=card.id)
        elif card.side_of and (meant := closest(card.id, others)) and is_slip(card.id, meant, others):
            hint, fix = said("hint.did-you-mean", meant=meant), renamed(card.span, card.id, [meant])
            yield diagnose("card-does-nothing", card.span, path, say="side", hint=hint, fix=fix, card=card.id)


# ── Modifiers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _useless(model: CardSet, modifier: Modifier, read: set[str]) -> Phrase | None:
    applies_to = set(modifier.applies_to)
    targets = [card for card in with_most_copies(model.cards) if {card.id, *card.family} & applies_to]
    if not any(
        (card.count > 0 or any(other.count and other.forms and card.id in other.forms.of for other in model.cards))
        for card in targets
    ):
        return said("modifier.no-card")
    added = {counter for card in targets for counter in amounts_of(model, card)}
    idle = [change for change in modifier.then if change.counter not in added and "amount" in names_in(change.formula)]
    if len(idle) == len(modifier.then):
        return said("modifier.none-adds", counter=idle[0].counter) if idle else None
    if not any(change.counter in read for change in modifier.then):
        return said("modifier.nothing-reads", counter=modifier.then[0].counter)
    facts = {amount: constant_facts(model, model.min_players, amount=amount) for amount in _AMOUNTS}
    same = all(
        constant_value(change.formula.expr, facts[amount]) == amount for change in modifier.then for amount in _AMOUNTS
    )
    return _SAME if same else None


# ── Components ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _components(model: CardSet, read: set[str]) -> Iterator[Diagnostic]:
    used = read | _used_in_play(model)
    for section, what in (
        ("counters", "counter"),
        ("zones", "zone"),
        ("extra_seats", "extra-seat"),
        ("markers", "marker"),
        ("chips", "chip-pile"),
    ):
        by_place: dict[Span, list[str]] = {}
        for component in getattr(model, section):
            by_place.setdefault(component.span, []).append(component.id)
        for span, names in by_place.items():
            idle = [name for name in names if name not in used] if span.start != span.end else []
            text, others = span.source.text[span.start : span.end], 0
            if idle == names:  # there may be several, which the file declares at once
                in_file = name_in_file(names[0], span)
                idle = [in_file if not names[1:] else names[0] if "{" in text else text]
                others = len(names) - 1 if "{" in text else 0
            for name in idle:
                meant = _read_instead(name, read, model) if what == "counter" else None
                yield with_others(_never_used(what, name, span, f"/{section}/{name}", meant), others)
    # Names that steps give in vain, numbers that no card has, and families without cards.
    named = {effect.name: effect.span for effect in all_effects(model) if isinstance(effect, FindStep)}
    acting = {step.who.named.name for _, step in steps_of(model) if step.who and step.who.named}
    for name in [name for name in named if f"{NAMED}{name}" not in read and name not in acting]:
        yield _never_used("name", name, word_in(named[name], name), "")
    known = {name for card in model.cards for name, _ in card.has}
    for value in (value for value in model.values if value.id not in known):
        yield _never_used("value", value.id, value.span, f"/values/{value.id}")
    members = {name for card in model.cards for name in card.family}
    for family in (family for family in model.families if family.id not in members):
        if not _is_named_again(family.id, family.span):
            hint, kind = said("hint.let-cards-belong", text=f"family: {family.id}"), said("thing.family")
            path = f"/families/{family.id}"
            yield diagnose("never-used", family.span, path, say="thing", hint=hint, what=kind, name=family.id)
    seen = used | {counter.id for counter in model.counters}
    for card in model.cards:
        for counter in (name for name, _ in card.adds if name not in seen):
            seen.add(counter)
            span, path = word_in(card.span, counter), f"/cards/{card.id}/adds/{counter}"
            yield _never_used("counter", counter, span, path, _read_instead(counter, read, model))
    yield from _unchanged(model, used, read)


def _unchanged(model: CardSet, used: set[str], read: set[str]) -> Iterator[Diagnostic]:
    """Yield findings about sides of cards, and about counters and markers in formulas, that never change."""
    changed = {counter for card in model.cards for counter in amounts_of(model, card)}
    changed |= {change.counter for modifier in model.modifiers for change in modifier.then}
    changed |= {counter for _, step in steps_of(model) if isinstance(step, ChooseStep) for counter in _paid(step)}
    for effect in all_effects(model):
        if isinstance(effect, Changing):
            changed |= {amount.counter for amount in effect.amounts}
        elif isinstance(effect, RollStep):
            changed.add(effect.counter)
    for declared in model.counters:
        if declared.id in used - changed and not declared.starts:
            hint = said("hint.roll-it" if declared.die else "hint.let-cards-add")
            name = name_in_file(declared.id, declared.span)
            yield diagnose(
                "never-changes",
                declared.span,
                f"/counters/{name}",
                hint=hint,
                counter=name,
                start=declared.start,
            )
    # Markers that nobody ever holds.
    named = {model.turn_order.marker} if model.turn_order else set[str]()
    named = named.union(*(referenced_names(step, "marker") for _, step in steps_of(model)))
    named = named.union(*(referenced_names(effect, "marker") for effect in all_effects(model)))
    for marker in model.markers:
        if marker.id in read - named and marker.start == "nobody":
            place = f"/markers/{marker.id}"
            yield diagnose("never-changes", marker.span, place, say="marker", marker=marker.id)
    # Dice that no step rolls, and cards with two sides that no step turns over.
    steps = [step for _, step in steps_of(model) if isinstance(step, FlipStep)]
    turned = [any(each) for each in zip(*(sides_after(step, model.cards) for step in steps), strict=True)]
    for card, turns in zip_longest(model.cards, turned):
        if card.sides and not turns:
            say = "die" if card.is_die else "back"
            yield diagnose("never-changes", card.span, f"/cards/{card.id}", say=say, card=card.id)


def _never_used(what: str, name: str, span: Span, path: str, meant: str | None = None) -> Diagnostic:
    hint = said("hint.did-you-mean", meant=meant) if meant else said("hint.use-or-remove")
    fix = renamed(span, name, [meant]) if meant else None
    return diagnose("never-used", span, path, say="thing", hint=hint, fix=fix, what=said(f"thing.{what}"), name=name)


def _read_instead(name: str, read: set[str], model: CardSet) -> str | None:
    """Return the counter in formulas that an unused name probably misspells, or ``None``."""
    counters = {counter.id for counter in model.counters} | {
        counter for card in model.cards for counter, _ in card.adds
    }
    known = (counters & read) - {name}
    meant = closest(name, sorted(known))
    return meant if meant and is_slip(name, meant, known) else None


def _used_in_play(model: CardSet) -> set[str]:
    """Return the names of zones, markers, chip piles and so on that steps, effects and rules use.

    A marker is used if something depends on its holder, or if a step gives it and the game's rulebook has it
    (`source`).
    """
    used = {"deck", "hand", "tableau", "discard"}
    used |= {rule.spec.pile for rule in model.scoring if rule.spec.pile}
    used |= {model.turn_order.marker} if model.turn_order else set()
    for _, step in steps_of(model):
        used |= {name for names, name in references_in(step) if names.kind not in {"label", "marker"}}
        used |= referenced_names(step, "marker", "asked")
    named = {effect.of for effect in all_effects(model) if isinstance(effect, FindStep)}
    used |= {zone.id for zone in model.zones if zone.id in named or zone.id.rpartition("_")[0] in named}
    given = frozenset[str]().union(*(referenced_names(step, "marker") for _, step in steps_of(model)))
    for effect in all_effects(model):
        used |= {name for names, name in references_in(effect) if names.kind == "chip pile"}
        given |= referenced_names(effect, "marker")
    return used | {marker.id for marker in model.markers if marker.source and marker.id in given}


def check_smells(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about unshuffled piles, labels never scored, empty lists, and equal names of cards."""
    steps = steps_of(model)
    shuffled = {step.zone for _, step in steps if isinstance(step, ShuffleStep)}
    filled = frozenset[str]().union(*(referenced_names(step, "zone", "to") for _, step in steps))
    gathered = any(isinstance(step, GatherStep) for _, step in steps)
    # Everybody sees the order of the cards in such a pile, so it is intended.
    open_piles = {zone.id for zone in model.zones if zone.seen_by == "everyone"}
    for path, step in steps:
        if not isinstance(step, Dealing) or step.in_order or step.from_ in shuffled | open_piles:
            continue
        kinds = {card.id for card in model.cards if card.count and card.starts_in == step.from_}
        if len(kinds) > 1 and not (step.from_ in filled and gathered):
            yield diagnose("never-shuffled", step.span, path, zone=step.from_)
            break
    yield from _left_out(model)
    bare = [(path, step.span, step.verb) for path, step in steps if hasattr(step, "do") and not step.within]
    bare += [(trigger.path, trigger.span, trigger.id) for trigger in model.triggers if not trigger.do]
    for path, span, name in bare:
        yield diagnose("idle-step", span, path, say="no-steps", name=name)
    # A card for each label that several cards have although they do not share a face.
    known: dict[str, Card] = {}
    reported = set()
    for card in model.cards:
        for text in dict.fromkeys(text for language, text in card.label if "#" not in language):
            first = known.setdefault(text, card)
            alike = (card.face is not None and card.face == first.face) or bool(card.side_of and first.side_of)
            alike = alike or (card.copy_of != "" and card.copy_of == first.copy_of)
            if first is card or alike or first.id in reported:
                continue
            reported.add(first.id)
            path = f"/cards/{card.id}/label"
            related = (Related(said("finding.is-here", name=first.id), first.span),)
            yield diagnose("label-twice", card.span, path, related=related, first=first.id, card=card.id, text=text)


def _left_out(model: CardSet) -> Iterator[Diagnostic]:
    """Yield a finding about a step that ends the only round of a game before a later `score` step."""
    if model.rounds > 1 or any(isinstance(step, ScoreStep) for path, step in steps_of(model) if "/finish/" in path):
        return
    order = [(path, step) for path, step in steps_of(model) if path.startswith("/round/")]
    first = next((index for index, (_, step) in enumerate(order) if isinstance(step, ScoreStep)), 0)
    scored = [path for path, step in order if isinstance(step, ScoreStep)]
    for path, step in order[:first]:
        # In a repeat that also scores, an earlier turn may have scored already.
        inside = path.split("/repeat/do/")
        repeats = tuple("/repeat/do/".join((*inside[:depth], "")) for depth in range(1, len(inside)))
        scored_before = any(place.startswith(repeats) for place in scored)
        if isinstance(step, EndStep) and step.what == "round" and not scored_before:
            label = min(referenced_names(order[first][1], "label"))
            yield diagnose("score-left-out", step.span, path, label=label)
            return
