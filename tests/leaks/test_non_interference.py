"""Nothing that a seat sees depends on what it cannot know (R7).

Two worlds are played that are equal in all that a seat may know up to some moment. At each shuffle, the cards that it
has not earned by then swap places. So do the values of chips that it has not seen. Both worlds get equal moves. Then
everything shown to the seat, from the deal to that moment, must be equal byte for byte. This covers views with the
observations for bots, events, moves and refusals. At some of these moments the seat also asks for its story,
explanations, hints, bots' analyses, and the screen.

The test relies on one property of the engine: chance is an input (`Shuffles`, `with_values`). All else is public.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

import draftengine as de
from conftest import NIGHTLY, sample
from draftengine.api.moves import Moves
from draftengine.engine import instructions, observers
from draftengine.engine.kernel.running import STEPS
from engine.configurations import FAMILIES, ONE_OF_EACH, of_family, one_of
from leaks.canaries import (
    ASKED,
    LABEL,
    NOTHING_EARNED,
    advised,
    canary,
    earned,
    explained,
    game_of,
    play,
    story,
    told,
)
from leaks.planted import (
    advise,
    change,
    draw_more,
    draw_the_hand_of,
    explain,
    find,
    hint,
    log_it_as_it_is,
    mark_all,
    print_more,
    refuse_with,
    remember_all,
    show,
    tell_all,
    tell_an_order,
    tell_the_whole_story,
)
from leaks.screens import drawn, printed

PAIRS = 100_000 if NIGHTLY else 100
"""Number of moments for each family at which differing states must look equal to a seat."""
MOMENTS = 3
"""Number of moments of a game, each for another seat, up to which two worlds are equal.

