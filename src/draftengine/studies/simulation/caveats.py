"""Caveats for figures from weak bots, which do not look beyond the card that they take."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from draftengine.bots.catalogue import described

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTCOMINGS = MappingProxyType(
    {
        "random": "takes any card",
        "greedy": "looks at nothing but the points of the moment",
        "easy": "looks at nothing but the points of the moment",
    }
)


def caveat(bots: Iterable[str]) -> str:
    """Return the warning that goes with figures of these bots; empty if they play well enough."""
    weak = dict.fromkeys(name.partition(":")[0] for name in bots)
    phrases = [f"{name} {SHORTCOMINGS[name]}" for name in weak if name in SHORTCOMINGS]
    return (
        f"Mind who played: {', and '.join(phrases)}. Among better players the figures may be different."
        if phrases
        else ""
    )


def who_played(bots: Iterable[str]) -> str:
    """Describe each bot in a sentence, for later readers of the figures."""
    known = described()
    sentences = []
    for name in dict.fromkeys(bots):
        text, _ = known.get(name.partition(":")[0], ("", ()))
        sentences.append(f"{name}: {text[:1].lower()}{text[1:]}" if text else name)
    return " ".join(sentence if sentence.endswith(".") else f"{sentence}." for sentence in sentences)


def players_of(bots: Iterable[str]) -> str:
    """Return a short phrase that names the bots."""
    return f"played by {', '.join(dict.fromkeys(bots))}"
