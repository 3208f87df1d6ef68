"""Sheets of cards as PDF, by two pure Python libraries (extra ``pdf``).

fpdf2 draws: it reads the paths of SVG and embeds the used part of OpenType fonts. pypdf assembles the document, so that
it contains every card and pattern once. The drawings are those of the other formats. A PDF embeds its fonts, so they
are searched for on this machine. Every text is fitted by the widths of the font that was found.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

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

from draftengine.render.faces.elements import HEIGHT, WIDTH
from draftengine.render.sheets.document import POINTS, Drawn
from draftengine.render.sheets.layout import places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pypdf import PageObject
    from pypdf.generic import PdfObject

    from draftengine.render.sheets.layout import Sheet, Sheets


def as_pdf(document: Sheets, fonts: Sequence[Path] = ()) -> bytes:
    """Return the document; `fonts` are tried before those of the machine.

    Raise `NoFontError` if no font has all characters of a text.
    """
    return _Document(document, Drawn(document, fonts)).whole()


class _Document:
    """Assembly of the document from pages that were drawn separately."""

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
            self._sheet(sheet, writer.add_page(page), cards)
        out = BytesIO()
        writer.write(out)
        return out.getvalue()

    def _added(self, stream: DecodedStreamObject) -> PdfObject:
        return self.writer._add_object(stream.flate_encode())  # noqa: SLF001 (the only way to add a stream)

    def _tile(self, name: str, page: PageObject) -> DecodedStreamObject:
        """Return a pattern that repeats a page, starting at the upper left corner of a card."""
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
        """Return a card as a form: its pattern, and over it the drawing."""
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

    def _sheet(self, sheet: Sheet, page: PageObject, cards: Mapping[str, PdfObject]) -> None:
        """Place the cards on a sheet, in place."""
        names = {card: f"/Card{index}" for index, card in enumerate(cards)}
        laid = list(places(sheet, self.own.paper))
        resources = page["/Resources"]
        assert isinstance(resources, DictionaryObject)
        resources[NameObject("/XObject")] = _dictionary({names[card]: cards[card] for card, _, _ in laid})
        placed = "".join(
            f"q 1 0 0 1 {x * POINTS:.3f} {(self.own.paper.height - y - HEIGHT) * POINTS:.3f} cm {names[card]} Do Q\n"
            for card, x, y in laid
        )
        stream = _stream(placed.encode() + page.get_contents().get_data(), {})  # type: ignore[union-attr]
        page[NameObject("/Contents")] = self._added(stream)


def _stream(data: bytes, entries: Mapping[str, PdfObject]) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(data)
    stream.update(_dictionary(entries))
    return stream


def _dictionary(entries: Mapping[str, PdfObject]) -> DictionaryObject:
    return DictionaryObject({NameObject(key): entry for key, entry in entries.items()})


def _numbers(*numbers: float) -> ArrayObject:
    return ArrayObject(map(FloatObject, numbers))
