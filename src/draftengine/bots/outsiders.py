"""Bots from outside the package: objects and functions of a program, and programs that speak JSON.

Such a bot must first be *admitted* to this process. Then a text can name it wherever texts name bots. Saves and records
of games also name bots, but reading them admits nobody. So a stranger's file cannot start a program.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

from draftengine.bots.protocol import BotError, Decision
from draftengine.engine.encoding import Encoding
from draftengine.engine.observe import to_json
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.bots.protocol import Bot, Budget
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

COMMAND = "cmd:"
"""The prefix of a text that names a program."""
PROTOCOL = 1
PATIENCE = 60.0
"""The seconds after which a program that has not answered is ended."""
_LONGEST = 1 << 20
"""The most characters of an answer that are read."""
_admitted: dict[str, Bot] = {}


def outsider(text: str) -> Bot | None:
    """Return the bot that `admit` has registered under this text; ``None`` if there is none."""
    return _admitted.get(text)


def admit(bot: object) -> str:
    """Register a bot for use in this process, and return the text that names it.

    A bot is an object with `decide` (see `draftengine.bots.protocol.Bot`), a function from an observation to a
    move, or a text that begins with `COMMAND`. Raise `BotError` for anything else.
    """
    if isinstance(bot, str):
        if bot not in _admitted:
            _admitted[bot] = ProgramBot(bot.removeprefix(COMMAND).strip())
        return bot
    if isinstance(bot, type):
        raise BotError(f"A bot is an object, not a class: write {bot.__name__}(…).")
    if hasattr(bot, "decide"):
        admitted: Bot = bot
    elif callable(bot):
        admitted = FunctionBot(bot)
    else:
        raise BotError(f"A bot is a text, an object with “decide” or a function, not {type(bot).__name__}.")
    for text, known in _admitted.items():
        if known is bot or getattr(known, "function", None) is bot:
            return text
    name = _name(bot)
    text = name if name not in _admitted else f"{name}#{len(_admitted)}"
    _admitted[text] = admitted
    return text


class FunctionBot:
    """A bot that calls a function to choose. The function takes an observation and returns a legal move."""

    def __init__(self, function: Callable[[Observation], Move]) -> None:
        self.function = function

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return the move that the function returns. Raise `BotError` if the move is not legal."""
        return Decision(legal(self.function(seen), seen, _name(self.function)))


class ProgramBot:
    """A bot that asks another program, which answers each question with one line of JSON.

    The program is started at the first decision. It ends with this process, when its input ends, or if an answer takes
    longer than `PATIENCE`.
    """

    def __init__(self, command: str) -> None:
        """Set the command without starting it. Raise `BotError` if it is not a command."""
        try:
            self._arguments = shlex.split(command)
        except ValueError:
            self._arguments = []
        if not self._arguments:
            raise BotError(said("bot.no_command", command=command, example=f"{COMMAND}python agent.py"))
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._due = math.inf
        self._killed = False
        self._programs: list[Program] = []

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the program's move. Raise `BotError` if it does not answer with a legal move in time.

        After that, and after Ctrl-C, the next decision starts the program anew: what this one still answers would be
        taken for the answer to another question.
        """
        try:
            return self._decided(seen, stream, budget)
        except BaseException:
            self._end()
            raise

    def _decided(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        messages = []
        if seen.program not in self._programs:
            program = seen.program
            self._programs.append(program)
            encoding = Encoding(program)
            messages.append(
                {
                    "type": "game",
                    "protocol": PROTOCOL,
                    "game": len(self._programs) - 1,
                    "cardset": program.model.id,
                    "rules": program.rules_hash,
                    "players": program.players,
                    "variants": list(program.model.active),
                    "codes": dict(zip(map(str, encoding.codes), encoding.names, strict=False)),
                }
            )
        messages.append(
            {
                "type": "decide",
                "game": self._programs.index(seen.program),
                "seed": stream.word(),
                "iterations": budget.iterations,
                "milliseconds": budget.milliseconds,
                "view": to_json(seen),
            }
        )
        line = self._answer("".join(f"{json.dumps(message)}\n" for message in messages))
        try:
            move = json.loads(line)["move"]
        except (ValueError, KeyError, TypeError, RecursionError):
            answer = f"{line.strip()!r:.200}"
            raise BotError(said("bot.answered", command=self._command, line=answer)) from None
        return Decision(legal(move, seen, self._command))

    def _answer(self, lines: str) -> str:
        """Return the program's answer to these lines. Raise `BotError` if it ends, or does not answer in time."""
        process = self._started
        assert process.stdin is not None
        assert process.stdout is not None
        self._due = time.monotonic() + PATIENCE
        try:
            process.stdin.write(lines)
            process.stdin.flush()
            line = process.stdout.readline(_LONGEST)
        except OSError:
            line = ""
        self._due = math.inf
        if self._killed:
            raise BotError(said("bot.silent", command=self._command, seconds=round(PATIENCE)))
        if not line:
            raise BotError(said("bot.ended", command=self._command))
        return line

    @property
    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603 (a person named it)
                    self._arguments,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,  # Ctrl-C in a terminal is for this process, which then ends the program
                )
            except OSError as error:
                raise BotError(said("bot.not_started", command=self._command, why=str(error))) from None
            atexit.register(self._end)
            Thread(target=self._watch, args=[self._process], daemon=True).start()
        return self._process

    def _watch(self, process: subprocess.Popen[str]) -> None:
        """End the program when an answer is late.

        Neither reading from a pipe nor writing to it has a time limit, so a thread of its own looks at the clock.
        """
        while process.poll() is None:
            time.sleep(PATIENCE / 60)
            if time.monotonic() > self._due:
                self._kill()

    def _end(self) -> None:
        """End the program, if it runs. It has one second to notice that its input has ended."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._due = math.inf
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        self._process.stdout.close()
        self._process, self._programs, self._killed = None, [], False

    def _kill(self) -> None:
        """End the program at once, and where the system knows groups of processes, all that it has started."""
        assert self._process is not None
        self._killed = True
        if os.name == "posix":
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()


def _name(bot: object) -> str:
    return getattr(bot, "__name__", type(bot).__name__)


def legal(move: object, seen: Observation, name: str) -> Move:
    """Return a move as a tuple of codes. Raise `BotError` if it is not legal."""
    codes = tuple(move) if isinstance(move, list | tuple) else None
    if codes is None or codes not in seen.moves:
        raise BotError(said("bot.not_legal", name=name, move=f"{move!r:.200}"))
    return codes
