"""Positions: games that start from cards on the table, for scenarios, score sheets and analysis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.engine.chance import root_of
from draftengine.engine.choose import Choice
from draftengine.engine.events import Line, lines
from draftengine.engine.game import Transition
from draftengine.engine.instructions import EndGame, EndRound, Jump, NextTurn, Score, StartRound, StartTurns
from draftengine.engine.kernel.formulas import formula
from draftengine.engine.kernel.laying import lay, unfold_all
from draftengine.engine.kernel.running import advance
from draftengine.engine.kernel.scoring import score, winners
from draftengine.engine.plain import plan_of, record_of
from draftengine.engine.state import GameState, initial_state, seats_in
from draftengine.model.language.macros import TRACK
from draftengine.support.locale.catalogue import as_note
from draftengine.support.locale.phrases import Phrase, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.events import Event
    from draftengine.engine.program import Program

Table = Sequence[str] | Mapping[str, int]
"""A tableau: plays in the order of play or, if the order does not matter, numbers of copies by name."""


class WrongPositionError(ValueError):
    """The error for an impossible position. The message says why, in English."""

    def __init__(self, message: str | Phrase, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(as_note(str(message)) if isinstance(message, Phrase) else message)
        self.phrase = message if isinstance(message, Phrase) else None
        """The message for readers of any language. Its values `card` and `thing` are ids."""
        self.path = path
        """The path to the error by fields, seats and list indices, such as ``("tables", 1, 0)``."""


class UnknownNameError(WrongPositionError):
    """The error for the name of a card, zone, marker or place that the game does not have."""

    def __init__(self, name: str, known: Sequence[str], path: tuple[str | int, ...] = ()) -> None:
        super().__init__(said("position.unknown", name=name), path)
        self.name = name
        self.known = tuple(known)


class Position(Struct, frozen=True):
    """Cards, markers, counters and points from which a game starts. Missing ones are as after the deal."""

    tables: tuple[Table, ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    zones: Mapping[str, tuple[tuple[str, ...], ...] | Mapping[str, str]] = field(default_factory=dict)
    """The contents of zones other than tableaus, by owner. A shared zone has one owner.

    A layout may map places to cards. The first card of a pile is its top card.
    """
    markers: Mapping[str, int | None] = field(default_factory=dict)
    counters: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Values of counters that do not follow from cards, such as a die: one for each seat, by counter name."""
    scores: tuple[int, ...] = ()
    round: int = 1
    turn: int = 1
    """The turn in which play continues, of the repeat around the step."""
    at: str = ""
    """The `id` of the step at which play continues.

    If it is empty, play continues at the first turn, or at the first choice if that comes earlier.
    """


def entries(table: Table) -> tuple[str, ...]:
    """Return the plays of a tableau in the order of play."""
    if isinstance(table, Mapping):
        return tuple(name for name, copies in table.items() for _ in range(copies))
    return tuple(table)


def lay_out(program: Program, position: Position, *, seed: int | str = 0) -> GameState:
    """Return a state with the position laid out and no seat pending. Raises `WrongPositionError`."""
    state = initial_state(program, root_of(seed), 0, memory=True)
    # Run the setup and the deal of the first round, up to the first turn or choice.
    advance(state, None, lambda index: isinstance(program.code[index], (StartTurns, Choice)))
    state.round = position.round
    for what in ("tables", "scores"):
        _fits(what, len(getattr(position, what)), program.seats, (what,))
    for zone, contents in {**position.zones, **({"hand": position.hands} if position.hands else {})}.items():
        _fill(state, zone, contents)
    for seat, table in enumerate(position.tables):
        _take_away(state, program.tableau, seat)
        put_on_table(state, seat, table)
    if program.cards_count_elsewhere:
        # Zones whose cards add to counters must not contain more copies of a card than the box, because packed counters
        # have no room for more.
        counting = [zone for zone, spec in enumerate(program.zones) if spec.counts]
        plays = (play for zone in counting for owned in state.zones[zone] for play in owned)
        for card, copies in Counter(program.thing_of[program.card_of[play]] for play in plays).items():
            if copies > program.deck.count(card):
                raise WrongPositionError(said("position.box.counts", **_in_box(program, card), lying=copies))
    for name, values in position.counters.items():
        _set_counter(state, name, values)
    names = [marker.id for marker in program.markers]
    for name, holder in position.markers.items():
        if name not in names:
            raise UnknownNameError(name, names, ("markers", name))
        state.markers[names.index(name)] = -1 if holder is None else holder
    for seat, points in enumerate(position.scores):
        state.scores[seat] = points
    state.words_before_choice = state.words[:]
    _take_from_deck(state, position)
    _go_on(state, position)
    return state


