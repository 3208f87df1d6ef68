"""Names that steps give to zones, cards and players, for later steps and formulas of the seat.

    - choose: {name: goal, of: row}
    - find: {name: goal, of: row, most: end}
    - move: {from: shown, to: goal}

The *candidates*, which are all copies, cards or players that a name can mean, are numbered from 1. A hidden counter of
the seat has the number of the candidate that the name means, or 0 if it means nothing. A step that uses the name of a
copy becomes a step for each copy, with the condition that the name means this copy. Players are numbered to the left,
beginning with the seat that gives the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec.structs import replace

from draftengine.model.diagnostics.suggest import did_you_mean, possible
from draftengine.model.language.builtins import LYING
from draftengine.model.language.macros import (
    CARD_NUMBER,
    EACH_LYING,
    PLAYERS,
    WITH_CARDS,
    Candidate,
    Naming,
    as_condition,
    as_number,
    at_itself,
    at_left,
)
from draftengine.model.language.tree import (
    MAX_INT,
    Binary,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Number,
    Unary,
    parts,
    with_parts,
)
from draftengine.model.records import Record, field, fields_of, schema_of
from draftengine.model.records.reader import Amount, Formula
from draftengine.model.records.schema_fragments import Schema, described, ref
from draftengine.model.verbs.effects import SetStep
from draftengine.model.verbs.verb import Step
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Collection

    from draftengine.model.records.reader import Reader
    from draftengine.model.verbs.verb import Words
    from draftengine.support.source import Span


class Selector(Record, frozen=True, kw_only=True):
    """Criteria that pick one candidate: the one with the most or fewest of something, or the first."""

    when: Annotated[
        Formula | None,
        field("When", "Only candidates for which this holds are compared.", "cards(row) > 0", schema=ref("formula")),
    ] = None
    most: Annotated[
        Formula | None,
        field(
            "Most", "The candidate with the highest value of this is found.", "sum(row, value)", schema=ref("formula")
        ),
    ] = None
    fewest: Annotated[
        Formula | None,
        field("Fewest", "The candidate with the lowest value of this is found.", "cards(row)", schema=ref("formula")),
    ] = None


def found(reader: Reader, of: str, around: Span) -> Expr:
    """Return the formula for the number of the candidate that a selector picks; 0 if it picks none.

    Each candidate gets a score, which combines its value and its position, so that the first of equal ones wins. The
    nodes of the formula refer to positions in the text of the step, whose span is `around`.
    """
    among = reader.short.board.candidates(of)
    base = 1 + (len(among) or len(reader.short.has))
    none = Unary("-", Number(MAX_INT // base * base))  # below every value that a formula can have
    scores = [_score(reader, of, candidate, base, none, around) for candidate in among]
    if not among:  # of the cards that lie in a zone
        card = Candidate(Name(f"{LYING}{CARD_NUMBER}"))
        best: Expr = Call("highest", (Name(of), _score(reader.about(EACH_LYING), of, card, base, none, around), none))
    else:
        best = Call("max", tuple(scores)) if len(scores) > 1 else scores[0]
    return Binary("%", Binary("-", Number(base), Binary("%", best, Number(base))), Number(base))


def _score(reader: Reader, of: str, candidate: Candidate, base: int, none: Expr, around: Span) -> Expr:
    """Return the formula for the score by which a candidate is compared; `none` if it may not be picked."""
    here = reader.at_place(of, candidate.place) if candidate.place else reader.seen_from(max(0, candidate.distance))
    if candidate.number not in {Number(1), Name(f"{LYING}{CARD_NUMBER}")}:
        here = replace(here, findings=[])  # a mistake is reported once
    score: Expr = Binary("-", Number(base), candidate.number)
    for key in filter(here.has, ("most", "fewest")):
        value = _asked(candidate, reader.short.board.by_arrival(as_number(_within(here.formula(key), around))))
        value = value if key == "most" else Unary("-", value)
        score = Binary("+", Binary("*", value, Number(base)), score)
    when = candidate.there
    if here.has("when"):
        holds = _asked(candidate, as_condition(_within(here.formula("when"), around), here.short))
        when = holds if when is None else LogicalOp("and", when, holds)
    return score if when is None else Conditional(score, when, none)


def _within(formula: Formula, around: Span) -> Expr:
    """Return the tree of a formula, with the positions of its nodes counted from the start of `around`.

    The positions of a formula from elsewhere, such as another file, become 0.
    """
    inside = formula.span.source is around.source and around.start <= formula.span.start <= around.end

    def placed(expr: Expr) -> Expr:
        span = formula.inside(expr.start, expr.end)
        start, end = (span.start - around.start, span.end - around.start) if inside else (0, 0)
        return replace(with_parts(expr, [*map(placed, parts(expr))]), start=start, end=end)

    return placed(formula.expr)


def _asked(candidate: Candidate, expr: Expr) -> Expr:
    """Return the formula as one evaluated at the seat of a candidate or, for a place, at the same seat."""
    return at_left(candidate.distance, expr) if candidate.distance else at_itself(expr)


class FindStep(SetStep, frozen=True, kw_only=True):
    """Find: give a name to the place, card or player with the most or fewest of something.

    - find: {name: goal, of: row, most: end}
    - find: {name: rival, of: others, when: coins > my(coins), most: coins}

    Of several equal candidates, the first gets the name. With `when`, only candidates that meet the condition are
    compared. Without `most` or `fewest`, the first of these gets the name.
    """

    verb = "find"

    name: str
    of: str
    selectors: tuple[Selector, ...] = ()
    """The criteria that pick a candidate, then those of `else`. Empty if an action of a choice names it."""
    last: int = 0
    """The largest number that the counter of the name can get from this step."""

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        spec = reader.at(cls.verb)
        name, of = checked(spec)
        for part in (spec, spec.at("else")):
            refuse_beside("most", {"fewest"}, part)
        known = spec.short.board.naming(name) is not None
        expr: Expr = found(spec, of, spec.span) if known else Number(0)
        if spec.has("else"):
            expr = Conditional(expr, Comparison(">", expr, Number(0)), found(spec.at("else"), of, spec.span))
        common = {key.attribute: key.read(reader) for key in fields_of(cls) if key.attribute in Step.__struct_fields__}
        selectors = []
        for part in (spec, spec.at("else")) if spec.has("else") else (spec,):
            # Sentences use formulas about the first place.
            here = part if of in PLAYERS else part.about(EACH_LYING)
            here = part.at_place(of, 1) if part.short.board.copies(of) else here
            selectors.append(Selector.read(replace(here, findings=[])))
        text = spec.span.source.text[spec.span.start : spec.span.end]
        amount = Amount(Naming(name, of).counter, Formula(text, expr, spec.span), spec.span)
        last = len(spec.short.board.candidates(of) or spec.short.has)
        return cls(name=name, of=of, amounts=(amount,), selectors=tuple(selectors), last=last, **given, **common)

    @classmethod
    def schema(cls) -> Schema:
        name = described(ref("name"), "Name", "The name that later steps and formulas use.", "goal")
        of = described(ref("name"), "Of", "The zone whose copies can be named; or others or everyone.", "row")
        selector = schema_of(Selector)
        other = described(selector, "Else", "What decides if nothing is found.", {"fewest": "cards(row)"})
        shape = {**selector, "properties": {"name": name, "of": of, **selector["properties"], "else": other}}
        text = "Give a name to the first place, card or player with the most or fewest of something."
        return described(
            shape | {"required": ["name", "of"]}, "Find", text, {"name": "goal", "of": "row", "most": "end"}
        )

    def sentence(self, words: Words) -> str:
        texts, players = [], "_player" if self.of in PLAYERS else ""
        for selector in self.selectors or (Selector(),):
            # Such as “a place of “Row” with the most soup”.
            text = what_is_named(self.of, words)
            for best, measure in (("most", selector.most), ("fewest", selector.fewest)):
                if measure is None:
                    continue
                expr = words.about_any(measure.expr, self.of)
                noun = words.noun(replace(measure, expr=expr))
                if isinstance(expr, Name) and noun.sort != "phrase":
                    text = words.phrase(f"find.{best}{players}", what=text, of=noun)
                else:
                    key = "find.highest" if best == "most" else "find.lowest"
                    amount = words.amount_of_player(expr) if players else words.amount(expr)
                    text = words.phrase(f"{key}{players}", what=text, text=amount)
            if selector.when is not None:
                expr = words.about_any(selector.when.expr, self.of)
                given = {"who": words.such_players(expr)} if players else {"condition": words.condition(expr)}
                text = words.phrase("find.those_players" if players else "find.those", text=text, **given)
            texts.append(text)
        text = words.phrase("find.else", text=texts[0], other=texts[1]) if texts[1:] else texts[0]
        return words.phrase("find", name=words.zone(self.name), text=text)


def checked(reader: Reader, *, chosen: bool = False) -> tuple[str, str]:
    """Return the name that a step gives, and the zone or players that it can mean. Report errors in both."""
    board, name, of = reader.short.board, reader.word("name"), reader.word("of")
    if kind := dict(board.clashes).get(name):
        reader.report(
            "name-clash", "name", say="names", name=name, before=said(f"thing.{kind}"), what=said("thing.name")
        )
    elif not board.candidates(of) and (chosen or board.naming(name) is None):
        named = (*PLAYERS, *(zone for zone, _ in board.places), *(() if chosen else WITH_CARDS))
        hint = did_you_mean(of, named) or possible(named)
        if of:
            reader.report("unknown-zone", "of", say="named", hint=hint, name=of)
        else:
            place = said("quoted", name=reader.path.rpartition("/")[2])
            reader.report("required-key", "of", say="lacking", hint=hint, missing=("of",), place=place, key="of")
    elif (naming := board.naming(name)) is not None and naming.of != of:
        reader.report("name-clash", "of", say="named", name=name, of=naming.of)
    return name, of


def refuse_beside(key: str, others: Collection[str], reader: Reader) -> None:
    """Report each of the other keys that is given with `key`, because they exclude each other."""
    for other in filter(reader.has, others if reader.has(key) else ()):
        place, hint = said("quoted", name=reader.path.rpartition("/")[2]), said("hint.keep-one")
        reader.report("one-verb", other, say="both", hint=hint, place=place, first=key, last=other)


def what_is_named(of: str, words: Words) -> str:
    """Return the phrase for any of the things that a name can mean: “a place of “Row””."""
    key = of if of in PLAYERS else "place" if words.has_copies(of) else "card"
    return words.phrase(f"find.of.{key}", zone=words.zone(of))


def none_of(name: str) -> str:
    """Return the name of the action with which a seat leaves `name` without a meaning."""
    return f"no_{name}"


def naming_effect(name: str, of: str, number: Expr, span: Span) -> FindStep:
    """Return the effect of an action that names the candidate with this number; 0 names nothing."""
    amount = Amount(Naming(name, of).counter, Formula(name, number, span), span)
    last = number.value if isinstance(number, Number) else 0
    return FindStep(name=name, of=of, amounts=(amount,), last=last, span=span, for_one=True)
