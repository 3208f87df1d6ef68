"""Preparation of games: the engine, the number of processes, and the worth table of the bots.

Both engines play the same games, so the choice affects only the time. Work that is needed only once, such as learning,
is done here, so that no process repeats it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from draftengine.bots.catalogue import IN_SIMULATIONS, learners, prepare, wanted
from draftengine.bots.levels import BriefSearch, Level, player_of
from draftengine.bots.outsiders import outsider
from draftengine.bots.search.bot import SearchBot
from draftengine.bots.worth.learning import GAMES, ROUNDS
from draftengine.bots.worth.tables import encoded, is_learned
from draftengine.engine.compilable import USUAL_WORK, work_of
from draftengine.engine.forms import FEW
from draftengine.model.flow import flow_bounds
from draftengine.studies.runner.playing import why_not_compiled
from draftengine.support.locale.phrases import ReasonedError, said
from draftengine.support.processes import usable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.engine.program import Program
    from draftengine.studies.draft.summary import DraftTask
    from draftengine.support.locale.phrases import Text

_CHOOSING = {"random": 3e-6, "greedy": 2e-5, "table": 2e-5}
"""The seconds that one choice of one seat takes on an ordinary machine, by bot."""
_OBSERVING = 5e-4
"""The seconds for one choice of a bot that gets an observation."""
_LOOKING_AHEAD = 1e-4
"""The seconds for one choice of one seat in a playout."""


def seconds_of(program: Program, bots: Sequence[str]) -> float:
    """Estimate the seconds that a game between these bots takes. A playout counts as half a game."""
    choices = choices_of(program)
    playout = _LOOKING_AHEAD * len(bots) * choices / 2
    return sum(choices * (_CHOOSING.get(name, _OBSERVING) + playouts_of(name, program) * playout) for name in bots)


def seconds_of_advice(program: Program, adviser: str) -> float:
    """Estimate the seconds that one judged choice takes. The adviser decides twice for each choice."""
    return playouts_of(adviser, program) * program.players * choices_of(program) * _LOOKING_AHEAD


def playouts_of(name: str, program: Program) -> int:
    """Return the number of playouts that a bot makes for each choice in a simulation of a game."""
    asked = wanted(name)
    bot = player_of(program, asked.bot.strength) if isinstance(asked.bot, Level) else asked.bot
    if isinstance(bot, BriefSearch):
        return bot.iterations
    return (asked.budget or IN_SIMULATIONS).iterations if isinstance(bot, SearchBot) else 0


def choices_of(program: Program) -> int:
    """Return the largest number of choices that a seat can make in a game."""
    return flow_bounds(program.model, program.players).turns + 1


_PROCESS_TAKES = 1.0
"""The seconds of playing that justify one more process."""
_GAIN = 200
"""If each process must compile, one more is worthwhile only for this many times as much playing."""


class EngineError(ReasonedError, ValueError):
    """The engine does not exist or cannot play the game."""


class PreparationProgress(NamedTuple):
    """Callbacks that report the preparations before the first game."""

    note: Callable[[Text], None]
    """The function that is called with the reason if the slower engine is used."""
    learn: Callable[[Sequence[str], Program], None]
    """The function that lets bots learn a game and shows the progress."""


def silently() -> PreparationProgress:
    """Return callbacks that let bots learn but report nothing."""
    return PreparationProgress(lambda _: None, lambda bots, program: prepare(bots, program, lambda *_: None))


class PreparedEngine(NamedTuple):
    """The engine, the number of processes and the worth table with which games are played."""

    engine: str
    """``compiled`` or ``reference``."""
    jobs: int
    """The number of processes to start."""
    table: bytes
    """The encoded worth table (learnt values of cards) for all processes; empty if no bot needs one."""


def to_simulate(
    wanted: str, game: Game, bots: Sequence[str], games: int, jobs: int | None, reporter: PreparationProgress
) -> PreparedEngine:
    """Prepare a simulation. `wanted` is an engine or ``auto``. Raises `EngineError`."""
    return to_simulate_each(wanted, (game,), bots, games, jobs, reporter)[0]


def to_simulate_each(
    wanted: str, forms: Sequence[Game], bots: Sequence[str], games: int, jobs: int | None, reporter: PreparationProgress
) -> list[PreparedEngine]:
    """Prepare `games` games of each form of a game. `wanted` is an engine or ``auto``.

    All forms are assumed to take as long as the first. Each note is reported once. Raises `EngineError`.
    """
    seconds = seconds_of(forms[0].program, bots)
    noted: set[Text] = set()

    def note(text: Text) -> None:
        if text not in noted:
            noted.add(text)
            reporter.note(text)

    ready = []
    for program in (form.program for form in forms):
        more = ROUNDS * GAMES if learners(bots) and not is_learned(program) else 0
        if wanted not in {"auto", "compiled", "reference"}:
            raise EngineError(said("study.no-engine", engine=wanted))
        # For few games, compiling takes longer than playing them on the reference engine.
        few = wanted == "auto" and games * max(1.0, work_of(program) / USUAL_WORK) <= FEW
        reason = None if few or wanted == "reference" else why_not_compiled(program, bots)
        if reason and wanted == "compiled":
            raise EngineError(said("study.not-compiled", reason=reason))
        if reason:
            note(said("study.slower", reason=reason))
        engine = "reference" if few or reason or wanted == "reference" else "compiled"
        work = (games + more) * seconds / (_GAIN if engine == "compiled" else 1)
        ready.append(PreparedEngine(engine, _jobs(jobs, bots, work), _table(program, bots, reporter)))
    return ready


def to_meet(
    game: Game, bots: Sequence[str], games: int, jobs: int | None, reporter: PreparationProgress
) -> PreparedEngine:
    """Prepare a tournament, which the reference engine plays. Its bots compile what they need themselves."""
    program = game.program
    seconds = games * seconds_of(program, [bots[seat % len(bots)] for seat in range(program.players)])
    return PreparedEngine("reference", _jobs(jobs, bots, seconds), _table(program, bots, reporter))


def to_judge(look: DraftTask, jobs: int | None, reporter: PreparationProgress) -> PreparedEngine:
    """Prepare a study of drafts, with or without an adviser."""
    program, bots = look.game.program, look.bots
    seconds = look.games * seconds_of(program, bots)
    if look.adviser:
        seconds += look.decisions * seconds_of_advice(program, look.adviser)
    everybody = [*bots, look.adviser] if look.adviser else bots
    return PreparedEngine("reference", _jobs(jobs, everybody, seconds), _table(program, everybody, reporter))


def _table(program: Program, bots: Sequence[str], reporter: PreparationProgress) -> bytes:
    """Let the bots learn the game, if needed, and return the encoded table; empty if no bot learns."""
    if not learners(bots):
        return b""
    reporter.learn(bots, program)
    return encoded(program)


def _jobs(asked: int | None, bots: Iterable[str], seconds: float) -> int:
    """Return the number of processes: `asked`, or as many as save time; 1 if a bot is another program."""
    worth_starting = max(1, min(usable(), int(seconds / _PROCESS_TAKES)))
    return 1 if any(outsider(bot) for bot in bots) else asked or worth_starting