def _go_on(state: GameState, position: Position) -> None:
    """Let play continue at a step, in a turn of its repeat and in the first turn of all outer repeats."""
    program = state.program
    if position.at:
        if position.at not in program.steps:
            raise UnknownNameError(position.at, tuple(program.steps))
        state.pc, repeated = program.steps[position.at]
        state.turns = [*[1] * (repeated - 1), position.turn] if repeated else []
    elif position.turn > 1 and isinstance(step := program.code[state.pc], StartTurns):
        state.pc, state.turns = step.following, [position.turn - 1]
    if position.turn > 1 and not state.turns:
        raise WrongPositionError(said("position.no-turn", turn=position.turn), ("turn",))


def set_up(program: Program, position: Position, *, seed: int | str = 0, to: str = "") -> Transition:
    """Return the first decision of a turn that starts from the position, with the events before it.

    With `to`, play stops just before the step with that id, unless a seat has to choose earlier. Raises
    `WrongPositionError`.
    """
    state = lay_out(program, position, seed=seed)
    events: list[Event] = []
    advance(state, events.append, (lambda index: index == program.steps[to][0]) if to else None)
    return Transition(state, tuple(events))


def _fill(state: GameState, zone: str, contents: Sequence[Sequence[str]] | Mapping[str, str]) -> None:
    program = state.program
    names = [spec.id for spec in program.zones]
    if zone not in names and (copies := [name for name in names if re.fullmatch(rf"{re.escape(zone)}_[0-9]+", name)]):
        raise WrongPositionError(said("position.copies", zone=zone, names=", ".join(copies)), (zone,))
    if zone not in names:
        raise UnknownNameError(zone, names)
    index = names.index(zone)
    places = [place.id for place in program.zones[index].layout]
    plays = program.play_named if program.zones[index].counts else {}  # other zones hold cards, not plays
    if isinstance(contents, Mapping):
        for place in contents:
            if place not in places:
                raise UnknownNameError(place, places)
        contents = [[contents.get(place, "") for place in places]]
    _fits(zone, len(contents), len(state.zones[index]))
    for owner, cards in enumerate(contents):
        for card in cards:
            if card and card not in plays and card not in program.cards:
                raise UnknownNameError(card, program.cards)
        lying = [(plays[card] if card in plays else program.card_index(card)) if card else -1 for card in cards]
        if places:
            _fits(zone, len(lying), len(places))
            state.zones[index][owner] = lying = (lying + [-1] * len(places))[: len(places)]
            # Cards that start face down remain face down while other cards cover them.
            still_open = program.open_places(index, lying)
            starts_down = [place for place, spec in enumerate(program.zones[index].layout) if spec.face_down]
            state.down[index] = [place for place in starts_down if lying[place] >= 0 and place not in still_open]
        else:
            if program.cards_count_elsewhere and program.zones[index].counts:
                _take_away(state, index, owner)
                state.words[owner] += sum(program.added[index][card] for card in lying)
            state.zones[index][owner] = lying[::-1] if program.zones[index].seen_by == "nobody" else lying


