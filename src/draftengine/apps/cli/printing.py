"""Commands that make something to print: ``rules`` a rulebook, ``cards`` sheets of cards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import UsageError, needing, phrase
from draftengine.support.locale.phrases import Phrase, either, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.apps.cli.options import BookFormat


_BOOKS: dict[str, BookFormat] = {
    "": "text", ".txt": "text", ".html": "html", ".htm": "html", ".md": "md", ".markdown": "md",
}  # fmt: skip


def rules(
    cardset: options.CardSet,
    players: options.Players = None,
    variant: options.Variants = None,
    language: options.Language = "en",
    aid: options.Aid = False,
    form: options.BookForm = None,
    output: options.Output = None,
) -> None:
    """Write the rulebook of a card set, to play from.

    Every sentence comes from the card set, and the engine scores every example. The HTML is a single file that needs no
    other; it prints in two columns on A4 in landscape.

    \b
    Examples:
      draftengine rules my_game.yaml
      draftengine rules my_game.yaml --variant two_rounds -o rules.html
      draftengine rules my_game.yaml --language pl --format md
      draftengine rules my_game.yaml --aid -o aid.html
    """
    from draftengine.apps.cli.opening import check_output, in_words, rules_of, write_out
    from draftengine.render.rulebook import aid_of, book_of
    from draftengine.render.rulebook.formats import as_markdown, as_text

    check_output(output)
    ruleset = rules_of(cardset, variant)
    suffix = output.suffix.lower() if output is not None else ""
    if output is not None and form is None and suffix not in _BOOKS:
        raise UsageError(_what_file(output, ".txt", ".md", ".html"))
    form = form or _BOOKS[suffix]
    with in_words():
        book = (aid_of if aid else book_of)(ruleset, language, players)
    if form == "html":
        from draftengine.render.faces.small import Deck
        from draftengine.render.rulebook.formats import as_html as page_of

        text = page_of(book, Deck(ruleset.model, dict(book.names)))
    else:
        text = as_text(book) if form == "text" else as_markdown(book)
    if output is None:
        sys.stdout.write(text)
    else:
        write_out(output, text)


def _what_file(output: Path, *endings: str) -> Phrase:
    """Return the question for the kind of file to write, with the possible endings of its name."""
    return said("command.what_file", name=output.name, endings=either(endings))


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
    HTML and SVG need nothing else; PDF needs the extra pdf. An SVG has the sheets one below the other;
    Inkscape shows them as pages.

    \b
    Examples:
      draftengine cards my_game.yaml --out cards.pdf
      draftengine cards my_game.yaml --out cards.html --language pl --size letter
      draftengine cards my_game.yaml --aid --out cards.pdf
      draftengine cards my_house_rule.yaml --only-new --out new.pdf --backs
    """
    from draftengine.apps.cli.opening import check_output, in_words, rules_of
    from draftengine.render.sheets import sheets_of
    from draftengine.render.sheets.layout import PAPERS, as_html, as_svg
    from draftengine.support.files import replacing

    form = _FORMS.get(output.suffix.lower())
    if form is None:
        raise UsageError(_what_file(output, ".pdf", ".svg", ".html"))
    check_output(output)
    rules = rules_of(cardset, variant)
    with in_words():
        over = rules.base if only_new else None
        if only_new and over is None:
            raise UsageError(phrase("command.cards.all_new", game=rules.model.id))
        sheets = sheets_of(rules, PAPERS[size], language, players, over=over, backs=backs, one_each=one_each, aid=aid)
    if not sheets.sheets:
        raise UsageError(phrase("command.cards.none_new", game=rules.model.id))
    if form == "pdf":
        with needing("pdf", "pdf"):
            from draftengine.render.sheets.pdf import NoFontError, as_pdf

        def say_lettered(icons: Sequence[str]) -> None:
            if icons:
                sys.stderr.write(f"{phrase('command.cards.lettered', signs=' '.join(icons), count=len(icons))}\n")

        try:
            data = as_pdf(sheets, font or [], say_lettered)
        except NoFontError as error:
            raise UsageError(error.reason) from None
    else:
        data = (as_svg if form == "svg" else as_html)(sheets).encode()
    with replacing(output) as file:
        file.write(data)
    note = phrase("command.cards.wrote", file=output, count=len(sheets.sheets), paper=sheets.paper.name)
    sys.stderr.write(f"{note}\n")
