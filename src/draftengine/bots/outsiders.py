"""Bots from outside the package: objects and functions of a program, and programs that speak JSON.

Such a bot must first be *admitted* to this process. Then a text can name it wherever texts name bots. Saves and records
of games also name bots, but reading them admits nobody. So a stranger's file cannot start a program.
"""

from __future__ import annotations

import atexit
import json
import shlex
import subprocess
from typing import TYPE_CHECKING, Any

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
    if hasattr(bot, "decide"):
        admitted: Bot = bot
    elif callable(bot):
        admitted = FunctionBot(bot)
    else:
        raise BotError(f"A bot is a text, an object with “decide” or a function, not {type(bot).__name__}.")
    for text, known in _admitted.items():
        if known is bot or getattr(known, "function", None) is bot:
            return text
    name = getattr(bot, "__name__", type(bot).__name__)
    text = name if name not in _admitted else f"{name}#{len(_admitted)}"
    _admitted[text] = admitted
    return text


class FunctionBot:
    """A bot that calls a function to choose. The function takes an observation and returns a legal move."""

    def __init__(self, function: Callable[[Observation], Move]) -> None:
        self.function = function

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:  # noqa: ARG002 (the protocol)
        """Return the move that the function returns. Raise `BotError` if the move is not legal."""
        return Decision(_legal(self.function(seen), seen, self.function.__name__))


class ProgramBot:
    """A bot that asks another program, which answers each question with one line of JSON.

    The program is started at the first decision. It ends with this process, or when its input ends.
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
        self._programs: list[Program] = []

    def decide(self, seen: Observation, stream: Stream, budget: Budget) -> Decision:
        """Return the program's move. Raise `BotError` if it does not answer with a legal move."""
        if seen.program not in self._programs:
            program = seen.program
            self._programs.append(program)
            encoding = Encoding(program)
            self._say(
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
        self._say(
            {
                "type": "decide",
                "game": self._programs.index(seen.program),
                "seed": stream.word(),
                "iterations": budget.iterations,
                "milliseconds": budget.milliseconds,
                "view": to_json(seen),
            }
        )
        line = self._started.stdout.readline()  # type: ignore[union-attr]
        try:
            move = json.loads(line)["move"]
        except (ValueError, KeyError, TypeError):
            answer = f"{line.strip()!r:.200}"
            raise BotError(said("bot.answered", command=self._command, line=answer)) from None
        return Decision(_legal(move, seen, self._command))

    @property
    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603 (a person named it)
                    self._arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
                )
            except OSError as error:
                raise BotError(said("bot.not_started", command=self._command, why=str(error))) from None
            atexit.register(self._end)
        return self._process

    def _end(self) -> None:
        """End the program. It has one second to notice that its input has ended."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _say(self, message: dict[str, Any]) -> None:
        stdin = self._started.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message) + "\n")
            stdin.flush()
        except OSError:
            raise BotError(said("bot.ended", command=self._command)) from None


def _legal(move: object, seen: Observation, name: str) -> Move:
    """Return a move as a tuple of codes. Raise `BotError` if it is not legal."""
    codes = tuple(move) if isinstance(move, list | tuple) else None
    if codes is None or codes not in seen.moves:
        raise BotError(said("bot.not_legal", name=name, move=f"{move!r:.200}"))
    return codes
