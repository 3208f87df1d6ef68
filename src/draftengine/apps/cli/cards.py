"""``draftengine cards``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import UsageError, needing

if TYPE_CHECKING:
    from draftengine.render.sheets.layout import Sheets

_FORMS = {".pdf": "pdf", ".svg": "svg", ".html": "html", ".htm": "html"}


def cards(
    cardset: options.CardSet,
    output: options.CardsOutput,
    players: options.Players = None,
    variant: options.Variants = None,
    language: options.Language = "en",
    size: options.Size = "a4",
    only_new: options.OnlyNew = False,
    one_each: options.OneEach = False,
    aid: options.CardsAid = False,
    backs: options.Backs = False,
    font: options.Font = None,
) -> None:
    """Write sheets of cards to print and cut, as many copies of each as the box has.

    Cards are 63 × 88 mm, nine on a sheet, with marks to cut along. They can be told apart and read in black and white.
    HTML and SVG need nothing; PDF needs the extra pdf. An SVG holds the sheets below each other; Inkscape sees pages.

    \b
    Examples:
      draftengine cards my_game.yaml --out cards.pdf
      draftengine cards my_game.yaml --out cards.html --language pl --size letter
      draftengine cards my_game.yaml --aid --out cards.pdf
      draftengine cards my_house_rule.yaml --only-new --out new.pdf --backs
    """
    from draftengine.apps.cli.opening import check_output, in_words, rules_of
    from draftengine.render.sheets.contents import sheets_of
    from draftengine.render.sheets.layout import PAPERS, as_html, as_svg
    from draftengine.support.files import replacing

    form = _FORMS.get(output.suffix.lower())
    if form is None:
        raise UsageError(f"What kind of file is {output.name} to be? Give it a name that ends in .pdf, .svg or .html.")
    check_output(output)
    rules = rules_of(cardset, variant)
    with in_words():
        over = rules.base if only_new else None
        if only_new and over is None:
            raise UsageError(f"{rules.model.id} extends no other card set, so all of it is new. Leave out --only-new.")
        sheets = sheets_of(rules, PAPERS[size], language, players, over=over, backs=backs, one_each=one_each, aid=aid)
    if not sheets.sheets:
        raise UsageError(f"{rules.model.id} changes nothing that is printed, so there is nothing to print.")
    drawn = as_svg if form == "svg" else as_html
    data = _pdf(sheets, font or []) if form == "pdf" else drawn(sheets).encode()
    with replacing(output) as file:
        file.write(data)
    count = len(sheets.sheets)
    sys.stderr.write(f"Wrote {output}: {count} {'sheet' if count == 1 else 'sheets'}, {sheets.paper.name}\n")


def _pdf(sheets: Sheets, fonts: list[Path]) -> bytes:
    with needing("a PDF", "pdf", "HTML and SVG need nothing"):
        from draftengine.render.sheets.pdf import NoFontError, as_pdf
    try:
        return as_pdf(sheets, fonts)
    except NoFontError as error:
        raise UsageError(f"{error} Name one that has them with --font, or write HTML or SVG.") from None
