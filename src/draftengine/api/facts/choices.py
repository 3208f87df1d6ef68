"""Decisions about the rules: variants, menus, open questions with their answers, and assumptions.

A *dish* is a variant of a group from which players always choose a fixed number of variants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.game import Ruleset
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.sentences import ability_said, amounts_of, card_said, modifier_said, trigger_said
from draftengine.model.language.evaluate import references
from draftengine.model.records import default_label
from draftengine.model.selection import Selection, fingerprint, menu_titles_in, resolve_tree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from draftengine.model.cardset.choices import VariantInfo


class Variant(Struct, frozen=True):
    """A variant of a game, and the numbers of players that can play it."""

    id: str
    title: str
    text: str
    group: str
    players: tuple[int, ...]
    """The numbers of players that can play the variant, among those that the facts cover."""
    span: str
    """`players` in words, in brackets; empty if every number of players can play the variant."""
    offered: bool
    """True if the variant is not in force, but can be combined with those in force."""
    is_dish: bool
    """True for a *dish*, as defined in `draftengine.api.facts.choices`."""


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
    players: tuple[int, ...]
    """The numbers of players with which the question matters."""
    raised: bool
    """True if another answer would change the rules in force, for any of the numbers in `players`.

    Also true if the question has just one answer.
    """


class Menu(Struct, frozen=True):
    """A menu with a name, or a group of dishes from which players choose."""

    id: str
    title: str
    variants: tuple[str, ...]
    """Ids of the variants in the menu or group."""


class Assumption(Struct, frozen=True):
    """An assumption about the rules that no available document confirms."""

    text: str
    about: tuple[str, ...]
    """Labels of the things that the assumption is about; empty if it is about the whole game."""
    variant: str
    """The id of a variant that is not in force and makes the assumption; empty for an assumption in force."""


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


def menus_and_groups(rules: Ruleset, speech: CardSetPhraser) -> tuple[tuple[Menu, ...], tuple[Menu, ...]]:
    """Return the named menus, and the groups of dishes from which players choose."""
    titles = menu_titles_in(rules.document.root)
    groups = {
        name: [variant.id for variant in rules.model.variants if variant.group == name] for name in rules.allowances
    }

    def called(parts: Mapping[str, Iterable[str]]) -> tuple[Menu, ...]:
        return tuple(
            Menu(name, speech.text(titles.get(name) or default_label(name)), tuple(variants))
            for name, variants in parts.items()
        )

    return called(rules.menus), called(groups)


def exclusions_said(rules: Ruleset, speech: CardSetPhraser, offered: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each set of variants that cannot be combined.

    Only variants that are `offered` or in force are mentioned.
    """
    variants = [variant for variant in rules.model.variants if variant.id in {*offered, *rules.model.active}]
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
        fewest, most = reading.players or rules.players
        players = tuple(count for count in speech.counts if fewest <= count <= most)
        # Another answer would change the rules in force, or there is only one answer.
        others = [option.id for option in reading.options if option.id != reading.chosen]
        in_force = bool(players) and not (reading.variants and set(reading.variants).isdisjoint(rules.model.active))
        raised = in_force and not others
        for option in others if in_force else ():
            chosen = {**dict(rules.selection.readings), reading.id: option}
            selection = replace(rules.selection, readings=tuple(chosen.items()))
            tree, _ = resolve_tree(rules.document, selection)
            if tree is None or fingerprint(rules.document, selection, tree) != rules.fingerprint:
                raised = True
                break
        yield Question(
            id=reading.id,
            text=speech.text(reading.question),
            answer=dict(options)[reading.chosen],
            reason=speech.text(reading.reason),
            chosen=reading.chosen,
            options=options,
            source=reading.source,
            players=players,
            raised=raised,
        )


def assumptions_of(speech: CardSetPhraser) -> Iterator[Assumption]:
    """Yield the assumptions. An assumption about several things is one record."""
    about: dict[tuple[str, str], list[str]] = {}
    for assumption in speech.model.assumptions:
        key = assumption.variant, speech.text(assumption.text)
        about.setdefault(key, []).append(speech.text(assumption.of))
    for (variant, text), things in about.items():
        yield Assumption(text, tuple(filter(None, things)), variant)


