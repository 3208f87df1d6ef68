"""Errors of commands: their messages and exit statuses."""

from __future__ import annotations

import errno
import functools
import inspect
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from draftengine.apps.cli.options import Language
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import ReasonedError, in_language
from draftengine.support.text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.replay import RecordError
    from draftengine.apps.play.saved import SaveError
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.support.locale.phrases import Text

FINE, FAILED, WRONG_USAGE, BUG, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 70, 130, 141
"""Exit statuses. `FAILED` means errors in the input or a failed check; the others follow convention."""

P = ParamSpec("P")


_language = "en"
"""The language of the running command."""


def phrase(key: str, /, **given: object) -> str:
    """Return a message of the catalogue in the language of the running command."""
    return spoken(_language).phrase(key, **given)


class UsageError(ReasonedError):
    """Error for a wrong use of a command. The reason says what would be right."""


class RefusedError(Exception):
    """Error for input with errors, which are in `findings`."""

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        super().__init__("the input has errors")
        self.findings = tuple(findings)


class StoppedError(KeyboardInterrupt):
    """Raised when a signal stops the program. As a `KeyboardInterrupt`, it is handled like Ctrl-C.

    Functions that catch it clean up and raise it again. Its text is the name of the signal.
    """


def heed_signals() -> None:
    """Make the first SIGTERM, or SIGHUP where it exists, raise `StoppedError`. Ignore all later ones.

    Signals that are ignored already stay ignored, as nohup requires.
    """

    def stop(number: int, _frame: object) -> None:
        ignore_signals()
        raise StoppedError(signal.Signals(number).name)

    for number in STOPPING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)


STOPPING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a program to stop."""


def heed_interrupts() -> None:
    """Make the first Ctrl-C raise `KeyboardInterrupt`. Later ones are ignored while the program cleans up."""

    def interrupt(_number: int, _frame: object) -> None:
        ignore_signals()
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)


def ignore_signals() -> None:
    """Ignore Ctrl-C and the stop signals, so that nothing disturbs the end of the program."""
    for number in (signal.SIGINT, *STOPPING):
        signal.signal(number, signal.SIG_IGN)


def guarded(command: Callable[P, int | None]) -> Callable[P, None]:
    """Wrap a command, so that errors become messages, and its result becomes the exit status.

    Every command gets the option ``--language``, even if its function has no such parameter.
    """
    signature = inspect.signature(command, eval_str=True)
    speaks = "language" in signature.parameters

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        global _language  # noqa: PLW0603 (a program runs one command)
        _language = str(kwargs.get("language", "en") if speaks else kwargs.pop("language", "en"))
        try:
            raise typer.Exit(status_of(lambda: command(*args, **kwargs)))
        finally:
            _language = "en"

    if not speaks:
        added = inspect.Parameter("language", inspect.Parameter.KEYWORD_ONLY, default="en", annotation=Language)
        run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), added])  # type: ignore[attr-defined]
    return run


class SpokenGroup(TyperGroup):
    """The group of all commands. It reports wrong options in the user's language, typer only in English."""

    def invoke(self, ctx: Any) -> Any:
        global _language  # noqa: PLW0603 (a program runs one command)
        arguments = [*ctx._protected_args, *ctx.args]  # noqa: SLF001 (typer offers nothing else)
        try:
            return super().invoke(ctx)
        except TyperException as error:
            usual = os.environ.get("DRAFTENGINE_LANG", "en")
            *_, _language = _NAMED_LANGUAGE.findall(" ".join(["-l en -l", usual, *arguments]))
            if _language == "en":
                raise
            parameter = getattr(error, "param", None)
            what = parameter.get_error_hint(ctx).replace("'", "") if parameter else getattr(error, "option_name", "")
            key = _USAGE.get(type(error).__name__, "other")
            advice = phrase("command.usage.help", command=f"{getattr(error, 'ctx', ctx).command_path} -h")
            say_error(phrase(f"command.usage.{key}", what=what, help=advice))
            raise typer.Exit(WRONG_USAGE) from None
        finally:
            _language = "en"


_NAMED_LANGUAGE = re.compile(r"(?:^| )(?:-l|--lang|--language)[ =]?(en|pl|ja)\b")
_USAGE = MappingProxyType(
    {"NoSuchOption": "no_option", "BadOptionUsage": "no_value", "MissingParameter": "missing", "BadParameter": "bad"}
)
"""The last parts of message keys for typer's errors, by name, because typer exports only one class."""


