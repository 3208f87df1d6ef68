"""Games and commands in Polish and Japanese, refusals included, print no English word."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from html import unescape
from pathlib import Path
from socket import socket

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.errors import WrongPositionError
from draftengine.api.scenario.missing import problem_in_words
from draftengine.api.scenario.suite import run_scenarios
from draftengine.apps.cli.main import COMMANDS, program
from draftengine.apps.play.labels import Names
from draftengine.apps.play.score_book import CARD, COUNTER, Scorebook, names_for, things_of
from draftengine.apps.play.session import HUMAN, Session
from draftengine.apps.play.terminal_style import Style, plain
from draftengine.apps.terminal import Terminal, opening
from draftengine.apps.terminal.scorekeeper import Scorekeeper
from draftengine.bots.catalogue import names as bots
from draftengine.model.diagnostics import catalogue
from draftengine.model.shelf import house_rules, shelf
from draftengine.studies.report.moments import TARGET_KINDS
from draftengine.studies.tune.targets import CONDITIONS
from draftengine.support.locale import spoken
from draftengine.support.text import width_of
from tui.harness import keeping, recorded, run, sitting, watching

TESTS = Path(__file__).parents[1]
GAMES = {"pl": "sushi_go", "ja": "sushi_draft"}
"""Games whose cards have names in these languages."""
SEATS = (HUMAN, "greedy", "greedy")
LINES = ("?", "? 1", "?1", "h", "w", "t", "?? ?", "99", "u")
"""Commands typed before the choices."""
WORD = re.compile(r"[a-ząćęłńóśźż]{3,}", re.IGNORECASE)
FIELD = re.compile(r"\{[^{}|]*\}|\{\^?\w+\||\w+:(?=[^{}]*\})")
KEYS = {"backspace", "ctrl", "enter", "esc", "home", "end", "pgdn", "pgup", "tab", "space", "plain", "resume", "greedy"}
"""Words on keys and options, and the bot's name."""


@cache
def vocabulary(language):
    """Return the words of all messages of a language, in lower case."""
    messages = spoken(language).patterns.values()
    texts = [text for message in messages for text in ([message] if isinstance(message, str) else message.values())]
    return {word.lower() for text in texts for word in WORD.findall(FIELD.sub(" ", text))}


def words_of_game(game, language):
    """Return the words of the card set in a language, or of its labels if it has none."""
    labels = game.labels_in(language)
    model = game.model
    texts = [labels.title, labels.text(model.about.text)]
    for part in (
        model.cards,
        model.counters,
        model.zones,
        model.markers,
        model.chips,
        model.modifiers,
        model.abilities,
    ):
        texts += [text for thing in part for text in (labels.thing(thing.id), labels.card(thing.id))]
    texts += [labels.rule(named.id) for named in (*model.scoring, *model.triggers)]
    texts += [text for card in model.cards for tag, text in card.label if tag.partition("#")[0] == language]
    texts += [text for part in model.counters for tag, text in part.label if tag.partition("#")[0] == language]
    texts += [labels.speech.own_text(thing.text) for thing in (*model.cards, *model.triggers)]
    texts += [labels.text(ability.call) for ability in model.abilities]
    texts += [citation.id for citation in model.citations]
    return {word.lower() for text in texts for word in WORD.findall(text)}


def english_in(text, game, language):
    """Return the words that are neither of the language, nor of the card set, nor on keys."""
    words = {word.lower() for word in WORD.findall(text)}
    known = vocabulary(language) | words_of_game(game, language) | KEYS
    # Text that has no room on a screen, or is covered by a page, is cut.
    return sorted(word for word in words - known if not any(word in other for other in known))


@pytest.mark.parametrize(("language", "name"), [*GAMES.items(), ("pl", "anniversary")])
def test_a_game_line_by_line(language, name):
    """Check every command, a whole game and the review."""
    game = de.load(name, players=3)
    session = Session.begin(game, SEATS, 7)
    names = Names(game, SEATS, Style(columns=100), language=language)
    words = [names.say("help.word.cards"), names.say("help.word.rules")]
    printed, typed = [*opening(names, 7)], iter([*LINES, *(f"? {word}" for word in words)])

    def ask(prompt):
        printed.append(prompt)
        return next(typed, "1")

    Terminal(session, names, ask, printed.append, lambda: None, interactive=False, hint=True, review=True).play()
    assert session.over
    assert english_in(plain("\n".join(printed)), game, language) == []


