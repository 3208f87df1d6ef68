"""Nothing that a seat is told depends on what it cannot know (R7).

Two worlds are played that are equal in everything that a seat may know until some moment: wherever cards are shuffled,
those that it has not earned by then lie in each other's places, and so do the values of chips that it has not seen. The
same moves are made in both. Then everything that the seat is told in one world, from the deal to that moment, is byte
for byte what it is told in the other: views with the observations that bots are given, events, moves and refusals. At
some of these moments it also asks: for its story, for explanations, for hints, for what bots think of its moves, and
for the screen.

That chance is an input is all that is asked of the engine (`Shuffles`, `with_values`); the rest is public.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.moves import Moves
from draftengine.engine import cards, seeing, telling
from draftengine.engine.kernel.steps import STEPS
from engine.configurations import FAMILIES, ONE_OF_EACH, named, of_family, one_of
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
"""Of each family: moments at which a seat is told the same in two states that differ."""
MOMENTS = 3
"""So many moments of a game, each for another seat, are the last of two equal worlds; every other is in a first turn,
when most is hidden."""
ASKING = 0.1
"""The share of those last moments at which the seat also asks: advice takes longer than everything else."""


class Shuffles:
    """How cards lie after every shuffle of a game: noted, or given."""

    def __init__(self, given=None):
        self.noted, self.given = [], iter(given) if given is not None else None

    def __enter__(self):
        self.patch = pytest.MonkeyPatch()
        shuffle = STEPS[cards.Shuffle]

        def run(state, plan, step):
            shuffle(state, plan, step)
            piles = state.zones[step.zone]
            if self.given is not None:
                for pile, order in zip(piles, next(self.given), strict=True):
                    assert sorted(pile) == sorted(order), "other cards are shuffled"
                    pile[:] = order
            self.noted.append([pile[:] for pile in piles])

        self.patch.setitem(STEPS, cards.Shuffle, run)
        return self

    def __exit__(self, *_):
        self.patch.undo()


class Game(NamedTuple):
    """A game that was played: its states, what is true in each, and how cards lay after every shuffle."""

    states: list[de.State]
    described: list[dict]
    shuffles: list[list[list[int]]]


def played(game, seed, chance):
    """A random game."""
    with Shuffles() as shuffles:
        states = list(play(game, seed, chance))
        return Game(states, [own.describe() for own in states], shuffles.noted)


def as_bytes(state, seat):
    """Everything a seat is told, in the order in which it is told; and all of what bots are given."""
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
"""What can be asked for."""


def answer(what, state, seat, game):
    """What a seat is told that asks for something.

    Bots are given the rules of `game`: in which order the values of chips stand there says nothing, but those who think
    of many worlds meet them in that order.
    """
    view = state.view(seat)
    view = de.View.showing(game, replace(view.seen, program=game.program), view.events)
    return msgspec.json.encode(ANSWERS[what](state, view))


def refusals(state, seat):
    """What a seat is told that asks for all sorts of things."""
    found = []
    for asked in ([], [[]], *([card.id] for card in state.game.model.cards[::9])):
        try:
            state.commit(seat, asked)
        except de.IllegalMove as error:
            found.append([error.code, str(error)])
    return found


def another_world(own, seat, last, chance):
    """The states of another world that a seat cannot tell from this one up to a moment."""
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
    """Which canary lies where which was, and which chip has the value of which.

    A card that somebody asked for stays where it is: the answer told everybody who has it, or that nobody does.
    """
    game = state.game
    free = {}
    asked = {card for _, move in state.moves for name in move.cards for card in ASKED.findall(name)}
    for zone, box in game.program.initial_cards:
        for card in (game.model.cards[card] for card in box):
            if LABEL.fullmatch(card.id) and card.id not in known.cards | asked:
                free.setdefault((zone, card.face), []).append(card.id)
    values = [[value for value in pile.values if value not in known.chips] for pile in game.model.chips]
    return shuffled(free.values(), chance), shuffled(values, chance)


def shuffled(groups, chance):
    """For every member of every group, one that takes its place."""
    return {one: other for own in groups for one, other in zip(own, chance.sample(own, len(own)), strict=True)}


def with_values(game, values_then):
    """The game in which chips have changed their values."""
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
    """Play a game and other worlds; at how many moments somebody was told the same in states that differ.

    `enough`: with so many, the worlds of other seats are left out. `about`: what is asked for.
    """
    own, pairs = played(game, canary(chance), chance), 0
    early = [at for at, state in enumerate(own.states) if state.turn == 1]
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


@pytest.mark.parametrize("family", FAMILIES)
def test_worlds_differ(family):
    """Nearly all pairs are states that differ, and not only in the deck."""
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
    used = any(any(map(len, one)) for one, _ in pairs)  # where all but the deck lies open, nothing else can differ
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
    """Moves that are listed from the last to the first."""

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
    "everybody may see dealt cards": ("sushi_go-3p", mark_all(seeing, "dealt")),
    "everybody may see passed cards": ("sushi_go-3p", mark_all(seeing, "passed")),
    "everybody may see what is put aside": ("sushi_draft-4p", mark_all(seeing, "placed")),
    "everybody may see chips": ("sushi_draft-3p", mark_all(telling, "chip")),
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
    """In what a seat is told though it asks for nothing."""
    find(monkeypatch, planted, "something else")


@pytest.mark.parametrize("planted", PLANTED_IN_ANSWERS.values(), ids=PLANTED_IN_ANSWERS)
def test_planted_leaks_are_found_in_answers(monkeypatch, planted):
    """In what a seat asks for, and in nothing else."""
    what, *planted = planted
    find(monkeypatch, planted, f"the {what} tells something else", asking=1, about=[what])


def find(monkeypatch, planted, message, **how):
    """One of a few games finds the leak."""
    name, *patches = planted
    game = game_of(named(name))
    for place, wrong in patches:
        monkeypatch.setattr(place, wrong)
    with pytest.raises(AssertionError, match=message):
        sum(compare(game, Random(number), **{"asking": 0} | how) for number in range(5))