class Dish(Struct, frozen=True):
    """A dish that is not in play."""

    title: str
    cards: str
    """The cards that the dish adds, with their numbers of copies; empty if it adds none."""
    text: str
    """Sentences about the added cards."""


class Menus(Struct, frozen=True):
    """The menus of a game and the dishes to choose from. All fields are empty if the game has no menus."""

    groups: tuple[tuple[str, str], ...]
    """For each group, the number of dishes to choose, and the titles of its dishes."""
    named: tuple[tuple[str, str], ...]
    """For each named menu, its title and the titles of its dishes."""
    others: tuple[Dish, ...]


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_Identified)


def menus_of(rules: Ruleset, speech: CardSetPhraser) -> Menus:
    """Return the menus. For each dish that is not in play, this loads and reads another set of rules."""
    titles = {
        dish.id: (dish, speech.text(dish.title)) for dish in rules.model.variants if dish.group in rules.allowances
    }
    menus, groups = menus_and_groups(rules, speech)

    def dishes(menu: Menu) -> str:
        return speech.join_list([titles[dish][1] for dish in menu.variants if dish in titles], "comma")

    return Menus(
        tuple((f"{rules.allowances[group.id]} × {group.title}", dishes(group)) for group in groups if titles),
        tuple((menu.title, dishes(menu)) for menu in menus if titles),
        tuple(_dish(dish, rules, speech) for dish, _ in titles.values() if dish.id not in rules.model.active),
    )


def _dish(dish: VariantInfo, rules: Ruleset, speech: CardSetPhraser) -> Dish:
    """Return a dish that is not in play, with sentences about the cards that it would add."""
    active = rules.model.active
    played = [other for other in rules.model.variants if other.id in active and other.group in rules.allowances]
    together = {variant.id: variant.id not in dish.excludes and dish.id not in variant.excludes for variant in played}
    leaves = min((variant.id for variant in played if variant.group == dish.group), key=together.__getitem__)
    stays = [variant.id for variant in played if variant.id != leaves and together[variant.id]]
    menu_with = tuple(dict.fromkeys([dish.id, *dish.requires, *stays]))
    with_it = Ruleset(rules.document, Selection(menu_with))
    new_speech = CardSetPhraser(with_it.model, speech.language, speech.counts)
    cards = _new(with_it.model.cards, rules.model.cards)
    lines: list[str] = []
    for card in cards:
        name, adds = f"{card.count} × {new_speech.card_name(card.id)}", amounts_of(card, new_speech)
        lines.append(f"{name} ({new_speech.join_list(adds, 'comma')})" if adds else name)
    model, before = with_it.model, rules.model
    brought: list[str] = []
    scoring, triggers = _new(model.scoring, before.scoring), _new(model.triggers, before.triggers)
    texts = [words for card in cards if (words := new_speech.own_text(card.text))]
    mine = {card.id for card in cards} | {name for card in cards for name in (*card.family, *dict(card.adds))}
    read = [{name for one in rule.spec.inputs() for _, name in references(one.expr)} for rule in scoring]
    formulas = any(rule.kind == "formula" or not names & mine for rule, names in zip(scoring, read, strict=True))
    # The card set's own texts replace sentences made from formulas or effects, which would be long.
    if texts and (triggers or not scoring or formulas):
        brought += texts
    else:
        for card in cards:
            brought += card_said(replace(card, adds=()), new_speech)  # the list of cards states these amounts
        brought += [modifier_said(modifier, new_speech) for modifier in _new(model.modifiers, before.modifiers)]
        brought += [ability_said(ability, new_speech) for ability in _new(model.abilities, before.abilities)]
        for rule in scoring:
            brought += [new_speech.phrase("at.game")] if rule.at == "game" else []
            brought.append(new_speech.rule(rule))
        brought += [trigger_said(trigger, new_speech) for trigger in triggers]
    sentences = dict.fromkeys(brought)
    text = new_speech.joined([*sentences, speech.text(dish.text)])
    return Dish(speech.text(dish.title), new_speech.join_list(lines, "comma") if cards else "", text)


def _new(things: Iterable[_Thing], before: Iterable[_Thing]) -> list[_Thing]:
    known = {thing.id for thing in before}
    return [thing for thing in things if thing.id not in known]
