"""Fills numbers into the texts of cards and rules that quote them in braces.

``{size} make a set worth {points} points`` is such a text. A card can quote the amounts that it adds, and the numbers
of its own rule if it has exactly one (see `own_rules`). Any text can quote a rule, an ability or a pile of chips by
name, as in ``{bread.points}``. A card can also quote a modifier that applies to it. ``{most.2}`` is the second number
of a list, and ``{-fewest.1}`` is a loss as a positive number.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from draftengine.model.cardset.effects import amounts_of, modifiers_for
from draftengine.model.cardset.facts import Constants, constant_facts
from draftengine.model.diagnostics import diagnose
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.language.evaluate import constant_value, references
from draftengine.model.records import referenced_names
from draftengine.model.rules.kind import UnusableNumberError
from draftengine.support.identity import IdentityKey
from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import signed
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.cardset.records import Card, CardSet, Rule
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.records.reader import Formula, Texts
    from draftengine.model.rules.kind import RuleSpec
    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.source import Span

__all__ = ["filled", "numbers_of", "own_rules", "rules_about"]

Numbers: TypeAlias = "dict[int, dict[str, tuple[int, ...]]]"
"""The numbers of a rule: by number of players, then by key of the rule."""
Known: TypeAlias = "tuple[tuple[int, int, tuple[tuple[str, int], ...]], ...]"
"""The values known before play, as (number of players, number of seats, constants by name)."""

_REMEMBERED = 1 << 10
"""The size of the cache for numbers of rules. The games of a card set share most rules."""
_SOME = 6
_QUOTED = re.compile(r"\{([^{}]*)\}")


class _NotConstantError(Exception):
    """An error: a number of a rule is not known before play."""


def filled(model: CardSet) -> tuple[CardSet, tuple[Diagnostic, ...]]:
    """Return the card set with numbers filled into its texts, and the mistakes in the texts.

    A text with a mistake becomes empty.
    """
    if not any(_quotes(card.text) for card in model.cards) and not any(_quotes(rule.text) for rule in model.scoring):
        return model, ()
    filler = _Filler(model, [], {})
    cards = tuple(filler.card(card) for card in model.cards)
    scoring = tuple(filler.rule(rule) for rule in model.scoring)
    return replace(model, cards=cards, scoring=scoring), tuple(filler.findings)


def rules_about(model: CardSet, card: Card) -> tuple[Rule, ...]:
    """Return the scoring rules that count a card, one of its families or a counter to which it adds."""
    names = {card.id, *card.family, *(name for name, _ in card.adds)}
    for effect in card.on_play:
        names |= referenced_names(effect, "die")
    return tuple(rule for rule, counted in _counted(IdentityKey(model.scoring)) if names & counted)


@lru_cache(4)
def _counted(scoring: IdentityKey[tuple[Rule, ...]]) -> tuple[tuple[Rule, frozenset[str]], ...]:
    """Return the rules of a game, each with the names that it counts. Cached for all cards of the game."""
    return tuple((rule, _counted_by(IdentityKey(rule))) for rule in scoring.own)


@lru_cache(1 << 9)
def _counted_by(rule: IdentityKey[Rule]) -> frozenset[str]:
    formulas = rule.own.spec.inputs()
    names = {name.rpartition(".")[2] for formula in formulas for _, name in references(formula.expr)}
    return frozenset(names)


def own_rules(model: CardSet, card: Card) -> tuple[Rule, ...]:
    """Return the rules whose numbers a card's text may quote: the first of these groups that is not empty.

    * The rules on the card.
    * The rules about the card that have the card's name.
    * The rules about it that have the name of one of its families.
    * The rules about it that have the name of a counter to which it adds.
    * All rules about the card, unless it is a modifier or has an ability.
    """
    on_card = tuple(rule for rule in model.scoring if rule.path == f"/cards/{card.id}/scores")
    if on_card:
        return on_card
    about = tuple(rule for rule in rules_about(model, card) if not rule.path.startswith("/cards/"))
    for names in ((card.id,), card.family, tuple(name for name, _ in card.adds)):
        named = tuple(rule for rule in about if rule.id in names)
        if named:
            return named
    helping = {modifier.card for modifier in model.modifiers} | {ability.card for ability in model.abilities}
    return () if card.id in helping else about


def numbers_of(model: CardSet, rule: Rule) -> Numbers:
    """Return the numbers of a rule, by number of players and then by key.

    A number of players is left out if the numbers of the rule are not constant then.
    """
    return _numbers(IdentityKey(rule.spec), _known_before(IdentityKey(model)))


@lru_cache(4)
def _known_before(model: IdentityKey[CardSet]) -> Known:
    """Return the values that are known before play, for each number of players."""
    counts = range(model.own.min_players, model.own.max_players + 1)
    facts = (constant_facts(model.own, players) for players in counts)
    return tuple((each.player_count, each.seat_count, tuple(each.known.items())) for each in facts)


@lru_cache(_REMEMBERED)
def _numbers(spec: IdentityKey[RuleSpec[Any]], known: Known) -> Numbers:
    by_players = {}
    for players, seats, names in known:
        try:
            numbers = spec.own.resolve(partial(_constant, Constants(dict(names), seats, players))).numbers()
        except (_NotConstantError, UnusableNumberError):
            continue
        listed = {key: value if isinstance(value, tuple) else (value,) for key, value in numbers.items()}
        by_players[players] = {
            key: values for key, values in listed.items() if all(type(each) is int for each in values)
        }
    return by_players


def _constant(facts: Constants, formula: Formula) -> int:
    value = constant_value(formula.expr, facts)
    if value is None:
        raise _NotConstantError
    return int(value)


class _Filler(Struct, frozen=True):
    model: CardSet
    findings: list[Diagnostic]
    writers: dict[str, tuple[_Writer, dict[str, str]]]
    """For each language: the object that puts numbers in words, and the numbers that every text may quote."""
    rules: dict[str, tuple[Rule, ...]] = field(default_factory=dict)

    def card(self, card: Card) -> Card:
        if not _quotes(card.text):
            return card
        path = f"/cards/{card.id}/text"
        return replace(card, text=self._filled(card.text, partial(self._of_card, card), card, path))

    def rule(self, rule: Rule) -> Rule:
        if not _quotes(rule.text):
            return rule
        path = f"/scoring/{rule.id}/text"
        return replace(rule, text=self._filled(rule.text, lambda writer: writer.of_rule(rule), rule, path))

    def _filled(
        self, texts: Texts, numbers: Callable[[_Writer], dict[str, str]], owner: Card | Rule, path: str
    ) -> Texts:
        result = []
        for tag, text in texts:
            language = tag.partition("#")[0] or "en"
            if language not in self.writers:
                writer = _Writer(self.model, spoken(language))
                self.writers[language] = writer, writer.of_others()
            writer, others = self.writers[language]
            known = others | numbers(writer)
            for name in dict.fromkeys(quoted.strip() for quoted in _QUOTED.findall(text)):
                if name not in known:
                    alike = [key for key in known if key.endswith(f".{name}")]
                    best = [f"{owner.id}.{name}"] if f"{owner.id}.{name}" in alike else alike or list(known)
                    some = ", ".join(f"{{{key}}}" for key in best[-_SOME:] if not key.startswith("-"))
                    hint = did_you_mean(name, known) or said("hint.can-quote", names=some)
                    code, values = "text-quotes-nothing", {"hint": hint, "owner": owner.id, "name": name}
                    self.findings.append(diagnose(code, _text_of(owner), path, say="number", **values))
                    return ()
            if "{" in (rest := _QUOTED.sub("", text)) or "}" in rest:
                self.findings.append(
                    diagnose(
                        "text-quotes-nothing", _text_of(owner), path, say="brace", owner=owner.id, example="{points}"
                    )
                )
                return ()
            result.append((tag, _QUOTED.sub(lambda match: known[match[1].strip()], text)))  # noqa: B023 (called at once)
        return tuple(result)

    def _of_card(self, card: Card, writer: _Writer) -> dict[str, str]:
        known = writer.of_modifiers(card)
        if card.id not in self.rules:
            self.rules[card.id] = own_rules(self.model, card)
        rules = self.rules[card.id]
        for rule in rules if len(rules) == 1 else ():
            known |= writer.of_rule(rule)
        return known | {name: signed(amount) for name, amount in card.adds}


def _text_of(owner: Card | Rule) -> Span:
    """Return the position of a card's text, or of a rule."""
    return getattr(owner, "text_at", None) or owner.span


