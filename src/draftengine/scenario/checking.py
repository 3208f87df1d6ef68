"""Everything that is wrong with a card set, its worked examples included."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.ruleset import games_of
from draftengine.cardset.load import read_source
from draftengine.cardset.resolve.at_once import Look, all_at_once
from draftengine.diagnostics.finding import has_errors, ordered
from draftengine.diagnostics.silenced import without_allowed
from draftengine.library import examine, name_in, open_bytes, open_text, read_bytes
from draftengine.scenario.entries import problems_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from draftengine.diagnostics.finding import Diagnostic
    from draftengine.library import Opened

_NUMBER = re.compile(r"\d+")


def check(name: str | PathLike[str]) -> tuple[Diagnostic, ...]:
    """The findings about a card set, which is named as for `draftengine.load`: errors and warnings, with their places.

    The base game is checked, each of its variants and each answer of its readings; if there is no error, its worked
    examples are run. Raises `NoSuchCardSetError`.
    """
    text = name_in(name)
    return check_bytes(text, *read_bytes(text))


def check_bytes(name: str, shown: str, data: bytes) -> tuple[Diagnostic, ...]:
    """The findings about a text as if it were that of the card set of this name, which is shown as `shown`."""
    return check_opened(open_bytes(name, shown, data))


def check_opened(opened: Opened) -> tuple[Diagnostic, ...]:
    """The findings about a card set that was opened: all that can be told at once."""
    return _found(opened, examples=True)


def check_rules(opened: Opened) -> tuple[Diagnostic, ...]:
    """The same without worked examples: if one fails, the game can be played all the same."""
    return _found(opened, examples=False)


def _found(opened: Opened, *, examples: bool) -> tuple[Diagnostic, ...]:
    first = _look(opened, examples=examples)
    source, unreadable = read_source(opened.data, opened.name)
    if unreadable or not first.in_the_way:
        return first.findings

    def again(text: str) -> Look:
        return _look(open_text(opened.name, text.encode("utf-8", "surrogatepass"), opened.fetch), examples=False)

    return _without_doubtful(all_at_once(source, first, again))


def _look(opened: Opened, *, examples: bool) -> Look:
    if opened.document is None:
        return Look(opened.findings, opened=False)
    found = examine(opened.document)
    if examples and not has_errors(found):
        found = ordered([*found, *problems_of(opened.document, games_of(opened.document))])
    told = tuple(without_allowed(found, opened.document.files[0].source))
    return Look(ordered(_each_series_once(_without_doubtful(told))), opened=True)


def _each_series_once(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """One finding for all members of a series: they stand in one place, and differ by a number alone."""
    alike: dict[object, list[Diagnostic]] = {}
    for own in findings:
        alike.setdefault((own.code, own.span, own.hint, _NUMBER.sub("", own.message)), []).append(own)
    return [
        replace(first, message=f"{first.message.removesuffix('.')}, and of {len(others)} others the same is true.")
        if len(others) > 1
        else own
        for first, *others in alike.values()
        for own in ((first,) if len(others) > 1 else (first, *others))
    ]


def _without_doubtful(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Warnings are looked for behind errors, so with an error a comment may only seem to allow nothing."""
    errors = has_errors(findings)
    return tuple(own for own in findings if own.code != "allows-nothing" or not errors)
