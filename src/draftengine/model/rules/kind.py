"""The contract of a rule kind: one class with everything that the program knows about a way to score.

The fields of the class are declared once. The JSON Schema, the reader, the formulas that a rule reads and its constants
all follow from them. A rule as read from the file is, for example, ``Each[Formula]``. It is *resolved* for a number of
players by replacing every field marked `CONSTANT` with its value, which gives ``Each[int]``. Scoring, explanations and
progress are methods of the resolved rule; rulebook sentences are methods of the rule as read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Protocol, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.records import FieldSpec, FormulaScope, Record, field, fields_of
from draftengine.model.records.reader import Formula, Reader
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from draftengine.model.language.tree import Expr
    from draftengine.model.records import Field
    from draftengine.support.locale.catalogue import Catalogue, Noun
    from draftengine.support.locale.phrases import Phrase

N = TypeVar("N")
"""The type of a rule's numbers: `Formula` as read from the file, `int` in a rule resolved for a game."""

Count = Annotated[Formula, FormulaScope("seat", "int")]
"""A formula that is evaluated once for each seat whenever the rule is scored."""
Counts = Annotated[tuple[Formula, ...], FormulaScope("seat", "int")]
CONSTANT = FormulaScope("constant", "int")
"""The annotation of a field whose value never changes during a game."""

_EXPRESSION: Mapping[str, Any] = {"type": ["integer", "string"], "minLength": 1}


def count(description: str, *examples: object) -> FieldSpec:
    """Declare a field that holds a `Count`: a formula evaluated for each seat when the rule is scored."""
    return _field(_EXPRESSION, "Counter or formula", description, examples, Reader.optional_formula)


def counts(description: str, *examples: object, longest: int) -> FieldSpec:
    """Declare a field that holds at most `longest` formulas, each evaluated for each seat at scoring."""
    return _field(_list(longest), "Counters or formulas", description, examples, Reader.formulas)


def number(title: str, description: str, *examples: object, **more: object) -> FieldSpec:
    """Declare a field that holds a number, or a formula whose value never changes during a game."""
    text = f"{description} A number, or a formula of players and parameters."
    return _field({**_EXPRESSION, **more}, title, text, examples, Reader.optional_formula)


def numbers(title: str, description: str, *examples: object, longest: int) -> FieldSpec:
    """Declare a field that holds at most `longest` numbers, or formulas that are constant in a game."""
    text = f"{description} Numbers, or formulas of players and parameters."
    return _field(_list(longest), title, text, examples, Reader.formulas)


def switch(title: str, description: str, *formulas: str) -> FieldSpec:
    """Declare a field that is true, false or a formula whose value never changes in a game.

    `formulas` are examples of such formulas.
    """
    schema = {"type": ["boolean", "integer", "string"], "minLength": 1, "default": False}
    text = f"{description} True, false, or a formula of players, parameters."
    return _field(schema, title, text, (True, *formulas), Reader.optional_formula)


def word(meanings: Mapping[str, str], title: str, description: str) -> FieldSpec:
    """Declare a field that holds one of several words; `meanings` explains each word."""
    text = f"{description} {'; '.join(f'{name}: {meaning}' for name, meaning in meanings.items())}."
    return field(title, text, *meanings, schema={"enum": list(meanings)})


def _field(
    schema: Mapping[str, Any],
    title: str,
    description: str,
    examples: tuple[object, ...],
    read: Callable[[Reader, str], Any],
) -> FieldSpec:
    return field(title, description, *examples, schema=dict(schema), read=read)


def _list(longest: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(_EXPRESSION), "minItems": 1, "maxItems": longest}


R = TypeVar("R", bound="type[RuleSpec[Any]]")


