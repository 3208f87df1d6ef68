"""Sheets of cards as PDF, by two pure Python libraries (extra ``pdf``).

fpdf2 draws: it reads the paths of SVG, and embeds the used parts of OpenType fonts. pypdf assembles the document, so
that it contains every card and pattern only once. The drawings are the same as in other formats. A PDF must embed its
fonts, so this module looks for fonts on this machine. Every text is fitted with the widths of the font that it gets.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import category
from xml.etree import ElementTree as ET

from defusedxml.ElementTree import fromstring
from fpdf import FPDF
from fpdf.fonts import TTFFont
from fpdf.svg import SVGObject
from msgspec import Struct
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from draftengine.render.faces.elements import HEIGHT, SERIF, WIDTH
from draftengine.render.sheets.layout import around, places
from draftengine.render.svg import el, number
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypdf import PageObject
    from pypdf.generic import PdfObject

    from draftengine.render.sheets.layout import Sheets

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
"""File names of fonts for other scripts, in order of preference."""
_KINDS = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_PLAIN = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "„": '"', "…": "..."})
"""Replacements for characters that the core fonts lack."""
_MOST_FILES = 4000
_SHOWN = 8


class NoFontError(ReasonedError):
    """No font on this machine has all characters of a text."""


class FontMatch(Struct, frozen=True):
    """A text, and the font that was chosen for it."""

    text: str
    """The text, in a form that this font can show."""
    core: str = ""
    """The name of a core font of PDF; empty for a font file."""
    path: Path | None = None
    index: int = 0
    """The index of the font in its file."""

    @property
    def font(self) -> object:
        return self.core or (self.path, self.index)


class Fonts:
    """Finds fonts, and caches where they are."""

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
        raise NoFontError(said("command.cards.no_font", text=text, signs=missing[:_SHOWN] or text))

    def _named(self, names: tuple[str, ...]) -> list[Path]:
        """Return the font files with these names, after the files that the caller asked for."""
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


_DRAWN = ("glyf", "CFF ", "CBDT", "sbix")
"""Names of the tables of a font that fpdf2 can draw: outlines and coloured pictures, not old bitmaps."""


@cache
def _signs(path: Path) -> frozenset[int]:
    """Return the code points that a font has; empty if the font cannot be read."""
    from fontTools.ttLib import TTFont, TTLibError  # noqa: PLC0415 (comes with fpdf2)

    try:
        with TTFont(path, fontNumber=0, lazy=True) as font:
            drawn = any(table in font for table in _DRAWN)
            return frozenset(font.getBestCmap() or {}) if drawn else frozenset()
    except (OSError, TTLibError, AssertionError, KeyError, ValueError):
        return frozenset()


@cache
def _everywhere() -> dict[str, Path]:
    """Return the font files of the machine by file name, in lower case."""
    paths: dict[str, Path] = {}
    home = Path.home()
    if sys.platform == "win32":
        roots = [Path(os.environ.get("WINDIR", r"C:\Windows"), "Fonts"), home / "AppData/Local/Microsoft/Windows/Fonts"]
    elif sys.platform == "darwin":
        roots = [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    else:
        shared = (os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
        roots = [Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share", "fonts")]
        roots += [Path(folder, "fonts") for folder in shared]
    for root in roots:
        for index, (parent, folders, files) in enumerate(os.walk(root)):
            folders.sort()
            if index > _MOST_FILES:
                break
            for file in sorted(files):
                path = Path(parent, file)
                if path.suffix.lower() in _KINDS:
                    paths.setdefault(path.stem.lower(), path)
    return paths


POINTS = 72 / 25.4
"""The number of points in a millimetre."""
_SVG = "http://www.w3.org/2000/svg"
_ALWAYS = datetime(2000, 1, 1, tzinfo=UTC)
"""The creation date of every document, so that equal cards give equal bytes."""
_BEND = 0.4477
"""The distance from a corner to the handles of a rounded corner's curve, in radii."""
_LARGE = 100.0
"""The font size at which widths are measured."""


class PatternArea(Struct, frozen=True):
    """An area of a card that has a pattern."""

    pattern: str
    path: str
    """The outline, in the operators of PDF."""


