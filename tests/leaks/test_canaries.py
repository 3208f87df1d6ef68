"""No seat learns the name of a card or the value of a chip that it has not earned, nor the seed (R8)."""

from __future__ import annotations

import json
import re
from functools import lru_cache, reduce
from itertools import pairwise
from random import Random

import pytest

import draftengine as de
from conftest import NIGHTLY, sample
from draftengine.api.facts import Things
from draftengine.api.replay import Recorded
from draftengine.apps.cli.saves import saves
from draftengine.apps.play.journal import Journal
from draftengine.apps.play.replay import as_data, names_for, players_of, retell
from draftengine.apps.play.saved import Saved, SaveError, from_text, read
from draftengine.apps.play.session import HUMAN, Session
from draftengine.engine import observers
from engine.configurations import ENTERING, FAMILIES, ONE_OF_EACH, family_of, named, one_of
from leaks.canaries import LABEL, NOTHING_EARNED, advised, canary, earned, explained, game_of, play, told
from leaks.planted import (
    advise,
    draw_more,
    draw_the_hand_of,
    explain,
    find,
    hint,
    log_it_as_it_is,
    mark_all,
    print_more,
    refuse_saves,
    refuse_with,
    remember_all,
    show,
    sum_up,
    tell_all,
    tell_on_the_screen,
)
from leaks.screens import STYLE, canaries_on, drawn, go_on, numbers_on, watch

GAMES = 10 if NIGHTLY else 1
"""Games of one configuration of each family by day, of every configuration by night.

These give 9,000 observations by day and a million by night.
"""
ADVICE = 100
"""Number of views between requests for advice, which takes longer than everything else."""
SCREENS = 10 if NIGHTLY else 1
"""Games on the screen, of one configuration of each family."""
DAMAGED = 5
"""Damaged saves of each family."""


WHOLE = re.compile(r"(?<![\w.])\d+(?![\w.])")


def numbers(text):
    """Return all whole numbers in a text, except those in the names of canaries."""
    return {int(own) for own in WHOLE.findall(text)}


def refused(state, seat, chance):
    """Return up to two random cards that a seat asks for, and the texts of the refusal."""
    asked = chance.sample([card.id for card in state.game.model.cards], chance.randrange(3))
    try:
        state.commit(seat, asked)
    except de.IllegalMove as error:
        return asked, [error.code, str(error), repr(error)]
    return asked, []


def advice_for(view):
    """Return advice as text, without cards in reasons, which may name any card that could still come."""
    found = advised(view)
    for own in found.get("hints", ()):
        for reason in own["reasons"]:
            if reason["kind"] == "prepares":
                del reason["card"]
    return json.dumps(found)


def secret_values(game):
    """Return the values of chips that are not printed on cards, as the smallest and largest are."""
    if not game.model.chips:
        return set()
    printed = numbers_on(" ".join(Things(game.labels).card(card).plain for card in game.model.cards))
    return {value for pile in game.model.chips for value in pile.values} - printed


def search(game, seed, chance, advice=ADVICE):
    """Play a game and check all that each seat sees; return the number of views."""
    seats, frames = range(-1, game.players), 0
    known = dict.fromkeys(seats, NOTHING_EARNED)
    plain = {card.id for card in game.model.cards if LABEL.fullmatch(card.id) and card.face is None}
    values = secret_values(game)
    for state in play(game, seed, chance):
        described = state.describe()
        secrets = [seed, *(key for key, _ in described["chance"].values())]
        for seat in seats:
            known[seat] = mine = earned(known[seat], state, seat, described)
            shown = told(state, seat)
            unseen = {*shown["observation"].pop("unseen")}
            text = json.dumps(shown)
            assert not {*LABEL.findall(text)} - mine.cards, f"seat {seat} is told of cards that it has not seen"
            assert plain - mine.cards <= unseen, f"seat {seat} is told where a card is that it has not seen"
            assert not (values and numbers(text) & values - mine.chips), f"seat {seat} is told what a chip is worth"
            assert not any(secret in text for secret in secrets), f"seat {seat} is told of the seed"
            asked, answer = refused(state, seat, chance)
            assert not {*LABEL.findall(json.dumps(answer))} - mine.cards - {*LABEL.findall(str(asked))}, (
                f"a refusal tells seat {seat}"
            )
            if frames % advice == 0:
                text = advice_for(state.view(seat))
                assert not {*LABEL.findall(text)} - mine.cards, f"by advice seat {seat} is told of cards"
            frames += 1
        explanation = json.dumps(explained(state))
        assert not {*LABEL.findall(explanation)} - known[-1].cards, "an explanation is told with cards"
        assert not numbers_on(explanation) & values - known[-1].chips, (
            "an explanation is told with what a chip is worth"
        )
    return frames