class Phraser(Protocol):
    """Writes rulebook sentences in one language, with the labels of one card set."""

    def phrase(self, key: str, /, **given: object) -> str:
        """Return the text of a key in the message catalogue, with the arguments filled in."""

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """Join items into a list. `word` comes before the last item: ``and``, ``or``, or ``comma`` for none."""

    def noun(self, formula: Formula) -> Noun:
        """Return the noun for the things that a formula counts."""

    def ahead_on(self, formula: Formula) -> str:
        """Return who is ahead among equal values on a track: the ``first`` or ``last`` to arrive; else empty."""

    def measure(self, formula: Formula) -> tuple[Noun, int]:
        """Return the noun for what a ranking compares, and the divisor of its measure in print."""

    def noun_of(self, expr: Expr) -> Noun:
        """Return the noun for the things that a subexpression counts."""

    def cards_adding_to(self, formula: Formula) -> Sequence[tuple[Noun, int]]:
        """Return the cards that add to a counter, each with the amount that it adds.

        Return an empty sequence if effects also change the counter, or if there are many such cards.
        """

    def family_of_formulas(self, formulas: Sequence[Formula]) -> Noun | None:
        """Return the noun for the family of exactly the cards that the formulas name; None if there is none."""

    def constant(self, expr: Expr) -> int | None:
        """Return the value of a constant expression; ``None`` if it is not constant."""

    def is_defined(self, expr: Expr) -> bool:
        """True if the rulebook explains this formula under a name, so that a sentence can use the name."""

    def condition(self, expr: Expr) -> str:
        """Return a clause for a condition about the seat that the sentence addresses as “you”."""

    def amount(self, expr: Expr) -> str:
        """Return a noun phrase for the value of a formula."""

    def inside(self, expr: Expr) -> str:
        """Return a noun phrase for an operand, in parentheses if it would be ambiguous without them."""

    def written(self, expr: Expr) -> str:
        """Return the formula in mathematical signs, with labels in place of names."""

    def when_that(self, when: str, text: str) -> str:
        """Return the sentence `text`, limited to some numbers of players by the condition `when`."""

    def thing(self, name: str) -> str:
        """Return the label of a marker, counter, zone or chip pile."""


class UnusableNumberError(ValueError):
    """An error: a constant of a rule has a value that the rule cannot use (see `RuleSpec.resolve`)."""

    def __init__(self, formula: Formula, say: str, number: int) -> None:
        super().__init__(say, number)
        self.formula, self.say, self.number = formula, say, number


class QuickReference(Struct, frozen=True):
    """A summary of a rule: one line of the quick reference, or a row of boxes on a card."""

    counts: str
    """The things that the rule counts, in words: ``set of 2``, ``most, second``."""
    cells: tuple[tuple[str, str], ...]
    """The boxes of the row: pairs of a heading, which may be empty, and the points under it."""
    copies: int = 0
    """The number of copies of one card that make a set; 0 if the rule does not score sets."""
    notes: tuple[str, ...] = ()
    """Further conditions, each in a few words, such as the effect of ties or a minimum."""


class Award(Struct, frozen=True):
    """The prize that one seat wins in a ranking."""

    order: str
    """``most`` or ``fewest``."""
    place: int
    """The place in the ranking, counted from 1."""
    shared_by: int
    """The number of seats that hold the place together."""
    prize: int
    """The points (or chips) for the place before they are shared."""
    points: int
    """The share that this seat gets."""


@cache
def _formula_fields(kind: type[Record], where: str) -> tuple[Field, ...]:
    """Return the fields of a rule kind whose formulas have the scope `where`: ``seat`` or ``constant``."""
    return tuple(
        each for each in fields_of(kind) if isinstance(each.meaning, FormulaScope) and each.meaning.where == where
    )


NAMED_PLACES = 8
"""The last place in a ranking for which every language has a word, such as *second*."""
_SHORT = 3
"""The last place in a ranking that has a short form such as *2nd*."""


def ordinal(place: int) -> Phrase:
    """Return the word for a place in a ranking, such as *second*."""
    return said(f"ordinal.{place}") if place <= NAMED_PLACES else said("ordinal", place=place)


class Rank(Struct, frozen=True):
    """The place of a seat in a ranking of all seats."""

    order: str
    """The order of the ranking: first comes the seat with the ``most``, or with the ``fewest``."""
    place: int
    shared: bool

    @property
    def phrase(self) -> Phrase:
        """Return the place in words: ``most``, ``second fewest (shared)``."""
        key = f"progress.{self.order}"
        place = said(f"{key}.first") if self.place == 1 else said(key, ordinal=ordinal(self.place), count=self.place)
        return said("progress.shared", place=place) if self.shared else place

    @property
    def short(self) -> Phrase:
        """Return the place, abbreviated for a narrow column: ``most``, ``shared``, ``2nd``, ``2nd=``."""
        if self.place == 1:
            return said(f"progress.short.{'shared' if self.shared and self.order == 'most' else self.order}")
        key = f"progress.short.{self.place}" if self.place <= _SHORT else "progress.short"
        place = said(key, place=self.place)
        return said("progress.short.level", place=place) if self.shared else place


