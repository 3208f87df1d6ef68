"""Tab completion in real shells that run the script printed by the program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from types import SimpleNamespace

import pytest
from typer.main import get_command

from commands import processes
from draftengine.apps.cli import completion as completing
from draftengine.apps.cli.main import program

# Each prints the completions of the words given to it; the last word may be unfinished.
BASH = """
eval "$(_DRAFTENGINE_COMPLETE=source_bash draftengine)"
complete -p draftengine >/dev/null || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_draftengine_completion draftengine
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compdef() { :; }
_arguments() { print -r -- "$1"; }
_files() { :; }
eval "$(_DRAFTENGINE_COMPLETE=source_zsh draftengine)"
words=("$@"); CURRENT=$#
_draftengine_completion
"""
FISH = """
_DRAFTENGINE_COMPLETE=source_fish draftengine | source
complete --do-complete "$argv"
"""
SHELLS = {
    "bash": lambda words: ["bash", "--norc", "-c", BASH, "bash", *words],
    "zsh": lambda words: ["zsh", "-f", "-c", ZSH, "zsh", *words],
    "fish": lambda words: ["fish", "--no-config", "-c", FISH, " ".join(words)],
}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shells of POSIX")


@pytest.fixture
def offered(tmp_path, environment, soups):
    """Return a function with the completions of a shell, in a folder that has a card set."""
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    processes.program(tmp_path / "bin")
    path = os.pathsep.join([str(tmp_path / "bin"), environment["PATH"]])

    def offer(shell, *words):
        if shutil.which(shell) is None:
            pytest.skip(f"no {shell} here")
        process = subprocess.run(
            SHELLS[shell](["draftengine", *words]), capture_output=True, encoding="utf-8", cwd=tmp_path,
            env=environment | {"PATH": path}, check=False, timeout=60,
        )  # fmt: skip
        assert process.stderr == ""
        if shell == "zsh":  # '*: :(("name":"what it is" "name"))'
            return set(re.findall(r'"([^"]+)"(?::"[^"]*")?', process.stdout))
        return {line.partition("\t")[0] for line in process.stdout.split("\n") if line}

    return offer


@pytest.mark.parametrize("shell", SHELLS)
def test_what_a_shell_offers(offered, shell):
    assert offered(shell, "sim") == {"simulate"}
    assert {"sushi_go", "soups.yaml"} <= offered(shell, "play", "s")
    assert offered(shell, "play", "soups.yaml", "--variant", "to") == {"to_the_right"}


@pytest.mark.parametrize("shell", SHELLS)
def test_behind_an_equals_sign(offered, shell):
    """Check words after an equals sign: Bash replaces only that part, the other shells the whole word."""
    for typed in ("", "b"):
        found = offered(shell, "score", "sushi_go", "--variant", *cut(shell, f"equal_puddings={typed}"))
        assert ("both" if shell == "bash" else "equal_puddings=both") in found


def test_an_option_may_have_its_value_behind_an_equals_sign(offered):
    assert offered("bash", "score", "sushi_go", *cut("bash", "--variant=pass_b")) == {"pass_both_ways"}
    assert "both" in offered("bash", "score", "sushi_go", *cut("bash", "--variant=equal_puddings=b"))


def cut(shell, word):
    """Return a word as a shell completes it; Bash cuts it at `=` and `:`."""
    return re.findall(r"[=:]+|[^=:]+", word) + [""] * word.endswith("=") if shell == "bash" else [word]


def test_saved_games_are_offered(monkeypatch, tmp_path):
    """Check that saved games complete where they are removed or resumed; else `play` completes card sets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("draftengine.apps.play.journal.games", lambda: [SimpleNamespace(name="soups-1")])
    monkeypatch.setenv("COMP_WORDS", "draftengine play --resume so")
    assert completing.saved_games("so") == completing.card_sets_or_saved_games("so") == ["soups-1"]
    monkeypatch.setenv("COMP_WORDS", "draftengine play s")
    assert "sushi_go" in completing.card_sets_or_saved_games("s")


@pytest.mark.parametrize(
    ("typed", "offer", "some"),
    [
        ("score sushi_go -v", completing.variants, {"pass_both_ways", "equal_puddings=both"}),
        ("compare sushi_go soups.yaml --variant-b", completing.variants, {"pass_both_ways", "to_the_right"}),
        ("play soups.yaml --seat h", completing.seats, {"human", "hard"}),
        ("play soups.yaml --level exp", completing.bots, {"expert"}),
        ("simulate soups.yaml --bots greedy,ra", completing.bots, {"greedy,random"}),
        ("tune soups.yaml --parameter cards.s", completing.numbers, {"cards.soup.count", "cards.salad.count"}),
        ("tune soups.yaml --target", completing.targets, {"score", "share of soup", "wins of player 3"}),
        ("tune wrong.yaml --target", completing.targets, set()),
        ("simulate soups.yaml --engine c", completing.engines, {"compiled"}),
        ("explain unknown-k", completing.codes, {"unknown-key"}),
        ("test sushi_go so", completing.card_sets, {"soups.yaml"}),
        ("play wrong.yaml -v", completing.variants, set()),
        ("play folder/s", completing.card_sets, set()),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_what_is_offered(monkeypatch, tmp_path, soups, typed, offer, some):
    """Check the completions; for card sets with mistakes and distant files the shell offers file names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMP_WORDS", f"draftengine {typed}")
    (tmp_path / "soups.yaml").write_text(soups, encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text("cards: [", encoding="utf-8")
    last = typed.split()[-1]
    found = {own[0] if isinstance(own, tuple) else own for own in offer("" if last.startswith("-") else last)}
    assert some <= found
    assert bool(some) == bool(found)


def test_everything_that_names_something_is_completed():
    """Check that every option for a card set, a variant or a bot has completions."""
    needy = {
        "adviser", "bots", "cardset", "first", "level", "remove", "seat", "second", "variant", "variant_a", "variant_b",
    }  # fmt: skip
    whole = get_command(program())
    found = {
        f"{name} {own.name}"
        for name, command in whole.commands.items()
        for own in command.params
        if own.name in needy and own._custom_shell_complete is None
    }
    assert not found


def test_the_script_can_be_shown_and_installed(draftengine, tmp_path):
    """Check that the script is shown and installed for the shell in the environment, else for the parent."""
    assert "complete -o default -F _draftengine_completion" in draftengine(_DRAFTENGINE_COMPLETE="source_bash").out
    assert "#compdef draftengine" in draftengine(_DRAFTENGINE_COMPLETE="source_zsh").out
    options = draftengine("--help").out
    assert "--install-completion" in options
    assert "--show-completion" in options