@pytest.mark.parametrize(("language", "size"), [("pl", (150, 45)), ("ja", (80, 24))])
def test_a_game_on_the_full_screen(language, size, tmp_path):
    """Check every page, a whole game of one round and the review."""
    file = tmp_path / "short.yaml"
    file.write_text(f"{{format: 1, id: short, extends: {GAMES[language]}, title: Short, version: 1.0.0, rounds: 1}}")
    game = de.load(file, players=3)

    async def play():
        async with sitting(game, size=size, language=language) as table:
            printed = [table.screen]
            for key in ("?", "h", "w", "s", "o", "l", "r", "p"):
                await table.press(key)
                printed.append(table.screen)
                await table.press("p" if key == "p" else "escape")
            while not table.session.over:
                await table.press("1", "enter")
                printed.append(table.screen)
                await table.press("enter")
            for key in ("s", "space", "escape", "r"):
                await table.press(key)
                printed.append(table.screen)
            return printed

    assert english_in("\n".join(run(play())), game, language) == []


@pytest.mark.parametrize("language", GAMES)
def test_a_game_seen_again(language):
    """Check every page of a replay, and its end."""
    game = recorded(GAMES[language], 3)

    async def watch():
        async with watching(game, 0, (120, 40), language) as film:
            printed = [film.screen]
            for key in (
                "right",
                "?",
                "escape",
                "h",
                "escape",
                "p",
                "escape",
                "0",
                "end",
                "s",
                "escape",
                "w",
                "escape",
                "r",
            ):
                await film.press(key)
                printed.append(film.screen)
            return printed

    assert english_in("\n".join(run(watch())), game.game, language) == []


@pytest.mark.parametrize("language", GAMES)
def test_scores_of_real_cards(language):
    """Check the scorekeeper, in lines and on the full screen."""
    game = de.load(GAMES[language], players=3)
    printed, typed = [], iter(["?", "s", "u", "99", "1 2", "1, 3", "99", "b", "=", "1=2"])

    def ask(prompt):
        printed.append(prompt)
        return next(typed, "")

    book = Scorebook(game, [])
    names = names_for(game, [], Style(columns=100), language)
    Scorekeeper(book, names, ask, printed.extend).run()

    async def keep():
        async with keeping(Scorebook(game, []), (120, 40), language) as board:
            for key in ("1", "2", "s", "escape", "?", "escape", "m", "escape", "z", "n", "tab"):
                await board.press(key)
                printed.append(board.screen)

    run(keep())
    assert english_in(plain("\n".join(printed)), game, language) == []


