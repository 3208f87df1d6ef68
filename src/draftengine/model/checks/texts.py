"""Checks that the numbers in the text of a card agree with its rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from draftengine.model.cardset.effects import amounts_of, modifiers_for, without_groups
from draftengine.model.cardset.facts import constant_facts
from draftengine.model.diagnostics import Diagnostic, Related, diagnose
from draftengine.model.diagnostics.suggest import NUMBER_WORDS
from draftengine.model.language.evaluate import constant_value, references
from draftengine.model.language.tree import Number, parts
from draftengine.model.loading.texts import numbers_of, own_rules, rules_about
from draftengine.model.records import formulas_in
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.cardset.records import Card, CardSet, Modifier, Rule
    from draftengine.model.language.tree import Expr
    from draftengine.support.source import Span

_WORDS = {word: number for number, word in enumerate(NUMBER_WORDS) if number > 1}
"""The numbers that are written as words. “One” is left out, because it often does not mean a number."""
_A_NUMBER = "|".join(_WORDS)
_NOUNS = "points?|make|score|give|are worth|alike|different|equal|identical|of a kind|of these|of them"
"""Words about points or scoring cards. A number written as a word counts only before one of them."""
_NUMBER = re.compile(rf"(?<![\w.,])(?:\d+(?![\w]|[.,]\d)|(?i:{_A_NUMBER})\b(?= (?:{_NOUNS})\b))")
_CLAIM = re.compile(rf"(?i)(\b(?:loses?|minus|costs?|pays?) )?([-−])?({_NUMBER.pattern})( points?\b)?")
"""A number, with the words that show its sign: a verb or minus before it, or “points” after it."""
_SCORES = re.compile(
    rf"(?i)\b(?:{_NOUNS}|scor\w+|worth|giv\w+|gets?|gains?|earns?|counts?|lose\w*|minus|costs?|pays?|takes?|wins?"
    r"|makes|sets?|pairs?|triples?|trios?|each|per|every|most|fewest|highest|lowest|bonus|cards?)\b"
)
"""A word about scoring."""
_SET = re.compile(rf"(?i)\bsets? of (\d+|{_A_NUMBER})\b|\b(\d+|{_A_NUMBER})[- ]of[- ]a[- ]kind\b")
_PAIR = re.compile(r"(?i)\bpairs?\b")


def check_texts(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about texts with a number that occurs neither on the card nor in its rules.

    Also yield findings about lists of numbers that an extending file made longer, if older texts of cards do not say
    so.
    """
    reported = set()
    for card in model.cards:
        numbers: list[int] = []
        for tag, text in card.text:
            for sentence in re.split(r"[.!?;](?:\s|$)", text):
                # An English sentence must have a word about scoring.
                other = tag.partition("#")[0] not in {"", "en"} or not re.search(r"[^\W\d]", sentence)
                numbers += _numbers_in(sentence) if other or _SCORES.search(sentence) else ()
        named = [of or kind for _, text in card.text for of, kind in _SET.findall(text)]
        sizes = [2 for _, text in card.text for _ in _PAIR.findall(text)] + list(map(_number_from, named))
        rules = own_rules(model, card) if numbers or sizes else ()
        if not rules:
            continue
        strange = list(dict.fromkeys(numbers))
        for known in _known(model, card):
            if abs(known) in strange:
                strange.remove(abs(known))
            if not strange:  # the usual case: the first rules of the card explain all of its numbers
                break
        wanted = {size for rule in rules for keys in numbers_of(model, rule).values() for size in keys.get("size", ())}
        strange += [size for size in sizes if wanted and size not in wanted]
        strange += [] if strange else _with_wrong_sign(model, card, rules)
        if strange and (place := card.text_at or card.span) not in reported:  # cards of a series share a text
            reported.add(place)
            yield _contradiction(model, card, rules[0], strange[0])
    changed = (rule for rule in model.scoring if _number_of(rule).source is not rule.span.source)
    yield from filter(None, (_untold(model, rule) for rule in changed))


def _with_wrong_sign(model: CardSet, card: Card, rules: Sequence[Rule]) -> Iterator[int]:
    """Yield each number in a text whose sign is wrong: only its negative is among the card's numbers."""
    by_key = [pair for rule in rules for keys in numbers_of(model, rule).values() for pair in keys.items()]
    given = {number for _, numbers in by_key for number in numbers}
    if any(key == "fewest" and numbers for key, numbers in by_key):  # its signs have a finding of their own
        return
    others = {*amounts_of(model, card).values(), *_when_modified(model, card), card.count}
    for _, text in card.text:
        for loss, minus, word, points in _CLAIM.findall(text):
            number = _number_from(word) * (-1 if bool(loss) != bool(minus) else 1)
            signed = bool(loss or minus or points) and not card.on_play
            if signed and -number in given and number not in given | others:
                yield number


def _numbers_in(text: str) -> list[int]:
    """Return the numbers in a text, in digits or in words."""
    return list(map(_number_from, _NUMBER.findall(text)))


def _number_from(word: str) -> int:
    return int(word) if word.isdigit() else _WORDS[word.lower()]