Every other one is in a first turn, when most is hidden.
"""
ASKING = 0.1
"""Share of those moments at which the seat also asks, as advice takes longer than everything else."""


class Shuffles:
    """The orders of cards after each shuffle of a game: recorded, or given."""

    def __init__(self, given=None):
        self.noted, self.given = [], iter(given) if given is not None else None

    def __enter__(self):
        self.patch = pytest.MonkeyPatch()
        shuffle = STEPS[instructions.Shuffle]

        def run(state, plan, step):
            shuffle(state, plan, step)
            piles = state.zones[step.zone]
            if self.given is not None:
                for pile, order in zip(piles, next(self.given), strict=True):
                    assert sorted(pile) == sorted(order), "other cards are shuffled"
                    pile[:] = order
            self.noted.append([pile[:] for pile in piles])

        self.patch.setitem(STEPS, instructions.Shuffle, run)
        return self

    def __exit__(self, *_):
        self.patch.undo()


class Game(NamedTuple):
    """A played game: its states, their descriptions, and the orders after every shuffle."""

    states: list[de.State]
    described: list[dict]
    shuffles: list[list[list[int]]]


def played(game, seed, chance):
    """Play a random game."""
    with Shuffles() as shuffles:
        states = list(play(game, seed, chance))
        return Game(states, [own.describe() for own in states], shuffles.noted)


def as_bytes(state, seat):
    """Return all that a seat sees, in order, and all that bots get."""
    seen = state.view(seat).seen
    fields = [getattr(seen, name) for name in seen.__struct_fields__ if name not in {"program", "moves"}]
    return msgspec.json.encode([told(state, seat), fields])


ANSWERS = {
    "story": lambda state, view: story(state, view.seat),
    "explanation": lambda state, _: explained(state),
    "advice": lambda _, view: advised(view),
    "screen": lambda _, view: printed(view),
    "full screen": lambda state, view: drawn(state, view.seat),
}
"""Requests of a seat, by name."""


def answer(what, state, seat, game):
    """Return the answer to a request of a seat.

    Bots use the rules of `game`: the order of chip values there is no secret, but searches meet worlds in that order.
    """
    view = state.view(seat)
    view = de.View.showing(game, replace(view.seen, program=game.program), view.events)
    return msgspec.json.encode(ANSWERS[what](state, view))


def refusals(state, seat):
    """Return the refusals of all sorts of requests of a seat."""
    found = []
    for asked in ([], [[]], *([card.id] for card in state.game.model.cards[::9])):
        try:
            state.commit(seat, asked)
        except de.IllegalMove as error:
            found.append([error.code, str(error)])
    return found


def another_world(own, seat, last, chance):
    """Return the states of another world that looks equal to a seat up to a moment."""
    state, known = own.states[last], NOTHING_EARNED
    for before, described in zip(own.states[: last + 1], own.described, strict=False):
        known = earned(known, before, seat, described)
    cards_then, values_then = swaps(state, known, chance)
    names = state.game.program.cards
    there = [names.index(cards_then.get(name, name)) for name in names]
    with Shuffles([[[there[card] for card in pile] for pile in piles] for piles in own.shuffles]):
        worlds = [with_values(state.game, values_then).start(state.seed)]
        for mover, move in state.moves:
            worlds.append(worlds[-1].commit(mover, renamed(move, cards_then)))
    return worlds


def swaps(state, known, chance):
    """Return which canary replaces which, and which chip value replaces which.

    A card that was asked for stays: the answer showed all seats who has it, or that no seat does. So do the cards of
    a zone that no step shuffles, whose order is no secret.
    """
    game = state.game
    free = {}
    asked = {card for _, move in state.moves for name in move.cards for card in ASKED.findall(name)}
    for zone, box in game.program.initial_cards:
        for card in (game.model.cards[card] for card in box if zone in shuffled_zones(game)):
            if LABEL.fullmatch(card.id) and card.id not in known.cards | asked:
                free.setdefault((zone, card.face), []).append(card.id)
    values = [[value for value in pile.values if value not in known.chips] for pile in game.model.chips]
    return shuffled(free.values(), chance), shuffled(values, chance)


def shuffled_zones(game):
    """Return the zones that some step shuffles."""
    return {step.zone for step in game.program.code if isinstance(step, instructions.Shuffle)}


def shuffled(groups, chance):
    """Return, for every member of every group, a member that replaces it."""
    return {one: other for own in groups for one, other in zip(own, chance.sample(own, len(own)), strict=True)}


def with_values(game, values_then):
    """Return the game with chip values replaced."""
    values = tuple(tuple(values_then.get(value, value) for value in pile) for pile in game.program.chip_values)
    return de.Game(game.ruleset, replace(game.program, chip_values=values))


def renamed(move, cards_then):
    def other(own):
        return tuple(cards_then.get(card, card) for card in own)

    return de.Move(
        other(move.cards),
        tuple((name, other(own)) for name, own in move.abilities),
        tuple((name, other(own)) for name, own in move.others),
    )


def compare(game, chance, asking=ASKING, enough=float("inf"), about=ANSWERS):
    """Play a game and other worlds; return the number of moments compared in states that differ.

    With `enough` of them, the worlds of other seats are left out. `about` has the requests to make.
    """
    own, pairs = played(game, canary(chance), chance), 0
    early = [at for at, state in enumerate(own.states) if state.turn <= 1]
    for seat in chance.sample(range(-1, game.players), min(MOMENTS, game.players + 1)):
        if pairs >= enough:
            break
        last = chance.choice([chance.randrange(len(own.states)), chance.choice(early)])
        for at, world in enumerate(another_world(own, seat, last, chance)):
            differs = as_bytes(own.states[at], seat) != as_bytes(world, seat)  # a bare fact: showing both takes minutes
            assert not differs, f"seat {seat} is told something else"
            pairs += own.described[at] != world.describe()
        assert refusals(own.states[last], seat) == refusals(world, seat), f"a refusal tells seat {seat} something else"
        if chance.random() < asking:
            for what in about:
                differs = answer(what, own.states[last], seat, game) != answer(what, world, seat, game)
                assert not differs, f"the {what} tells something else"
    return pairs


@pytest.mark.parametrize("configuration", ONE_OF_EACH, ids=str)
def test_worlds_that_cannot_be_told_apart(configuration):
    chance = Random(str(configuration))
    game = game_of(configuration)
    left = of_family(configuration, PAIRS) if NIGHTLY else PAIRS
    while left > 0:
        left -= compare(game, chance, enough=left)


@pytest.mark.parametrize("family", sample(FAMILIES, 14))
def test_worlds_differ(family):
    """Check that nearly all pairs of states differ, and not only in the deck."""
    chance = Random(family)
    game = game_of(one_of(family, chance))
    own = played(game, "seed", chance)
    found = [
        (state.describe(), world.describe())
        for seat in range(game.players)
        for last in (1, len(own.states) // 2)
        for state, world in zip(own.states, another_world(own, seat, last, chance), strict=False)
    ]
    assert sum(one != other for one, other in found) > 0.9 * len(found)
    hidden = [zone.id for zone in game.model.zones if zone.id != "deck" and zone.seen_by != "everyone"]
    pairs = [(one["zones"][zone], other["zones"][zone]) for one, other in found for zone in hidden]
    boxes = [box for zone, box in game.program.initial_cards if zone in shuffled_zones(game)]
    secret = {game.model.cards[card].id for box in boxes for card in box}
    # Where all but the deck is open, or shows only who laid which of the known cards, nothing else can differ.
    used = any(secret.intersection(pile) for one, _ in pairs for pile in one)
    assert any(one != other for one, other in pairs) or not used
    if game.model.chips:
        assert any(one["chips"] != other["chips"] for one, other in found)


# ── Leaks that are planted ───────────────────────────────────────────────────────────────────────────────────────────


def sort_zones(view, state):
    deck = state.describe()["zones"]["deck"]
    if deck[0] > deck[1]:
        view.observation["zones"].reverse()


def sort_keys(view, state):
    first, *_, last = state.describe()["zones"]["hand"]
    view.__dict__["observation"] = dict(sorted(view.observation.items(), reverse=last > first))


class Backwards(Moves):
    """Moves listed from last to first."""

    def __iter__(self):
        return iter([*super().__iter__()][::-1])


def sort_moves(view, state):
    deck = state.describe()["zones"]["deck"]
    listed = Backwards if deck[0] > deck[-1] else Moves
    view.__dict__["moves"] = listed(view.game.program, view._choice, view.seen.moves)


def kinds_in_the_deck(state, _seat=-1):
    return len({card[7:8] for card in state.describe()["zones"]["deck"]})


def first_of_the_deck(state):
    return state.zones[0][0][0]


def cards_of_the_first(state):
    return sorted(state.describe()["zones"]["hand"][0])


def best_chip(state, _seat=-1):
    return max([0, *(value for own in state.describe()["chips"] for _, value in own)])


PLANTED = {
    "dealt cards are told": ("sushi_go-3p", tell_all("dealt")),
    "passed cards are told": ("sushi_go-3p", tell_all("passed")),
    "drawn cards are told": ("anniversary-2p-personal_draw_piles", tell_all("dealt")),
    "cards put aside are told": ("sushi_draft-4p", tell_all("placed")),
    "chips are told": ("sushi_draft-3p", tell_all("chip")),
    "an event tells an order": ("sushi_go-3p", tell_an_order("dealt")),
    "everybody may see dealt cards": ("sushi_go-3p", mark_all(observers, "dealt")),
    "everybody may see passed cards": ("sushi_go-3p", mark_all(observers, "passed")),
    "everybody may see what is put aside": ("sushi_draft-4p", mark_all(observers, "placed")),
    "everybody may see chips": ("sushi_draft-3p", mark_all(observers, "chip")),
    "cards that come are remembered": ("sushi_go-3p", remember_all()),
    "a refusal tells": ("sushi_go-3p", refuse_with(lambda state: sum(state.zones[0][0][:5]))),
    "zones in an order that tells": ("sushi_go-3p", change(sort_zones)),
    "keys in an order that tells": ("sushi_go-3p", change(sort_keys)),
    "moves in an order that tells": ("sushi_go-3p", change(sort_moves)),
    "a number alone": ("sushi_go-3p", show(kinds_in_the_deck)),
    "a commitment": ("sushi_go-3p", show(lambda state, _: str(state.committed))),
    "the best chip": ("sushi_draft-3p", show(best_chip)),
    "cards that lie face down": (
        "anniversary-2p-sushi_battle",
        show(lambda state, _: [place["card"] for place in state.describe()["zones"]["display"].values()]),
    ),
    "what a face hides": (
        "anniversary-2p-frozen_yogurt",
        show(lambda state, _: state.describe()["zones"]["hand"][0]),
    ),
}

PLANTED_IN_ANSWERS = {
    "an explanation tells": ("explanation", "sushi_go-3p", explain(kinds_in_the_deck)),
    "a story tells": ("story", "sushi_go-3p", tell_the_whole_story()),
    "a hint weighs what is hidden": (
        "advice",
        "sushi_go-3p",
        *hint(lambda state: {"amount": first_of_the_deck(state.position)}),
    ),
    "a hint weighs chips": ("advice", "sushi_draft-3p", *hint(lambda state: {"amount": best_chip(state)})),
    "a bot says what it cannot know": (
        "advice",
        "sushi_go-3p",
        *advise(lambda state: first_of_the_deck(state.position)),
    ),
    "the screen shows a hand": ("screen", "sushi_go-3p", *print_more(cards_of_the_first)),
    "the screen shows a chip": ("screen", "sushi_draft-3p", *print_more(best_chip)),
    "the full screen shows a hand": ("full screen", "sushi_go-3p", draw_the_hand_of(0)),
    "the full screen shows a chip": ("full screen", "sushi_draft-3p", draw_more(best_chip)),
    "the log of the full screen shows what was put aside": ("full screen", "sushi_draft-4p", log_it_as_it_is()),
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_planted_leaks_are_found(monkeypatch, planted):
    """Check that planted leaks are found among the things that a seat sees unasked."""
    name, *patches = planted
    find(monkeypatch, name, patches, "something else", partial(compare, asking=0))


@pytest.mark.parametrize("planted", PLANTED_IN_ANSWERS.values(), ids=PLANTED_IN_ANSWERS)
def test_planted_leaks_are_found_in_answers(monkeypatch, planted):
    """Check that planted leaks in answers are found there, and nowhere else."""
    what, name, *patches = planted
    find(monkeypatch, name, patches, f"the {what} tells something else", partial(compare, asking=1, about=[what]))