TYPED = re.compile(r"--[\w-]+( human)?|\S*[/\\]\S*|draftengine \w+|[a-z]+([_.][a-z]+)+|\[[a-z-]+\]")
"""Options, paths, commands, ids and codes, which are the same in every language."""
FEW = ("-n", "20", "--bots", "random", "--jobs", "1", "--seed", "1")
TARGETS = "|".join(map(re.escape, (*CONDITIONS, *(kind.phrase for kind in TARGET_KINDS.values()))))
TAG = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)
QUOTED = re.compile(f"[„「]({TARGETS})[”」]")
"""Figures and conditions that are typed after --target, in quotes."""
NOTHING_WRONG = (
    ("list",),
    ("saves",),
    ("saves", "--all"),
    ("show", "GAME"),
    ("show", "GAME", "--readings"),
    ("validate", "GAME"),
    ("diff", "GAME", "GAME"),
    ("list", "--house"),
    ("bots",),
    ("cache",),
    ("explain",),
    ("explain", "text-quotes-nothing"),
    ("new", "harbour"),
    ("new", "harbour", "--extends", "GAME"),
    ("test", "GAME"),
    ("upgrade", "larder.yaml"),
    ("score", "GAME", "--input", "tables.yaml"),
    ("rules", "GAME"),
    ("rules", "GAME", "--aid"),
    ("cards", "GAME", "--out", "xx.svg"),
    ("simulate", "GAME", *FEW, "--engine", "reference", "--draft", "--draft-games", "1", "--report", "xx.html"),
    (
        "simulate",
        "GAME",
        *FEW,
        "--engine",
        "reference",
        "--draft",
        "--draft-games",
        "1",
        "--regret",
        "--adviser",
        "search:iterations=2",
    ),
    ("compare", "GAME", "--variant-b", "rounds=2", *FEW, "--engine", "reference", "--report", "xx.html"),
    (
        "tune",
        "GAME",
        "--parameter",
        "rounds",
        "--target",
        "score near 9",
        "--values",
        "1,2",
        *FEW,
        "-n",
        "500",
        "--report",
        "xx.html",
    ),
    ("arena", "GAME", "--bots", "random,greedy", "-n", "2", "--jobs", "1", "--report", "xx.html"),
)
REFUSED = (
    ("play",),
    ("play", "GAME", "--xx"),
    ("play", "GAME", "--players"),
    ("play", "GAME", "--players", "xx"),
    ("rules", "GAME", "xx"),
    ("score",),
    ("play", "GAME", "--seat", "xx"),
    ("play", "GAME", "--level", "xx"),
    ("play", "GAME", "--seat", "greedy:aim=xx"),
    ("play", "GAME", "--seat", "search:xx=1"),
    ("play", "GAME", "--seat", "search:exact=xx"),
    ("play", "GAME", "--players", "3", *("--seat", "human") * 4),
    ("play", "GAME", "--auto", "--review"),
    ("play", "GAME", "--auto", "--name", "xx"),
    ("play", "GAME", "--auto", "--seat", "human"),
    ("play", "GAME", "--name", "x" * 99),
    ("play", "GAME", "--name", "xx", "--name", "xy"),
    ("play", "GAME", *("--seat", "human") * 2, *("--name", "xx") * 2),
    ("play", "GAME", *("--seat", "human") * 2, "--name", "Player 2"),
    ("play", "GAME", "--save", "/xx/xx"),
    ("play", "GAME", "--save", "."),
    ("play", "GAME", "--auto", "--record", "xx.yaml"),
    ("play", "GAME", "--auto", "--record", "."),
    ("play", "--resume"),
    ("play", "--resume", "--seed", "1"),
    ("play", "--resume", "xx"),
    ("replay",),
    ("replay", "xx"),
    ("replay", "xx.json"),
    ("saves", "--remove", "xx"),
    ("score", "GAME"),
    ("score", "GAME", "--json"),
    ("score", "GAME", "--plain", "--input", "xx"),
    ("score", "GAME", "--plain", "--save", "xx.json"),
    ("score", "-", "--input", "-"),
    ("score", "-", "--plain"),
    ("rules", "GAME", "--out", "xx.xx"),
    ("cards", "GAME", "--out", "xx.xx"),
    ("cards", "GAME", "--out", "xx.svg", "--only-new"),
    ("simulate", "GAME", "--out", "xx.xx"),
    ("simulate", "GAME", "--bots", "xx:xx"),
    ("compare", "GAME"),
    ("arena", "GAME", "--bots", "random,greedy", "--sprt", "xx"),
    ("validate", "xx", "--watch"),
    ("validate", "xx"),
    ("show", "sushi"),
    ("explain", "xx"),
    ("new", "Xx Xx"),
    ("new", "xx", "--players", "xx"),
    ("new", "larder"),
    ("new", "xx", "--extends", "xx"),
    ("new", "xx", "--extends", "./xx"),
    ("test", "xx"),
    ("test", "GAME", "--round", "1"),
    ("test", "xx", "--record", "xx"),
    ("test", "xx.yaml", "--record", "xx"),
    ("upgrade", "xx"),
    ("upgrade", "-"),
    ("upgrade", "larder.yaml", "new.yaml", "--stdout"),
    ("cache", "--clear", "--limit", "1"),
    ("serve", "xx"),
    ("serve", "--workshop", "--no-uploads"),
    ("serve", "--data", "xx", "--database", "xx"),
    ("serve", "--database", "xx"),
    ("serve", "--check", "--data", "xx"),
    ("serve", "--data", "xx.sqlite", "--port", "TAKEN"),
    ("workshop", "larder.yaml", "--port", "TAKEN"),
    ("simulate", "GAME", "--engine", "xx"),
    ("tune", "GAME", "--parameter", "xx", "--target", "score near 9"),
    ("tune", "GAME", "--parameter", "rounds", "--target", "xx"),
    ("tune", "GAME", "--parameter", "rounds", "--target", "xx near 9"),
    ("tune", "GAME", "--parameter", "rounds", "--target", "score near 9", "--values", "xx"),
    ("arena", "GAME", "--bots", "random"),
    ("learn", "xx"),
)
UNSPOKEN = {"schema", "lsp"}
"""Commands that speak to programs alone."""


