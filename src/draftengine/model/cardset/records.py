"""The records of a card set. They are frozen, and each stores its position in the file.

The records have the keys that docs/language.md describes. Formulas are parsed (`Formula`), but their names are looked
up only by the checks and by the compiler. Overlays (`extends`, variants, readings) are already applied, so a `CardSet`
is one playable game.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.payments import COST, FREE_WITH, MAKES, PaymentRecord
from draftengine.model.language.macros import ANY_FORM
from draftengine.model.records import FieldSpec, Label, NamedRecord, Printed, Record, Sources, field
from draftengine.model.records.reader import Amount, Formula, Reader, Texts
from draftengine.model.records.schema_fragments import (
    ADDRESSES,
    ID,
    SIGN,
    by_player_count,
    list_of,
    map_of,
    ref,
    string,
    whole,
)
from draftengine.model.verbs.verb import Step, read_list
from draftengine.model.verbs.who import EVERYBODY, SEATS, Who, read_who
from draftengine.support.identity import by_identity
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.cardset.choices import Parameter, ReadingInfo, VariantInfo
    from draftengine.model.language.macros import Places
    from draftengine.model.records.reader import Zone
    from draftengine.model.rules.kind import OneSeatKind, RankedKind

DECK, HAND, TABLEAU, DISCARD = "deck", "hand", "tableau", "discard"
"""The names of the four zones that every game has. Cards in a seat's tableau count for that seat."""


class Forms(Record, frozen=True, kw_only=True):
    """The forms of a wild card: it is played as one of the cards in `of` for which `when` holds.

    In `when`, ``card`` is the number of copies of that card that the seat has.
    """

    of: Annotated[
        tuple[str, ...],
        field("Forms", "The cards, or families of cards, that it can be played as; or any.", ["soup", "bread"]),
    ]
    when: Annotated[
        Formula | None,
        field(
            "When",
            "The condition for a form to be allowed. `card` is the seat's number of cards of that form, and `its(…)` "
            "a value of the form's card.",
            "card > 0",
            read=lambda reader, name: reader.about(ANY_FORM).optional_formula(name),
        ),
    ] = None
    or_itself: Annotated[
        bool,
        field(
            "Or itself",
            "True if it can always be played as itself when no form is allowed. Otherwise only if too few other cards "
            "can be played.",
        ),
    ] = False
    span: Span


