"""Limits: the error of a larger file names the limit and a remedy, and no two limits conflict."""

from __future__ import annotations

import pytest

from draftengine.api.scenario.suite import check_bytes
from draftengine.model import limits
from draftengine.model.library import open_text

GAME = """\
format: 1
id: large
title: Large
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 4}, bread: {count: 4}}
setup: [{shuffle: deck}, {deal: {to: hand, cards: 2}}]
round: [{choose: {from: hand}}, {score: round}]
scoring: {soup: {kind: each, of: soup + bread, points: 1, at: round}}
winner: {order: most}
"""


def many(key: str, entry: str, most: int) -> dict[str, str]:
    """Return a section with one entry too many; ``#`` in the entry stands for its number."""
    entries = ", ".join(f"n{number}: {entry.replace('#', str(number))}" for number in range(most + 1))
    return {key: f"{{{entries}}}"}


def scored(formula: str) -> dict[str, str]:
    return {"scoring": f"{{soup: {{kind: formula, points: {formula}, at: round}}}}"}


SUM = " + ".join(["soup"] * 60)
TOO_MUCH = {
    "bytes": {"#": "x" * limits.FILE_BYTES},
    "keys and values": {"sources": "[" + "1, " * limits.VALUES + "1]"},
    "lists and mappings in each other": {"setup": "[" * limits.NESTING + "]" * limits.NESTING},
    "characters of a text": {"title": "x" * (limits.TEXT + 1)},
    "characters of a name": {"id": "x" * (limits.NAME + 1)},
    "as a number": {"parameters": f"{{n: {{default: {limits.NUMBER + 1}, range: 1-2, title: N}}}}"},
    "included files": {"include": f"[{', '.join(f'a/{number}.yaml' for number in range(limits.INCLUDED + 1))}]"},
    "characters of a formula": scored("soup" + " + soup" * (limits.FORMULA // 7 + 1)),
    "levels of a formula": scored("(" * limits.PARENTHESES + "(soup)" + ")" * limits.PARENTHESES),
    "definitions": many("define", "soup + #", limits.DEFINITIONS),
    "names and numbers, definitions written out": {
        "define": f'{{"a(x)": {SUM} + x, "b(x)": "{" + ".join(["a(x)"] * 60)}"}}',
        **scored("b(bread)"),
    },
    "steps of calculating it once": {
        "players": str(limits.PLAYERS),
        "define": f'{{"a(x)": "{SUM} + x", "b(x)": "{" + ".join(["a(x)"] * 20)}"}}',
        "setup": "[{shuffle: deck}]",
        "round": "[{score: round}]",
        **scored("total(b(bread))"),
    },
    "kinds of cards": many("cards", "{count: 1}", limits.CARDS),
    "copies of a card": {"cards": f"{{soup: {{count: {limits.COPIES + 1}}}, bread: {{count: 4}}}}"},
    "counters": many("counters", "{}", limits.COUNTERS),
    "families": many("families", "{label: F#}", limits.FAMILIES),
    "modifiers": many("modifiers", "{card: bread, applies_to: soup, then: {soup: 2}}", limits.MODIFIERS),
    "modifiers of one card": {
        "cards": "{soup: {count: 4, adds: {bowls: 1}}, bread: {count: 4}}",
        "scoring": "{soup: {kind: each, of: bowls, points: 1, at: round}}",
        **many("modifiers", "{card: bread, applies_to: soup, then: {bowls: 2}}", limits.MODIFIERS_OF_A_CARD),
    },
    "abilities": many("abilities", "{card: bread, take: 1}", limits.ABILITIES),
    "zones beside the usual ones": many("zones", "{per: seat, visible: all}", limits.ZONES),
    "markers": many("markers", "{start: first}", limits.MARKERS),
    "piles of chips": many("chips", "{values: [1]}", limits.CHIPS),
    "tokens": many("tokens", "{value: 1}", limits.TOKENS),
    "added to a counter by a card, or its start": {
        "cards": f"{{soup: {{count: 4, adds: {{bowls: {limits.AMOUNT + 1}}}}}, bread: {{count: 4}}}}"
    },
    "from the lowest to the highest value of a counter": {
        "cards": "{soup: {count: 400, adds: {bowls: 99999}}, bread: {count: 4}}",
        "setup": "[{shuffle: deck}, {deal: {to: hand, cards: 99}}]",
        "round": "[{repeat: {times: 99, do: [{choose: {from: hand}}]}}, {score: round}]",
        "scoring": "{soup: {kind: each, of: bowls + bread, points: 1, at: round}}",
    },
    "players": {"players": str(limits.PLAYERS + 1)},
    "extra seats": many("extra_seats", "{}", limits.EXTRA_SEATS),
    "rounds": {"rounds": str(limits.ROUNDS + 1)},
    "cards or turns of a step": {"setup": f"[{{deal: {{to: hand, cards: {limits.STEP + 1}}}}}]"},
    "turns of a game": {
        "rounds": str(limits.ROUNDS),
        "round": f"[{{repeat: {{times: {limits.STEP}, do: [{{gather: deck}}]}}}}, {{score: round}}]",
    },
    "steps in a list": {"setup": "[" + "{shuffle: deck}, " * limits.STEPS + "{shuffle: deck}]"},
    "triggers": many("triggers", "{after: reveal, who: soup > 1, do: [{points: 1}]}", limits.TRIGGERS),
    "rules": many("scoring", "{kind: each, of: soup, points: 1, at: round}", limits.RULES),
    "points of a seat": scored("soup * 1000000 * 99"),
    "variants": many("variants", "{title: V#, changes: {rounds: 2}}", limits.VARIANTS),
    "menus": many("menus", "[n1]", limits.MENUS),
    "readings": many(
        "readings", "{question: Q#, default: a, options: {a: {title: A}, b: {title: B}}}", limits.READINGS
    ),
    "sources": {"sources": "{" + ", ".join(f"O-{n}: text" for n in range(limits.SOURCES + 1)) + "}"},
    "worked examples": {
        "examples": "["
        + "{name: x, tables: [[], []], expect: {points: {soup: [0, 0]}}}, " * limits.EXAMPLES
        + "{name: last}]"
    },
}
"""Keys of `GAME` that exceed a limit, by the subject of the limit."""


@pytest.mark.parametrize("limit", limits.TABLE, ids=lambda limit: limit.what)
def test_a_finding_says_the_limit_and_what_to_do(limit):
    """Check that a file above a limit has an error with the limit's number and a hint."""
    if limit.what not in TOO_MUCH:
        pytest.skip("its test stands with what it is about")
    keys = {line.partition(":")[0]: line.partition(": ")[2] for line in GAME.splitlines()} | TOO_MUCH[limit.what]
    text = "".join(f"{key}: {value}\n" for key, value in keys.items())
    findings = check_bytes("large.yaml", "large.yaml", text.encode())
    numbers = (str(limit.most), f"{limit.most:,}", f"{limit.most >> 10} KiB")
    telling = [it for it in findings if it.severity == "error" and any(number in it.message for number in numbers)]
    assert telling, [(it.code, it.message) for it in findings[:5]]
    assert all(it.hint for it in telling)


def test_no_limit_forbids_what_another_allows():
    """Check that the largest number and the longest text, in any writing, are read."""
    long = "汁" * limits.TEXT
    game = GAME.replace("title: Large", f"title: Large\nabout: {{text: {long}}}")
    game = game.replace("points: 1,", f"points: {limits.NUMBER // 1000},")
    game += f"parameters: {{n: {{default: {limits.NUMBER}, range: {limits.NUMBER}-{limits.NUMBER}, title: N}}}}\n"
    opened = open_text("large.yaml", game.encode(), lambda _: None)
    assert [it.code for it in opened.findings if it.code in {"text-too-long", "number-too-large", "wrong-length"}] == []