class _Writer(Struct, frozen=True):
    """Puts the numbers of a card set in words in one language."""

    model: CardSet
    words: Catalogue

    def of_rule(self, rule: Rule) -> dict[str, str]:
        """Return the numbers of a rule in words, by the names with which the rule's own text quotes them."""
        return _quotable(IdentityKey(numbers_of(self.model, rule)), IdentityKey(self.words))

    def of_modifiers(self, card: Card) -> dict[str, str]:
        amounts, numbers = amounts_of(self.model, card), {}
        for modifier in modifiers_for(self.model, card):
            for change in modifier.then:
                facts = constant_facts(self.model, self.model.min_players, amount=amounts.get(change.counter, 0))
                value = constant_value(change.formula.expr, facts)
                if value is not None:
                    numbers[f"{modifier.id}.{change.counter}"] = signed(int(value))
        return numbers

    def of_others(self) -> dict[str, str]:
        model = self.model
        numbers = {parameter.id: signed(parameter.default) for parameter in model.parameters}
        numbers |= {f"{ability.id}.take": str(ability.take) for ability in model.abilities}
        for pile in model.chips:
            numbers |= {f"{pile.id}.lowest": signed(min(pile.values)), f"{pile.id}.highest": signed(max(pile.values))}
        for rule in model.scoring:
            numbers |= {
                (f"-{rule.id}.{key[1:]}" if key.startswith("-") else f"{rule.id}.{key}"): text
                for key, text in self.of_rule(rule).items()
            }
        return numbers


