"""How a command ends when it can't do what was asked: what is said, and the exit status."""

from __future__ import annotations

import errno
import functools
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TextIO

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.diagnostics.diagnostic import Diagnostic

FINE, FAILED, WRONG_USAGE, BUG, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 70, 130, 141
"""Exit statuses: 1 = the input has errors or a check failed; the rest by custom."""

P = ParamSpec("P")


class UsageError(Exception):
    """The command was called in a way that makes no sense; the message says what would."""


class RefusedError(Exception):
    """The input has errors. `findings` says which."""

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        super().__init__("the input has errors")
        self.findings = tuple(findings)


class StoppedError(KeyboardInterrupt):
    """The program was told to stop by a signal: whatever ends well after Ctrl-C ends well after this.

    Whoever passes it on cleans up first. The message names the signal.
    """


def heed_signals() -> None:
    """Let SIGTERM, and SIGHUP where it exists, raise `StoppedError`, once; one that is ignored stays so (nohup)."""
    for number in STOPPING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that tell a program to stop."""


def _stop(number: int, _frame: object) -> None:
    ignore_signals()
    raise StoppedError(f"Stopped by {signal.Signals(number).name}.")


def heed_interrupts() -> None:
    """Let the first Ctrl-C end what goes on; those after it would only disturb what is done then."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(_number: int, _frame: object) -> None:
    ignore_signals()
    raise KeyboardInterrupt


def ignore_signals() -> None:
    """Nothing is to disturb the end of the program."""
    for number in (signal.SIGINT, *STOPPING):
        signal.signal(number, signal.SIG_IGN)


def guarded(command: Callable[P, int | None]) -> Callable[P, None]:
    """A command whose problems are said in a sentence, never as a traceback; what it returns is the exit status."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(status_of(lambda: command(*args, **kwargs)))

    return run


def status_of(command: Callable[[], int | None]) -> int:
    """The exit status of what is done here; what goes wrong is said."""
    status = _status_of(command)
    for stream in (sys.stdout, sys.stderr):
        _let_go_if_broken(stream)
    return status


def _status_of(command: Callable[[], int | None]) -> int:
    try:
        status = command() or FINE
        sys.stdout.flush()
    except (typer.Exit, typer.Abort):
        raise
    except (Exception, KeyboardInterrupt) as raised:  # noqa: BLE001 (whatever it is, it is said)
        error = _cut_off(raised) or raised
        expected = next((kind for kind in _ENDS if isinstance(error, kind)), None)
        if os.environ.get("DRAFTENGINE_DEBUG") and expected in {None, OSError}:
            _say("".join(traceback.format_exception(raised)))
        status, say = _ENDS[expected] if expected else (BUG, _say_bug)
        say(error)
    return status


def _cut_off(error: BaseException) -> OSError | None:
    """What to say where Python could not read a module that it had compiled; it is removed, and so compiled anew.

    On a full disk Python keeps the beginning, without a word. What is damaged is told by the errors of `marshal`.
    """
    if not isinstance(error, EOFError | ValueError | TypeError):
        return None
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code.co_name == "get_code")
    path = next((frame.f_locals.get("bytecode_path") for frame in frames), None)
    if path is None:
        return None
    with suppress(OSError):
        os.remove(path)  # noqa: PTH107 (as Python has it)
    return OSError(0, "Python had kept only a part of it, as on a full disk. It is removed: call again", path)


def _let_go_if_broken(stream: TextIO) -> None:
    """Python would complain once more, in its own words, when it closes a stream that takes nothing any more."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _say_bug(error: BaseException) -> None:
    say_error(f"this is a bug in draftengine ({type(error).__name__}: {error}{_place_of(error)}).")
    _say("Please report it with what you did. DRAFTENGINE_DEBUG=1 shows how it came there.\n")


def _place_of(error: BaseException) -> str:
    """Our line at which something went wrong; what another process says of itself is the cause, as a text."""
    cause = error.__cause__
    trace = str(cause) if hasattr(cause, "tb") else "".join(traceback.format_tb(error.__traceback__))
    lines = re.findall(rf'File "{re.escape(_OURS)}([^"]+)", line (\d+)', trace)
    return " in {}, line {}".format(*lines[-1]) if lines else ""


_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "")  # noqa: PTH118, PTH120 (as a traceback has it)


_ENDS: MappingProxyType[type[BaseException], tuple[int, Callable[[Any], None]]] = MappingProxyType(
    {
        UsageError: (WRONG_USAGE, lambda error: say_error(str(error))),
        RefusedError: (FAILED, lambda error: show_findings(error.findings)),
        StoppedError: (FAILED, lambda error: _say(f"\n{error}\n")),
        KeyboardInterrupt: (INTERRUPTED, lambda _: _say("\nStopped.\n")),
        BrokenPipeError: (CLOSED_PIPE, lambda _: None),  # whoever read our output has seen enough
        OSError: (FAILED, lambda error: say_error(sentence_of(error))),
    }
)
"""The ends that are no bugs, with their exit statuses and what is said of them; the first that fits counts."""


def sentence_of(error: OSError) -> str:
    """What the system refused, and what can be done about it."""
    what = f"{error.filename} cannot be used" if error.filename else "the output cannot be written"
    reason = _REASONS.get(error.errno or 0, f"{error.strerror or error}.")
    return f"{what}: {reason}"


_READ_ONLY = "nothing can be written there. Name a file in another folder."
_REASONS = MappingProxyType(
    {
        errno.ENOSPC: "the disk is full. Make room, or name a place on another disk.",
        errno.EDQUOT: "your share of the disk is used up. Make room, or name a place on another disk.",
        errno.EFBIG: "files may not grow that large here (see ulimit -f).",
        errno.EACCES: _READ_ONLY,
        errno.EPERM: _READ_ONLY,
        errno.EROFS: _READ_ONLY,
    }
)
"""What the usual refusals of a system mean."""


def _say(text: str) -> None:
    """Write to the error stream; there may be nobody to read it, or no room."""
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def say_error(message: str) -> None:
    """A line about a problem on the error stream, safe for the terminal."""
    from draftengine.model.diagnostics.render.text import escaped

    _say(f"Error: {escaped(message)}\n")


def show_findings(findings: Iterable[Diagnostic]) -> None:
    """Findings for people, on the error stream."""
    from draftengine.apps.play.terminal_style import wants_color
    from draftengine.model.diagnostics.render.text import render

    _say(render(findings, color=wants_color(sys.stderr)))
