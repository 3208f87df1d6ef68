"""Sentences about a card set in one language: what its things are called there, and how its formulas are read aloud.

What a sentence says stands with each rule kind and each verb; its words stand in a catalogue (`draftengine.wording`).
Here they meet: this is what knows the labels of a card set, and which numbers do not depend on how many play.
"""

from __future__ import annotations

from collections import Counter as Tally
from functools import partial
from typing import TYPE_CHECKING, Any

from draftengine.cardset.effects import all_effects
from draftengine.cardset.facts import constant, constant_facts
from draftengine.cardset.model import forms_in, text_in
from draftengine.language.evaluate import constant_value, references
from draftengine.language.tree import Binary, Call, Compare, Conditional, Logic, Name, Number, Truth, Unary
from draftengine.rules import KINDS
from draftengine.verbs import VERBS
from draftengine.verbs.verb import Cards
from draftengine.wording import spoken
from draftengine.wording.catalogue import Noun, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.cardset.model import CardSet, Rule
    from draftengine.language.tree import Expr
    from draftengine.records.values import ByPlayers, Formula, Texts
    from draftengine.verbs.verb import Step
    from draftengine.verbs.ways import Way

_MOST_ADDERS = 5
"""Of a counter to which more cards add, the counter is told and not the cards."""
_TWICE = 2
_BUILT_IN = frozenset({"deck", "hand", "tableau", "discard"})
_SIGNS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Speech:
    """A card set in words. `counts` are the numbers of players that are spoken of; all that can play, unless said."""

    def __init__(self, model: CardSet, language: str = "en", counts: Sequence[int] = ()) -> None:
        self.model = model
        self.catalogue = spoken(language)
        self.language = language
        self.counts = tuple(counts) or tuple(range(model.min_players, model.max_players + 1))
        self._cards = {card.id: card.label for card in model.cards}
        self._families = {family.id: family.label for family in model.families}
        self._members: dict[str, list[str]] = {}
        for card in model.cards:
            for family in card.family:
                self._members.setdefault(family, []).append(card.id)
        parts = (model.counters, model.modifiers, model.abilities, model.zones, model.markers, model.chips)
        things: list[Any] = [own for part in parts for own in part]
        self._labels = {own.id: own.label for own in reversed(things)}
        self._counters = {own.id: own.label for own in model.counters}

    # ── Words of the catalogue ────────────────────────────────────────────────────────────────────────────────────────

    def say(self, key: str, /, **given: object) -> str:
        """A pattern of the catalogue, filled in."""
        return self.catalogue.say(key, **given)

    def has(self, key: str) -> bool:
        """Does the catalogue have a pattern."""
        return key in self.catalogue.patterns

    def listed(self, items: Sequence[str], word: str = "and") -> str:
        """Several things in a sentence."""
        return self.catalogue.listed(items, word)

    def joined(self, sentences: Sequence[str]) -> str:
        """Sentences one after the other."""
        return self.say("space").join(own for own in sentences if own)

    def number(self, number: int) -> str:
        """A small number as a word, if the language has one here."""
        return self.say(f"number.{number}") if self.has(f"number.{number}") else str(number)

    def text(self, texts: Texts) -> str:
        """A text of the card set."""
        return text_in(texts, self.language)

    def own_text(self, texts: Texts) -> str:
        """A text of the card set, if it has it in this very language."""
        tags = {tag for tag, _ in texts}
        mine = {self.language, self.language.split("-", maxsplit=1)[0]} | ({""} if self.language == "en" else set())
        return self.text(texts) if tags & mine else ""

    # ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.model.rounds

    def thing(self, name: str) -> str:
        """A marker, counter, zone or chip pile."""
        return self.text(self._labels.get(name, ())) or self.text(self._cards.get(name, ())) or name.replace("_", " ")

    def pile(self, name: str) -> str:
        """A pile of chips."""
        return self.thing(name)

    def seat(self, name: str) -> str:
        """An extra seat."""
        return next((self.text(own.label) for own in self.model.extra_seats if own.id == name), name)

    def zone(self, name: str) -> str:
        """A zone, as it stands in the middle of a sentence."""
        return self.say(f"zone.{name}") if name in _BUILT_IN else self.say("zone", zone=self.thing(name))

    def in_the_open(self, zone: str) -> bool:
        """Does everybody see what lies there."""
        return any(own.id == zone and own.seen_by == "everyone" for own in self.model.zones)

    def is_layout(self, zone: str) -> bool:
        """Has it places."""
        return any(own.id == zone and own.layout for own in self.model.zones)

    def of_each(self, zone: str) -> bool:
        """Does everybody have such a zone."""
        return any(own.id == zone and own.per == "seat" for own in self.model.zones)

    def card_name(self, name: str) -> str:
        """A card, a face, or a card in a form, as it is printed."""
        card, _, form = name.partition("@")
        label = self.text(self._cards.get(card, ())) or card.replace("_", " ").capitalize()
        return self.say("expr.form", card=label, form=self.card_name(form)) if form else label

    def card_noun(self, name: str) -> Noun:
        """Cards of a name."""
        card, _, form = name.partition("@")
        if form:
            return self.catalogue.noun("card", self.card_name(name), {})
        return self._noun("card", self._cards.get(card, ()), card)

    def counter(self, name: str) -> Noun:
        """What a counter counts."""
        return self._noun("counter", self._counters.get(name, ()), name)

    def _noun(self, sort: str, texts: Texts, name: str) -> Noun:
        label = self.text(texts) or name.replace("_", " ").capitalize()
        return self.catalogue.noun("counter" if sort == "counter" else "card", label, forms_in(texts, self.language))

    def family(self, name: str) -> Noun:
        """Cards of a family: by its label, by its cards if they are few, else by its name."""
        if name in self._families:
            return self._noun("card", self._families[name], name)
        members = self._members.get(name, [])
        if 0 < len(members) <= 3 and self.catalogue.language != "en":  # noqa: PLR2004 (a list, not a litany)
            names = self.listed([self.card_noun(own).forms["name"] for own in members], "or")
            return Noun("phrase", {"one": names, "many": names, "name": names})
        words = name.replace("_", " ")
        return self.catalogue.noun("card", words.capitalize(), {"one": words, "other": words})

    def is_family(self, name: str) -> bool:
        """Is it a family, not a card."""
        return name in self._members or name in self._families

    def kept(self) -> list[str]:
        """The cards that stay when the table is cleared, families together."""
        kept = [card for card in self.model.cards if card.keep]
        names = [self._together(card.family[0]) if card.family else None for card in kept]
        found = [own or self.card_noun(card.id) for own, card in zip(names, kept, strict=True)]
        form = "many" if self.catalogue.language == "en" else "name"
        return list(dict.fromkeys(own.forms[form] for own in found))

    def _together(self, family: str) -> Noun | None:
        return self.family(family) if family in self._families or self.catalogue.language == "en" else None

    def together(self, formulas: Sequence[Formula]) -> Noun | None:
        """What several cards are called together, if they are a family."""
        names = {own.text for own in formulas}
        for family, members in self._members.items():
            if set(members) == names:
                return self._together(family)
        return None

    def noun(self, formula: Formula) -> Noun:
        """What a formula counts."""
        return self.noun_of(formula.expr)

    def noun_of(self, expr: Expr) -> Noun:
        """What a part of a formula counts."""
        if isinstance(expr, Name):
            if expr.id.partition("@")[0] in self._cards:
                return self.card_noun(expr.id)
            if expr.id in self._members:
                return self.family(expr.id)
            if expr.id == "points":
                forms = self.say("expr.points").split("|")
                names = dict(zip(self.catalogue.plurals, forms, strict=True))
                return Noun("counter", {"acc": forms[0], "many": forms[-1], **names, "name": forms[-1]})
            if _is_its(expr):
                text = self.say("expr.its", name=expr.id.removeprefix("its.").replace("_", " "))
                return Noun("phrase", {"one": text, "many": text, "name": text})
            return self.counter(expr.id)
        kinds = _is_kinds(expr)
        text = self.say("expr.kinds_noun", names=self._names(expr)) if kinds else self.amount(expr)
        return Noun(
            "counter" if kinds else "phrase", {"one": text, "few": text, "many": text, "acc": text, "name": text}
        )

    def _names(self, expr: Expr) -> str:
        assert isinstance(expr, Call)
        return self.listed([self.noun_of(own).forms["name"] for own in expr.arguments])

    def adders(self, formula: Formula) -> tuple[tuple[Noun, int], ...]:
        """The cards that add to a counter, and how much; none if it is no counter or there are too many."""
        name = formula.text
        found = [(card, dict(card.adds)[name]) for card in self.model.cards if name in dict(card.adds)]
        if not found or len(found) > _MOST_ADDERS or name in self._cards or name in self._members:
            return ()
        effects = {own for step in self._effects() for own in step}
        return () if name in effects else tuple((self.card_noun(card.id), amount) for card, amount in found)

    def _effects(self) -> list[list[str]]:
        """The counters that effects change."""
        return [[own.counter for own in getattr(step, "amounts", ())] for step in all_effects(self.model)]

    # ── Steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def step(self, step: Step) -> str:
        """A step, with its condition and with marks."""
        said = VERBS[step.verb].sentence(step, self)
        return said if step.when is None else self.say("step.if", condition=self.condition(step.when.expr), text=said)

    def effects(self, steps: Sequence[Step]) -> str:
        """What happens, as a list in the middle of a sentence."""
        return self.listed([self.step(own) for own in steps])

    def way(self, way: Way) -> str:
        """What a way is called."""
        return self.text(way.label) or way.id

    # ── Numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def constant(self, expr: Expr) -> int | None:
        """The value of what is the same in every game that is spoken of."""
        found = {constant_value(expr, constant_facts(self.model, count)) for count in self.counts}
        value = found.pop() if len(found) == 1 else None
        return None if value is None else int(value)

    def cards(self, cases: ByPlayers | None) -> Cards:
        """A number of cards; 1 if none is given."""
        if cases is None:
            return Cards("1", self.say("cards", count=1), "", 1, 1)
        found = {count: self._cards_for(cases, count) for count in self.counts}
        values = set(found.values())
        if None in values:
            return self._by_round(cases)
        if len(values) == 1:
            count = int(values.pop() or 0)
            return Cards(str(count), self.say("cards", count=count), "", count, count)
        groups: dict[int, list[int]] = {}
        for players, own in found.items():
            groups.setdefault(int(own or 0), []).append(players)
        numbers = self.listed([str(own) for own in groups], "or")
        last = list(groups)[-1]
        spans = self.listed([_span(own) for own in groups.values()], "or")
        shown = self.say("cards.players", players=spans)
        return Cards(numbers, self.say("cards.each", numbers=numbers), shown, max(2, last), None)

    def _by_round(self, cases: ByPlayers) -> Cards:
        """A number of cards that is another one in each round; else as it is written."""
        rounds = range(1, self.rounds + 1)
        groups: dict[tuple[int | None, ...], list[int]] = {}
        for players in self.counts:
            groups.setdefault(tuple(self._cards_for(cases, players, round=at) for at in rounds), []).append(players)
        if any(None in own for own in groups):
            text = self.written(next(iter(cases.cases))[1].expr)
            return Cards(text, self.say("cards.of", text=text), "", 2, None)
        said = []
        for own, counts in groups.items():
            numbers = self.listed([str(number) for number in own])
            spans = self.say("cards.players", players=_span(counts)) if len(groups) > 1 else ""
            said.append(f"{numbers}{spans}")
        listed = self.listed([str(at) for at in rounds])
        in_rounds = self.say("rounds", count=self.rounds, list=listed)
        numbers = self.listed(said, "or")
        return Cards(numbers, self.say("cards.rounds", numbers=numbers, rounds=in_rounds), "", 2, None)

    def numbers(self, cases: ByPlayers | None) -> list[int | None]:
        """A number of cards for each number of players; ``None`` where it is not known before the game."""
        return [1 if cases is None else self._cards_for(cases, count) for count in self.counts]

    def _cards_for(self, cases: ByPlayers, players: int, **local: int) -> int | None:
        formula = dict(cases.cases).get(players) or dict(cases.cases).get(None)
        value = None if formula is None else constant_value(formula.expr, constant_facts(self.model, players, **local))
        return None if value is None else int(value)

    # ── Rules ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def rule(self, rule: Rule) -> str:
        """What a scoring rule gives, with marks (see `draftengine.wording.catalogue`)."""
        card = next((card for card in self.model.cards if card.id == rule.card), None)
        own = self.own_text(rule.text) or (self.own_text(card.text) if card is not None else "")
        said = own or self._by_numbers(rule)
        if card is not None and not own:
            key = "on_card" if card.count == 1 else "on_cards"
            said = self.say(key, of=self.card_noun(card.id), text=said)
        return self.joined([said, *self._conditions(rule)])

    def _by_numbers(self, rule: Rule) -> str:
        """The sentence for most numbers of players, and what is different with others."""
        kind = KINDS[rule.kind]
        groups: dict[object, list[int]] = {}
        for count in self.counts:
            numbers = kind.resolve(rule.spec, partial(constant, model=self.model, players=count))
            groups.setdefault(numbers, []).append(count)
        (usual, _), *others = sorted(groups.items(), key=lambda own: (-len(own[1]), own[1]))
        said = [kind.sentence(rule.spec, usual, self)]
        for numbers, counts in others:
            when = self.when(counts)
            exception = getattr(kind, "exception", None)
            short = exception(rule.spec, usual, numbers, self, when) if exception is not None else None
            said.append(short or self.when_that(when, kind.sentence(rule.spec, numbers, self)))
        return self.joined(said)

    def when_that(self, when: str, text: str) -> str:
        """A sentence that holds with some numbers of players."""
        lower = text[:1].lower() + text[1:] if text[1:2].islower() else text
        return self.say("when.that", when=when, text=lower)

    def when(self, counts: Sequence[int]) -> str:
        """``with two players``."""
        if len(counts) == 1:
            return self.say("when", text=self.number(counts[0]), players=counts[0])
        return self.say("when.several", list=self.listed([self.number(own) for own in counts], "or"))

    def _conditions(self, rule: Rule) -> list[str]:
        """The condition of a rule: what is left of it for each number of players."""
        if rule.when is None:
            return []
        groups: dict[Expr, list[int]] = {}
        for count in self.counts:
            groups.setdefault(self._left_of(rule.when.expr, count), []).append(count)
        said = []
        for expr, counts in groups.items():
            if not expr == Truth(value=True):  # noqa: SIM201 (trees know only ==)
                only = self.say("only_if", condition=self.condition(expr))
                said.append(only if len(groups) == 1 else self.when_that(self.when(counts), only))
        return said

    def _left_of(self, expr: Expr, players: int) -> Expr:
        """A condition without the parts that the number of players decides."""
        value = constant_value(expr, constant_facts(self.model, players))
        if value is not None:
            return Truth(value=bool(value))
        if isinstance(expr, Logic):
            left, right = self._left_of(expr.left, players), self._left_of(expr.right, players)
            decides = Truth(value=expr.op == "or")
            if decides in {left, right}:
                return decides
            if isinstance(left, Truth):
                return right
            return left if isinstance(right, Truth) else Logic(expr.op, left, right)
        return expr

    # ── Formulas read aloud ───────────────────────────────────────────────────────────────────────────────────────────

    def condition(self, expr: Expr) -> str:
        """A condition about the seat that is spoken to, in the middle of a sentence."""
        if isinstance(expr, Logic):
            return self.say(f"cond.{expr.op}", left=self.condition(expr.left), right=self.condition(expr.right))
        if isinstance(expr, Unary) and expr.op == "not":
            return self.say("cond.not", text=self.condition(expr.operand))
        if isinstance(expr, Call) and expr.function == "holds":
            return self.say("cond.holds", marker=self.thing(_first_name(expr)))
        if isinstance(expr, Compare):
            return self._compared(expr)
        if isinstance(expr, Name):
            return self.say("cond.at_least", of=self.noun_of(expr), count=1)
        return self.written(expr)

    def _compared(self, expr: Compare) -> str:
        left, right = expr.left, expr.right
        op: str = expr.op
        if self.constant(left) is not None:
            left, op, right = right, _TURNED[op], left
        count = self.constant(right)
        others = self._against_others(left, op, right)
        said = others if count is None else self._against_number(left, op, count)
        if said is not None:
            return said
        how = self.say(f"cmp.{_SIGNS[op]}")
        return self.say("cond.compare", left=self.amount(left), how=how, right=self.amount(right))

    def _against_number(self, left: Expr, op: str, count: int) -> str | None:  # noqa: PLR0911 (one for each pattern)
        if _is_its(left):
            return None
        if op in {">", "<"}:
            op, count = f"{op}=", count + (1 if op == ">" else -1)
        if isinstance(left, Name) and left.id == "round":
            keys = {"==": "cond.round", ">=": "cond.from_round"}
            if op == "<=":
                return self.say("cond.before_round", count=count + 1)
            return self.say(keys[op], count=count) if op in keys else None
        if isinstance(left, Name) and self.has(f"fact.{left.id}"):
            return None
        if isinstance(left, Call):
            return self._call_against_number(left, op, count)
        if not isinstance(left, Name):
            return None
        if (op, count) in {("==", 0), ("<=", 0)}:
            return self.say("cond.none", of=self.noun_of(left))
        keys = {"==": "cond.exactly", ">=": "cond.at_least", "<=": "cond.at_most"}
        return self.say(keys[op], of=self.noun_of(left), count=count) if op in keys else None

    def _call_against_number(self, left: Call, op: str, count: int) -> str | None:
        if left.function == "kinds" and op in {"==", ">="} and count == len(left.arguments):
            return self.say("cond.all_kinds", names=self._names(left))
        if left.function == "gained" and (op, count) == (">=", 1):
            return self.say("cond.gained", of=self.noun_of(left.arguments[0]))
        inner = left.arguments[0] if left.arguments else None
        gained = inner.left if isinstance(inner, Compare) else None
        if left.function == "others_with" and (op, count) == (">=", 1) and isinstance(gained, Call):
            return self.say("cond.others", of=self.noun_of(gained.arguments[0]))
        return None

    def _against_others(self, left: Expr, op: str, right: Expr) -> str | None:
        if not isinstance(right, Call) or not right.arguments:
            return None
        if isinstance(left, Call) and (left.function, right.function) == ("most", "fewest") and op in {">", "!="}:
            return self.say("cond.differ", of=self.noun_of(right.arguments[0]))
        if not right.arguments[0] == left:  # noqa: SIM201 (trees know only ==)
            return None
        keys = {
            ("==", "most"): "cond.most",
            (">=", "most"): "cond.most",
            ("==", "fewest"): "cond.fewest",
            ("<=", "fewest"): "cond.fewest",
            (">=", "others_most"): "cond.most",
            (">", "others_most"): "cond.alone_most",
            ("<=", "others_fewest"): "cond.fewest",
            ("<", "others_fewest"): "cond.alone_fewest",
        }
        key = keys.get((op, right.function))
        return None if key is None else self.say(key, of=self.noun_of(left))

    def amount(self, expr: Expr) -> str:  # noqa: C901, PLR0911, PLR0912 (one for each pattern)
        """A number that a formula works out, in the middle of a sentence."""
        value = self.constant(expr)
        if value is not None:
            return signed(value)
        match expr:
            case Name(name) if self.has(f"fact.{name}"):
                return self.say(f"fact.{name}")
            case Name():
                return self.say("expr.count", of=self.noun_of(expr))
            case Call("kinds"):
                return self.say("expr.kinds", names=self._names(expr))
            case Call("top", (first, *values)):
                listed = self.listed([self.amount(own) for own in values])
                count = self.constant(first)
                if count is not None and count >= len(values):
                    return self.say("expr.all", list=listed)
                return self.say("expr.top", count=self.amount(first), list=listed)
            case Call("best_of"):
                return self.say("expr.best_of")
            case Call("max" | "min") if all(isinstance(own, Name) for own in expr.arguments):
                key = "expr.largest" if expr.function == "max" else "expr.smallest"
                return self.say(key, names=self._names(expr))
            case Call("most" | "fewest", (own,)):
                return self.say(f"expr.{expr.function}", of=self.noun_of(own))
            case Binary("//", Name() as own, size) if not _is_its(own) and (count := self.constant(size)) is not None:
                return self.say("expr.groups", of=self.noun_of(own), count=count)
            case Conditional(then, condition, otherwise):
                then_, other = self.amount(then), self.amount(otherwise)
                return self.say("expr.choice", then=then_, condition=self.condition(condition), other=other)
            case Binary("+" | "-", left, right):
                key = "expr.sum" if expr.op == "+" else "expr.difference"
                return self.say(key, left=self.amount(left), right=self.amount(right))
            case Binary("*", left, right) if (count := self.constant(left)) is not None:
                said = self.amount(right)
                return self.say("expr.twice" if count == _TWICE else "expr.times", count=count, text=said)
        return self.say("expr.written", text=self.written(expr))

    def written(self, expr: Expr) -> str:  # noqa: PLR0911 (one for each kind of node)
        """A formula with labels for names, in signs."""
        match expr:
            case Number():
                return signed(expr.value)
            case Name():
                return self.noun_of(expr).forms["name"]
            case Call():
                return f"{expr.function}({', '.join(self.written(own) for own in expr.arguments)})"
            case Unary():
                return f"{'−' if expr.op == '-' else expr.op + ' '}{self._inner(expr.operand)}"
            case Conditional():
                then, other = self._inner(expr.then), self._inner(expr.otherwise)
                return f"{then} ({self.condition(expr.condition)}) / {other}"
            case Binary() | Compare() | Logic():
                sign = {"*": "×", "-": "−", "//": "÷"}.get(expr.op, expr.op)
                return f"{self._inner(expr.left)} {sign} {self._inner(expr.right)}"
        return str(expr.value).lower()

    def _inner(self, expr: Expr) -> str:
        text = self.written(expr)
        return text if isinstance(expr, Number | Name | Call) else f"({text})"

    def holder(self, expr: Expr) -> str | None:
        """The marker whose holder has most of what a formula says, if it says nothing else."""
        if isinstance(expr, Conditional) and isinstance(expr.condition, Call) and expr.condition.function == "holds":
            return self.thing(_first_name(expr.condition))
        return self.thing(_first_name(expr)) if isinstance(expr, Call) and expr.function == "holds" else None

    def names_in(self, expr: Expr) -> Tally[str]:
        """The names that a formula mentions."""
        return Tally(name for _, name in references(expr))


def _first_name(expr: Call) -> str:
    first = expr.arguments[0]
    assert isinstance(first, Name)
    return first.id


def _is_its(expr: Expr) -> bool:
    """Is this what a card has."""
    return isinstance(expr, Name) and expr.id.startswith("its.")


def _is_kinds(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function == "kinds"


def _span(counts: Sequence[int]) -> str:
    """``2``, ``2–3``, and ``2/5`` where the numbers between are not among them."""
    if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]}–{counts[-1]}"
    return "/".join(map(str, counts))
