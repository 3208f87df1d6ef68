"""What games are played with: which engine, how many processes, and what the bots have learnt.

Compiled or not, the games are the same, so it is only a question of how soon they are done. Here everything is done
that has to be done once, so that several processes don't all do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from draftengine.bots.seats import learners, prepare
from draftengine.bots.worth.learning import GAMES, ROUNDS
from draftengine.bots.worth.tables import encoded, is_learned
from draftengine.engine.players import FEW
from draftengine.studies.runner.duration import seconds_of, seconds_of_advice
from draftengine.studies.runner.playing import why_not_compiled
from draftengine.support.processes import usable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.api.game import Game
    from draftengine.engine.program import Program
    from draftengine.studies.draft.playing import DraftTask

_PROCESS_TAKES = 1.0
"""A process is worth starting for so many seconds of games."""
_GAIN = 200
"""A process that compiles is worth starting for so many times as many games."""


class EngineError(ValueError):
    """There is no such engine, or it cannot play the game."""


class PreparationProgress(NamedTuple):
    """How people are told what is done before the first game."""

    note: Callable[[str], None]
    """Why it is the slower engine, if that might surprise."""
    learn: Callable[[Sequence[str], Program], None]
    """Lets bots learn what they have to, and shows how far that is."""


def silently() -> PreparationProgress:
    """A way to be told of preparations in which nothing is said."""
    return PreparationProgress(lambda _: None, lambda bots, program: prepare(bots, program, lambda *_: None))


class PreparedEngine(NamedTuple):
    """The engine, the number of processes and the learnt table that games are played with."""

    engine: str
    """``compiled`` or ``reference``."""
    jobs: int
    """How many processes are worth starting."""
    table: bytes
    """What bots have learnt of the cards, for all processes."""


def to_simulate(
    wanted: str, game: Game, bots: Sequence[str], games: int, jobs: int | None, reporter: PreparationProgress
) -> PreparedEngine:
    """Get ready for a simulation. `wanted` is an engine, or ``auto``. Raises `EngineError`."""
    return to_simulate_each(wanted, (game,), bots, games, jobs, reporter)[0]


def to_simulate_each(
    wanted: str, forms: Sequence[Game], bots: Sequence[str], games: int, jobs: int | None, reporter: PreparationProgress
) -> list[PreparedEngine]:
    """Get ready for so many games of each of several forms of a game, which take as long as the first. See above."""
    seconds, noted = seconds_of(forms[0].program, bots), set[str]()

    def note(text: str) -> None:
        if text not in noted:
            noted.add(text)
            reporter.note(text)

    ready = []
    for program in (form.program for form in forms):
        more = ROUNDS * GAMES if learners(bots) and not is_learned(program) else 0
        engine = _engine_for(wanted, program, bots, games, note)
        work = (games + more) * seconds / (_GAIN if engine == "compiled" else 1)
        ready.append(PreparedEngine(engine, jobs or _worth_starting(work), _table(program, bots, reporter)))
    return ready


def to_meet(
    game: Game, bots: Sequence[str], games: int, jobs: int | None, reporter: PreparationProgress
) -> PreparedEngine:
    """Get ready for an arena, whose bots compile for themselves what is worth compiling."""
    program = game.program
    seconds = games * seconds_of(program, [bots[seat % len(bots)] for seat in range(program.players)])
    return PreparedEngine("reference", jobs or _worth_starting(seconds), _table(program, bots, reporter))


def to_judge(look: DraftTask, jobs: int | None, reporter: PreparationProgress) -> PreparedEngine:
    """Get ready to look at drafts, with an adviser or without."""
    program, bots = look.game.program, look.bots
    seconds = look.games * seconds_of(program, bots)
    if look.adviser:
        seconds += look.decisions * seconds_of_advice(program, look.adviser)
    everybody = [*bots, look.adviser] if look.adviser else bots
    return PreparedEngine("reference", jobs or _worth_starting(seconds), _table(program, everybody, reporter))


def _engine_for(wanted: str, program: Program, bots: Sequence[str], games: int, note: Callable[[str], None]) -> str:
    """``compiled`` or ``reference``: a few games are sooner played without compiling."""
    if wanted not in {"auto", "compiled", "reference"}:
        raise EngineError(f"There is no engine “{wanted}”: it is auto, compiled or reference.")
    if wanted == "reference" or (wanted == "auto" and games <= FEW):
        return "reference"
    reason = why_not_compiled(program, bots)
    if reason and wanted == "compiled":
        raise EngineError(f"This cannot be compiled: {reason}.")
    if reason:
        note(f"Playing without compiling, which is slower: {reason}.")
        return "reference"
    return "compiled"


def _table(program: Program, bots: Sequence[str], reporter: PreparationProgress) -> bytes:
    """What the bots have learnt, which they do now if nobody has before; nothing if none of them has to learn."""
    if not learners(bots):
        return b""
    reporter.learn(bots, program)
    return encoded(program)


def _worth_starting(seconds: float) -> int:
    """How many processes are worth starting for so much work of one."""
    return max(1, min(usable(), int(seconds / _PROCESS_TAKES)))
