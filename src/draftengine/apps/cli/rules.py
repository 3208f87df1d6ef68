"""``draftengine rules``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import UsageError

if TYPE_CHECKING:
    from draftengine.apps.cli.options import BookFormat


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

    Every sentence is made from the card set, and every example is scored by the engine. The HTML is one page that needs
    nothing else; printed, it is A4 across with two columns.

    \b
    Examples:
      draftengine rules my_game.yaml
      draftengine rules my_game.yaml --variant two_rounds -o rules.html
      draftengine rules my_game.yaml --language pl --format md
      draftengine rules my_game.yaml --aid -o aid.html
    """
    from draftengine.apps.cli.opening import check_output, in_words, rules_of, write_out
    from draftengine.render.rulebook.contents import aid_of, book_of
    from draftengine.render.rulebook.text import as_markdown, as_text

    check_output(output)
    ruleset = rules_of(cardset, variant)
    form = form or _form_of(output)
    with in_words():
        book = (aid_of if aid else book_of)(ruleset, language, players)
    if form == "html":
        from draftengine.render.faces.small import Deck
        from draftengine.render.rulebook.html import as_html

        text = as_html(book, Deck(ruleset.model, dict(book.names)))
    else:
        text = as_text(book) if form == "text" else as_markdown(book)
    if output is None:
        sys.stdout.write(text)
    else:
        write_out(output, text)


def _form_of(output: Path | None) -> BookFormat:
    """Return the format that a file name asks for. Raises `UsageError` for an unknown one."""
    forms: dict[str, BookFormat] = {
        "": "text", ".txt": "text", ".html": "html", ".htm": "html", ".md": "md", ".markdown": "md",
    }  # fmt: skip
    if output is None:
        return "text"
    if output.suffix.lower() not in forms:
        raise UsageError(f"What kind of file is {output.name} to be? Give it a name that ends in .txt, .md or .html.")
    return forms[output.suffix.lower()]