def test_every_command_is_tried():
    """Check that each command is in the lists above, done or refused."""
    assert {words[0] for words in (*NOTHING_WRONG, *REFUSED)} == set(COMMANDS) - UNSPOKEN


TRIED = [
    pytest.param(language, words, id=f"{' '.join(words)}-{language}")
    for number, words in enumerate((*NOTHING_WRONG, *REFUSED))
    for place, language in enumerate(GAMES)
    if NIGHTLY or number < len(NOTHING_WRONG) or (number + place) % 2
]
"""Commands with a language; by day each refusal in one language."""


@pytest.mark.parametrize(("language", "words"), TRIED)
def test_commands(language, words, tmp_path, monkeypatch, capsys):
    """Check what commands print besides games: lists, card sets, and why something is refused."""
    (tmp_path / "xx.json").write_text("[]")
    (tmp_path / "tables.yaml").write_text("tables: [[tempura], [], []]")
    (tmp_path / "larder.yaml").write_text((TESTS / "natural/larder.yaml").read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["draftengine"])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with suppress(SystemExit), socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        named = [word.replace("GAME", GAMES[language]).replace("TAKEN", port) for word in words]
        program(words[0])([*named, "-l", language])
    printed = "".join(capsys.readouterr())
    report = tmp_path / "xx.html"
    printed += TAG.sub(" ", unescape(report.read_text("utf-8"))) if report.exists() else ""
    assert printed.strip()
    assert (words in REFUSED) == printed.startswith(spoken(language).phrase("command.error", text="").strip())
    left = english_in(TYPED.sub(" ", QUOTED.sub(" ", plain(printed))), de.load(GAMES[language]), language)
    assert set(left) & vocabulary("en") - names_in_every_language() == set()


@cache
def names_in_every_language():
    """Return the words of bots and their options, and of shipped games: titles, authors, ids."""
    every = [de.open_rules(name) for name in (*shelf(), *house_rules())]
    texts = [
        *bots(),
        *catalogue(),
        "last",
        "aim",
        "win",
        "iterations",
        "about",
        "noise",
        "strength",
        *(text for rules in every for _, text in rules.model.title),
    ]
    for rules in every:
        texts += [rules.model.about.author, rules.model.about.publisher, *rules.menus]
        texts += [thing.id for thing in (*rules.model.variants, *rules.model.readings)]
        texts += [outcome.name for outcome in run_scenarios(rules.model.id)] if rules.model.id in GAMES.values() else []
        texts += [option.id for reading in rules.model.readings for option in reading.options]
    return {word.lower() for word in WORD.findall(" ".join(texts))}


@pytest.mark.parametrize("language", GAMES)
def test_what_cannot_lie_on_a_table(language):
    """Check why the scorekeeper refuses cards and counters."""
    game = de.load("anniversary", variants=["mochi"])
    book, labels, refused = Scorebook(game, []), game.labels_in(language), []
    things = {kind: next(thing for thing in things_of(game) if thing.kind == kind) for kind in (CARD, COUNTER)}
    for kind, count in ((CARD, 99), (COUNTER, 99), (COUNTER, 10**9)):
        with pytest.raises(WrongPositionError) as refusal:
            book.put(0, 0, things[kind], count) if kind == COUNTER else book.add(0, 0, things[kind], count)
        refused.append(problem_in_words(refusal.value, labels))
    assert len(set(refused)) == len(refused)
    assert english_in(" ".join(refused), game, language) == []


def test_lines_of_japanese_end_between_characters():
    """Check that a text without spaces is wrapped by width; no line begins with a closing sign."""
    text = "手札から1枚選び、自分の前に裏向きに置く。「まぐろ」は3枚で10点。" * 4
    for columns in range(20, 40):
        lines = Style(columns=columns).wrapped(text, 2, "  ")
        assert "".join(line.strip() for line in lines) == text
        assert all(columns - 4 <= width_of(line) <= columns for line in lines[:-1])
        assert not any(line.strip()[0] in "、。」" or line[-1] == "「" for line in lines)
