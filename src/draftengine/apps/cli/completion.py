"""Shell completion: card sets, their variants and reading options, bots, and codes of findings.

After any error there are no suggestions, and the shell completes file names.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.game import Ruleset


def asked_for() -> str:
    """Return the name of the command being completed; empty if none is typed yet."""
    return "".join(_typed()[1:2])


@contextmanager
def whole_words() -> Iterator[None]:
    """Join words that bash splits at ``=`` and ``:``, and print only the part of suggestions after these.

    For ``--variant ties=bo``, bash completes the word ``bo`` and replaces it by the printed text.
    """
    words = os.environ.get("COMP_WORDS", "").split("\n")
    current = os.environ.get("COMP_CWORD", "")
    if not os.environ.get("_DRAFTENGINE_COMPLETE", "").endswith("bash") or not current.isdecimal():
        yield
        return
    joined: list[str] = []
    glued, last = False, words[: int(current) + 1][-1]
    for word in words[: int(current) + 1]:
        cut = bool(word) and not word.strip("=:")
        if joined and (cut or glued):
            joined[-1] += word
        else:
            joined.append(word)
        glued = cut
    last = last if last.strip("=:") else ""
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(joined), str(len(joined) - 1)
    offered = StringIO()
    try:
        with redirect_stdout(offered):
            yield
    finally:
        before = joined[-1].removesuffix(last)
        behind_option = before.partition("=")[2] if before.startswith("--") else ""
        for line in offered.getvalue().splitlines(keepends=True):
            sys.stdout.write(line.removeprefix(before).removeprefix(behind_option))


@contextmanager
def whole_files() -> Iterator[None]:
    """Make typer replace files atomically, because it edits a file that the shell reads when it starts."""
    from pathlib import Path

    from draftengine.support.files import write_whole

    before = Path.write_text
    Path.write_text = write_whole  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Path.write_text = before  # type: ignore[method-assign]


def _typed() -> list[str]:
    """Return the words typed so far, as the shell passes them."""
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()


def card_sets(incomplete: str) -> list[str]:
    """Return the ids of card sets and the YAML files in this folder; for other folders, an empty list."""
    from pathlib import Path

    from draftengine.model.shelf import shipped

    if "/" in incomplete:
        return []
    with suppress(OSError):
        files = sorted(path.name for path in Path().glob("*.y*ml") if path.suffix in {".yaml", ".yml"})
        return _beginning(incomplete, [*shipped(), *files])
    return _beginning(incomplete, shipped())


def variants(incomplete: str) -> list[tuple[str, str]]:
    """Return the variants and options of readings of the card sets on the command line, with their titles."""
    from draftengine.model.cardset.records import text_in
    from draftengine.model.library import open_set
    from draftengine.model.shelf import shipped

    texts: dict[str, str] = {}
    for name in _typed()[2:]:
        if name in shipped() or name.endswith((".yaml", ".yml")):
            with suppress(Exception):  # a card set with errors has no variants to offer
                document = open_set(name).document
                assert document is not None
                texts |= {variant.id: text_in(variant.title) for variant in document.variants}
                texts |= {
                    f"{reading.id}={option.id}": text_in(option.text)
                    for reading in document.readings
                    for option in reading.options
                }
    return [(name, " ".join(text.split())) for name, text in texts.items() if name.startswith(incomplete)]


def numbers(incomplete: str) -> list[tuple[str, str]]:
    """Return the parameters and other changeable numbers of the card set on the command line, with values."""
    texts: dict[str, str] = {}
    for rules in _rules_named():
        from draftengine.model.selection import numbers_of

        texts |= {parameter.id: f"{parameter.default}" for parameter in rules.model.parameters}
        texts |= {path: f"{value}" for path, value in numbers_of(rules.tree).items()}
    return [(name, f"now {text}") for name, text in texts.items() if name.startswith(incomplete)]


def targets(incomplete: str) -> list[tuple[str, str]]:
    """Return beginnings of tuning targets for the card set on the command line, each with its meaning."""
    from draftengine.studies.report.moments import TARGET_KINDS
    from draftengine.studies.tune.targets import phrases

    meanings: dict[str, str] = {}
    for rules in _rules_named():
        meanings |= {phrase: TARGET_KINDS[figure.kind].meaning for phrase, figure in phrases(rules.game().program)}
    return [(name, text) for name, text in meanings.items() if name.startswith(incomplete)]


def _rules_named() -> Iterator[Ruleset]:
    """Yield the rules of the first card set on the command line, if it has no errors."""
    from draftengine.api.ruleset import rules_named
    from draftengine.model.shelf import shelf

    for name in _typed()[2:]:
        if name in shelf() or name.endswith((".yaml", ".yml")):
            with suppress(Exception):  # a card set with errors has nothing to offer
                yield rules_named(name)
                return


def bots(incomplete: str) -> list[str]:
    """Return the names of bots, also after a comma in a list of them."""
    from draftengine.bots.catalogue import names

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{bot}" for bot in _beginning(last, names())]


def seats(incomplete: str) -> list[str]:
    """Return the names of everybody who can play in a seat: ``human`` and the bots."""
    return [*_beginning(incomplete, ("human",)), *bots(incomplete)]


def seat_numbers(incomplete: str) -> list[str]:
    """Return the seat numbers from 1 to the largest number of players that a game allows."""
    return _beginning(incomplete, map(str, range(1, 9)))


def saved_games(incomplete: str) -> list[str]:
    """Return the names of saved games."""
    from draftengine.apps.play.journal import games

    return _beginning(incomplete, (game.name for game in games()))


def card_sets_or_saved_games(incomplete: str) -> list[str]:
    """Return the arguments that ``play`` takes: saved games with ``--resume``, otherwise card sets."""
    return (saved_games if "--resume" in _typed() else card_sets)(incomplete)


def engines(incomplete: str) -> list[str]:
    return _beginning(incomplete, ("auto", "compiled", "reference"))


def codes(incomplete: str) -> list[str]:
    """Return the codes of findings."""
    from draftengine.model.diagnostics import catalogue

    return _beginning(incomplete, catalogue())


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