@pytest.mark.parametrize("configuration", ONE_OF_EACH, ids=str)
def test_nobody_is_told_what_was_not_earned(configuration):
    """Check views, events, moves, refusals, and their texts."""
    chance = Random(str(configuration))
    game = game_of(configuration)
    for _ in range(GAMES):
        assert search(game, canary(chance), chance)


@pytest.mark.parametrize("family", FAMILIES if NIGHTLY else [*FAMILIES][::2])
def test_the_screen_tells_nothing_that_was_not_earned(family):
    """Check the screen of any seat with any command: table, news, prompts, hints, reasons and review."""
    chance = Random(family)
    game = game_of(one_of(family, chance))
    for _ in range(SCREENS):
        assert search_screens(game, chance)


FRAMES = 1 if NIGHTLY else 17
"""Number of states between those drawn on the full screen, of one configuration of each family.

No number of players divides it. Otherwise all these states would be ones in which no seat has chosen yet.
"""


@pytest.mark.parametrize("family", FAMILIES if NIGHTLY else [*FAMILIES][1::2])
def test_the_full_screen_tells_nothing_that_was_not_earned(family):
    """Check the parts, log and pages of the full screen, for any seat and for spectators."""
    chance = Random(family)
    game = game_of(one_of(family, chance))
    for _ in range(SCREENS):
        assert search_full_screens(game, chance)


def search_full_screens(game, chance, frames=FRAMES):
    """Play a game and read the full screens of a seat and a spectator; return the number of canaries."""
    seed, found = canary(chance), set()
    values = secret_values(game)
    seats = (chance.randrange(game.players), -1)
    known = dict.fromkeys(seats, NOTHING_EARNED)
    for number, state in enumerate(play(game, seed, chance)):
        secrets = [seed, *(str(key) for key, _ in state.describe()["chance"].values())]
        for seat in seats:
            known[seat] = mine = earned(known[seat], state, seat)
            if number % frames and not state.over:
                continue
            text = "\n".join(drawn(state, seat))
            found |= canaries_on(text)
            assert not strangers_on(text, mine, game), f"on the full screen seat {seat} is told of hidden cards"
            assert not numbers_on(text) & values - mine.chips, f"on the full screen seat {seat} is told of chips"
            assert not any(secret in text for secret in secrets), f"on the full screen seat {seat} is told of the seed"
    return len(found)


def strangers_on(text, known, game):
    """Return the canaries on a screen that were not earned, except those that rules are about."""
    told = known.cards | named_by_rules(game)
    return [own for own in canaries_on(text) if not any(card.startswith(own) for card in told)]


@lru_cache(8)
def named_by_rules(game):
    """Return the canaries that a rule is about."""
    rules = [*map(game.labels.rule, (own.id for own in game.model.scoring)), *map(str, Things(game.labels).rules)]
    return frozenset().union(*map(LABEL.findall, rules))


def search_screens(game, chance):
    """Play a game on a person's screen and read all output; return the number of canaries in it."""
    seat, seed, found = chance.randrange(-1, game.players), canary(chance), set()
    values = secret_values(game)
    secrets = [seed, *(str(key) for key, _ in game.start(seed).describe()["chance"].values())]

    def check(text, known):
        found.update(canaries_on(text))
        assert not strangers_on(text, known, game), f"on the screen seat {seat} is told of cards that it has not seen"
        assert not numbers_on(text) & values - known.chips, f"on the screen seat {seat} is told what a chip is worth"
        assert not any(secret in text for secret in secrets), f"on the screen seat {seat} is told of the seed"

    watch(game, seat, seed, chance, check)
    return len(found)


@pytest.mark.parametrize("family", FAMILIES if NIGHTLY else [*FAMILIES][::2])
def test_nobody_is_shown_what_a_save_holds(family, tmp_path, monkeypatch, capsys):
    """Check that nothing secret in the file of an unfinished game is shown, though it holds the seed.

    This covers the list of games, reports of changed files, and the screen after resuming.
    """
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    chance = Random(family)
    search_saves(game_of(one_of(family, chance)), chance, capsys)


