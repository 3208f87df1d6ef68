"""Cases that are written as YAML, read by the quick parser where there is one."""

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
    """What a file says."""
    return says(path.read_text(encoding="utf-8"))


def says(text: str) -> Any:
    """What a text says."""
    return yaml.load(text, Loader=Loader)
