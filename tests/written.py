"""Cases written as YAML, read by the fast parser where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

try:
    from yaml import CSafeLoader as Loader
except ImportError:
    from yaml import SafeLoader as Loader

if TYPE_CHECKING:
    from pathlib import Path


def cases_in(path: Path) -> Any:
    """Return the parsed contents of a file."""
    return says(path.read_text(encoding="utf-8"))


def says(text: str) -> Any:
    """Return the parsed contents of a text."""
    return yaml.load(text, Loader=Loader)