def status_of(command: Callable[[], int | None]) -> int:
    """Run a command and return its exit status. Errors are printed as messages."""
    try:
        status = command() or FINE
        sys.stdout.flush()
    except (typer.Exit, typer.Abort):
        raise
    except (Exception, KeyboardInterrupt) as raised:  # noqa: BLE001 (every error gets a message)
        error = _cut_off(raised) or raised
        expected = next((kind for kind in _ENDS if isinstance(error, kind)), None)
        if os.environ.get("DRAFTENGINE_DEBUG") and expected in {None, OSError}:
            _say("".join(traceback.format_exception(raised)))
        status, say = _ENDS[expected] if expected else (BUG, _say_bug)
        say(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # it is broken: redirect it, or Python prints an error of its own at the end
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status


def _cut_off(error: BaseException) -> OSError | None:
    """Return an error to report, and delete the file, if a compiled module is damaged; otherwise ``None``.

    On a full disk, Python silently writes only the beginning of a compiled module. The damage shows as an error of
    `marshal`. Without the file, the next call compiles the module again.
    """
    if not isinstance(error, EOFError | ValueError | TypeError):
        return None
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code.co_name == "get_code")
    path = next((frame.f_locals.get("bytecode_path") for frame in frames), None)
    if path is None:
        return None
    with suppress(OSError):
        os.remove(path)  # noqa: PTH107 (a path of Python's own)
    return OSError(0, "Python had kept only a part of it, as on a full disk. It is removed: call again", path)


def _say_bug(error: BaseException) -> None:
    cause = error.__cause__
    trace = str(cause) if hasattr(cause, "tb") else "".join(traceback.format_tb(error.__traceback__))
    lines = re.findall(rf'File "{re.escape(_OURS)}([^"]+)", line (\d+)', trace)
    place = " in {}, line {}".format(*lines[-1]) if lines else ""
    say_error(f"this is a bug in draftengine ({type(error).__name__}: {error}{place}).")
    _say("Please report it with what you did. DRAFTENGINE_DEBUG=1 shows how it came there.\n")


_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "")  # noqa: PTH118, PTH120 (as a traceback has it)


_ENDS: MappingProxyType[type[BaseException], tuple[int, Callable[[Any], None]]] = MappingProxyType(
    {
        UsageError: (WRONG_USAGE, lambda error: say_error(in_my_language(error.reason))),
        RefusedError: (FAILED, lambda error: show_findings(error.findings)),
        StoppedError: (FAILED, lambda error: _say(f"\n{phrase('command.stopped.by', signal=error)}\n")),
        KeyboardInterrupt: (INTERRUPTED, lambda _: _say(f"\n{phrase('command.stopped')}\n")),
        BrokenPipeError: (CLOSED_PIPE, lambda _: None),  # the reader of our output has seen enough
        OSError: (FAILED, lambda error: say_error(sentence_of(error))),
    }
)
"""Exit status and message for each class of expected errors. The first class that matches is used."""


def sentence_of(error: OSError) -> str:
    """Return a sentence that says which action the system refused, and what can be done about it."""
    reason = phrase(f"disk.{_REASONS.get(error.errno or 0, 'other')}", error=error.strerror or error)
    if error.filename:
        return phrase("disk.file", file=error.filename, reason=reason)
    return phrase("disk.output", reason=reason)


_REASONS = MappingProxyType(
    {
        errno.ENOSPC: "full",
        errno.EDQUOT: "share",
        errno.EFBIG: "large",
        errno.EACCES: "read_only",
        errno.EPERM: "read_only",
        errno.EROFS: "read_only",
    }
)
"""The last parts of message keys for common system errors, by error number."""


def _say(text: str) -> None:
    """Write a text to standard error, and ignore that it may be closed or full."""
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def spoken_language() -> str:
    """Return the language of the running command."""
    return _language


def in_my_language(text: Text) -> str:
    """Return a text in the language of the running command."""
    return in_language(text, spoken(_language))


@contextmanager
def needing(use: str, extra: str) -> Iterator[None]:
    """Import optional dependencies in the ``with`` block. Raises `UsageError` if they are missing.

    The message says how to install `extra`, which `use` needs.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == "draftengine":
            raise
        from draftengine.support.optional import needed_for

        raise UsageError(needed_for(use, extra)) from error


def say_error(message: str) -> None:
    """Print an error message to standard error, without control characters."""
    _say(f"{phrase('command.error', text=escaped(message))}\n")


def why_unusable(error: RecordError | SaveError) -> str:
    """Return why a record or saved game cannot be used.

    In English, this is the error's exact message; in other languages, the message for its code.
    """
    return str(error) if _language.startswith("en") else phrase(f"unusable.{error.code}")


def show_findings(findings: Iterable[Diagnostic]) -> None:
    """Print findings to standard error, in the form for people."""
    from draftengine.apps.play.terminal_style import wants_color
    from draftengine.model.diagnostics.render import render

    _say(render(findings, color=wants_color(sys.stderr), language=_language))
