"""Checks for parts of the game that have no effect."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.amounts import amounts_of
from draftengine.model.cardset.effects import all_effects
from draftengine.model.cardset.facts import constant_facts, steps_of
from draftengine.model.checks.formula_uses import names_in
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.fixes import renamed
from draftengine.model.diagnostics.suggest import closest, is_slip
from draftengine.model.language.evaluate import constant_value
from draftengine.model.records.record import referenced_names, references_in
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, RollStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.cardset.records import Card, CardSet, Modifier
    from draftengine.model.checks.formula_uses import FormulaUse
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.records.values import Amount
    from draftengine.support.source import Span

_AMOUNTS = (0, 1, 2, 7)
"""Sample amounts that tell a change from none."""
_SAME = "“amount” is what the card adds anyway"
CODES = frozenset({"card-does-nothing", "modifier-does-nothing", "never-used", "never-changes", "lonely-face"})
"""Codes of findings that are kept only if every variant has them."""


def check(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield cards, modifiers, counters and components without any effect."""
    read = {part for use in uses for name in names_in(use.formula) for part in (name, name.partition(".")[2])}
    read |= {
        name
        for _, step in steps_of(model)
        for name in referenced_names(step, "card or family") | referenced_names(step, "card")
    }
    read |= {counter for _, step in steps_of(model) if isinstance(step, ChooseStep) for counter in _paid(step)}
    yield from _cards(model, read)
    yield from _modifiers(model, read)
    yield from _components(model, read)
    yield from _faces(model)


