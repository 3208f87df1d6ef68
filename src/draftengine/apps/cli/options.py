"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from draftengine.apps.cli import completion as completing

CardSet = Annotated[
    str,
    typer.Argument(
        metavar="CARDSET",
        autocompletion=completing.card_sets,
        help="A card set: a file, the id of one that comes with draftengine (see list), or - for standard input.",
        show_default=False,
    ),
]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", metavar="N", min=1, help="How many players.", show_default=False),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        "-v",
        "--menu",
        metavar="NAME",
        autocompletion=completing.variants,
        help="Play with a variant: NAME, NAME:PARAMETER=3, READING=OPTION, or any number by its path, such as "
        "cards.soup.count=9. Or with a menu, by its name or as a list: NAME,NAME,NAME. Can be given several times.",
        show_default=False,
    ),
]


def _spoken_here(text: str) -> str:
    """Return a language that has sentences. Raises `typer.BadParameter` for any other."""
    from draftengine.support.locale import LANGUAGES, spoken

    if text.split("-", maxsplit=1)[0] not in LANGUAGES:
        names = ", ".join(f"{language} ({spoken(language).title})" for language in LANGUAGES)
        raise typer.BadParameter(f"there are no sentences in “{text}” yet. There are {names}.")
    return text


Language = Annotated[
    str,
    typer.Option(
        "--language",
        "--lang",
        "-l",
        metavar="LANGUAGE",
        callback=_spoken_here,
        envvar="DRAFTENGINE_LANG",
        help="In which language: en, pl or ja, as far as the card set has labels in it.",
    ),
]
Seed = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="S", help="A number or a word: the same seed deals the same game.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def seed_from(text: str | None) -> int | str:
    """Return the given seed, as an integer if it is one, else a new seed."""
    if text is None:
        return _new_seed()
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 4000 else text  # noqa: PLR2004 (int's limit)


_LETTERS = "abcdefghjkmnpqrstvwxyz"
_SIGNS = f"0123456789{_LETTERS}"
_LENGTH = 13


def _new_seed() -> str:
    """Return more than 64 random bits as a word without look-alike letters.

    It begins with a letter, since a number would be read as another seed.
    """
    from secrets import choice

    return choice(_LETTERS) + "".join(choice(_SIGNS) for _ in range(_LENGTH - 1))
