"""The codes of worked examples and scenarios."""

from __future__ import annotations

from draftengine.model.diagnostics.entry import Entry

_BAD = "examples:\n  - {name: one bowl, tables: [[soup], []], expect: {points: {soup: [3, 0]}}}\n"
_GOOD = "examples:\n  - {name: one bowl, tables: [[soup], []], expect: {points: {soup: [2, 0]}}}\n"

TABLE: tuple[Entry, ...] = (
    Entry(
        "example-fails",
        "A worked example comes out differently",
        "The rules lead from the position and the moves of this example to something else than it expects. "
        "Of an example that is taken over from the card set that yours extends this is a warning.",
        _BAD,
        _GOOD,
    ),
    Entry(
        "example-invalid",
        "A worked example makes no sense",
        "It names something that the game does not have, or it lays out or plays what cannot be.",
        _BAD.replace("[[soup], []]", "[[soop], []]"),
        _GOOD,
    ),
    Entry(
        "example-set-aside",
        "Worked examples of the extended card set no longer hold",
        "What this file changes leads them to something else, or takes away what they name. They belong to another "
        "file, so they are left out, and nothing has to be mended. Examples of your own say what your change is to do.",
        severity="note",
    ),
)
