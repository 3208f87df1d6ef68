"""Preparations that several commands make before games, and their progress on the screen.

A *form* of a game is the game with one choice of variants or one value of a number.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import typer

from draftengine.apps.cli.errors import INTERRUPTED, UsageError, in_my_language, phrase, spoken_language
from draftengine.apps.play.terminal_style import Style
from draftengine.support.locale.phrases import ReasonedError, decimal, said
from draftengine.support.text import escaped, to_left, to_right

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.game import Game, Ruleset
    from draftengine.api.records import Program
    from draftengine.apps.play.session import Session
    from draftengine.studies.report.charts import Study
    from draftengine.studies.runner import Progress
    from draftengine.studies.runner.engines import PreparationProgress, PreparedEngine
    from draftengine.support.locale.phrases import Text

_EVERY = 0.1


class ProgressLine:
    """A line on standard error that is rewritten in place; invisible without a terminal."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.visible = sys.stderr.isatty() and not quiet
        self._last = 0.0
        self._columns = 0
        """The number of columns that the line occupies now."""

    def say(self, text: str) -> None:
        """Replace the line by a text. It is cut to the width, because two lines could not be rewritten.

        The rest of the old line is overwritten with spaces, which every terminal understands.
        """
        if not self.visible or not (text or self._columns):
            return
        line = text[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r{line}{' ' * (self._columns - len(line))}")
        sys.stderr.write("" if line else "\r")
        sys.stderr.flush()
        self._columns = len(line)

    def show(self, progress: Progress, also: str = "") -> None:
        """Show the finished games, their speed, the time left and `also`, at most every 0.1 seconds."""
        now = time.monotonic()
        if now - self._last < _EVERY and progress.games < progress.of:
            return
        self._last = now
        share = progress.games / max(progress.of, 1)
        speed, left = decimal(f"{progress.per_second:,.0f}"), span(progress.seconds_left)
        pace = phrase("study.pace", speed=in_my_language(speed), left=left) if progress.games else "…"
        done = phrase(
            "study.games-of",
            games=in_my_language(decimal(f"{progress.games:,}")),
            of=in_my_language(decimal(f"{progress.of:,}")),
        )
        self.say(f"{bar(share)} {share:4.0%}  {done}  {pace}{also and f'  {also}'}")

    def clear(self) -> None:
        """Remove the line."""
        self.say("")


def bar(share: float) -> str:
    return "█" * int(20 * share) + "░" * (20 - int(20 * share))


def span(seconds: float) -> str:
    """Return a duration as ``minutes:seconds`` or, from one hour on, ``hours:minutes:seconds``."""
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"


def warn_of_failing_examples(name: str, rules: Ruleset) -> None:
    """Warn on standard error if worked examples that ``validate`` would run fail.

    Card sets of the package are known to be right and are skipped, and so are those in which none failed before.
    """
    from draftengine import __version__
    from draftengine.api.ruleset import games_of
    from draftengine.api.scenario.files import failing_examples
    from draftengine.model.shelf import shipped
    from draftengine.support.caches import content_of, entry_named, keep

    entry = entry_named("sound", __version__, rules.files)
    if name in shipped() or content_of(entry) is not None:
        return
    failing = failing_examples(rules.document, games_of(rules.document))
    if not failing:
        keep(entry, b"")
        return
    key, more = ("command.examples.more", len(failing) - 1) if len(failing) > 1 else ("command.examples", 0)
    texts = [phrase(key, name=failing[0], count=more)]
    if name != "-":
        texts.append(phrase("command.examples.see", command=f"draftengine test {name}"))
    typer.echo(escaped(" ".join(texts)), err=True)


def get_ready(seats: Iterable[str], program: Program, *, quiet: bool = False, which: tuple[int, int] = (1, 1)) -> None:
    """Let bots learn what they need before they can play (see `draftengine.bots.worth.tables`).

    `which` is (number of this form of the game, number of forms), for the message.
    """
    from draftengine.bots.catalogue import prepare
    from draftengine.bots.worth.learning import in_processes
    from draftengine.bots.worth.tables import LEARNING
    from draftengine.support.processes import usable

    line, began = ProgressLine(quiet=quiet), time.monotonic()
    number, forms = which
    key = "command.ready.learning.form" if forms > 1 else "command.ready.learning"
    learning = phrase(key, number=number, forms=forms)

    def tell(what: str, share: float) -> None:
        if what != LEARNING:
            line.say(phrase("command.ready.compiling"))
            return
        time_left = span((1 / share - 1) * (time.monotonic() - began)) if share else ""
        left = phrase("command.ready.left", time=time_left) + "  " if share else ""
        line.say(f"{bar(share)} {share:4.0%}  {left}{learning}")

    with in_processes(usable()):
        prepare(seats, program, tell)
    line.clear()


def ready_to_play(session: Session, *, learn: bool, quiet: bool) -> str:
    """Prepare bots and hints. Return a sentence if the bots do not know the cards well yet, else ``""``.

    The bots learn before the game only with `learn`. Otherwise they use what is known of these rules or of a similar
    game. If nothing is known, another process learns during the game. If people play, the bots get ready while the
    people see the first screen.
    """
    from draftengine.apps.play.session import HUMAN
    from draftengine.bots.catalogue import learners
    from draftengine.bots.worth.tables import do_without, is_learned, lender

    program = session.game.program
    bots = learners(seat for seat in session.seats if seat != HUMAN)
    if not bots and not session.humans:
        return ""
    if learn:
        get_ready(bots or ["table"], program, quiet=quiet)
        return ""
    kept = lender(program)
    if kept is not None:
        others = phrase("command.ready.lent.with", names=", ".join(kept.selected)) if kept.selected else ""
        return phrase("command.ready.lent", game=kept.cardset, players=kept.players, others=others)
    known = is_learned(program)
    if not known:
        do_without(program, learn=bool(bots))
    session.prepare = partial(get_ready, bots, program, quiet=quiet or bool(session.humans))
    return "" if known or not bots else phrase("command.ready.meanwhile")


def bots_for(names: str, players: int) -> tuple[str, ...]:
    """Return the bot for each player, from the text of ``--bots``. Raises `UsageError`."""
    from draftengine.bots.catalogue import seats_of
    from draftengine.bots.protocol import BotError

    with of_option(f"--bots {names}", BotError):
        return seats_of(names, players)


@contextmanager
def of_option(option: str, *expected: type[ReasonedError]) -> Iterator[None]:
    """Turn errors of the types `expected` in the ``with`` block into a `UsageError` that names the option."""
    try:
        yield
    except expected as error:
        raise UsageError(said("command.of_option", option=option, text=error.reason)) from None


@contextmanager
def playing(*further: type[ReasonedError], quiet: bool = False) -> Iterator[ProgressLine]:
    """Show the progress of games that are played in the ``with`` block.

    Raises `UsageError` for bots that cannot play, clusters that cannot be used, and errors of the types `further`.
    """
    from draftengine.bots.protocol import BotError
    from draftengine.studies.runner import ExecutorError

    expected: tuple[type[ReasonedError], ...] = (BotError, ExecutorError, *further)
    progress = ProgressLine(quiet=quiet)
    try:
        yield progress
    except expected as error:
        raise UsageError(error.reason) from None
    finally:
        progress.clear()


def told(*, quiet: bool = False, forms: int = 1) -> PreparationProgress:
    """Return functions that report how simulations of `forms` forms of a game are prepared."""
    from draftengine.studies.runner.engines import PreparationProgress

    number = count(1)

    def learn(bots: Sequence[str], program: Program) -> None:
        get_ready(bots, program, quiet=quiet, which=(next(number), forms))

    return PreparationProgress(note=lambda text: typer.echo(in_my_language(text), err=True), learn=learn)


def rules_named(game: Game) -> str:
    """Return the name, version, variants and hash of a game's rules, for readers of a report."""
    labels = game.labels_in(spoken_language())
    variants = tuple(map(labels.variant, game.variants))
    key = "report.rules.with" if variants else "report.rules"
    name, short = f"{labels.title} {game.model.version}", game.fingerprint[:12]
    return in_my_language(said(key, game=name, variants=variants, count=game.players, hash=short))


def again() -> str:
    """Return the command line as it was given, so that readers can repeat the study."""
    return shlex.join(["draftengine", *sys.argv[1:]])


def study_of(game: Game, seed: int | str, title: str) -> Study:
    """Return the title, rules, seed and command line of a study, for its report."""
    from draftengine.studies.report.charts import Study

    return Study(title, rules_named(game), seed, again())


def conclusions(texts: Iterable[Text]) -> list[str]:
    """Return sentences about a study in the reader's language, as lines wrapped to the terminal."""
    style = Style.of(sys.stdout)
    return [line for text in map(in_my_language, texts) for line in (style.wrapped(text, 2, "  ") if text else [""])]


def cells(row: Sequence[Text], widths: Sequence[int]) -> str:
    """Return a line of a table in the reader's language. The first cell is aligned left, the others right."""
    first, *others = map(in_my_language, row)
    return " ".join([f"  {to_left(first, widths[0])}", *map(to_right, others, widths[1:])])


def nothing_finished() -> int:
    """Print that no game was finished, and return the exit status of an interrupted command."""
    typer.echo(phrase("study.nothing-finished"), err=True)
    return INTERRUPTED


def each_ready(
    wanted: str, forms: Sequence[Game], bots: Sequence[str], games: int, jobs: int | None
) -> list[PreparedEngine]:
    """Prepare the simulation of each form of a game, with `games` games each. Raises `UsageError`."""
    from draftengine.studies.runner.engines import EngineError, to_simulate_each

    try:
        return to_simulate_each(wanted, forms, bots, games, jobs, told(forms=len(forms)))
    except EngineError as error:
        raise UsageError(error.reason) from None