class Drawn:
    """The drawn pages, in this order: tiles, cards, sheets."""

    def __init__(self, document: Sheets, fonts: Sequence[Path]) -> None:
        self.own = document
        self.tiles: dict[str, tuple[float, float]] = {}
        """Width and height of each pattern, in millimetres."""
        self.woven: dict[str, PatternArea] = {}
        """The area with a pattern on each card, by the card's name."""
        self.lettered = dict[str, None]()
        """The icons that no font has, so that letters are printed instead."""
        self._fonts, self._families = Fonts(fonts), dict[object, str]()
        elements = list(fromstring(f"<g>{document.definitions}</g>").iter())
        self._pdf = FPDF(unit="mm", format=(document.paper.width, document.paper.height))
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_creation_date(_ALWAYS)
        for it in elements:
            if it.tag == "pattern":
                self._tile(it)
        for name, markup in document.cards.items():
            self._page(self._read(markup, name), WIDTH, HEIGHT)
        for sheet in document.sheets:
            self._page(self._read(around(sheet, document.paper)), document.paper.width, document.paper.height)

    def document(self) -> bytes:
        data = bytes(self._pdf.output())
        for font in self._pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.close()
        return data

    def _tile(self, pattern: ET.Element) -> None:
        scale = float(pattern.get("patternTransform", "scale(1)")[6:-1])
        size = tuple(float(pattern.get(side, "1")) * scale for side in ("width", "height"))
        self.tiles[pattern.get("id", "")] = size[0], size[1]
        inner = "".join(ET.tostring(child, "unicode") for child in pattern)
        self._page(fromstring(el("g", el("g", inner, transform=f"scale({number(scale)})"))), *size)

    def _page(self, tree: ET.Element, width: float, height: float) -> None:
        """Add a page of a size, filled by a drawing."""
        self._pdf.add_page(format=(width, height))
        box = f'width="{number(width)}mm" height="{number(height)}mm" viewBox="0 0 {number(width)} {number(height)}"'
        SVGObject(f'<svg xmlns="{_SVG}" {box}>{ET.tostring(tree, "unicode")}</svg>').draw_to_page(self._pdf, 0, 0)

    def _read(self, markup: str, name: str = "") -> ET.Element:
        """Return a drawing whose texts have fonts. Areas with a pattern are taken out and put into `woven`."""
        tree: ET.Element = fromstring(f"<g>{markup}</g>")
        for element in list(tree.iter()):
            if element.get("fill", "").startswith("url(#"):
                self.woven[name] = PatternArea(element.get("fill", "")[5:-1], _rounded(element))
                element.set("fill", "none")
            if element.tag != "text":
                continue
            # A font that has the characters of the text, and a size at which the text fits.
            content, bold = element.text or "", element.get("font-weight") is not None
            serif, letters = element.get("font-family") == SERIF, element.attrib.pop("data-letters", "")
            drawn = content
            if letters:
                # The first sign of joined ones, a sign without its tone of skin, and the two letters of a flag: fpdf2
                # would draw each character of an icon by itself.
                signs = (sign for sign in content.partition("\u200d")[0] if category(sign) not in _JOINED)
                drawn = "".join(
                    chr(ord(sign) - _FLAG_LETTERS[0] + ord("A")) if ord(sign) in _FLAG_LETTERS else sign
                    for sign in signs
                )
            try:
                chosen = self._fonts.of(drawn, serif=serif, bold=bold)
            except NoFontError:
                if not letters:
                    raise
                self.lettered[content] = None
                chosen = self._fonts.of(letters, serif=serif, bold=bold)
            if chosen.font not in self._families:
                self._families[chosen.font] = chosen.core or f"font{len(self._families)}"
                if not chosen.core:
                    self._pdf.add_font(
                        self._families[chosen.font], "", chosen.path, collection_font_number=chosen.index
                    )
            family, style = self._families[chosen.font], "B" if chosen.core and bold else ""
            self._pdf.set_font(family, style, _LARGE)
            wide = self._pdf.get_string_width(chosen.text) / _LARGE * POINTS
            size, room = float(element.get("font-size", "1")), float(element.attrib.pop("data-room", "inf"))
            element.text = chosen.text
            element.set("font-size", number(min(size, room / wide) if wide else size))
            element.set("font-family", family)
            element.set("font-weight", "700" if style else "400")
        _spell_out(tree, {"stroke": "none"})
        return tree


_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_JOINED = frozenset({"Mn", "Me", "Cf", "Sk"})
"""Categories of characters that change the sign before them, such as tones of skin and keycaps."""


_INHERITED = ("stroke", "stroke-width", "stroke-linejoin", "stroke-linecap")


def _spell_out(element: ET.Element, given: dict[str, str]) -> None:
    """Copy inherited line attributes to every shape of an element, because fpdf2 inherits them wrongly."""
    inherited = {**given, **{key: element.attrib[key] for key in _INHERITED if key in element.attrib}}
    if not len(element):
        element.attrib.update(inherited)
    for child in element:
        _spell_out(child, inherited)


def _rounded(area: ET.Element) -> str:
    """Return a rounded rectangle of a card as a path, in points from the lower left corner."""
    x, y, wide, high, r = (float(area.get(side, "0")) * POINTS for side in ("x", "y", "width", "height", "rx"))
    right, top = x + wide, HEIGHT * POINTS - y
    low, b = top - high, r * _BEND
    return (
        f"{x + r:.2f} {low:.2f} m {right - r:.2f} {low:.2f} l "
        f"{right - b:.2f} {low:.2f} {right:.2f} {low + b:.2f} {right:.2f} {low + r:.2f} c {right:.2f} {top - r:.2f} l "
        f"{right:.2f} {top - b:.2f} {right - b:.2f} {top:.2f} {right - r:.2f} {top:.2f} c {x + r:.2f} {top:.2f} l "
        f"{x + b:.2f} {top:.2f} {x:.2f} {top - b:.2f} {x:.2f} {top - r:.2f} c {x:.2f} {low + r:.2f} l "
        f"{x:.2f} {low + b:.2f} {x + b:.2f} {low:.2f} {x + r:.2f} {low:.2f} c h"
    )


