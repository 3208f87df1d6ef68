"""Sentences about extras, which are optional packages."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from draftengine.support.locale.phrases import Phrase, said

_CHECKOUT = Path(__file__).parents[3]


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra from the place where this program was installed from."""
    if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "src").is_dir():
        return f"pip install '.[{extra}]'"
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import

    recorded = None
    with suppress(PackageNotFoundError):
        recorded = distribution("draftengine").read_text("direct_url.json")
    address = ""  # for a package that came from an index
    if recorded:  # by pip
        origin = json.loads(recorded)
        version_control = origin.get("vcs_info", {}).get("vcs")
        address = f" @ {version_control}+{origin['url']}" if version_control else f" @ {origin['url']}"
    return f"pip install 'draftengine[{extra}]{address}'"


def needed_for(use: str, extra: str) -> Phrase:
    """Return the sentence that a use needs an extra. `use` is part of the message's id."""
    return said("extra.needed", use=said(f"extra.{use}"), extra=extra, command=how_to_install(extra))