def search_saves(game, chance, capsys):
    """Save a game half-way, and read all that is shown of the file."""
    seed = canary(chance)
    states = list(play(game, seed, chance))
    seats = [HUMAN, *["random"] * (game.players - 1)]
    session = Session.replay(game, seats, seed, states[len(states) // 2].moves)
    journal = Journal(Saved.of(game.ruleset, session))
    journal.close()
    text = journal.path.read_text(encoding="utf-8")
    assert seed in text

    for as_json in (False, True):
        saves(as_json=as_json)
    listed = capsys.readouterr().out
    assert listed.count("canaries-1") > 1
    assert not LABEL.findall(listed), "by the list of games everybody is told of cards or the seed"

    for at in chance.sample(range(len(text)), DAMAGED):
        with pytest.raises(SaveError) as refused:
            from_text(f"{text[:at]}{chr(ord(text[at]) ^ 1)}{text[at + 1 :]}")
        assert not LABEL.findall(str(refused.value)), "a refusal tells of cards or the seed"

    shown = []

    def check(text, known):
        shown.append(text)
        assert not strangers_on(text, known, game), "whoever goes on is told of cards"
        assert seed not in text, "whoever goes on is told of the seed"

    go_on(read(journal.path).session, known_by(states[: len(states) // 2 + 1]), check)
    assert len(shown) > 1

    for last in (1, game.players, len(states) // 2):
        known = known_by(states[: last + 1])
        for own in retold(Recorded(game, seed, players_of(session), states[last].moves)):
            assert not strangers_on(own, known, game), "a replay tells of cards"
            assert seed not in own, "a replay tells of the seed"


def known_by(states):
    """Return what the first seat knows after these states."""
    return reduce(lambda before, own: earned(before, own, 0), states, NOTHING_EARNED)


def retold(recorded):
    """Return what ``draftengine replay`` shows of an unfinished game, as text and data, for all its seats."""
    names = names_for(recorded, STYLE)
    for seat in recorded.viewers:
        lines = []
        retell(recorded, names, seat, lines.extend)
        yield "\n".join(lines)
        yield json.dumps(as_data(recorded, names, seat))


@pytest.mark.parametrize("family", sample(FAMILIES, 14))
def test_there_is_something_to_tell(family):
    """Check that most cards are canaries, all are earned in time, and none of other hands at first."""
    game = game_of(one_of(family, Random(1)))
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


def first_of_the_deck(state):
    return state.describe()["zones"]["deck"][0]


def chips_of_all(state):
    return [value for own in state.describe()["chips"] for _, value in own]


def commitments(state):
    return state.describe()["committed"]


PLANTED = {
    "dealt cards are told": ("sushi_go-3p", tell_all("dealt")),
    "passed cards are told": ("sushi_go-3p", tell_all("passed")),
    "drawn cards are told": ("anniversary-2p-personal_draw_piles", tell_all("dealt")),
    "cards put aside are told": ("sushi_draft-4p", tell_all("placed")),
    "cards taken up again are told": ("sushi_draft-4p", tell_all("moved")),
    "everybody may see dealt cards": ("sushi_go-3p", mark_all(observers, "dealt")),
    "everybody may see passed cards": ("sushi_go-3p", mark_all(observers, "passed")),
    "everybody may see what is put aside": ("sushi_draft-4p", mark_all(observers, "placed")),
    "chips are told": ("sushi_draft-3p", tell_all("chip")),
    "everybody may see chips": ("sushi_draft-3p", mark_all(observers, "chip")),
    "dealt cards are remembered": ("sushi_go-3p", remember_all()),
    "a refusal lists cards": (
        "sushi_go-2p",
        refuse_with(lambda state: [state.program.cards[card] for card in state.zones[0][0]]),
    ),
    "the deck is shown": ("sushi_go-2p", show(lambda state, _: state.describe()["zones"]["deck"][:1])),
    "a commitment is shown": ("sushi_go-3p", show(lambda state, _: state.describe()["committed"])),
    "chips are shown": ("sushi_draft-3p", show(lambda state, _: state.describe()["chips"])),
    "the seed is shown": ("sushi_go-2p", show(lambda state, _: f"game {state.seed}")),
    "the chance is shown": ("sushi_go-2p", show(lambda state, _: state.describe()["chance"]["deal"])),
    "cards lying face down are shown": (
        "anniversary-2p-sushi_battle",
        show(lambda state, _: [place["card"] for place in state.describe()["zones"]["display"].values()]),
    ),
    "what a face hides is shown": (
        "anniversary-2p-frozen_yogurt",
        show(lambda state, seat: state.describe()["zones"]["hand"][max(seat, 0)]),
    ),
    "an explanation shows the deck": ("sushi_go-2p", explain(first_of_the_deck)),
    "an explanation shows chips": ("sushi_draft-3p", explain(chips_of_all)),
    "a hint names a hidden card": ("sushi_go-3p", *hint(lambda state: {"card": first_of_the_deck(state)})),
    "a bot says what others committed to": ("sushi_go-3p", *advise(commitments)),
}


BY_ADVICE = {"a hint names a hidden card", "a bot says what others committed to"}


@pytest.mark.parametrize("leak", PLANTED)
def test_planted_leaks_are_found(monkeypatch, leak):
    name, *patches = PLANTED[leak]
    often = 1 if leak in BY_ADVICE else ADVICE
    find(monkeypatch, name, patches, "told|tells", lambda game, chance: search(game, canary(chance), chance, often))


ON_THE_SCREEN = {
    "a hint names a hidden card": (
        "sushi_go-3p",
        *hint(lambda state: {"kind": "costs", "rule": first_of_the_deck(state)}),
    ),
    "the deck is printed": ("sushi_go-3p", *print_more(first_of_the_deck)),
    "chips are printed": ("sushi_draft-3p", *print_more(chips_of_all)),
    "commitments are printed": ("sushi_go-3p", *print_more(commitments)),
    "the seed is printed": ("sushi_go-3p", *print_more(lambda state: state.seed)),
    "news are printed as they are": ("sushi_draft-4p", tell_on_the_screen()),
}


ON_THE_FULL_SCREEN = {
    "the deck is drawn": ("sushi_go-3p", draw_more(first_of_the_deck)),
    "chips are drawn": ("sushi_draft-3p", draw_more(chips_of_all)),
    "commitments are drawn": ("sushi_go-3p", draw_more(commitments)),
    "the seed is drawn": ("sushi_go-3p", draw_more(lambda state: state.seed)),
    "another hand is shown": ("sushi_go-3p", draw_the_hand_of(0)),
    "the log shows what was put aside": ("sushi_draft-4p", log_it_as_it_is()),
}


@pytest.mark.parametrize("leak", ON_THE_SCREEN | ON_THE_FULL_SCREEN)
def test_planted_leaks_are_found_on_screens(monkeypatch, leak):
    screen, where = ("screen", ON_THE_SCREEN) if leak in ON_THE_SCREEN else ("full screen", ON_THE_FULL_SCREEN)
    name, *patches = where[leak]
    search_screen = search_screens if where is ON_THE_SCREEN else search_full_screens
    find(monkeypatch, name, patches, f"on the {screen} seat", search_screen)


IN_SAVES = {
    "the list shows the seed": ("by the list of games", sum_up(lambda saved: saved["seed"])),
    "the list shows a move": ("by the list of games", sum_up(lambda saved: saved["last"]["cards"])),
    "a refusal shows the file": ("a refusal tells", refuse_saves()),
    "whoever goes on sees the seed": ("whoever goes on", *print_more(lambda state: state.seed)),
    "whoever goes on sees the deck": ("whoever goes on", *print_more(first_of_the_deck)),
    "a replay shows all hands": ("a replay", ("draftengine.api.replay.Recorded.viewers", (-1, 0, 1, 2))),
    "a replay shows what everybody chose": ("a replay", ("draftengine.api.replay.Recorded.viewers", (1,))),
}


@pytest.mark.parametrize("planted", IN_SAVES.values(), ids=IN_SAVES)
def test_planted_leaks_are_found_in_what_is_shown_of_saves(monkeypatch, tmp_path, capsys, planted):
    message, *patches = planted
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = game_of(named("sushi_go-3p"))
    for place, wrong in patches:
        monkeypatch.setattr(place, wrong)
    with pytest.raises(AssertionError, match=message):
        search_saves(game, Random(6), capsys)


def test_every_family_is_there():
    assert {*map(family_of, ENTERING)} == {*FAMILIES}