class Progress(Struct, frozen=True):
    """The progress of a seat under one rule so far, as players see it."""

    have: int
    """The number of cards collected towards a set of `need` cards. If `need` is 0, all cards that count."""
    need: int = 0
    """The number of cards in a complete set; 0 if the rule has no sets."""
    count: str = ""
    """The progress in figures, such as ``2/3`` or ``5``; empty if figures cannot express it."""
    ranks: tuple[Rank, ...] = ()
    """The places that the seat would win if the rule were scored now."""
    runs: tuple[int, ...] = ()
    """The lengths of the seat's runs of consecutive numbers."""

    @property
    def text(self) -> str:
        """The progress in English."""
        return self.within(spoken("en"))

    def within(self, catalogue: Catalogue) -> str:
        """Return the progress in words: ``2/3``, ``5 · second most (shared)``, ``runs of 3 and 2``."""
        words = [rank.phrase.within(catalogue) for rank in self.ranks]
        return " · ".join(part for part in (self.count, *words, self._runs(catalogue)) if part)

    def short(self, catalogue: Catalogue) -> str:
        """Return the places in rankings and the lengths of runs, abbreviated; empty if there are none."""
        words = [rank.short.within(catalogue) for rank in self.ranks]
        return " · ".join(part for part in (*words, self._runs(catalogue)) if part)

    def brief(self, catalogue: Catalogue) -> str:
        """Return the places in rankings, lengths of runs or figures, abbreviated; empty for a plain count."""
        if not self.have:
            return ""
        return self.short(catalogue) or ("" if self.count.isdecimal() else self.count)

    def _runs(self, catalogue: Catalogue) -> str:
        if not self.runs:
            return ""
        several = said("progress.runs", lengths=tuple(map(str, self.runs)))
        return (several if len(self.runs) > 1 else said("progress.run", length=self.runs[0])).within(catalogue)


class RuleSpec(Record, Generic[N], frozen=True, kw_only=True):
    """Base class of the rule kinds. An instance is one scoring rule."""

    name: ClassVar[str]
    title: ClassVar[str]
    """A one-line description of the kind, for completion in editors and for the reference."""
    one_of: ClassVar[tuple[str, ...]] = ()
    """At least one of these keys must be present. If none is, the first is reported as missing."""
    properties: ClassVar[Mapping[str, Any]]
    """The JSON Schema of each key of the kind, except the keys of all rules (see `COMMON_KEYS`)."""
    required: ClassVar[tuple[str, ...]]

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        """Read the rule from its mapping in the file.

        The value of the key with the kind's name says what the rule counts.
        """
        return cls(**given, **{field.attribute: field.read(reader, cls.key(field)) for field in fields_of(cls)})

    @classmethod
    def key(cls, field: Field) -> str:
        """Return the key under which a file gives the value of a field."""
        return cls.name if field.attribute == "of" else field.key

    @property
    def pile(self) -> str | None:
        """The name of the chip pile from which winners draw; ``None`` if the prizes are points."""
        return None

    def inputs(self) -> tuple[Formula, ...]:
        """Return the formulas evaluated for every seat when the rule is scored, in the order of their fields."""
        return tuple(formula for _, formulas in self._formulas("seat") for formula in formulas)

    def constants(self) -> tuple[Formula, ...]:
        """Return the formulas whose values may not change during a game."""
        return tuple(formula for _, formulas in self._formulas("constant") for formula in formulas)

    def resolve(self, constant: Callable[[Formula], int]) -> RuleSpec[int]:
        """Return the rule with a number in place of each constant formula. Raises `UnusableNumberError`."""
        numbers: dict[str, Any] = {}
        for key, formulas in self._formulas("constant"):
            values = tuple(map(constant, formulas))
            single = not isinstance(getattr(self, key.attribute), tuple)
            numbers[key.attribute] = (*values, 0)[0] if single else values
        resolved: RuleSpec[Any] = replace(self, **numbers)
        self.check(resolved)
        return resolved

    def check(self, resolved: Any) -> None:
        """Raise `UnusableNumberError` if a constant of the rule has a value that the rule cannot use."""

    def numbers(self) -> dict[str, object]:
        """Return the numbers of a resolved rule by field name, without the formulas evaluated for each seat."""
        reads = {field.attribute for field, _ in self._formulas("seat")}
        return {name: getattr(self, name) for name in self.__struct_fields__ if name not in reads}

    def _formulas(self, where: str) -> Iterator[tuple[Field, tuple[Formula, ...]]]:
        for key in _formula_fields(type(self), where):
            value = getattr(self, key.attribute)
            yield key, value if isinstance(value, tuple) else () if value is None else (value,)

    def sentence(self, numbers: Any, phraser: Phraser) -> str:
        """Return the rulebook's sentence about the rule. `numbers` is the resolved rule."""
        raise NotImplementedError

    def quick_reference(self, numbers: Any, phraser: Phraser) -> QuickReference:
        """Return the rule's line of the quick reference. `numbers` is the resolved rule."""
        raise NotImplementedError

    def example_values(self) -> tuple[tuple[int, ...], ...]:
        """Return values of `inputs` that make good examples; for a ranking, the measures of four seats.

        Return an empty tuple if any cards make good examples.
        """
        return ()

    def exception_sentence(self, _usual: Any, _other: Any, _phraser: Phraser, _when: str) -> str | None:
        """Return a sentence about the only difference with other numbers of players.

        Return ``None`` if the whole rule must be phrased again.
        """
        return None


