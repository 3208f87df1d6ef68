"""What the shell offers when somebody presses Tab: card sets, their variants and readings, bots, codes.

Whatever goes wrong, nothing is offered, and then the shell offers files.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.ruleset import Ruleset


def asked_for() -> str:
    """The command that is being completed, if it is known by now."""
    return "".join(_typed()[1:2])


@contextmanager
def whole_words() -> Iterator[None]:
    """Take words together that bash has cut at ``=`` and ``:``, and offer what comes behind the last of these signs.

    In ``--variant ties=bo`` bash completes the word ``bo``, and puts what it is offered in its place.
    """
    words = os.environ.get("COMP_WORDS", "").split("\n")
    current = os.environ.get("COMP_CWORD", "")
    if not os.environ.get("_DRAFTENGINE_COMPLETE", "").endswith("bash") or not current.isdecimal():
        yield
        return
    joined, last = _joined(words[: int(current) + 1])
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
    """Let typer write files whole: it adds a line to what a shell reads when it starts, and would write over it."""
    from pathlib import Path

    from draftengine.support.files import write_whole

    before = Path.write_text
    Path.write_text = write_whole  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Path.write_text = before  # type: ignore[method-assign]


def _joined(words: list[str]) -> tuple[list[str], str]:
    """The words with those together that were cut, and the part of the last one that is to be completed."""
    joined: list[str] = []
    glued = False
    last = words[-1]
    for word in words:
        cut = bool(word) and not word.strip("=:")
        if joined and (cut or glued):
            joined[-1] += word
        else:
            joined.append(word)
        glued = cut
    return joined, "" if not last.strip("=:") else last


def _typed() -> list[str]:
    """The words typed so far, as the shell gives them."""
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()


def card_sets(incomplete: str) -> list[str]:
    """Ids of card sets, and files in this folder that may be one; further away the shell knows better."""
    from pathlib import Path

    from draftengine.model.library.library import shipped

    if "/" in incomplete:
        return []
    with suppress(OSError):
        files = sorted(path.name for path in Path().glob("*.y*ml") if path.suffix in {".yaml", ".yml"})
        return _beginning(incomplete, [*shipped(), *files])
    return _beginning(incomplete, shipped())


def variants(incomplete: str) -> list[tuple[str, str]]:
    """Variants and answers of readings of the card sets that were named before, with what they are called."""
    from draftengine.model.cardset.records import text_in
    from draftengine.model.library.library import open_set, shipped

    texts: dict[str, str] = {}
    for name in _typed()[2:]:
        if name in shipped() or name.endswith((".yaml", ".yml")):
            with suppress(Exception):  # a card set with mistakes has no variants to offer
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
    """Parameters, and numbers by path, of the card set that was named before, with what they are now."""
    texts: dict[str, str] = {}
    for rules in _rules_named():
        from draftengine.model.selection import numbers_of

        texts |= {parameter.id: f"{parameter.default}" for parameter in rules.model.parameters}
        texts |= {path: f"{value}" for path, value in numbers_of(rules.tree).items()}
    return [(name, f"now {text}") for name, text in texts.items() if name.startswith(incomplete)]


def targets(incomplete: str) -> list[tuple[str, str]]:
    """Figures of the card set that was named before, to be gone on with by where they should lie."""
    from draftengine.studies.tune.targets import TARGET_KINDS, phrases

    meanings: dict[str, str] = {}
    for rules in _rules_named():
        meanings |= {phrase: TARGET_KINDS[figure.kind].meaning for phrase, figure in phrases(rules.game().program)}
    return [(name, text) for name, text in meanings.items() if name.startswith(incomplete)]


def _rules_named() -> Iterator[Ruleset]:
    """The rules of the first card set among what was typed, if it has no mistakes."""
    from draftengine.api.ruleset import rules_named
    from draftengine.model.library.library import shelf

    for name in _typed()[2:]:
        if name in shelf() or name.endswith((".yaml", ".yml")):
            with suppress(Exception):  # a card set with mistakes has nothing to offer
                yield rules_named(name)
                return


def bots(incomplete: str) -> list[str]:
    """Bots, also behind a comma in a list of them."""
    from draftengine.bots.catalogue import names

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{bot}" for bot in _beginning(last, names())]


def seats(incomplete: str) -> list[str]:
    """A person or a bot."""
    return [*_beginning(incomplete, ("human",)), *bots(incomplete)]


def seat_numbers(incomplete: str) -> list[str]:
    """The seats of the largest games."""
    return _beginning(incomplete, map(str, range(1, 9)))


def saved_games(incomplete: str) -> list[str]:
    """The games that play has kept."""
    from draftengine.apps.play.journal import games

    return _beginning(incomplete, (game.name for game in games()))


def card_sets_or_saved_games(incomplete: str) -> list[str]:
    """What ``play`` is given: with ``--resume`` a saved game, otherwise a card set."""
    return (saved_games if "--resume" in _typed() else card_sets)(incomplete)


def engines(incomplete: str) -> list[str]:
    return _beginning(incomplete, ("auto", "compiled", "reference"))


def codes(incomplete: str) -> list[str]:
    """Codes of findings."""
    from draftengine.model.diagnostics.catalog import catalogue

    return _beginning(incomplete, catalogue())


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