@lru_cache(_REMEMBERED)
def _quotable(numbers: IdentityKey[Numbers], words: IdentityKey[Catalogue]) -> dict[str, str]:
    """Return the numbers of a rule in words, by the names with which a text quotes them."""
    quotable: dict[str, str] = {}
    for key in next(iter(numbers.own.values()), {}):
        each = {players: by_key[key] for players, by_key in numbers.own.items() if key in by_key}
        listed = {players: words.own.comma.join(map(signed, values)) for players, values in each.items()}
        quotable[key] = _said(listed, words.own)
        for index in range(min(map(len, each.values()))):
            for minus, sign in (("", 1), ("-", -1)):
                one = {players: signed(sign * values[index]) for players, values in each.items()}
                quotable[f"{minus}{key}.{index + 1}"] = _said(one, words.own)
    return quotable


def _said(values: dict[int, str], words: Catalogue) -> str:
    """Return the most common value and, in parentheses, the values for other numbers of players."""
    groups: dict[str, list[int]] = {}
    for players, value in values.items():
        groups.setdefault(value, []).append(players)
    usual = max(groups, key=lambda value: len(groups[value]))
    others = []
    for value, counts in groups.items():
        if value == usual:
            continue
        numbers = [words.phrase(key) if (key := f"number.{one}") in words.patterns else str(one) for one in counts]
        several = words.phrase("when.several", list=words.join_list(numbers, "or"))
        when = several if counts[1:] else words.phrase("when", text=numbers[0], players=counts[0])
        others.append(f"{value} {when}")
    return f"{usual} ({words.comma.join(others)})" if others else usual


def _quotes(texts: Texts) -> bool:
    return any("{" in text for _, text in texts)