class OneSeatKind(RuleSpec[N], frozen=True, kw_only=True):
    """Base class of the kinds that give points to each seat for its own values only.

    In the methods below, `self` is the resolved rule.
    """

    def score(self, values: Sequence[int]) -> int:
        """Return the points for the values of the `inputs`, in their order."""
        raise NotImplementedError

    def explain(self, values: Sequence[int], points: int) -> Phrase:
        """Return the calculation of the points from the values: "5 cards: 1 set of 3 = 10"."""
        raise NotImplementedError

    def progress(self, values: Sequence[int]) -> Progress:
        """Return the progress of a seat with these values. By default, it is the first value as a plain count."""
        return Progress(values[0], count=str(values[0]))

    def example_text(self, values: Sequence[int], points: int, phraser: Phraser) -> str:
        """Return a short phrase about how an example comes to its points; empty if none is needed."""
        raise NotImplementedError


class RankedKind(RuleSpec[N], frozen=True, kw_only=True):
    """Base class of the kinds that rank all seats by one number, the *measure*, and give prizes.

    In the methods below, `self` is the resolved rule.
    """

    @property
    def threshold(self) -> int:
        """The lowest measure with which a seat takes part in the ranking."""
        raise NotImplementedError

    def rank(self, measures: Sequence[int]) -> list[tuple[Award, ...]]:
        """Return the awards of each seat.

        The awards depend only on the order of the measures, and on which seats reach `threshold`.
        """
        raise NotImplementedError

    def prizes(self) -> tuple[Formula, ...]:
        """Return the prizes of all places: first for the most, then for the fewest."""
        raise NotImplementedError

    def explain(self, measure: int, awards: tuple[Award, ...]) -> Phrase:
        """Return an explanation, with the calculation, of the awards that a seat with this measure gets."""
        raise NotImplementedError

    def progress(self, measure: int, awards: tuple[Award, ...]) -> Progress:
        """Return the seat's measure, and the places that the seat would win if the rule were scored now."""
        raise NotImplementedError

    def example_text(self, measure: int, awards: tuple[Award, ...], phraser: Phraser) -> str:
        """Return a short phrase about how an example comes to its prize."""
        raise NotImplementedError


def rule_kind(name: str, title: str) -> Callable[[R], R]:
    """Return a class decorator that names a rule kind, and derives its JSON Schema from its fields."""

    def declare(kind: R) -> R:
        fields = fields_of(kind)
        kind.name, kind.title = name, title
        kind.properties = {kind.key(field): field.schema() for field in fields}
        kind.required = tuple(kind.key(field) for field in fields if field.required)
        return kind

    return declare
