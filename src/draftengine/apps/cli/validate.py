"""``draftengine validate``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, phrase, show_findings
from draftengine.apps.cli.options import FindingsFormat

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Diagnostic

    Checked = list[tuple[str, tuple[Diagnostic, ...]]]


def validate(
    paths: options.Paths,
    form: options.FindingsForm = FindingsFormat.TEXT,
    as_json: options.FormatJson = False,
    fix: options.Fix = False,
    watch: options.Watch = False,
    play: options.PlayToo = None,
    language: options.Language = "en",
) -> int:
    """Say what is wrong with card sets, where, and what to do.

    Checks the text, the structure, every name and formula, the game itself for every number of players, variant and
    reading, the extremes of parameters, and the worked examples. Of a very large card set a warning says what was left
    out; that is checked when it is played. The exit status is 1 if there are errors; warnings alone leave it 0.

    Then it plays some hundred games, the same each time, and says what never happened, what always happened, and which
    rounds had no cards. That takes about a second, for which programs have to ask with --play.

    With --fix, names that can only be slips of the pen, values in needless quotes and lines that remove nothing are
    mended in the file; what could mean two things is left to you. With --watch, every save is checked at once, worked
    examples included, until you press Ctrl-C; after a change of the rules some hundred games say what it does.

    \b
    Examples:
      draftengine validate my_game.yaml
      draftengine validate my_game.yaml --fix
      draftengine validate my_game.yaml --watch
      draftengine validate cardsets/*.yaml --format sarif > findings.sarif
      cat my_game.yaml | draftengine validate - --json
    """
    del language  # errors.phrase speaks it
    wanted = FindingsFormat.JSON if as_json else form
    played = play if play is not None else watch or (wanted is FindingsFormat.TEXT and sys.stdout.isatty())
    if fix or watch:
        _check_usage(paths, wanted, watch=watch)
    for path in paths if fix else ():
        from draftengine.apps.cli.fixing import mend

        mend(path)

    def check() -> Checked:
        checked = [(path, _findings(path, play=played)) for path in paths]
        _write(checked, wanted)
        return checked

    checked = check()
    if watch:
        from draftengine.apps.cli.watching import keep_watching

        keep_watching(paths, check)
    return FAILED if any(finding.severity == "error" for _, findings in checked for finding in findings) else FINE


def _check_usage(paths: list[str], form: FindingsFormat, *, watch: bool) -> None:
    """Check that only files are to be fixed or watched. Raises `UsageError`."""
    from pathlib import Path

    option = "--watch" if watch else "--fix"
    for path in paths:
        if path == "-" or not Path(path).is_file():
            raise UsageError(f"{option} needs a file, and {path} is none.")
    if watch and form is not FindingsFormat.TEXT:
        raise UsageError("--watch goes on until Ctrl-C, so it writes text only.")


def _findings(path: str, *, play: bool) -> tuple[Diagnostic, ...]:
    """Return all findings about a card set. Raises `UsageError` if there is none."""
    from draftengine.apps.cli.validation_cache import findings_in, is_sound
    from draftengine.model.library.catalog import NoSuchCardSetError, read_bytes

    try:
        label, data = read_bytes(path)
        return () if is_sound(path, data, play=play) else findings_in(path, label, data, play=play)
    except NoSuchCardSetError as error:  # also one that it extends
        raise UsageError(str(error)) from None


def _write(checked: Checked, form: FindingsFormat) -> None:
    if form is FindingsFormat.JSON:
        from draftengine.model.diagnostics.render import json

        sys.stdout.write(json.render(checked))
    elif form is FindingsFormat.SARIF:
        from pathlib import Path

        from draftengine.model.diagnostics.render import sarif

        sys.stdout.write(sarif.render(checked, root=str(Path.cwd())))
    else:
        if all_findings := [finding for _, findings in checked for finding in findings]:
            show_findings(all_findings)
        from draftengine.model.diagnostics.render.text import escaped

        for path, findings in checked:
            severities = [finding.severity for finding in findings]
            counts = {kind: severities.count(kind) for kind in ("error", "warning", "note")}
            parts = [phrase(f"findings.{kind}", count=count) for kind, count in counts.items() if count]
            summary = ", ".join(parts) or phrase("findings.none")
            sys.stdout.write(f"{'<stdin>' if path == '-' else escaped(path)}: {summary}\n")
