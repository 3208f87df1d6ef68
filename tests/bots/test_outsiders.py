"""Bots from outside: objects and functions in every study, and programs that answer in JSON lines."""

from __future__ import annotations

import functools
import signal
import sys
from pathlib import Path

import pytest

import draftengine as de
from bots.quick import Last, program_of
from draftengine.bots import BotError, Budget, Decision, SeatedBot, outsiders
from draftengine.bots.catalogue import listed_in, wanted
from draftengine.engine.chance import Stream
from draftengine.engine.game import start
from draftengine.engine.observe import observe

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent.py"
SAYING = """
import sys
sys.stdout.reconfigure(errors="surrogateescape")
for line in sys.stdin:
    if "decide" in line: print({answer!r}, flush=True)
"""


def first(seen):
    """Return the first legal move."""
    return seen.moves[0]


class Answers:
    """A bot that answers with what a function makes of the observation."""

    def __init__(self, answer):
        self.answer = answer

    def decide(self, seen, _stream, _budget):
        return self.answer(seen)


class Called:
    """A function that is an object."""

    def __call__(self, seen):
        return seen.moves[0]


@pytest.fixture(scope="module")
def game():
    return de.load("sushi_go", players=2)


def program_that_says(tmp_path, answer):
    path = tmp_path / "agent.py"
    path.write_text(SAYING.format(answer=answer))
    return f"cmd:{sys.executable} {path}"


@pytest.mark.parametrize(
    "bot",
    [Last(), Answers(first), first, Called(), functools.partial(first), de.bot("random")],
    ids=["object", "move alone", "function", "object that is called", "partial function", "bot of the package"],
)
def test_they_sit_in_every_study(game, bot):
    """Check that a bot from outside plays, and is the same player in all studies of a seed."""
    played = de.simulate(game, 3, bots=[bot, "greedy"], seed=4)
    assert played.played.games == 3
    assert de.compare(game, game, 3, bots=[bot, "greedy"], seed=4).found.games == 3
    tuned = de.tune(game, "cards.tempura.count", "score near 10", [10], 3, bots=[bot, "greedy"], seed=4)
    assert tuned.bots == (listed_in([bot])[0], "greedy")
    met = de.arena(game, [bot, "greedy"], 2, seed=4).found
    assert (met.games, met.bots[1]) == (4, "greedy")


def test_each_has_one_name(game):
    """Check that the same object keeps its text, and that another one of its class gets a text of its own."""
    one, two = Last(), Last()
    assert listed_in([one, two, one]) == (*listed_in([one, two]), *listed_in([one]))
    assert len({*listed_in([one, two, first])}) == 3
    assert wanted(listed_in([two])[0]).bot is two


@pytest.mark.parametrize("bot", [7, None, object(), "cmd:", "cmd: ", "cmd:'"])
def test_what_is_no_bot(bot):
    with pytest.raises(BotError, match=r"A bot is a text, an object|is not a command"):
        listed_in([bot])


def test_a_class_is_no_bot():
    with pytest.raises(BotError, match="not a class: write Last"):
        listed_in([Last])


@pytest.mark.parametrize(
    ("bot", "name", "move"),
    [
        (lambda seen: (99,), "<lambda>", "\\(99,\\)"),
        (Answers(lambda seen: Decision((99,))), "Answers", "\\(99,\\)"),
        (Answers(lambda seen: None), "Answers", "None"),
    ],
)
def test_illegal_moves_are_refused(game, bot, name, move):
    for played in (de.simulate, de.arena):
        with pytest.raises(BotError, match=f"“{name}” made a move that is not legal: {move}"):
            played(game, [bot, "greedy"], 1) if played is de.arena else played(game, 1, bots=[bot, "greedy"])


