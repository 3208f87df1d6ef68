"""The shapes of components: cards, counters, what changes cards, zones, seats, markers, chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.records.pieces import (
    ASSUMED,
    CITED,
    ID,
    LABEL,
    PLACE,
    TEXT,
    described,
    flag,
    formula,
    list_of,
    map_of,
    name,
    number,
    record,
    ref,
    string,
    whole,
    word,
)

if TYPE_CHECKING:
    from draftengine.records.pieces import Schema


def card() -> Schema:
    """A kind of card."""
    adds = map_of(ID, whole(-1000, 1000), 20)
    forms = record(
        {
            "of": described(ref("names"), "Forms", "The cards as which it can be played.", ["soup", "bread"]),
            "when": formula("When", "Which of them are allowed; `card` is the seat's count of that card.", "card > 0"),
        },
        ["of"],
    )
    return described(
        record(
            {
                "count": described(whole(0, 500), "Count", "Copies in the deck; 0 keeps the card out.", 14),
                "label": LABEL,
                "icon": described(string(longest=16), "Icon", "A sign shown beside the name.", "🍲"),
                "text": TEXT,
                "family": described(
                    ref("names"), "Family", "A name under which such cards are counted together.", "drink"
                ),
                "adds": described(adds, "Adds", "Amounts that it adds to counters when it is played.", {"icons": 3}),
                "keep": flag("Keep", "The card stays when the tableau is cleared.", default=False),
                "face": name("Face", "What it looks like until it is played, also to its holder.", "tea"),
                "starts_in": name("Starts in", "The shared zone in which it lies at first.", "pile", default="deck"),
                "forms": described(forms, "Forms", "A wild card: it is played as one of these cards."),
                "on_play": described(
                    list_of(ref("effect"), 10), "On play", "What happens when it is played.", [{"roll": "fortune"}]
                ),
                **CITED,
            },
            ["count"],
        ),
        "Card",
        "A kind of card.",
        {"count": 14, "label": "Onion soup"},
    )


def counter() -> Schema:
    """A number of each seat."""
    return described(
        record(
            {
                "label": LABEL,
                "start": number("Start", "Its value at the start.", -1000, 1000, 0),
                "keep": described(
                    {"type": "boolean"},
                    "Keep",
                    "Whether it survives clearing; without it, amounts survive with the cards that made them.",
                ),
                "die": described(whole(2, 100), "Die", "It is a die with so many sides.", 6),
                "min": described(whole(), "Lowest", "No effect but a roll brings it below this.", 0),
                "max": described(whole(), "Highest", "No effect but a roll brings it above this.", 10),
                **CITED,
            }
        ),
        "Counter",
        "A number of each seat.",
        {"label": "stars"},
    )


def modifier() -> Schema:
    """A card that changes the next one."""
    return described(
        record(
            {
                "card": name("Card", "Each such card, once played, lies open.", "spice"),
                "applies_to": described(
                    ref("names"), "Applies to", "The next card of this family, or this card, must go on it.", "drink"
                ),
                "then": described(
                    ref("amounts"),
                    "Then",
                    "What the card on it adds instead; `amount` is what it would add.",
                    {"stars": "3 * amount"},
                ),
                "capacity": number("Capacity", "How many cards one modifier takes.", 1, 20, 1),
                "opens": word(
                    "Opens",
                    "at_once: the next card may go on it; after_reveal: but not one that is taken together with it.",
                    "at_once",
                    "after_reveal",
                    default="at_once",
                ),
                "stacks": flag("Stacks", "May a card use several modifiers at once.", default=False),
                "label": LABEL,
                **CITED,
            },
            ["card", "applies_to", "then"],
        ),
        "Modifier",
        "A card that changes the next card of some kind.",
    )


def ability() -> Schema:
    """A card with which a seat takes more."""
    return described(
        record(
            {
                "card": name("Card", "It must lie in the tableau when the turn begins.", "ladle"),
                "take": number("Take", "How many further cards are taken.", 1, 10, 1),
                "when": word(
                    "When",
                    "before_reveal: with the first card; after_reveal: decided once everybody's cards are known.",
                    "before_reveal",
                    "after_reveal",
                    default="before_reveal",
                ),
                "per_turn": number("Per turn", "How often a seat may use such cards in a turn.", 1, 10, 1),
                "returns_to": word(
                    "Returns to",
                    "Where the used card goes: hand; place: where the last card was taken; discard; stays.",
                    "hand",
                    "place",
                    "discard",
                    "stays",
                ),
                "turns_up": flag(
                    "Turns up",
                    "With place: does what the last card lay on turn up before it is covered again.",
                    default=False,
                ),
                "label": LABEL,
                "text": TEXT,
                **CITED,
            },
            ["card", "returns_to"],
        ),
        "Ability",
        "A card in the tableau with which a seat takes more.",
    )


def zone() -> Schema:
    """A place for cards."""
    face = word("Face", "Which way up the row lies.", "up", "down", default="up")
    row = record({"cards": described(whole(1, 30), "Cards", "Places in the row.", 3), "face": face}, ["cards"])
    covers: Schema = {
        "type": ["string", "object"],
        "enum": ["pyramid"],
        "propertyNames": {"pattern": PLACE},
        "additionalProperties": list_of(string(PLACE, 6), 30),
        "maxProperties": 200,
    }
    covers["if"], covers["then"] = {"type": "string"}, {"enum": covers.pop("enum")}
    layout = record(
        {
            "rows": described(list_of(row, 20), "Rows", "From the undermost row to the topmost.", [{"cards": 2}]),
            "covers": described(
                covers,
                "Covers",
                "pyramid: each place lies under the two next to it in the row after; or places with what covers each.",
                "pyramid",
                {"r1c1": ["r2c1"]},
            ),
        },
        ["rows"],
    )
    return described(
        record(
            {
                "per": word("Per", "seat: each seat has one; table: one for all.", "seat", "table"),
                "seen_by": word(
                    "Seen by",
                    "Who may look; without it everyone at a shared zone, the owner at a seat's.",
                    "nobody",
                    "owner",
                    "everyone",
                ),
                "layout": described(layout, "Layout", "A shared zone with places."),
                "label": LABEL,
                "assumed": ASSUMED,
            },
            ["per"],
        ),
        "Zone",
        "A place for cards. Every game has deck, hand, tableau and discard.",
        {"per": "seat", "seen_by": "nobody"},
    )


def small_components() -> dict[str, Schema]:
    """Seats without a person, markers, chips, tokens, parameters."""
    start: Schema = {"type": ["string", "integer"], "minimum": 0, "maximum": 98, "if": {"type": "string"}}
    start["then"] = {"enum": ["nobody", "first", "random"]}
    return {
        "extra_seat": described(
            record(
                {
                    "label": LABEL,
                    "wins": flag("Wins", "May it win.", default=True),
                    "ranked": flag("Ranked", "Is it compared with the other seats.", default=True),
                    **CITED,
                }
            ),
            "Extra seat",
            "A seat without a person; it has a tableau, is ranked and scored.",
        ),
        "marker": described(
            record(
                {
                    "label": LABEL,
                    "start": described(start, "Start", "Who has it first: a seat (from 0).", "first", default="nobody"),
                    **CITED,
                }
            ),
            "Marker",
            "Something that one seat holds, or nobody.",
        ),
        "chips": described(
            record(
                {
                    "label": LABEL,
                    "values": described(list_of(whole(-1000, 1000), 100), "Values", "One for each chip.", [3, 4, 5]),
                    **CITED,
                },
                ["values"],
            ),
            "Chips",
            "A face-down pile of chips; only its owner knows what a chip is worth until the end.",
        ),
        "token": described(
            record(
                {
                    "label": LABEL,
                    "value": described(whole(1, 1000), "Value", "How many points it stands for.", 5),
                    **CITED,
                },
                ["value"],
            ),
            "Token",
            "What points are kept with: a cube, a coin. It changes nothing in the game.",
        ),
        "parameter": described(
            record(
                {
                    "default": described(whole(), "Default", "Its value if nobody sets it.", 9),
                    "values": described(list_of(whole(), 100), "Values", "The values it can have.", [7, 8, 9]),
                    "label": LABEL,
                },
                ["default"],
            ),
            "Parameter",
            "A named number for formulas.",
            {"default": 9, "values": [7, 8, 9]},
        ),
    }
