"""``draftengine cache``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FINE, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.support.caches import CacheEntry

_MEGABYTE = 1 << 20


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all of it; what is needed is made again.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="MB",
            min=0,
            help="Remove what was used longest ago, until no more than this is left.",
            show_default=False,
        ),
    ] = None,
    as_json: options.Json = False,
) -> int:
    """Show what was compiled, learnt and found right to save time, or clear it.

    It is kept within a limit of 512 MB; what was used longest ago goes first. Saved games are not among it (see saves).

    \b
    Examples:
      draftengine cache
      draftengine cache --limit 100
      draftengine cache --clear
    """
    from draftengine.support.caches import LIMIT, folder, kept, trim

    if clear and limit is not None:
        raise UsageError("--clear leaves nothing, so --limit has nothing to say.")
    most = 0 if clear else limit
    gone = trim(most * _MEGABYTE) if most is not None else []
    sizes = _by_kind(kept())
    if as_json:
        import json

        data = {"folder": str(folder()), "limit": LIMIT, "kinds": sizes, "size": sum(sizes.values())}
        sys.stdout.write(json.dumps({**data, "removed": sum(entry.size for entry in gone)}) + "\n")
        return FINE
    lines = [f"{_size(size):>10}  {kind}" for kind, size in sizes.items()]
    if gone:
        lines.append(f"{_size(sum(entry.size for entry in gone)):>10}  removed")
    sys.stdout.write("\n".join([f"{folder()}", *(lines or ["Nothing is kept."])]) + "\n")
    return FINE


def _by_kind(entries: Iterable[CacheEntry]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for entry in entries:
        sizes[entry.kind] = sizes.get(entry.kind, 0) + entry.size
    return sizes


def _size(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB"