class Card(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Card", "A kind of card.", {"count": 14, "label": "Onion soup"})

    count: Annotated[
        int,
        field(
            "Count",
            "The number of copies in the deck, which may differ by number of players; 0 leaves the card out. Default: "
            "1; required in changes.",
            14,
            {"2": 7, "3": 10},
            "2 * players",
            schema=ref("copies"),
            read=lambda reader, name: reader.int_or_most(name),
        ),
    ]
    """The number of copies. Until `with_players` is called, it is the largest for any number of players."""
    counts: tuple[tuple[int, int], ...] = ()
    """Pairs of a number of players and the number of copies; empty if the number is always the same."""
    label: Label = ()
    icon: Annotated[str, field("Icon", "A sign shown beside the name.", "🍲", schema=string(SIGN, 16))] = ""
    text: Printed = ()
    family: Annotated[
        tuple[str, ...],
        field("Family", "The families that the card belongs to. Cards of a family can be counted together.", "drink"),
    ] = ()
    adds: Annotated[
        tuple[tuple[str, int], ...],
        field("Adds", "The amounts that the card adds to counters when it is played.", {"icons": 3}),
    ] = ()
    has: Annotated[
        tuple[tuple[str, int], ...],
        field(
            "Has",
            "Numbers on the card, which formulas about the card read with its(…). They add to no counter.",
            {"cost": 2},
        ),
    ] = ()
    cost: Annotated[tuple[tuple[str, int], ...], COST] = ()
    makes: Annotated[tuple[tuple[tuple[str, ...], int], ...], MAKES] = ()
    free_with: Annotated[tuple[str, ...], FREE_WITH] = ()
    keep: Annotated[bool, field("Keep", "The card stays when the tableau is cleared.")] = False
    face: Annotated[
        str | None, field("Face", "A name for what the card looks like until it is played, even to its holder.", "tea")
    ] = None
    starts_in: Annotated[str, field("Starts in", "The shared zone that the card starts in.", "pile")] = "deck"
    sides: Annotated[
        tuple[tuple[str, int], ...],
        field(
            "Sides",
            "The sides of the card: what it has with this side up, or the card that the side is. The first side is up "
            "at first.",
            {"day": {"adds": {"light": 1}}, "night": "owl"},
            schema=map_of(ID, ref("card_side"), 20, 2),
            read=Reader.numbers,
        ),
    ] = ()
    """The cards that it can show, each with a weight for rolls."""
    side: Annotated[str, field("", "", read=lambda reader, _name: reader.word("side"))] = ""
    """The name of the side that the card is, such as ``back``; empty for other cards and faces."""
    side_of: Annotated[str, field("", "", read=lambda reader, _name: reader.word("side_of"))] = ""
    """The card or die for which this card is one of the sides; empty for other cards."""
    copy_of: Annotated[str, field("", "", read=lambda reader, _name: reader.word("copy_of"))] = ""
    """The card whose copy this is, because each copy has a counter; empty for other cards."""
    forms: Annotated[Forms | None, field("Forms", "For a wild card: the cards that it can be played as.")] = None
    on_play: Annotated[
        tuple[Step, ...],
        field(
            "On play",
            "The steps that the seat carries out when it plays the card.",
            [{"roll": "fortune"}],
            schema=ref("steps"),
            read=read_list,
        ),
    ] = ()
    order: Annotated[
        int,
        field(
            "Order",
            "The order of the choices in `on_play` if several cards are played at once: the lowest number comes first.",
            1,
            schema=whole(-100, 100),
        ),
    ] = 0
    scores: Annotated[
        bool,
        field(
            "Scores",
            "A scoring rule of the card. It scores once for each copy that a seat has where cards count.",
            {"each": "bread", "points": 3},
            schema=ref("rule"),
            read=Reader.has,
        ),
    ] = False
    """True if the card has a rule, which is also in `CardSet.scoring` (see `Rule.card`)."""
    triggers: Annotated[
        bool,
        field(
            "Triggers",
            "Triggers of the card. They run only for seats that have the card where cards count.",
            [{"after": "reveal", "do": [{"points": 1}]}],
            schema=list_of(ref("trigger"), 10),
            read=Reader.has,
        ),
    ] = False
    """True if the card has triggers, which are also in `CardSet.triggers` (see `Trigger.card`)."""
    source: Sources = ()
    text_at: Span | None = None
    """The position of `text` in the file; ``None`` without a text."""
    begins: tuple[Step, ...] = ()
    """Effects before those of `on_play`, which the rulebook leaves out: the card's counters start again."""
    supplies: tuple[tuple[str, int], ...] = ()
    """The amounts that the card adds to hidden counters of payments, because of its key `makes`."""
    dues: tuple[tuple[str, int], ...] = ()
    """The hidden attributes that payments read, because of the card's key `cost`."""

    @property
    def is_die(self) -> bool:
        """True if this is a die: it shows only its sides, never itself."""
        return bool(self.sides) and self.id not in dict(self.sides)

    @classmethod
    def read(cls, reader: Reader, **given: Any) -> Self:
        entry = reader.node.entry("text")
        return super().read(reader, text_at=entry.value.span if entry else None, **given)

    @property
    def amounts(self) -> tuple[tuple[str, int], ...]:
        """All amounts that the card adds to counters."""
        return (*self.adds, *self.supplies)


class Counter(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field(
        "Counter", "A number that each seat has, or that the table has.", {"label": "stars"}
    )

    label: Label = ()
    per: Annotated[
        str,
        field(
            "Per",
            "seat: each seat has its own; table: one for all; a zone: each of its copies; card or a family: each card.",
            "table",
            default="seat",
        ),
    ] = "seat"
    start: Annotated[
        int,
        field(
            "Start",
            "The value at the start, which may differ by number of players.",
            3,
            {"3": 11, "4": 9},
            schema=by_player_count(whole(-limits.AMOUNT, limits.AMOUNT)),
            read=lambda reader, name: reader.int_or_most(name),
        ),
    ] = 0
    """The value at the start. Until `with_players` is called, it is the largest for any number of players."""
    starts: tuple[tuple[int, int], ...] = ()
    """Pairs of a number of players and the value at the start; empty if it is always the same."""
    keep: Annotated[
        bool | None,
        field(
            "Keep",
            "True: the value survives when tableaus are cleared; false: it is reset. Default: only the amounts of "
            "cards that stay survive.",
        ),
    ] = None
    die: Annotated[
        int | None, field("Die", "The number of sides, if the counter is a die.", 6, schema=whole(2, 100))
    ] = None
    min: Annotated[
        int | None,
        field("Lowest", "The lowest value that effects other than a roll can give it. Default with `max`: 0.", 0),
    ] = None
    max: Annotated[
        int | None, field("Highest", "The highest value that effects other than a roll can give it.", 10)
    ] = None
    track: Annotated[
        Literal["first", "last"] | None,
        field(
            "Track",
            "Orders seats with equal values by their arrival: the first or the last to come there is ahead.",
            "last",
        ),
    ] = None
    seen_by: Annotated[
        Literal["everyone", "nobody"],
        field("Seen by", "nobody: only the rules use it, so neither tables nor reports of what happens show it."),
    ] = "everyone"
    source: Sources = ()
    card: str = ""
    """The card on which the counter lies; empty for a counter of a seat or of the table."""
    label_of_all: Texts = ()
    """For a counter that many cards have: the common label of these counters."""

    def within(self, value: int) -> int:
        """Return `value` clamped to the declared bounds of the counter."""
        if self.min is not None:
            value = max(value, self.min)
        return value if self.max is None else min(value, self.max)


class Family(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Family", "Cards that are counted together.", {"label": "drinks"})

    label: Label = ()
    family: Annotated[
        tuple[str, ...], field("Family", "The family that this family belongs to. Its cards count there, too.", "food")
    ] = ()
    source: Sources = ()


class CardValue(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Value", "The name of a number on cards.", {"label": "price"})

    label: Label = ()
    source: Sources = ()


class Modifier(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Modifier", "A card that changes the next card of a certain kind.")

    card: Annotated[str, field("Card", "The modifier card. Once played, it waits for a card that it changes.", "spice")]
    applies_to: Annotated[
        tuple[str, ...],
        field(
            "Applies to",
            "The cards, or families of cards, that it changes. The next such card must be played on it.",
            "drink",
        ),
    ]
    then: Annotated[
        tuple[Amount, ...],
        field(
            "Then",
            "The amounts that the card on it adds instead; `amount` is the usual amount.",
            {"stars": "3 * amount"},
        ),
    ]
    capacity: Annotated[
        int, field("Capacity", "The number of cards that can be played on one modifier.", schema=whole(1, 20))
    ] = 1
    opens: Annotated[
        Literal["at_once", "after_reveal"],
        field("Opens", "at_once: the next card can be played on it; after_reveal: only cards of later choices can."),
    ] = "at_once"
    """The time at which its slots open. After the reveal, cards played in the same choice cannot use them."""
    stacks: Annotated[bool, field("Stacks", "True if one card can use several modifiers at once.")] = False
    label: Label = ()
    source: Sources = ()


class Ability(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Ability", "A card in the tableau that lets its seat take further cards.")

    card: Annotated[
        str, field("Card", "The card with the ability. It must be in the tableau when the turn begins.", "ladle")
    ]
    take: Annotated[int, field("Take", "The number of further cards that a use takes.", schema=whole(1, 10))] = 1
    when: Annotated[
        Literal["before_reveal", "after_reveal"],
        field(
            "When",
            "before_reveal: a seat uses it together with its choice; after_reveal: it decides when all cards are "
            "revealed.",
        ),
    ] = "before_reveal"
    per_turn: Annotated[
        int, field("Per turn", "The number of times that a seat can use such cards in a turn.", schema=whole(1, 10))
    ] = 1
    returns_to: Annotated[
        Literal["hand", "place", "discard", "stays"],
        field(
            "Returns to",
            "The place that the used card goes to. hand, discard; place: where the last card was taken; stays: it "
            "stays in the tableau.",
        ),
    ]
    turns_up: Annotated[
        bool,
        field(
            "Turns up",
            "With `place`: true if the cards under the last card turn face up before the used card covers them.",
        ),
    ] = False
    call: Annotated[Texts, field("Call", "The words that a player calls out to use it.", "Soup!")] = ()
    label: Label = ()
    text: Printed = ()
    source: Sources = ()


ON_CARDS: Mapping[str, tuple[str, type[Modifier | Ability]]] = MappingProxyType(
    {"modifier": ("modifiers", Modifier), "ability": ("abilities", Ability)}
)
"""The entries that a card may contain, by key: the section to which each belongs, and its record."""


class ExtraSeat(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Extra seat", "A seat without a person. It has a tableau, is ranked and scored.")

    label: Label = ()
    wins: Annotated[bool, field("Wins", "True if it can win.")] = True
    ranked: Annotated[bool, field("Ranked", "True if it is compared with the other seats.")] = True
    source: Sources = ()


class Marker(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Marker", "Something that one seat holds, or nobody.")

    label: Label = ()
    start: Annotated[
        Literal["nobody", "first", "random"] | int,
        field(
            "Start",
            "The first holder: nobody, first (seat 0), random, or a seat, counted from 0.",
            "first",
            schema={
                "type": ["string", "integer"],
                "minimum": 0,
                "maximum": 98,
                "if": {"type": "string"},
                "then": {"enum": ["nobody", "first", "random"]},
            },
            read=lambda reader, name: reader.optional_word(name) or reader.optional_int(name),
        ),
    ] = "nobody"
    role: Annotated[
        Texts,
        field(
            "Role",
            "The name of its holder, if the marker is a role instead of a thing in the box.",
            {"en": "the dealer"},
        ),
    ] = ()
    source: Sources = ()


class ChipPile(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field(
        "Chips", "A face-down pile of chips. Until the end of the game, only the owner of a chip knows its value."
    )

    label: Label = ()
    values: Annotated[
        tuple[int, ...],
        field(
            "Values", "The value of each chip.", [3, 4, 5], schema=list_of(whole(-limits.AMOUNT, limits.AMOUNT), 100)
        ),
    ]
    source: Sources = ()


class Token(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field(
        "Token", "A thing that points are kept with: a cube, a coin, a bowl. It does not affect the game."
    )

    label: Label = ()
    value: Annotated[
        int | None,
        field("Value", "The number of points that it stands for. Default: none.", 5, schema=whole(1, limits.AMOUNT)),
    ] = None
    per: Annotated[Literal["seat", "table"], field("Per", "seat: each seat takes one; table: one for all.")] = "table"
    source: Sources = ()


class Define(Struct, frozen=True):
    """A *definition*: a named formula, with parameters if any. Formulas that use it contain its expansion."""

    id: str
    parameters: tuple[str, ...]
    """The names of the parameters."""
    formula: Formula
    span: Span
    label: Texts = ()
    """The name that sentences use for the formula; empty if they put the formula in words."""
    text: Texts = ()
    """The explanation in the rulebook; empty if the rulebook puts the formula in words."""


class Trigger(NamedRecord, frozen=True, kw_only=True):
    said: ClassVar[FieldSpec] = field("Trigger", "Effects on the seats that meet a condition, at a certain moment.")

    after: Annotated[
        str,
        field(
            "After",
            "The moment: reveal (after each revealed choice), turn, the label of a score step, or the id of a step.",
            "reveal",
        ),
    ]
    who: Annotated[
        Formula, replace(SEATS, read=lambda reader, name: (read_who(reader, name) or Who()).condition(reader.span))
    ] = EVERYBODY
    only: Annotated[
        Literal["single", "each"], field("Only", "single: only if exactly one seat is affected; each: every such seat.")
    ] = "each"
    unless: Annotated[
        Formula | None, field("Unless", "Seats that meet this condition are left out.", "holds(trophy)")
    ] = None
    by: Annotated[
        Formula | None,
        field("By", "A number that groups the seats. Groups follow each other, smallest number first.", "0 - stars"),
    ] = None
    do: Annotated[
        tuple[Step, ...],
        field(
            "Do",
            "The effects on these seats, and the steps that they then carry out.",
            [{"points": 2}],
            schema=ref("steps"),
            read=read_list,
        ),
    ]
    label: Label = ()
    text: Printed = ()
    source: Sources = ()
    card: str = ""
    """The card that has this trigger; empty for other triggers."""
    number: int = 0
    """The index of the trigger in the list of its card."""
    each: Trigger | None = None
    """For a trigger of a card: the trigger as the card states it, for one copy of the card."""

    @property
    def path(self) -> str:
        """The JSON Pointer of the trigger in the file."""
        return f"/cards/{self.card}/triggers/{self.number}" if self.card else f"/triggers/{self.id}"


class Rule(Struct, frozen=True):
    """A scoring rule. `spec` has the fields that depend on its `kind` (see draftengine.model.rules)."""

    id: str
    kind: str
    at: str
    label: Texts
    text: Texts
    """The text for the rulebook, instead of the generated sentence; empty if there is none."""
    when: Formula | None
    spec: OneSeatKind[Formula] | RankedKind[Formula]
    source: tuple[str, ...]
    span: Span
    card: str = ""
    """The card that has this rule; empty for other rules. A seat scores it once for each copy of the card."""
    labelled: bool = False
    """True if the author gave a label; False if the label was made from the id."""

    @property
    def path(self) -> str:
        """The JSON Pointer of the rule in the file."""
        return f"/cards/{self.card}/scores" if self.card else f"/scoring/{self.id}"


class TieBreaker(Struct, frozen=True):
    order: Literal["most", "fewest"]
    measure: Formula
    source: tuple[str, ...]
    span: Span
    holder: str = ""
    """The marker whose holder wins the tie; empty for other tie-breakers."""


class Winner(Struct, frozen=True):
    order: Literal["most", "fewest"]
    tie_breakers: tuple[TieBreaker, ...]
    source: tuple[str, ...]
    span: Span


class TurnOrder(Struct, frozen=True):
    marker: str
    span: Span


class Citation(Struct, frozen=True):
    id: str
    text: str


class Assumption(Struct, frozen=True):
    """A rule that no available document confirms, so that the author assumed it."""

    of: Texts
    """The label of the card, rule or other part that the assumption is about; empty for the whole game."""
    text: Texts
    variant: str
    """The inactive variant to which the assumption belongs; empty if the assumption applies now."""


class About(Record, frozen=True, kw_only=True):
    """Information about the game that is not part of the rules."""

    age: Annotated[int | None, field("Age", "The age from which the game is suitable.", 8, schema=whole(0, 99))] = None
    minutes: Annotated[
        int | None, field("Minutes", "The duration of a game in minutes.", 15, schema=whole(1, 10_000))
    ] = None
    author: Annotated[str, field("Author", "The person who invented the game.", schema=string(longest=200))] = ""
    publisher: Annotated[str, field("Publisher", "The publisher of the game.", schema=string(longest=200))] = ""
    year: Annotated[
        int | None, field("Year", "The year in which the game was published.", 2012, schema=whole(1, 9999))
    ] = None
    url: Annotated[str, field("Address", "The address of a page about the game.", schema=string(ADDRESSES))] = ""
    text: Annotated[Texts, field("Text", "A description of the game.")] = ()


class CardSet(Struct, frozen=True):
    """A card set with its overlays (extensions, variants, readings) applied: one playable game."""

    id: str
    title: Texts
    version: str
    about: About
    min_players: int
    max_players: int
    rounds: int
    parameters: tuple[Parameter, ...]
    """All parameters of the game and of its active variants. Their `default` is the chosen value."""
    definitions: tuple[Define, ...]
    cards: tuple[Card, ...]
    counters: tuple[Counter, ...]
    """The counters that the file declares. Others, which only occur in `adds`, are found later."""
    families: tuple[Family, ...]
    """The families for which the file has a label."""
    payments: tuple[PaymentRecord, ...]
    values: tuple[CardValue, ...]
    """The attributes of cards (`Card.has`) for which the file has a label."""
    modifiers: tuple[Modifier, ...]
    abilities: tuple[Ability, ...]
    zones: tuple[Zone, ...]
    """The declared zones and the four built-in ones."""
    copied: tuple[tuple[str, Texts, Places], ...]
    """The zones that exist several times, as (name, label, copies). `zones` also contains the copies."""
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
    wins: Formula | None
    """The condition for a seat to win immediately; ``None`` if there is none."""
    variants: tuple[VariantInfo, ...]
    """All variants of the file, active or not."""
    active: tuple[str, ...]
    """The names of the active variants, in the order in which they are applied."""
    readings: tuple[ReadingInfo, ...]
    citations: tuple[Citation, ...]
    assumptions: tuple[Assumption, ...]
    """The assumptions that apply, followed by the assumptions of inactive variants."""
    turn_order: TurnOrder | None = None
    """The marker whose holder comes first when seats act in turn; ``None`` if the first seat does."""
    until: Formula | None = None
    """The condition that ends the game after a round; `rounds` is then only the largest number of rounds."""
    players_at: Span | None = None
    """The position of `players` in the file; ``None`` if the file does not have this key."""

    rounds_by: tuple[tuple[int, int], ...] = ()
    """Pairs of a number of players and the number of rounds; empty if it is always the same."""

    @property
    def last_round(self) -> int:
        """The number of the last round; 0 if it is not certain, because `until` may end the game earlier."""
        return 0 if self.until is not None else self.rounds

    def rounds_with(self, players: int) -> int:
        """Return the number of rounds with this number of players."""
        return dict(self.rounds_by).get(players, self.rounds)


@by_identity(64)
def with_players(model: CardSet, players: int) -> CardSet:
    """Return the card set with the copies, starts of counters and rounds for this number of players."""
    if not (model.rounds_by or any(card.counts for card in model.cards) or any(one.starts for one in model.counters)):
        return model
    cards = (replace(card, count=dict(card.counts).get(players, 0)) if card.counts else card for card in model.cards)
    counters = (replace(one, start=dict(one.starts).get(players, 0)) if one.starts else one for one in model.counters)
    return replace(model, cards=tuple(cards), counters=tuple(counters), rounds=model.rounds_with(players))


def text_in(texts: Texts, language: str = "en") -> str:
    """Return the text for a language; empty if there is none in any language.

    For ``pl-PL``, the text is the first that exists of ``pl-PL``, ``pl``, the text without a language, ``en``, and any
    other language.
    """
    by_tag = dict(texts)
    for tag in (language, language.split("-", maxsplit=1)[0], "", "en"):
        if tag in by_tag:
            return by_tag[tag]
    return texts[0][1] if texts else ""


def forms_in(texts: Texts, language: str = "en") -> dict[str, str]:
    """Return the plural forms of a label in a language, by their CLDR categories (``one``, ``few``, …)."""
    by_tag = dict(texts)
    for tag in (language, language.split("-", maxsplit=1)[0]):
        if tag in by_tag:
            return {key.partition("#")[2]: text for key, text in texts if key.startswith(f"{tag}#")}
    return {}
