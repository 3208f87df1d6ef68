"""Shapes of components: cards, counters, what changes cards, zones, seats, markers, chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.records import (
    Ability,
    Card,
    CardValue,
    ChipPile,
    Counter,
    ExtraSeat,
    Family,
    Marker,
    Modifier,
    Parameter,
    Token,
)
from draftengine.model.records.record import definition_schema
from draftengine.model.records.schema_fragments import (
    ASSUMED,
    LABEL,
    LETTER,
    PLACE,
    SLOT,
    SPAN,
    described,
    list_of,
    map_of,
    record,
    string,
    whole,
    word,
)

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema


def components() -> dict[str, Schema]:
    """Return the shapes of everything that a card set declares by name."""
    return {
        "card": card(),
        "counter": definition_schema(Counter),
        "family": definition_schema(Family),
        "card_value": definition_schema(CardValue),
        "modifier": definition_schema(Modifier),
        "ability": definition_schema(Ability),
        "zone": zone(),
        "extra_seat": definition_schema(ExtraSeat),
        "marker": definition_schema(Marker),
        "chips": definition_schema(ChipPile),
        "token": definition_schema(Token),
        "parameter": definition_schema(Parameter),
    }


def card() -> Schema:
    """Return the shape of a card, or of a series of cards."""
    shape = definition_schema(Card)
    series = described(
        map_of(LETTER, string(SPAN, 9), 1, 1),
        "Series",
        "From which number to which the entry is repeated, with each in the place of the letter in braces.",
        {"n": "1-20"},
    )
    for name in ("has", "adds"):
        entry = shape["properties"][name]
        entry["additionalProperties"] = {
            **entry["additionalProperties"],
            "type": ["integer", "string"],
            "pattern": SLOT,
        }
    return {**shape, "properties": {**shape["properties"], "series": series}}


def zone() -> Schema:
    """Return the shape of a zone."""
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
                "counts": described(
                    {"type": "boolean"}, "Counts", "Do its cards count for their seat, as those of a tableau do."
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