# ── Programs ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_example_plays_as_it_did_before(game):
    """Check that an agent with a seed from its question plays equal games again."""
    text = f"cmd:{sys.executable} {EXAMPLE}"
    shares = [de.arena(game, f"{text},random", 3, seed=2).found.met(0, 1).share for _ in range(2)]
    assert shares[0] == shares[1]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("tempura", "was asked for a move, but answered 'tempura'"),
        ("[0]", "was asked for a move, but answered"),
        ("\udcff", "was asked for a move, but answered '\ufffd'"),
        ("[" * 100_000, "was asked for a move, but answered"),
        ('{"move": [0, 0]}', "made a move that is not legal: \\[0, 0\\]"),
        ('{"move": "0"}', "made a move that is not legal: '0'"),
    ],
)
def test_wrong_answers(tmp_path, answer, problem):
    text = listed_in([program_that_says(tmp_path, answer)])[0]
    seen = observe(start(program_of("sushi_go", 2), 1).state, 0)
    with pytest.raises(BotError, match=problem):
        SeatedBot.at(text, 1, 0).decide(seen)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("'cmd:python a.py 1,2', hard", ("cmd:python a.py 1,2", "hard")),
        ("hard,cmd:python a.py '1,2' \"3,4\"", ("hard", "cmd:python a.py '1,2' \"3,4\"")),
        ("\"cmd:python 'my agent.py' 1,2\",, 'easy'", ("cmd:python 'my agent.py' 1,2", "easy")),
        ("cmd:'my agent' '1,2'", ("cmd:'my agent' '1,2'",)),
    ],
)
def test_commas_in_quotation_marks_belong_to_the_command(text, names):
    assert listed_in(text) == names


@pytest.mark.parametrize("text", ["'easy' bot", "'ea' 'sy'", "'easy'y"])
def test_only_marks_around_a_whole_part_are_removed(text):
    """A name with marks elsewhere is unknown as it stands, instead of losing its first and last letter."""
    with pytest.raises(BotError) as caught:
        listed_in(text)
    assert text in str(caught.value)


@pytest.mark.parametrize("text", ["'cmd:python a.py 1,2,hard", "cmd:python it's.py,hard", 'hard,"'])
def test_quotation_marks_must_be_closed(text):
    with pytest.raises(BotError, match=r"A quotation mark in .* is not closed"):
        listed_in(text)


@pytest.mark.parametrize("command", ["no-such-program-anywhere", f"{sys.executable} -c pass"])
def test_programs_that_do_not_run(command):
    text = listed_in([f"cmd:{command}"])[0]
    seen = observe(start(program_of("sushi_go", 2), 1).state, 0)
    with pytest.raises(BotError, match=r"cannot be started|has ended"):
        SeatedBot.at(text, 1, 0).decide(seen)


@pytest.mark.parametrize("script", ["import time; time.sleep(60)", "print('a', end=''); input(); input(); input()"])
def test_a_program_that_does_not_answer_is_ended(monkeypatch, script):
    """Check that nobody waits for ever for a program that says nothing, or keeps its answer in a buffer."""
    monkeypatch.setattr(outsiders, "PATIENCE", 0.5)
    text = listed_in([f'cmd:{sys.executable} -c "{script}"'])[0]
    seen = observe(start(program_of("sushi_go", 2), 1).state, 0)
    with pytest.raises(BotError, match="has not answered"):
        SeatedBot.at(text, 1, 0).decide(seen)


ONCE = """
import json, pathlib, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "decide":
        first = not pathlib.Path({flag!r}).exists()
        pathlib.Path({flag!r}).touch()
        print("nonsense" if first else json.dumps({{"move": question["view"]["moves"][0]}}), flush=True)
"""


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_program_starts_anew_after_an_error(monkeypatch, tmp_path, interrupted):
    """Check that an agent that was mended, or interrupted in a notebook, plays again."""
    path = tmp_path / "agent.py"
    path.write_text(ONCE.format(flag=str(tmp_path / "flag")))
    bot = outsiders.outsider(listed_in([f"cmd:{sys.executable} {path}"])[0])
    seen = observe(start(program_of("sushi_go", 2), 1).state, 0)
    with monkeypatch.context() as patched:
        if interrupted:
            patched.setattr(outsiders.json, "loads", lambda _: signal.raise_signal(signal.SIGINT))
        with pytest.raises(KeyboardInterrupt if interrupted else BotError):
            bot.decide(seen, Stream(1), Budget())
    assert bot.decide(seen, Stream(1), Budget()).move == seen.moves[0]


def test_nobody_starts_a_program_by_a_name_alone():
    """Check that a save or a record cannot name a program: only a person admits one, in `--bots`."""
    with pytest.raises(BotError, match="There is no bot “cmd”"):
        wanted("cmd:true")
