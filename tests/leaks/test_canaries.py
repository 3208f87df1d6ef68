"""No seat is told the name of a card that it has not earned, or the value of a chip, or anything of the seed (R8)."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

import draftengine as de
from draftengine.engine import effects
from draftengine.engine.flow import cards, choose
from engine.configurations import ENTERING, FAMILIES, family_of, named, share
from leaks.canaries import LABEL, NOTHING_EARNED, canary, earned, game_of, play, told
from leaks.planted import mark_all, refuse_with, remember_all, show, tell_all

BY_DAY, BY_NIGHT = 3, 10
"""Games of each family by day, of each configuration by night: 20,000 and a million things that seats are told."""


def numbers(value):
    """All whole numbers in something told."""
    if isinstance(value, dict):
        return {found for own in value.values() for found in numbers(own)}
    if isinstance(value, (list, tuple)):
        return {found for own in value for found in numbers(own)}
    return {value} if isinstance(value, int) and not isinstance(value, bool) else set()


def refused(state, seat, chance):
    """What a seat is told that asks for something at random, a card of the box or two."""
    asked = chance.sample([card.id for card in state.game.model.cards], chance.randrange(3))
    try:
        state.commit(seat, asked)
    except de.IllegalMove as error:
        return asked, [error.code, str(error), repr(error)]
    return asked, []


def search(game, seed, chance):
    """Play a game, and look at everything that everybody is told; how often that was."""
    seats, frames = range(-1, game.players), 0
    known = dict.fromkeys(seats, NOTHING_EARNED)
    plain = {card.id for card in game.model.cards if LABEL.fullmatch(card.id) and card.face is None}
    values = {value for pile in game.model.chips for value in pile.values}
    for state in play(game, seed, chance):
        secrets = [seed, *(key for key, _ in state.describe()["chance"].values())]
        for seat in seats:
            known[seat] = mine = earned(known[seat], state, seat)
            shown = told(state, seat)
            unseen = {*shown["observation"].pop("unseen")}
            text = json.dumps(shown)
            assert not {*LABEL.findall(text)} - mine.cards, f"seat {seat} is told of cards that it has not seen"
            assert plain - mine.cards <= unseen, f"seat {seat} is told where a card is that it has not seen"
            assert not numbers(shown) & values - mine.chips, f"seat {seat} is told what a chip is worth"
            assert not any(secret in text for secret in secrets), f"seat {seat} is told of the seed"
            asked, answer = refused(state, seat, chance)
            assert not {*LABEL.findall(json.dumps(answer))} - mine.cards - {*asked}, f"a refusal tells seat {seat}"
            frames += 1
    return frames


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_nobody_is_told_what_was_not_earned(configuration, tmp_path):
    """Through views, events, moves, refusals, and what is shown of them."""
    chance = Random(str(configuration))
    game = game_of(configuration, tmp_path, chance)
    for _ in range(share(configuration, BY_DAY, BY_NIGHT)):
        assert search(game, canary(chance), chance)


@pytest.mark.parametrize("family", FAMILIES)
def test_there_is_something_to_tell(family, tmp_path):
    """Most cards have names of their own; all are earned in time, and none of others' hands at once."""
    game = game_of(FAMILIES[family][0], tmp_path, Random(1))
    box = [card.id for card in game.model.cards for _ in range(card.count)]
    assert sum(LABEL.fullmatch(card) is not None for card in box) > len(box) / 3
    *_, last = states = list(play(game, "seed", Random(2)))
    ways = [NOTHING_EARNED]
    for state in states:
        ways.append(earned(ways[-1], state, 0))
    assert all(one.cards <= other.cards for one, other in pairwise(ways))
    hands = states[0].describe()["zones"]["hand"]
    assert not any({*hand} & ways[1].cards - {*hands[0]} for hand in hands[1:] if any(map(LABEL.fullmatch, hand)))
    assert last.over


# ── Leaks that are planted ───────────────────────────────────────────────────────────────────────────────────────────


PLANTED = {
    "dealt cards are told": ("sushi_go-3p", *tell_all("dealt")),
    "passed cards are told": ("sushi_go-3p", *tell_all("passed")),
    "drawn cards are told": ("anniversary-2p-personal_draw_piles", *tell_all("dealt")),
    "cards put aside are told": ("sushi_draft-4p", *tell_all("placed")),
    "cards taken up again are told": ("sushi_draft-4p", *tell_all("moved")),
    "everybody may see dealt cards": ("sushi_go-3p", *mark_all(cards, "dealt")),
    "everybody may see passed cards": ("sushi_go-3p", *mark_all(cards, "passed")),
    "everybody may see what is put aside": ("sushi_draft-4p", *mark_all(choose, "placed")),
    "chips are told": ("sushi_draft-3p", *tell_all("chip")),
    "everybody may see chips": ("sushi_draft-3p", *mark_all(effects, "chip")),
    "dealt cards are remembered": ("sushi_go-3p", *remember_all()),
    "a refusal lists cards": (
        "sushi_go-2p",
        *refuse_with(lambda state: [state.program.cards[card] for card in state.zones[0][0]]),
    ),
    "the deck is shown": ("sushi_go-2p", *show(lambda state, _: state.describe()["zones"]["deck"][:1])),
    "a commitment is shown": ("sushi_go-3p", *show(lambda state, _: state.describe()["committed"])),
    "chips are shown": ("sushi_draft-3p", *show(lambda state, _: state.describe()["chips"])),
    "the seed is shown": ("sushi_go-2p", *show(lambda state, _: f"game {state.seed}")),
    "the chance is shown": ("sushi_go-2p", *show(lambda state, _: state.describe()["chance"]["deal"])),
    "cards lying face down are shown": (
        "anniversary-2p-sushi_battle",
        *show(lambda state, _: [place["card"] for place in state.describe()["zones"]["display"].values()]),
    ),
    "what a face hides is shown": (
        "anniversary-2p-frozen_yogurt",
        *show(lambda state, seat: state.describe()["zones"]["hand"][max(seat, 0)]),
    ),
}


@pytest.mark.parametrize(("name", "place", "wrong"), PLANTED.values(), ids=PLANTED)
def test_planted_leaks_are_found(monkeypatch, tmp_path, name, place, wrong):
    game = game_of(named(name), tmp_path, Random(5))
    monkeypatch.setattr(place, wrong)
    with pytest.raises(AssertionError, match=r"is told|a refusal tells"):
        sum(search(game, canary(Random(number)), Random(number)) for number in range(5))


def test_every_family_is_there():
    assert {*map(family_of, ENTERING)} == {*FAMILIES}
