"""Fonts to embed in documents: those of this machine that resemble what the pages ask for.

Without any, Latin texts use the core fonts, which every PDF reader has.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SANS = ("GillSans", "NotoSans-Regular", "DejaVuSans", "LiberationSans-Regular", "segoeui", "Arial", "Helvetica")
_SANS_BOLD = ("NotoSans-Bold", "DejaVuSans-Bold", "LiberationSans-Bold", "segoeuib", "arialbd", "Arial Bold")
_SERIF_BOLD = (
    "Palatino Bold", "palab", "P052-Bold", "NotoSerif-Bold", "DejaVuSerif-Bold", "LiberationSerif-Bold", "georgiab",
    "Georgia Bold", "timesbd",
)  # fmt: skip
_OTHERS = (
    "NotoSansCJK-Regular", "NotoSansCJKjp-Regular", "NotoSansJP-Regular", "ipaexg", "ipag", "TakaoPGothic",
    "DroidSansFallbackFull", "YuGothR", "meiryo", "msgothic", "ヒラギノ角ゴシック W3",
    "Hiragino Sans GB", "Arial Unicode",
)  # fmt: skip
"""File names of fonts for other scripts, the best first."""
_KINDS = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_PLAIN = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "„": '"', "…": "..."})
"""Replacements for characters that the core fonts lack."""
_MOST_FILES = 4000
_SHOWN = 8


class NoFontError(Exception):
    """Error: no font on this machine has all characters of a text."""


class FontMatch(Struct, frozen=True):
    """A font for a text."""

    text: str
    """Text as this font can show it."""
    core: str = ""
    """Name of a core font of PDF; empty for a font file."""
    path: Path | None = None
    index: int = 0
    """Index of the font in its file."""

    @property
    def font(self) -> object:
        return self.core or (self.path, self.index)


class Fonts:
    """Finder of fonts, with a cache of their files."""

    def __init__(self, wanted: Sequence[Path] = ()) -> None:
        self.wanted = list(wanted)
        self._chosen: dict[tuple[str, ...], list[Path]] = {}

    def of(self, text: str, *, serif: bool, bold: bool) -> FontMatch:
        """Return a font that has all characters of a text. Raise `NoFontError` if there is none."""
        signs = frozenset(ord(sign) for sign in text if not sign.isspace())
        names = _SERIF_BOLD if serif else _SANS_BOLD if bold else _SANS
        for path in self._named(names):
            if signs <= _signs(path):
                return FontMatch(text, path=path)
        plain = text.translate(_PLAIN)
        if _latin(plain):
            return FontMatch(plain, core="times" if serif else "helvetica")
        for path in (*self._named(_SANS), *self._named(_OTHERS), *_everywhere().values()):
            if signs <= _signs(path):
                return FontMatch(text, path=path)
        have = frozenset().union(*(_signs(path) for path in (*self.wanted, *_everywhere().values())))
        missing = "".join(sign for sign in dict.fromkeys(plain) if ord(sign) not in have and not _latin(sign))
        raise NoFontError(f"No font here has all signs of “{text}” (such as {missing[:_SHOWN] or text}).")

    def _named(self, names: tuple[str, ...]) -> list[Path]:
        """Return the font files with these names, after those that the caller asked for."""
        if names not in self._chosen:
            here = _everywhere()
            self._chosen[names] = [*self.wanted, *(here[name.lower()] for name in names if name.lower() in here)]
        return self._chosen[names]


def _latin(text: str) -> bool:
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


@cache
def _signs(path: Path) -> frozenset[int]:
    """Return the code points that a font has; none if it cannot be read."""
    from fontTools.ttLib import TTFont, TTLibError  # noqa: PLC0415 (comes with fpdf2)

    try:
        with TTFont(path, fontNumber=0, lazy=True) as font:
            drawn = "glyf" in font or "CFF " in font  # a bitmap font has no outlines to draw
            return frozenset(font.getBestCmap() or {}) if drawn else frozenset()
    except (OSError, TTLibError, AssertionError, KeyError, ValueError):
        return frozenset()


@cache
def _everywhere() -> dict[str, Path]:
    """Return the font files of the machine by file name, in lower case."""
    paths: dict[str, Path] = {}
    for folder in _folders():
        for index, (parent, folders, files) in enumerate(os.walk(folder)):
            folders.sort()
            if index > _MOST_FILES:
                break
            for file in sorted(files):
                path = Path(parent, file)
                if path.suffix.lower() in _KINDS:
                    paths.setdefault(path.stem.lower(), path)
    return paths


def _folders() -> Iterator[Path]:
    """Yield the font folders of this system."""
    home = Path.home()
    if sys.platform == "win32":
        yield Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts")
        yield home / "AppData/Local/Microsoft/Windows/Fonts"
    elif sys.platform == "darwin":
        yield from (home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts"))
    else:
        yield Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share", "fonts")
        for folder in (os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":"):
            yield Path(folder, "fonts")
