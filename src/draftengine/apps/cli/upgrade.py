"""``draftengine upgrade``."""

from __future__ import annotations

import sys
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, show_findings

if TYPE_CHECKING:
    from draftengine.model.selection.game import RewrittenFile


def upgrade(
    paths: options.UpgradedPaths,
    check: options.UpgradeCheck = False,
    to_stdout: options.UpgradeStdout = False,
    as_json: options.Json = False,
) -> int:
    """Rewrite card sets of an earlier format in the present one.

    The game stays the same, and so do comments and layout, but for the lines that say something in another way now.
    Files that a card set includes are rewritten with it. What has the present format stays as it is, and so does a file
    with errors: those are reported, and the exit status is 1.

    Earlier formats are read for ever, so nothing has to be upgraded. With --check nothing is written: the changes are
    shown, and the exit status is 1 if there are any.

    \b
    Examples:
      draftengine upgrade my_game.yaml
      draftengine upgrade my_game.yaml --check
      draftengine upgrade my_game.yaml --stdout > new_game.yaml
      draftengine upgrade cardsets/*.yaml --json
    """
    from draftengine.apps.cli.console import print_json
    from draftengine.model.library.catalog import read_bytes
    from draftengine.support.files import write_whole

    _check_usage(paths, writes=not (check or to_stdout), several=not to_stdout)
    upgrades, sound = _rewritten(paths)
    if as_json:
        described = [{"path": file.source.name, "diff": _diff(file)} for file in upgrades]
        print_json({"files": described}, ascii_only=False)
    elif to_stdout:  # a file of the present format as it is
        text = next((file.text for file in upgrades), "")
        sys.stdout.write(text or read_bytes(paths[0])[1].decode("utf-8", "replace"))
    elif check:
        sys.stdout.writelines(map(_diff, upgrades))
    if not (check or to_stdout):
        for file in upgrades:
            path = Path(file.source.name)
            write_whole(path, file.text)
            if not as_json:
                sys.stdout.write(f"{path}: rewritten in format 2\n")
        if not (upgrades or as_json):
            sys.stdout.write("Nothing to do: all have format 2.\n")
    return FINE if sound and not (check and upgrades) else FAILED


def _check_usage(paths: list[str], *, writes: bool, several: bool) -> None:
    """Check that what is named can be written. Raises `UsageError`."""
    if not several and len(paths) > 1:
        raise UsageError("--stdout writes one file: name only one.")
    for path in paths:
        if path == "-" and writes:
            raise UsageError("Standard input is no file that could be rewritten: say --stdout.")
        if path != "-" and not Path(path).is_file():
            raise UsageError(f"{path} is no file.")


def _rewritten(paths: list[str]) -> tuple[list[RewrittenFile], bool]:
    """Return the files to rewrite, each once, and whether all could be read; mistakes are shown."""
    from draftengine.model.diagnostics.diagnostic import has_errors
    from draftengine.model.library.catalog import NoSuchCardSetError, fetcher, read_bytes
    from draftengine.model.selection.game import rewritten_files

    upgrades: dict[str, RewrittenFile] = {}
    sound = True
    for path in paths:
        try:
            label, data = read_bytes(path)
            files, findings = rewritten_files(data, label, fetcher(path))
        except NoSuchCardSetError as error:
            raise UsageError(str(error)) from None
        errors = [finding for finding in findings if finding.severity == "error"]
        if has_errors(findings):
            show_findings(errors)
            sound = False
        else:
            upgrades |= {file.source.name: file for file in files}
    return list(upgrades.values()), sound


def _diff(file: RewrittenFile) -> str:
    """Return what changes in a file, as other programs show it."""
    old, new = (text.splitlines(keepends=True) for text in (file.source.text, file.text))
    name = file.source.name
    return "".join(unified_diff(old, new, name, name))
