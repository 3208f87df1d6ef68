"""Where things are kept that can be made again."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def folder() -> Path:
    """The user's folder for caches (``$XDG_CACHE_HOME/draftengine``); a temporary one, if nothing can be written there.

    It may not exist yet.
    """
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    path = Path(home) / "draftengine"
    try:
        path.mkdir(parents=True, exist_ok=True)
        if os.access(path, os.W_OK):
            return path
    except OSError:
        pass
    return Path(tempfile.gettempdir()) / "draftengine"
