"""Shapes of variants and readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.records.schema_fragments import (
    CITED,
    ID,
    SOURCE,
    described,
    formula,
    list_of,
    map_of,
    name,
    record,
    ref,
)

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema


def variant() -> Schema:
    """Return the shape of a variant."""
    return described(
        record(
            {
                "title": described(ref("text"), "Title", "What the variant is called.", "Pass both ways"),
                "text": described(ref("text"), "Text", "Its rule, as one would print it."),
                "needs": formula("Needs", "When it can be played: about players and parameters.", "players == 2"),
                "group": name("Group", "At most one variant of a group is played.", "variant"),
                "excludes": _variants("Excludes", "Variants that can't be played with it."),
                "requires": _variants("Requires", "Variants without which it can't be played."),
                "builds_on": _variants(
                    "Builds on", "Variants after which it is applied; it may change what they change."
                ),
                "parameters": parameters(),
                "changes": described(ref("changes"), "Changes", "What it changes in the game."),
                **CITED,
            },
            ["title"],
        ),
        "Variant",
        "A named change to the game that players can choose.",
    )


def _variants(title: str, description: str) -> Schema:
    return described(list_of(ref("name"), 50, 0), title, description, ["other"])


def parameters() -> Schema:
    """Return the shape of parameters."""
    numbers = map_of(ID, ref("parameter"), 50)
    return described(numbers, "Parameters", "Named numbers for formulas.", {"hand_size": {"default": 9}})


def reading() -> Schema:
    """Return the shape of a reading."""
    option = record(
        {
            "text": described(ref("text"), "Text", "What this option says.", "At least one icon is needed."),
            "changes": described(ref("reading_changes"), "Changes", "What it changes in the game."),
        },
        ["text"],
    )
    return described(
        record(
            {
                "question": described(ref("text"), "Question", "What the rulebook leaves open."),
                "default": name("Default", "The option that is played if nobody chooses.", "literal"),
                "options": described(
                    map_of(ID, described(option, "Option", "An answer."), 20, 1), "Options", "The possible answers."
                ),
                "reason": described(ref("text"), "Reason", "Why the default is what it is."),
                "variants": _variants("Variants", "The question is only asked where one of these variants is played."),
                "source": SOURCE,
            },
            ["question", "default", "options"],
        ),
        "Reading",
        "A question that the rulebook leaves open, and the answers.",
    )