def check_parameters(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield parameters that no formula reads, and whose name occurs nowhere else in their file."""
    read = {name for use in uses for name in names_in(use.formula)}
    for parameter in model.parameters:
        if parameter.id not in read and not _is_named_again(parameter.id, parameter.span):
            yield _never_used("parameter", parameter.id, parameter.span, f"/parameters/{parameter.id}")


def _is_named_again(name: str, span: Span) -> bool:
    """True if a name occurs more than once in its file; variants may use it where this game does not."""
    return re.findall(r"\w+", span.source.text).count(name) > 1


def _paid(step: ChooseStep) -> Iterator[str]:
    """Yield the counters with which actions are paid."""
    for way in step.as_:
        yield from (amount.counter for amount in way.pay)


# ── Cards ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def unnoticed_cards(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[str]:
    """Yield cards without any effect, also if there are errors elsewhere."""
    read = {name for use in uses for name in names_in(use.formula)}
    yield from (finding.names[0] for finding in _cards(model, read))


def _cards(model: CardSet, read: set[str]) -> Iterator[Diagnostic]:
    with_a_use = {modifier.card for modifier in model.modifiers} | {ability.card for ability in model.abilities}
    for card in model.cards:
        if not card.count or card.on_play or card.forms or card.scores or card.id in with_a_use:
            continue
        if not _noticed(model, card, read):
            yield diagnose("card-does-nothing", card.span, f"/cards/{card.id}", card=card.id)


def _noticed(model: CardSet, card: Card, read: set[str]) -> bool:
    """True if a formula reads a number of the card, or a counter that it or its modifiers change."""
    changed = {*amounts_of(model, card), *(name for name, _ in card.has)}
    for modifier in model.modifiers:
        if {card.id, *card.family} & set(modifier.applies_to):
            changed |= {change.counter for change in modifier.then}
    return bool(changed & read)


def _faces(model: CardSet) -> Iterator[Diagnostic]:
    """Yield faces that only one card has: they are meant to make several cards look alike."""
    faces = [card.face or card.id for card in model.cards]
    for card in model.cards:
        if card.face is not None and faces.count(card.face) == 1 and card.face != card.id:
            span = word_in(card.span, card.face)
            yield diagnose("lonely-face", span, f"/cards/{card.id}/face", card=card.id, face=card.face)


# ── Modifiers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _modifiers(model: CardSet, read: set[str]) -> Iterator[Diagnostic]:
    counts = {card.id: card.count for card in model.cards}
    for modifier in model.modifiers:
        why = _useless(model, modifier, read) if counts.get(modifier.card) else ""
        if why:
            path = f"/modifiers/{modifier.id}"
            say = "amount" if why == _SAME else "it"
            finding = diagnose("modifier-does-nothing", modifier.span, path, say=say, modifier=modifier.id, why=why)
            slips = (
                (change, _read_instead(change.counter, read, model))
                for change in modifier.then
                if change.counter not in read
            )
            slip = next(((change, meant) for change, meant in slips if meant), None)
            yield _as_slip(finding, *slip) if slip else finding


def _as_slip(finding: Diagnostic, change: Amount, meant: str) -> Diagnostic:
    """Return the finding at a change of a counter that is probably misspelt, with a fix."""
    fix = renamed(change.span, change.counter, [meant])
    return replace(finding, span=change.span, hint=f"Did you mean “{meant}”?", fix=fix)


def _useless(model: CardSet, modifier: Modifier, read: set[str]) -> str:
    applies_to = set(modifier.applies_to)
    targets = [card for card in model.cards if {card.id, *card.family} & applies_to]
    if not any(_in_play(model, card) for card in targets):
        return "no card that it applies to is in the deck"
    added = {counter for card in targets for counter in amounts_of(model, card)}
    idle = [change for change in modifier.then if change.counter not in added and "amount" in names_in(change.formula)]
    if len(idle) == len(modifier.then):
        return f"no card that it applies to adds “{idle[0].counter}”" if idle else ""
    if not any(change.counter in read for change in modifier.then):
        return f"nothing reads “{modifier.then[0].counter}”"
    facts = {amount: constant_facts(model, model.min_players, amount=amount) for amount in _AMOUNTS}
    same = all(
        constant_value(change.formula.expr, facts[amount]) == amount for change in modifier.then for amount in _AMOUNTS
    )
    return _SAME if same else ""


def _in_play(model: CardSet, card: Card) -> bool:
    """True if the card is in the deck, or a form of a card in the deck."""
    return card.count > 0 or any(other.count and other.forms and card.id in other.forms.of for other in model.cards)


# ── Components ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _components(model: CardSet, read: set[str]) -> Iterator[Diagnostic]:
    used = read | _used_in_play(model)
    for section, what in (
        ("counters", "counter"),
        ("zones", "zone"),
        ("extra_seats", "extra seat"),
        ("markers", "marker"),
        ("chips", "chip pile"),
    ):
        for component in getattr(model, section):
            if component.id not in used and component.span.start != component.span.end:
                meant = _read_instead(component.id, read, model) if what == "counter" else None
                yield _never_used(what, component.id, component.span, f"/{section}/{component.id}", meant)
    yield from _names_of_cards(model)
    for counter, span, path in _added(model):
        if counter not in used:
            yield _never_used("counter", counter, span, path, _read_instead(counter, read, model))
    changed = _changed(model)
    for declared in model.counters:
        if declared.id in used - changed:
            hint = "Roll it where it is thrown." if declared.die else "Let cards add to it, or effects change it."
            yield diagnose(
                "never-changes",
                declared.span,
                f"/counters/{declared.id}",
                hint=hint,
                counter=declared.id,
                start=declared.start,
            )


def _names_of_cards(model: CardSet) -> Iterator[Diagnostic]:
    """Yield families without cards, and names of numbers that no card has."""
    known = {name for card in model.cards for name, _ in card.has}
    for value in model.values:
        if value.id not in known:
            yield _never_used("value", value.id, value.span, f"/values/{value.id}")
    members = {name for card in model.cards for name in card.family}
    for family in model.families:
        if family.id not in members and not _is_named_again(family.id, family.span):
            hint = f"Let cards belong to it: “family: {family.id}”; or remove it."
            path = f"/families/{family.id}"
            yield diagnose("never-used", family.span, path, say="thing", hint=hint, what="family", name=family.id)


def _never_used(what: str, name: str, span: Span, path: str, meant: str | None = None) -> Diagnostic:
    hint = f"Did you mean “{meant}”?" if meant else "Use it, or remove it."
    fix = renamed(span, name, [meant]) if meant else None
    return diagnose("never-used", span, path, say="thing", hint=hint, fix=fix, what=what, name=name)


def _read_instead(name: str, read: set[str], model: CardSet) -> str | None:
    """Return the counter that an unused name probably misspells, or ``None``."""
    counters = {counter.id for counter in model.counters} | {
        counter for card in model.cards for counter, _ in card.adds
    }
    known = (counters & read) - {name}
    meant = closest(name, sorted(known))
    return meant if meant and is_slip(name, meant, known) else None


def _added(model: CardSet) -> Iterator[tuple[str, Span, str]]:
    """Yield counters that only `adds` declares, at their first place."""
    seen = {counter.id for counter in model.counters}
    for card in model.cards:
        for counter, _ in card.adds:
            if counter not in seen:
                seen.add(counter)
                yield counter, word_in(card.span, counter), f"/cards/{card.id}/adds/{counter}"


def _changed(model: CardSet) -> set[str]:
    """Return the counters that cards, modifiers, effects or payments change."""
    changed = {counter for card in model.cards for counter in amounts_of(model, card)}
    changed |= {change.counter for modifier in model.modifiers for change in modifier.then}
    changed |= {counter for _, step in steps_of(model) if isinstance(step, ChooseStep) for counter in _paid(step)}
    for effect in all_effects(model):
        if isinstance(effect, Changing):
            changed |= {amount.counter for amount in effect.amounts}
        elif isinstance(effect, RollStep):
            changed.add(effect.counter)
    return changed


def _used_in_play(model: CardSet) -> set[str]:
    """Return the zones, markers, chip piles and other things that steps, effects and rules name."""
    used = {"deck", "hand", "tableau", "discard"}
    used |= {rule.spec.pile for rule in model.scoring if rule.spec.pile}
    for _, step in steps_of(model):
        used |= {name for names, name in references_in(step) if names.kind != "label"}
    for effect in all_effects(model):
        used |= {name for names, name in references_in(effect) if names.kind in {"marker", "chip pile"}}
    return used
