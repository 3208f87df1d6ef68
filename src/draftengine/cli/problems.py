"""How a command ends when it can't do what was asked: what is said, and the exit status."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.diagnostics.finding import Diagnostic

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


def guarded(command: Callable[P, int | None]) -> Callable[P, None]:
    """A command whose problems are said in a sentence, never as a traceback; what it returns is the exit status."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(_status_of(lambda: command(*args, **kwargs)))

    return run


def _status_of(command: Callable[[], int | None]) -> int:
    try:
        status = command() or FINE
        sys.stdout.flush()
    except UsageError as error:
        say_error(str(error))
        return WRONG_USAGE
    except RefusedError as error:
        show_findings(error.findings)
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if os.environ.get("DRAFTENGINE_DEBUG"):
            raise
        say_error(f"this is a bug in draftengine ({type(error).__name__}: {error}).")
        sys.stderr.write("Please report it with what you did. DRAFTENGINE_DEBUG=1 shows where it happened.\n")
        return BUG
    return status


def say_error(message: str) -> None:
    """A line about a problem on the error stream, safe for the terminal."""
    from draftengine.diagnostics.render.text import escaped

    sys.stderr.write(f"Error: {escaped(message)}\n")


def show_findings(findings: Iterable[Diagnostic]) -> None:
    """Findings for people, on the error stream."""
    from draftengine.diagnostics.render.text import render
    from draftengine.play.style import wants_color

    sys.stderr.write(render(findings, color=wants_color(sys.stderr)))
