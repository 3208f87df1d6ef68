"""Variants, open questions of the rules with their answers, and assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.selection import resolve_tree, rules_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.api.ruleset import Ruleset
    from draftengine.model.cardset.records import ReadingInfo, VariantInfo


class Variant(Struct, frozen=True):
    """A variant of the game, with the numbers of players that can play it."""

    id: str
    title: str
    text: str
    group: str
    players: tuple[int, ...]
    """The numbers of players that can play it, among those of the facts."""
    span: str
    """`players` in words, in brackets; empty if all can play it."""
    offered: bool
    """True if it is not in force and can be added to the variants in force."""
    is_dish: bool
    """True if it is chosen for a menu (see `draftengine.api.facts.menus`)."""


class Question(Struct, frozen=True):
    """A question that the rules leave open, with the answer in force."""

    id: str
    text: str
    answer: str
    reason: str
    chosen: str
    options: tuple[tuple[str, str], ...]
    """Texts of the possible answers, by id."""
    source: tuple[str, ...]
    raised: bool
    """True if another answer would change the game that is played."""


class Assumption(Struct, frozen=True):
    """An assumption about the rules that no document at hand confirms."""

    text: str
    about: tuple[str, ...]
    """Things that the assumption is about; empty for the game as a whole."""
    variant: str
    """The variant that would bring it into force; empty if it is in force."""


def variants_of(rules: Ruleset, speech: CardSetPhraser) -> Iterator[Variant]:
    """Yield every variant, including those of menus."""
    active = rules.model.active
    for variant in rules.model.variants:
        beside = tuple(dict.fromkeys([*active, *variant.requires, variant.id]))
        alone = tuple(dict.fromkeys([*variant.requires, variant.id]))
        players = tuple(count for count in speech.counts if not rules.objections(alone, count))
        offered = variant.id not in active and any(not rules.objections(beside, count) for count in speech.counts)
        yield Variant(
            id=variant.id,
            title=speech.text(variant.title),
            text=speech.text(variant.text),
            group=variant.group or "",
            players=players,
            span=speech.span(players) if players else "",
            offered=offered,
            is_dish=variant.group in rules.allowances,
        )


def exclusions_said(rules: Ruleset, speech: CardSetPhraser, offered: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each group and each variant that excludes others."""
    variants = rules.model.variants
    titles = {variant.id: speech.text(variant.title) for variant in variants}
    groups: dict[str, list[VariantInfo]] = {}
    for variant in variants:
        if variant.group and variant.group not in rules.allowances:
            groups.setdefault(variant.group, []).append(variant)
    for rivals in groups.values():
        if len(rivals) > 1 and any(rival.id in offered for rival in rivals):
            yield speech.phrase("variants.one", list=speech.join_list([titles[rival.id] for rival in rivals]))
    for variant in variants:
        excluded = [titles[name] for name in variant.excludes if name in titles]
        if excluded and variant.id in offered:
            text = speech.phrase("not_with", list=speech.join_list(excluded))
            yield speech.joined([speech.phrase("lead", text=titles[variant.id]), text])


def questions_of(rules: Ruleset, speech: CardSetPhraser) -> Iterator[Question]:
    """Yield the open questions of the rules, in the order of the card set."""
    for reading in rules.model.readings:
        options = tuple((option.id, speech.text(option.text)) for option in reading.options)
        yield Question(
            id=reading.id,
            text=speech.text(reading.question),
            answer=dict(options)[reading.chosen],
            reason=speech.text(reading.reason),
            chosen=reading.chosen,
            options=options,
            source=reading.source,
            raised=_is_raised(reading, rules),
        )


def _is_raised(reading: ReadingInfo, rules: Ruleset) -> bool:
    """True if another answer changes the rules in force, or if there is only one answer."""
    if reading.variants and not set(reading.variants) & set(rules.model.active):
        return False
    others = [option.id for option in reading.options if option.id != reading.chosen]
    for option in others:
        chosen = {**dict(rules.selection.readings), reading.id: option}
        tree, _ = resolve_tree(rules.document, replace(rules.selection, readings=tuple(chosen.items())))
        if tree is None or rules_hash(tree) != rules.fingerprint:
            return True
    return not others


def assumptions_of(speech: CardSetPhraser) -> Iterator[Assumption]:
    """Yield the assumptions; several things with equal assumptions are joined in one."""
    about: dict[tuple[str, str], list[str]] = {}
    for assumption in speech.model.assumptions:
        key = assumption.variant, speech.text(assumption.text)
        about.setdefault(key, []).append(speech.text(assumption.of))
    for (variant, text), things in about.items():
        yield Assumption(text, tuple(filter(None, things)), variant)