def _untold(model: CardSet, rule: Rule) -> Diagnostic | None:
    """Return a finding if an extending file adds numbers to a rule, and older texts do not mention them."""
    where = _number_of(rule)
    cards = [card for card in model.cards if card.text_at and card.text_at.source is not where.source]
    about = []
    for card in (card for card in cards if rule in own_rules(model, card)):
        mentioned: list[int] = []
        for _, text in card.text:
            left = _numbers_in(text)
            for amount in amounts_of(model, card).values():  # the card's own amounts are not meant
                if amount in left:
                    left.remove(amount)
            mentioned += left
        about.append((card, mentioned))
    lists = [tuple(map(abs, values)) for by_key in numbers_of(model, rule).values() for values in by_key.values()]
    for numbers in dict.fromkeys(lists):
        short = [
            (card, mentioned)
            for card, mentioned in about
            if _stops_early(mentioned, numbers)
            and not any(_in_a_row(numbers) in _in_a_row(_numbers_in(text)) for _, text in card.text)
        ]
        if short:
            named = tuple(str(number) for number in numbers if number in short[0][1])
            return diagnose(
                "text-contradicts-rule",
                where,
                f"/scoring/{rule.id}",
                say="texts" if short[1:] else "stopped",
                related=tuple(
                    Related(said("finding.a-text-is-here"), card.text_at) for card, _ in short if card.text_at
                ),
                rule=rule.id,
                cards=quoted(card.id for card, _ in short),
                numbers=named,
                more=tuple(map(str, numbers[len(named) :])),
            )
    return None


def _in_a_row(numbers: Iterable[int]) -> str:
    return f",{','.join(map(str, numbers))},"


def _stops_early(quoted: list[int], numbers: tuple[int, ...]) -> bool:
    """True if a text mentions at least the first two numbers of a list, but not the last ones."""
    present = [number in quoted for number in numbers]
    return present[:2] == [True, True] and present == sorted(present, reverse=True) and not present[-1]


def _contradiction(model: CardSet, card: Card, rule: Rule, number: int) -> Diagnostic:
    """Return the finding that the text of a card contradicts a rule.

    The finding is at the rule if an extending file changed the rule, otherwise at the text. The other position is
    related.
    """
    text, where = card.text_at or card.span, _number_of(rule)
    values: dict[str, Any] = {"card": card.id, "number": number, "rule": rule.id}
    if where.source is not text.source and text.source is card.span.source:
        related = (Related(said("finding.the-text-is-here"), text),)
        path = f"/scoring/{rule.id}"
        return diagnose("text-contradicts-rule", where, path, say="rule", related=related, **values)
    related = (Related(said("finding.the-rule-is-here"), where),)
    keys = next(iter(numbers_of(model, rule).values()), {})
    paid = [key for key, numbers in keys.items() if any(numbers)]
    values["example"] = f"{{{'points' if 'points' in paid else next(iter(paid), 'points')}}}"
    return diagnose("text-contradicts-rule", text, f"/cards/{card.id}/text", say="text", related=related, **values)


def _number_of(rule: Rule) -> Span:
    """Return the position of the first number in the rule, or of the first that an extending file changes."""
    spans = [constant.span for constant in rule.spec.constants()]
    later = [span for span in spans if span.source is not rule.span.source]
    return (later or spans or [rule.span])[0]


def _known(model: CardSet, card: Card) -> Iterator[int]:
    """Yield every number that may correctly occur in the text of a card."""
    yield from (*amounts_of(model, card).values(), card.count)
    for rule in (*rules_about(model, card), *own_rules(model, card)):
        # The numbers of a rule are meant without their signs. In a list, the position of each number is one, too.
        for numbers in (each for by_key in numbers_of(model, rule).values() for each in by_key.values()):
            yield from (*map(abs, numbers), *range(1, len(numbers) + 1))
        for formula in (*rule.spec.inputs(), *((rule.when,) if rule.when else ())):
            yield from _literals(formula.expr)
        chip = getattr(rule.spec, "chip", None)
        yield from (value for pile in model.chips if pile.id == chip for value in pile.values)
    for modifier in _modifiers(model, card):
        yield modifier.capacity
        for change in modifier.then:
            yield from _literals(change.formula.expr)
    yield from _when_modified(model, card)
    for ability in model.abilities:
        if ability.card == card.id:
            yield from (ability.take, ability.take + 1, ability.per_turn)
    # The steps of triggers whose formulas read the card, a family of it, or what it adds.
    names = {card.id, *card.family, *(name for name, _ in card.adds)}
    triggered = [
        step
        for trigger in model.triggers
        if any(
            name in names
            for formula in (trigger.who, trigger.unless, trigger.by)
            if formula is not None
            for _, name in references(formula.expr)
        )
        for step in trigger.do
    ]
    effects = without_groups((*card.on_play, *triggered))
    for formula in (formula for effect in effects for formula, *_ in formulas_in(effect, "")):
        yield from _literals(formula.expr)
    if card.forms is not None and card.forms.when is not None:
        yield from _literals(card.forms.when.expr)
    for counter in model.counters:
        yield from (number for number in (counter.die, counter.min, counter.max, counter.start) if number is not None)
    for parameter in model.parameters:
        yield from (parameter.default, *parameter.values)


def _modifiers(model: CardSet, card: Card) -> tuple[Modifier, ...]:
    """Return the modifiers that apply to a card, and the modifiers on the card itself."""
    return (*modifiers_for(model, card), *(modifier for modifier in model.modifiers if modifier.card == card.id))


def _when_modified(model: CardSet, card: Card) -> Iterator[int]:
    """Yield the amounts that a card adds when modifiers have changed them."""
    amounts = amounts_of(model, card)
    for change in (change for modifier in _modifiers(model, card) for change in modifier.then):
        facts = constant_facts(model, model.min_players, amount=amounts.get(change.counter, 0))
        yield int(constant_value(change.formula.expr, facts) or 0)


def _literals(expr: Expr) -> Iterator[int]:
    if isinstance(expr, Number):
        yield abs(expr.value)
    for part in parts(expr):
        yield from _literals(part)