def _take_away(state: GameState, index: int, seat: int) -> None:
    """Remove a seat's cards from a zone, and subtract from its packed word what they added."""
    program, lying = state.program, state.zones[index][seat]
    for play in lying:
        state.words[seat] -= (
            program.added[index][play] if program.cards_count_elsewhere else program.plays[play].increment
        )
    lying.clear()


def _fits(what: str, count: int, room: int, path: tuple[str | int, ...] = ()) -> None:
    if count > room:
        raise WrongPositionError(said("position.room", what=what, count=count, room=room), (*path, room))


def put_on_table(state: GameState, seat: int, table: Table) -> None:
    """Lay cards in front of a seat one after another, as if they were played in that order.

    Raises `WrongPositionError` for unknown cards, and for more copies than the box contains.
    """
    program = state.program
    record = record_of(state)
    plays = [play.name for play in program.plays]
    box = Counter(program.deck)
    for at, name in enumerate(entries(table)):
        if name not in plays:
            raise UnknownNameError(name, plays, ("tables", seat, at))
        play = plays.index(name)
        card = program.thing_of[program.plays[play].card]
        if not box[card]:
            # The packed counters have room for what the box holds, and no more.
            problem = said("position.box", **_in_box(program, card), player=seat + 1)
            raise WrongPositionError(problem, ("tables", seat, at))
        box[card] -= 1
        lay(record, plan_of(program), seat, play)
        state.words[seat] += program.plays[play].opens_after_reveal
        unfold_all(record, plan_of(program), seat)


def _in_box(program: Program, card: int) -> dict[str, Any]:
    """Return the values of a message about too many copies of a card, which may be told apart."""
    name = program.model.cards[card].copy_of or program.cards[card]
    copies = sum(each.count for each in program.model.cards if name in {each.id, each.copy_of})
    return {"copies": copies, "card": name}


def _set_counter(state: GameState, name: str, values: Sequence[int]) -> None:
    names = {field.name: field for field in state.program.fields}
    thing = name.removeprefix(TRACK)
    if name not in names and thing != name:
        raise WrongPositionError(said("position.no-track", thing=thing), ("counters", thing))
    if name not in names:
        raise UnknownNameError(name, tuple(known for known in names if ":" not in known), ("counters", name))
    field = names[name]
    if field.shared and len(values) == 1:
        values = [values[0]] * field.shared
    _fits(thing, len(values), len(state.words), ("counters", thing))
    for seat, value in enumerate(values):
        if not -field.offset <= value <= field.mask - field.offset:
            raise WrongPositionError(said("position.counter", thing=thing, value=value), ("counters", thing, seat))
        word = state.words[seat]
        state.words[seat] = word + ((value - field.read(word)) << field.shift)


def _take_from_deck(state: GameState, position: Position) -> None:
    """Fill the deck with the cards of the box that are in no other zone.

    Cards that the position puts on the deck are on top; the others lie below, shuffled. Cards that begin in another
    pile go back to that pile, unless the position states the pile's contents.
    """
    program = state.program
    deck = program.zone_index("deck")
    placed = Counter(
        program.thing_of[program.card_of[card]]
        for zone, owners in enumerate(state.zones)
        if zone != deck
        for cards in owners
        for card in cards
        if card >= 0
    )
    rest = Counter(program.deck) - placed
    for zone, cards in program.initial_cards:
        home = Counter(cards) & rest
        if zone != deck and program.zones[zone].id not in position.zones:
            below = sorted(home.elements())
            state.deal.shuffle(below)
            state.zones[zone][0] = below + state.zones[zone][0]
            rest -= home
    top = state.zones[deck][0] if "deck" in position.zones else []
    on_top = Counter(program.thing_of[card] for card in top)
    for card, copies in on_top.items():
        if copies > rest[card]:
            lying = (
                (
                    model.id,
                    sum(
                        program.thing_of[program.card_of[here]] == card
                        for cards in owners
                        for here in cards
                        if here >= 0
                    ),
                )
                for model, owners in zip(program.zones, state.zones, strict=True)
                if model.id != "deck"
            )
            places = ", ".join(f"{zone}: {number}" for zone, number in lying if number)
            box = program.deck.count(card)
            problem = said("position.deck", copies=copies, card=program.cards[card], box=box, places=places or "–")
            raise WrongPositionError(problem, ("deck",))
    left = sorted((rest - on_top).elements())
    state.deal.shuffle(left)
    state.zones[deck][0] = left + top


