"""The checked model of a card set: frozen records, no dictionaries of anything, every record with its place.

The shapes mirror docs/language.md one to one. Formulas are kept parsed (`Formula`); names inside them are resolved by
the checks and by the compiler. Overlays (`extends`, variants, readings) are already applied: a model is one playable
game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.records.values import Amount, Formula, Texts
    from draftengine.source import Span
    from draftengine.verbs.verb import Step


class Forms(Struct, frozen=True):
    """A wild card: played as one of `of`, if `when` holds (``card`` = the seat's count of that card)."""

    of: tuple[str, ...]
    when: Formula | None
    span: Span


class Card(Struct, frozen=True):
    id: str
    count: int
    label: Texts
    text: Texts
    icon: str
    family: tuple[str, ...]
    adds: tuple[tuple[str, int], ...]
    keep: bool
    face: str | None
    starts_in: str
    """The shared zone in which its copies lie before the setup."""
    forms: Forms | None
    on_play: tuple[Step, ...]
    source: tuple[str, ...]
    span: Span


class Counter(Struct, frozen=True):
    id: str
    label: Texts
    start: int
    keep: bool | None
    die: int | None
    min: int | None
    max: int | None
    source: tuple[str, ...]
    span: Span

    def within(self, value: int) -> int:
        """The value that an effect gives the counter, within what is declared for it."""
        if self.min is not None:
            value = max(value, self.min)
        return value if self.max is None else min(value, self.max)


class Modifier(Struct, frozen=True):
    id: str
    card: str
    applies_to: tuple[str, ...]
    then: tuple[Amount, ...]
    capacity: int
    opens: Literal["at_once", "after_reveal"]
    """When its card can take others: at once, or not those that are laid down together with it."""
    stacks: bool
    label: Texts
    source: tuple[str, ...]
    span: Span


class Ability(Struct, frozen=True):
    id: str
    card: str
    take: int
    when: Literal["before_reveal", "after_reveal"]
    per_turn: int
    returns_to: Literal["hand", "place", "discard", "stays"]
    turns_up: bool
    """Does what the last card lay on turn up before the ability's own card takes its place."""
    label: Texts
    text: Texts
    source: tuple[str, ...]
    span: Span


class Place(Struct, frozen=True):
    """One place of a layout: its name ``rRcC``, whether it starts face down, and the places that cover it."""

    id: str
    face_down: bool
    covered_by: tuple[str, ...]


class Zone(Struct, frozen=True):
    id: str
    per: Literal["seat", "table"]
    seen_by: Literal["nobody", "owner", "everyone"]
    layout: tuple[Place, ...]
    label: Texts
    span: Span


class ExtraSeat(Struct, frozen=True):
    id: str
    label: Texts
    wins: bool
    ranked: bool
    """Is it compared with the other seats."""
    source: tuple[str, ...]
    span: Span


class Marker(Struct, frozen=True):
    id: str
    label: Texts
    start: Literal["nobody", "first", "random"] | int
    source: tuple[str, ...]
    span: Span


class ChipPile(Struct, frozen=True):
    id: str
    label: Texts
    values: tuple[int, ...]
    source: tuple[str, ...]
    span: Span


class Token(Struct, frozen=True):
    """What points are kept with, for those who show them."""

    id: str
    label: Texts
    value: int
    source: tuple[str, ...]
    span: Span


class Trigger(Struct, frozen=True):
    id: str
    after: str
    """``reveal`` or a score label."""
    who: Formula
    only: Literal["single", "each"]
    unless: Formula | None
    do: tuple[Step, ...]
    label: Texts
    source: tuple[str, ...]
    span: Span


class Rule(Struct, frozen=True):
    """A scoring rule: `spec` belongs to `kind` (see draftengine.rules)."""

    id: str
    kind: str
    at: str
    label: Texts
    when: Formula | None
    spec: object
    source: tuple[str, ...]
    span: Span


class TieBreaker(Struct, frozen=True):
    order: Literal["most", "fewest"]
    measure: Formula
    source: tuple[str, ...]
    span: Span


class Winner(Struct, frozen=True):
    order: Literal["most", "fewest"]
    tie_breakers: tuple[TieBreaker, ...]
    source: tuple[str, ...]
    span: Span


class Parameter(Struct, frozen=True):
    id: str
    label: Texts
    default: int
    values: tuple[int, ...]
    """Allowed values; empty = any."""
    span: Span


class VariantInfo(Struct, frozen=True):
    """What a variant is called and needs. Its changes are applied by `draftengine.cardset.overlay`."""

    id: str
    title: Texts
    text: Texts
    needs: Formula | None
    group: str | None
    excludes: tuple[str, ...]
    requires: tuple[str, ...]
    builds_on: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    source: tuple[str, ...]
    span: Span


class ReadingOption(Struct, frozen=True):
    id: str
    text: Texts


class ReadingInfo(Struct, frozen=True):
    id: str
    question: Texts
    default: str
    chosen: str
    options: tuple[ReadingOption, ...]
    reason: Texts
    source: tuple[str, ...]
    span: Span


class Citation(Struct, frozen=True):
    id: str
    text: str


class Assumption(Struct, frozen=True):
    """Something that no document at hand confirms."""

    of: Texts
    """What it is about; empty for the game as a whole."""
    text: Texts
    variant: str
    """The variant that brings it, if that is not active; otherwise "" (it is in force)."""


class About(Struct, frozen=True):
    age: int | None = None
    minutes: int | None = None
    author: str = ""
    publisher: str = ""
    year: int | None = None
    url: str = ""
    text: Texts = ()


class CardSet(Struct, frozen=True):
    """One playable game: a card set with its overlays applied."""

    id: str
    title: Texts
    version: str
    about: About
    min_players: int
    max_players: int
    rounds: int
    parameters: tuple[Parameter, ...]
    """All parameters in force (of the game and of the active variants) with `default` = the value in force."""
    cards: tuple[Card, ...]
    counters: tuple[Counter, ...]
    """As declared; counters made by `adds` alone are found by the compiler."""
    modifiers: tuple[Modifier, ...]
    abilities: tuple[Ability, ...]
    zones: tuple[Zone, ...]
    """Declared zones and the four built-in ones."""
    extra_seats: tuple[ExtraSeat, ...]
    markers: tuple[Marker, ...]
    chips: tuple[ChipPile, ...]
    tokens: tuple[Token, ...]
    setup: tuple[Step, ...]
    round: tuple[Step, ...]
    finish: tuple[Step, ...]
    triggers: tuple[Trigger, ...]
    scoring: tuple[Rule, ...]
    winner: Winner
    variants: tuple[VariantInfo, ...]
    """All variants of the file, active or not."""
    active: tuple[str, ...]
    """Names of the active variants, in order of application."""
    readings: tuple[ReadingInfo, ...]
    citations: tuple[Citation, ...]
    assumptions: tuple[Assumption, ...]
    """Those in force, and after them those of variants that are not active."""


def text_in(texts: Texts, language: str = "en") -> str:
    """The text in `language`, falling back ``pl-PL`` → ``pl`` → the plain text → ``en`` → the first; "" if none."""
    found = dict(texts)
    for tag in (language, language.split("-", maxsplit=1)[0], "", "en"):
        if tag in found:
            return found[tag]
    return texts[0][1] if texts else ""
