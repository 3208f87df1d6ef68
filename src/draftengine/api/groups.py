"""The cards in front of a seat, grouped by rule, and the gain from a move, for screens.

A *group* is the cards that one rule counts together. If several rules count a card, it belongs to the group of the rule
that counts the fewest different cards. Without this, a rule that counts all cards would put them all into one group.
The *progress* of a seat with a group says what it has and what a set needs (`draftengine.model.rules.kind.Progress`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api import turns as flow
from draftengine.engine.events import measures, points_of
from draftengine.engine.instructions import EndRound, Score
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.engine.public_state import outcome, shown_play
from draftengine.model.cardset.facts import card_points
from draftengine.model.cardset.pieces import as_played, card_in, lies_on
from draftengine.model.language.evaluate import compares_seats
from draftengine.model.language.tree import Binary, Call, Name, Number
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import CompiledRule, Program
    from draftengine.engine.public_state import PublicState
    from draftengine.engine.state import GameState
    from draftengine.model.cardset.records import Modifier
    from draftengine.model.language.tree import Expr
    from draftengine.model.rules.kind import Progress


_NAME = re.compile(r"[a-z_][a-z0-9_]*")
"""The pattern of a name in the text of a formula. There a family is one name, not a list of its cards."""


class Group(Struct, frozen=True):
    """Cards in front of a seat that one rule counts together."""

    rule: str
    """The rule that counts the cards; empty if no rule does."""
    cards: tuple[str, ...]
    """Names as in `View.tableaus`, in the order of play. A modifier precedes the card that it changed."""
    points: int
    """Points (or chips) that the rule would give the seat now."""
    progress: Progress | None
    """Progress of the seat under the rule; ``None`` without a rule, or if it does not rank this seat."""
    later: bool = False
    """True if the rule scores only after the last round, and the current round is an earlier one."""
    waits: bool = False
    """True for a group of modifiers that can still change a card."""
    change: str = ""
    """The effect of waiting modifiers on an amount, as a sign (``×3``, ``+2``); empty if no sign fits."""
    named: bool = False
    """True if the label of the rule also describes this group.

    It is false if the rule is named after a card that is not in the group.
    """


class MoveGain(Struct, frozen=True):
    """The gain of a seat from a move, computed as if all rules were scored right after the move."""

    points: int
    """Additional points, including those that cards give when they are laid down."""
    certain: int
    """The part of `points` that neither another seat nor a later card can take away."""
    chips: int
    """Additional point chips that rules would award."""
    rule: str
    """The id of the rule in whose group the last card of the move would be; empty if there is none."""
    progress: Progress | None
    """Progress of the seat under `rule` after the move. It has no ranks if nobody has played a card yet."""
    uses: tuple[str, ...]
    """Names of the modifier cards that the move would use."""


Given = tuple[tuple[int, ...], ...]
"""Points by rule and seat if everything were scored now."""


def given(public: PublicState) -> Given:
    """Return the points (or chips) that each rule would give to each seat now."""
    state = cast("GameState", public)
    nothing = (0,) * public.program.seats
    return tuple(
        points_of(state, rule) if rule.when is None or rule.when(state, 0) else nothing for rule in public.program.rules
    )


def groups(seen: Observation, public: PublicState, points: Given, seat: int) -> tuple[Group, ...]:
    """Return the groups of cards in front of a seat, in the order of their first cards.

    Modifiers that have not been used up form the last groups.
    """
    program = seen.program
    state = cast("GameState", public)
    cards, apart = _in_order(program, seen.tableaus[seat], waiting(program, seen.words[seat]))
    names_by_rule: dict[tuple[int, str], list[str]] = {}
    for name, play in cards:
        rule = _rule_of(program, play)
        names_by_rule.setdefault((rule, "" if rule >= 0 else name), []).append(name)
    grouped = []
    for (rule, _), names in names_by_rule.items():
        if rule < 0:
            grouped.append(Group("", tuple(names), 0, None))
            continue
        compiled = program.rules[rule]
        progress, later = _progress(state, seat, rule), _is_later(state, compiled)
        # A rule named after a card describes only groups that contain the card. Any other label describes the cards,
        # unless the rule has no label of its own and counts only one card: then the card's name is clearer.
        card_or_id = compiled.model.card or compiled.model.id
        if any(card.id == card_or_id for card in program.model.cards):
            named = any(card_in(card) == card_or_id for card in names)
        else:
            changing = {modifier.card for modifier in program.model.modifiers}
            counted = {program.model.cards[program.plays[play].card].id for play in program.plays_read_by_rule[rule]}
            named = compiled.model.labelled or len(counted - changing) > 1
        grouped.append(Group(compiled.model.id, tuple(names), points[rule][seat], progress, later=later, named=named))
    signs = {modifier.card: change_of(modifier) for modifier in program.model.modifiers}
    return (*grouped, *(Group("", waits, 0, None, waits=True, change=signs[waits[0]]) for waits in apart))


def _is_later(state: GameState, rule: CompiledRule) -> bool:
    """True if a rule is scored only after the last round, and the current round is an earlier one."""
    return state.round < state.program.model.rounds and rule.model.at not in scored_in_rounds(state.program)


@by_identity(64)
def scored_in_rounds(program: Program) -> frozenset[str]:
    """Return the labels of the moments within a round at which rules score."""
    end = next((index for index, step in enumerate(program.code) if isinstance(step, EndRound)), len(program.code))
    return frozenset(step.label for step in program.code[:end] if isinstance(step, Score) and step.rules)


def standing(public: PublicState, points: Given, seat: int) -> dict[str, int]:
    """Return the points that each rule would give a seat if the round were scored now.

    Chips are left out, and so are rules that are scored only after a later round.
    """
    state = cast("GameState", public)
    return {
        rule.model.id: each[seat]
        for rule, each in zip(public.program.rules, points, strict=True)
        if not _is_later(state, rule) and not (isinstance(rule, RankedRule) and rule.chip >= 0)
    }


def _progress(state: GameState, seat: int, rule: int) -> Progress | None:
    """Return the progress of a seat under a rule; ``None`` for an extra seat that rules do not rank."""
    compiled = state.program.rules[rule]
    if seat >= state.program.ranked:
        return None
    if isinstance(compiled, OneSeatRule):
        return compiled.numbers.progress([value(state, seat) for value in compiled.inputs])
    compared = measures(state, compiled)
    return compiled.numbers.progress(compared[seat], compiled.awards(compared)[seat])


def _rule_of(program: Program, play: int) -> int:
    """Return the index of the rule whose group a play belongs to; -1 if no rule groups it.

    If several rules can group the play, the result is the one that can group the fewest plays.
    """
    candidates = [(len(plays), index) for index, plays in enumerate(_grouped(program)) if play in plays]
    return min(candidates)[1] if candidates else -1


@by_identity(64)
def _grouped(program: Program) -> tuple[frozenset[int], ...]:
    """Return, for each rule, the plays (cards as they can lie in a tableau) that it can group.

    A rule groups the plays that it counts. If it counts all plays, it groups those that its formulas name. The rule
    that adds up the points of single cards groups all plays. A rule printed on a card groups only that card, because
    several such cards may count the same other cards.
    """
    scored = card_points(program.model)
    grouped = []
    for rule, watched in zip(program.model.scoring, program.plays_read_by_rule, strict=True):
        if rule.card:
            own_plays = (
                index for index, play in enumerate(program.plays) if program.model.cards[play.card].id == rule.card
            )
            grouped.append(frozenset(own_plays))
            continue
        sums = scored is not None and rule is scored[0]
        if sums or len(watched) < len(program.plays):
            grouped.append(frozenset(range(len(program.plays))) if sums else watched)
            continue
        texts = [formula.text for formula in rule.spec.inputs()]
        named = {name for text in texts for name in _NAME.findall(text)}
        grouped.append(frozenset(play for play in watched if program.model.cards[program.plays[play].card].id in named))
    return tuple(grouped)


def waiting(program: Program, word: int) -> dict[str, int]:
    """Return, for each modifier card, the number of copies that can still change a card.

    `word` has the counters of a seat, packed into one integer.
    """
    return {modifier.card: -(-field.read(word) // modifier.capacity) for modifier, field in program.open_modifiers}


def _in_order(
    program: Program, tableau: Sequence[str], waiting: dict[str, int]
) -> tuple[list[tuple[str, int]], list[tuple[str, ...]]]:
    """Return the cards of a tableau as (name, play) pairs, and the unused modifiers, grouped by name.

    Each used modifier comes right before the card that it changed. Modifiers are used in the order of play, so those
    played last are the unused ones.
    """
    modifiers = {modifier.card: modifier for modifier in program.model.modifiers}
    left, apart = dict(waiting), []
    for place in reversed(range(len(tableau))):
        card = card_in(tableau[place])
        if left.get(card, 0) > 0 and _may_wait(program, card, tableau[place]):
            left[card] -= 1
            apart.append(place)
    free = [place for place in range(len(tableau)) if place not in apart]
    used: dict[int, list[int]] = {}
    for place in [index for index in free if card_in(tableau[index]) in modifiers]:
        modifier = modifiers[card_in(tableau[place])]
        later = (
            index for index in free if index > place and index not in used and _takes(program, modifier, tableau[index])
        )
        target = next(later, None)
        if target is not None:
            used.setdefault(target, []).append(place)
            free.remove(place)
    cards = [index for place in free for index in (*used.get(place, ()), place)]
    by_name: dict[str, list[str]] = {}
    for place in sorted(apart):
        name = as_played(tableau[place])
        by_name.setdefault(name, []).append(name)
    joined = {place: target for target, places in used.items() for place in places}
    named = [(as_played(tableau[index]), program.play_named[tableau[joined.get(index, index)]]) for index in cards]
    return named, [tuple(names) for names in by_name.values()]


def _may_wait(program: Program, card: str, name: str) -> bool:
    """True if a modifier card can still change a card, or if the game does not record this for each copy."""
    tables = zip(program.model.modifiers, program.after_slot_used, strict=False)
    matching = [narrowed for modifier, narrowed in tables if modifier.card == card and max(narrowed) >= 0]
    return not matching or any(narrowed[program.play_named[name]] >= 0 for narrowed in matching)


def _takes(program: Program, modifier: Modifier, name: str) -> bool:
    """True if a modifier changes a card.

    If the game records the modifier under each card, the record decides. Otherwise, the card's name or family does.
    """
    if program.pieces_of_play and len(set(program.pieces_of_play[program.play_named[as_played(name)]])) > 1:
        return f"^{modifier.id}" in lies_on(name)
    card, _, form = as_played(name).partition("@")
    target = program.model.cards[program.card_index(form or card)]
    return bool({target.id, *target.family} & set(modifier.applies_to))


def brings(seen: Observation, public: PublicState, points: Given, moves: Iterable[Codes]) -> list[MoveGain]:
    """Return the gain from each of the seat's moves.

    In some games chosen cards first go to a zone from which seats choose again. The gain is then computed as if the
    cards were played.
    """
    choice = cast("Choice", seen.program.code[seen.decision])
    if not choice.plays and flow.joins_later(seen):
        choice = choice.as_played()
    program, seat = public.program, seen.seat
    earlier = waiting(program, public.words[seat])
    # The rules whose points no other seat and no later card can reduce. A later card is assumed to reduce a formula,
    # unless the formula only adds and multiplies.
    scores_alone = []
    for compiled in program.rules:
        formulas = [formula.expr for formula in compiled.model.spec.inputs()]
        apart = isinstance(compiled, OneSeatRule) and not any(map(compares_seats, formulas))
        scores_alone.append(apart and (compiled.model.kind != "formula" or all(map(_only_grows, formulas))))
    gains = []
    for codes in moves:
        words, certain = outcome(public, choice, seat, codes)
        after, contested, chips = public.with_words(words), 0, 0
        for compiled, alone, now, then in zip(program.rules, scores_alone, points, given(after), strict=True):
            difference = then[seat] - now[seat]
            if alone:
                certain += difference
            elif isinstance(compiled, RankedRule) and compiled.chip >= 0:
                chips += difference
            else:
                contested += difference
        last = shown_play(public, choice, codes[-1] % program.width) if codes else -1
        rule = _rule_of(program, last) if last >= 0 and choice.plays else -1
        progress = _progress(cast("GameState", after), seat, rule) if rule >= 0 else None
        if progress is not None and not any(seen.tableaus):
            progress = replace(progress, ranks=())  # before anybody has played a card, to be alone is no lead
        later = waiting(program, words[seat])
        uses = tuple(card for card in earlier if later[card] < earlier[card])
        name = program.rules[rule].model.id if rule >= 0 else ""
        gains.append(MoveGain(certain + contested, certain, chips, name, progress, uses))
    return gains


def _only_grows(expr: Expr) -> bool:
    """True if a formula consists only of sums and products of amounts, so that it rises with each amount."""
    match expr:
        case Number() | Name():
            return True
        case Binary(op="+" | "*", left=left, right=right):
            return _only_grows(left) and _only_grows(right)
        case Call(function="kinds" | "sum" | "min" | "max", arguments=arguments):
            return all(map(_only_grows, arguments))
    return False


def change_of(modifier: Modifier) -> str:
    """Return the effect of a modifier on an amount as a sign; empty if no single sign expresses it.

    The sign is ``×3`` for ``3 * amount``, and ``+2`` for ``amount + 2``.
    """
    signs = set()
    for amount in modifier.then:
        match amount.formula.text.split():
            case [number, "*", "amount"] | ["amount", "*", number] if number.isdecimal():
                signs.add(f"×{number}")
            case [number, "+", "amount"] | ["amount", "+", number] if number.isdecimal():
                signs.add(f"+{number}")
            case _:
                signs.add("")
    return signs.pop() if len(signs) == 1 else ""