def proof(state: GameState, label: str) -> tuple[Line, ...]:
    """Return the proof of the points that the rules with a label (``round``, ``game``) would give now."""
    result: list[Line] = []
    for rule in state.program.rules:
        if rule.model.at == label and (rule.when is None or rule.when(state, 0)):
            result += lines(state, rule)
    return tuple(result)


def score_label(state: GameState, label: str) -> GameState:
    """Return a copy of the state after scoring the rules with a label and running its triggers."""
    after = state.clone()
    rules = [index for index, rule in enumerate(after.program.rules) if rule.model.at == label]
    score(record_of(after), plan_of(after.program), Score(label, tuple(rules), 0))
    return after


def labels(program: Program) -> tuple[str, ...]:
    """Return the labels of scoring rules: first those that the flow scores, in order, then any others."""
    scored = [step.label for step in program.code if isinstance(step, Score) and step.rules]
    return tuple(dict.fromkeys([*scored, *(rule.model.at for rule in program.rules)]))


def leaders(state: GameState, worth_of_chips: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the seats that would win if the game ended now.

    `worth_of_chips`, by seat, replaces the values of the chips that seats have.
    """
    end = state.program.code[-1]
    assert isinstance(end, EndGame)
    if worth_of_chips is not None:
        state = state.clone()
        state.chips = [[] for _ in state.chips]
        state.scores = [points + worth for points, worth in zip(state.scores, worth_of_chips, strict=True)]
    return seats_in(winners(record_of(state), plan_of(state.program), end))


def ends_with_round(state: GameState) -> bool:
    """True if this is the last round, judging by the steps that follow the scoring of the round."""
    code = state.program.code
    end = next(at for at, step in enumerate(code) if isinstance(step, EndRound))
    following = [step.following for step in code[:end] if isinstance(step, Score)]
    if following:
        trial, stops = state.clone(), (StartRound, StartTurns, NextTurn, Jump, Choice, Score, EndGame)
        trial.pc = following[-1]
        advance(trial, None, lambda at: isinstance(code[at], stops))
        if isinstance(code[trial.pc], (StartRound, Score, EndGame)):
            return not isinstance(code[trial.pc], StartRound)
    return state.round >= state.program.model.rounds


def misplaced_forms(program: Program, tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """Yield (seat, index in the order of play) for each wild card that could not be played as stated.

    A form is only possible while its condition holds. A card is played as itself only if no form is possible. The first
    card in a tableau can have a form only if the form needs no card before it, or if hands can consist of wild cards
    alone.
    """
    state, plan = lay_out(program, Position()), plan_of(program)
    wild = {card for card, options in enumerate(program.options_of) if len(options) > 1}
    hands = state.zones[program.zone_index("hand")][: program.players]
    stuck_first = sum(card in wild for card in program.deck) >= min(map(len, hands), default=0)
    for seat, table in enumerate(tables):
        _take_away(state, program.tableau, seat)
        for at, name in enumerate(entries(table)):
            card = program.card_of[program.play_named[name]]
            if card in wild:
                options, lying = [program.options[option] for option in program.options_of[card]], record_of(state)
                forms = {option.name: option.condition for option in options}
                forms.pop(program.faces[program.face_of[card]], None)
                fitting = [form for form, when in forms.items() if when is None or formula(lying, plan, when, seat)]
                alone = at or stuck_first or card not in plan.wild_in_forms_only
                as_itself = name == program.cards[card] and (fitting or not alone)
                if as_itself or (name in forms and name not in fitting):
                    yield seat, at
            put_on_table(state, seat, (name,))
