"""A self-contained page of HTML: no script, no network, only system fonts."""

from __future__ import annotations

from html import escape
from importlib.resources import files

SANS = "'Gill Sans','Gill Sans Nova',Candara,'Noto Sans','DejaVu Sans','Hiragino Sans','Noto Sans CJK JP',sans-serif"
SERIF = "'Palatino Linotype',Palatino,'Book Antiqua','URW Palladio L','DejaVu Serif','Noto Serif CJK JP',serif"


def page(title: str, style: str, body: str, *, language: str = "en") -> str:
    """Return a page of HTML; `body` is markup."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>{body}</body></html>\n"
    )


def style_of(package: str) -> str:
    """Return the style sheet of a package, with the system fonts that all pages share."""
    fonts = f":root{{--sans:{SANS};--serif:{SERIF}}}"
    return fonts + (files(package) / "style.css").read_text("utf-8")