def as_pdf(document: Sheets, fonts: Sequence[Path] = (), lettered: Callable[[Sequence[str]], object] = len) -> bytes:
    """Return the document. `fonts` are tried before the fonts of the machine.

    `lettered` receives the icons for which letters are printed, because no font has them. Raise `NoFontError` if no
    font has all characters of a text.
    """
    drawn = Drawn(document, fonts)
    lettered([*drawn.lettered])
    return _Document(document, drawn).whole()


class _Document:
    """Assembles the document from pages that were drawn separately."""

    def __init__(self, document: Sheets, drawn: Drawn) -> None:
        self.own, self.drawn = document, drawn
        self.writer = PdfWriter()
        pages = list(PdfReader(BytesIO(drawn.document())).pages)
        self.tiles = {name: pages.pop(0) for name in drawn.tiles}
        self.cards = {name: pages.pop(0) for name in document.cards}
        self.sheets = pages

    def whole(self) -> bytes:
        document, writer = self.own, self.writer
        writer.add_metadata(
            {"/Title": document.title, "/Subject": document.edition_line, "/Producer": "draftengine, fpdf2, pypdf"}
        )
        writer.root_object[NameObject("/Lang")] = TextStringObject(document.language)
        tiles = {name: self._added(self._tile(name, page)) for name, page in self.tiles.items()}
        cards = {name: self._added(self._card(name, page, tiles)) for name, page in self.cards.items()}
        for sheet, page in zip(document.sheets, self.sheets, strict=True):
            # The cards at their positions, on a page that has the other parts.
            leaf = writer.add_page(page)
            form = {card: f"/Card{index}" for index, card in enumerate(cards)}
            laid = list(places(sheet, self.own.paper))
            resources = leaf["/Resources"]
            assert isinstance(resources, DictionaryObject)
            resources[NameObject("/XObject")] = _dictionary({form[card]: cards[card] for card, _, _ in laid})
            placed = "".join(
                f"q 1 0 0 1 {x * POINTS:.3f} {(self.own.paper.height - y - HEIGHT) * POINTS:.3f} cm {form[card]} Do Q\n"
                for card, x, y in laid
            )
            stream = _stream(placed.encode() + leaf.get_contents().get_data(), {})  # type: ignore[union-attr]
            leaf[NameObject("/Contents")] = self._added(stream)
        out = BytesIO()
        writer.write(out)
        return out.getvalue()

    def _added(self, stream: DecodedStreamObject) -> PdfObject:
        return self.writer._add_object(stream.flate_encode())  # noqa: SLF001 (the only way to add a stream)

    def _tile(self, name: str, page: PageObject) -> DecodedStreamObject:
        """Return a pattern that repeats a page. It starts at the upper left corner of a card."""
        wide, high = (side * POINTS for side in self.drawn.tiles[name])
        numbers = {"/PatternType": 1, "/PaintType": 1, "/TilingType": 1}
        return _stream(
            page.get_contents().get_data(),  # type: ignore[union-attr]
            {
                "/Type": NameObject("/Pattern"),
                **{key: NumberObject(number) for key, number in numbers.items()},
                "/BBox": _numbers(0, 0, wide, high),
                "/XStep": FloatObject(wide),
                "/YStep": FloatObject(high),
                "/Matrix": _numbers(1, 0, 0, 1, 0, HEIGHT * POINTS - high),
                "/Resources": page["/Resources"].clone(self.writer),
            },
        )

    def _card(self, name: str, page: PageObject, tiles: Mapping[str, PdfObject]) -> DecodedStreamObject:
        """Return a card as a form of PDF: its pattern, with the drawing on top."""
        resources = page["/Resources"].clone(self.writer)
        assert isinstance(resources, DictionaryObject)
        woven = self.drawn.woven.get(name)
        under = b""
        if woven is not None:
            resources[NameObject("/Pattern")] = _dictionary({"/Weave": tiles[woven.pattern]})
            under = f"q /Pattern cs /Weave scn {woven.path} f Q\n".encode()
        return _stream(
            under + page.get_contents().get_data(),  # type: ignore[union-attr]
            {
                "/Type": NameObject("/XObject"),
                "/Subtype": NameObject("/Form"),
                "/BBox": _numbers(0, 0, WIDTH * POINTS, HEIGHT * POINTS),
                "/Resources": resources,
            },
        )


def _stream(data: bytes, entries: Mapping[str, PdfObject]) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(data)
    stream.update(_dictionary(entries))
    return stream


def _dictionary(entries: Mapping[str, PdfObject]) -> DictionaryObject:
    return DictionaryObject({NameObject(key): entry for key, entry in entries.items()})


def _numbers(*numbers: float) -> ArrayObject:
    return ArrayObject(map(FloatObject, numbers))
