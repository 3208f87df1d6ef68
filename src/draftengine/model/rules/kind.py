"""The contract of a rule kind: one class with everything that the program knows about a way to score.

The fields of the class are declared once. The JSON Schema, the reader, the formulas that a rule reads and its constants
all follow from them. A rule as written is, for example, ``Each[Formula]``. It is *resolved* for a number of players by
replacing every field marked `CONSTANT` with its value, which gives ``Each[int]``. Scoring, explanations and progress
are methods of the resolved rule; sentences are methods of the written rule.
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
"""Stands for `Formula` in a rule as written, and for `int` in a resolved rule."""

Count = Annotated[Formula, FormulaScope("seat", "int")]
"""A formula that is evaluated for every seat whenever the rule is scored."""
Counts = Annotated[tuple[Formula, ...], FormulaScope("seat", "int")]
CONSTANT = FormulaScope("constant", "int")
"""Marks a field whose value never changes during a game."""

_EXPRESSION: Mapping[str, Any] = {"type": ["integer", "string"], "minLength": 1}


def count(description: str, *examples: object) -> FieldSpec:
    """Declare a `Count`."""
    return _field(_EXPRESSION, "Counter or formula", description, examples, Reader.optional_formula)


def counts(description: str, *examples: object, longest: int) -> FieldSpec:
    """Declare `Counts`: a list of at most `longest` formulas."""
    return _field(_list(longest), "Counters or formulas", description, examples, Reader.formulas)


def number(title: str, description: str, *examples: object, **more: object) -> FieldSpec:
    """Declare a number, or a formula that is constant during a game."""
    text = f"{description} A number, or a formula of players and parameters."
    return _field({**_EXPRESSION, **more}, title, text, examples, Reader.optional_formula)


def numbers(title: str, description: str, *examples: object, longest: int) -> FieldSpec:
    """Declare a list of at most `longest` constant numbers."""
    text = f"{description} Numbers, or formulas of players and parameters."
    return _field(_list(longest), title, text, examples, Reader.formulas)


def switch(title: str, description: str, *formulas: str) -> FieldSpec:
    """Declare a condition that is constant during a game: true, false, or a formula (with examples)."""
    schema = {"type": ["boolean", "integer", "string"], "minLength": 1, "default": False}
    text = f"{description} True, false, or a formula of players, parameters."
    return _field(schema, title, text, (True, *formulas), Reader.optional_formula)


def word(meanings: Mapping[str, str], title: str, description: str) -> FieldSpec:
    """Declare a key whose value must be one of several words; `meanings` says what each word means."""
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
    """Phrases sentences in one language with the labels of one card set."""

    def phrase(self, key: str, /, **given: object) -> str:
        """Fill in a pattern of the catalogue."""

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """Join items into a list. `word` comes before the last item: ``and``, ``or``, or ``comma`` for none."""

    def noun(self, formula: Formula) -> Noun:
        """Return the noun for what a formula counts."""

    def ahead_on(self, formula: Formula) -> str:
        """Return the seat that is ahead on a track, ``first`` or ``last``; empty without a track."""

    def measure(self, formula: Formula) -> tuple[Noun, int]:
        """Return the noun for what a ranking compares, and the number that divides its measure in print."""

    def noun_of(self, expr: Expr) -> Noun:
        """Return the noun for what a subexpression counts."""

    def cards_adding_to(self, formula: Formula) -> Sequence[tuple[Noun, int]]:
        """Return the cards that add to a counter, with their amounts.

        Empty if effects also change the counter, or if there are many such cards.
        """

    def family_of_formulas(self, formulas: Sequence[Formula]) -> Noun | None:
        """Return the noun for the family that these cards form, or None if they form none."""

    def constant(self, expr: Expr) -> int | None:
        """Return the value of a constant expression; ``None`` if it is not constant."""

    def is_defined(self, expr: Expr) -> bool:
        """True if the page has a definition for a formula, so that the name of the definition can replace it."""

    def condition(self, expr: Expr) -> str:
        """Phrase a condition about the seat that the sentence addresses, as a clause."""

    def amount(self, expr: Expr) -> str:
        """Phrase a computed number, as a noun phrase."""

    def inside(self, expr: Expr) -> str:
        """Phrase a computed number as an operand, in parentheses if it would be ambiguous without them."""

    def written(self, expr: Expr) -> str:
        """Write out the formula, with labels in place of names."""

    def when_that(self, when: str, text: str) -> str:
        """Restrict a sentence to the numbers of players that `when` names."""

    def thing(self, name: str) -> str:
        """Return the label of a marker, counter, zone or chip pile."""


class UnusableNumberError(ValueError):
    """A constant of a rule has a value that the rule cannot work with (see `RuleSpec.resolve`)."""

    def __init__(self, formula: Formula, say: str, number: int) -> None:
        super().__init__(say, number)
        self.formula, self.say, self.number = formula, say, number


class QuickReference(Struct, frozen=True):
    """A rule as one line of the quick reference, or as a row of boxes on a card."""

    counts: str
    """The things that count: ``set of 2``, ``most, second``."""
    cells: tuple[tuple[str, str], ...]
    """Pairs of a heading, which may be empty, and its points."""
    copies: int = 0
    """The number of copies of one card that make a set; 0 if the rule does not score sets."""
    notes: tuple[str, ...] = ()
    """Other conditions, each in a few words: the effect of ties, the least number that counts."""


class Award(Struct, frozen=True):
    """The prize that one seat wins in a ranking."""

    order: str
    """``most`` or ``fewest``."""
    place: int
    """The place, from 1."""
    shared_by: int
    """The number of seats that hold the place together."""
    prize: int
    """The points (or chips) for the place before they are shared."""
    points: int
    """The share that this seat gets."""


@cache
def _formula_fields(kind: type[Record], where: str) -> tuple[Field, ...]:
    """Return those fields of a rule kind that are formulas with the place `where`."""
    return tuple(
        each for each in fields_of(kind) if isinstance(each.meaning, FormulaScope) and each.meaning.where == where
    )


NAMED_PLACES = 8
"""The last place that every language has a word for, such as *second*."""
_SHORT = 3
"""The last place that has a short form such as *2nd*."""


def ordinal(place: int) -> Phrase:
    """Return a place as a word, such as *second*."""
    return said(f"ordinal.{place}") if place <= NAMED_PLACES else said("ordinal", place=place)


class Rank(Struct, frozen=True):
    """A place among all seats, from 1."""

    order: str
    """The first place goes to the seat with the ``most`` or with the ``fewest``."""
    place: int
    shared: bool

    @property
    def phrase(self) -> Phrase:
        """The rank in words: ``most``, ``second fewest (shared)``."""
        key = f"progress.{self.order}"
        place = said(f"{key}.first") if self.place == 1 else said(key, ordinal=ordinal(self.place), count=self.place)
        return said("progress.shared", place=place) if self.shared else place

    @property
    def short(self) -> Phrase:
        """The rank, abbreviated for a narrow column: ``most``, ``shared``, ``2nd``, ``2nd=``."""
        if self.place == 1:
            return said(f"progress.short.{'shared' if self.shared and self.order == 'most' else self.order}")
        key = f"progress.short.{self.place}" if self.place <= _SHORT else "progress.short"
        place = said(key, place=self.place)
        return said("progress.short.level", place=place) if self.shared else place


class Progress(Struct, frozen=True):
    """The progress of a seat under a rule, for people who look at the table."""

    have: int
    """The number of cards collected towards `need`. If `need` is 0, this is the whole count."""
    need: int = 0
    """The number of cards in a complete set; 0 if the rule has no sets."""
    count: str = ""
    """The progress in figures, if figures can express it: ``2/3``, ``5``."""
    ranks: tuple[Rank, ...] = ()
    """The places that the seat would win now."""
    runs: tuple[int, ...] = ()
    """The lengths of the runs."""

    @property
    def text(self) -> str:
        """The progress in English."""
        return self.within(spoken("en"))

    def within(self, catalogue: Catalogue) -> str:
        """Return the progress in words: ``2/3``, ``5 · second most (shared)``, ``runs of 3 and 2``."""
        words = [rank.phrase.within(catalogue) for rank in self.ranks]
        return " · ".join(part for part in (self.count, *words, self._runs(catalogue)) if part)

    def short(self, catalogue: Catalogue) -> str:
        """Return the places and runs, abbreviated for a narrow column; empty if there are none."""
        words = [rank.short.within(catalogue) for rank in self.ranks]
        return " · ".join(part for part in (*words, self._runs(catalogue)) if part)

    def brief(self, catalogue: Catalogue) -> str:
        """Return the places, runs or figures, abbreviated; empty if there is only a plain count."""
        if not self.have:
            return ""
        return self.short(catalogue) or ("" if self.count.isdecimal() else self.count)

    def _runs(self, catalogue: Catalogue) -> str:
        if not self.runs:
            return ""
        several = said("progress.runs", lengths=tuple(map(str, self.runs)))
        return (several if len(self.runs) > 1 else said("progress.run", length=self.runs[0])).within(catalogue)


class RuleSpec(Record, Generic[N], frozen=True, kw_only=True):
    """A scoring rule of some kind."""

    name: ClassVar[str]
    title: ClassVar[str]
    """One line about the kind, for completion in editors and for the reference."""
    one_of: ClassVar[tuple[str, ...]] = ()
    """At least one of these keys must be present. If none is, the first is reported as missing."""
    properties: ClassVar[Mapping[str, Any]]
    """JSON Schema of the keys other than the common ones (see `COMMON_KEYS`)."""
    required: ClassVar[tuple[str, ...]]

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        """Read the rule from its mapping. The value of the key with the kind's name says what the rule counts."""
        return cls(**given, **{field.attribute: field.read(reader, cls.key(field)) for field in fields_of(cls)})

    @classmethod
    def key(cls, field: Field) -> str:
        """Return the key of a field in the file."""
        return cls.name if field.attribute == "of" else field.key

    @property
    def pile(self) -> str | None:
        """The chip pile from which winners draw, if the prizes are chips."""
        return None

    def inputs(self) -> tuple[Formula, ...]:
        """Return the formulas evaluated for every seat when the rule is scored, in the order of their fields."""
        return tuple(formula for _, formulas in self._formulas("seat") for formula in formulas)

    def constants(self) -> tuple[Formula, ...]:
        """Return the formulas that must be constant during a game."""
        return tuple(formula for _, formulas in self._formulas("constant") for formula in formulas)

    def resolve(self, constant: Callable[[Formula], int]) -> RuleSpec[int]:
        """Return the rule with numbers in place of its constants. Raises `UnusableNumberError`."""
        numbers: dict[str, Any] = {}
        for key, formulas in self._formulas("constant"):
            values = tuple(map(constant, formulas))
            single = not isinstance(getattr(self, key.attribute), tuple)
            numbers[key.attribute] = (*values, 0)[0] if single else values
        resolved: RuleSpec[Any] = replace(self, **numbers)
        self.check(resolved)
        return resolved

    def check(self, resolved: Any) -> None:
        """Raise `UnusableNumberError` for a constant that the rule cannot work with."""

    def numbers(self) -> dict[str, object]:
        """Return the fields of a resolved rule, by name, except the formulas that are evaluated for seats."""
        reads = {field.attribute for field, _ in self._formulas("seat")}
        return {name: getattr(self, name) for name in self.__struct_fields__ if name not in reads}

    def _formulas(self, where: str) -> Iterator[tuple[Field, tuple[Formula, ...]]]:
        for key in _formula_fields(type(self), where):
            value = getattr(self, key.attribute)
            yield key, value if isinstance(value, tuple) else () if value is None else (value,)

    def sentence(self, numbers: Any, phraser: Phraser) -> str:
        """Phrase the rule for the rulebook. `numbers` is the resolved rule."""
        raise NotImplementedError

    def quick_reference(self, numbers: Any, phraser: Phraser) -> QuickReference:
        """Phrase the rule as one line. `numbers` is the resolved rule."""
        raise NotImplementedError

    def example_values(self) -> tuple[tuple[int, ...], ...]:
        """Return the values of `inputs` for good examples. For a ranking, return the measures of four seats.

        The result is empty if any cards are good examples.
        """
        return ()

    def exception_sentence(self, _usual: Any, _other: Any, _phraser: Phraser, _when: str) -> str | None:
        """Phrase only the difference for other numbers of players; ``None`` if a whole sentence is clearer."""
        return None


class OneSeatKind(RuleSpec[N], frozen=True, kw_only=True):
    """A kind whose rules give points to each seat for its own values.

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
        """Phrase in a few words how the points of a worked example came about; empty if nothing is to be said."""
        raise NotImplementedError


class RankedKind(RuleSpec[N], frozen=True, kw_only=True):
    """A kind whose rules rank all seats by one measure, and give prizes to the best places.

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
        """Return the prizes of all places. One seat can win a place for the most and another for the fewest."""
        raise NotImplementedError

    def explain(self, measure: int, awards: tuple[Award, ...]) -> Phrase:
        """Return an explanation of the awards that a seat gets for a measure, with the calculation."""
        raise NotImplementedError

    def progress(self, measure: int, awards: tuple[Award, ...]) -> Progress:
        """Return the standing of a seat with this measure, and the places that it would win now."""
        raise NotImplementedError

    def example_text(self, measure: int, awards: tuple[Award, ...], phraser: Phraser) -> str:
        """Phrase in a few words how the prize of a worked example came about."""
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
