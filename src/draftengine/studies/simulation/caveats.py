"""What figures are not to be taken for: those of bots that see no further than the card that they take."""

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
    """What has to be said beside every figure of some bots; empty if they play well enough."""
    weak = dict.fromkeys(name.partition(":")[0] for name in bots)
    phrases = [f"{name} {SHORTCOMINGS[name]}" for name in weak if name in SHORTCOMINGS]
    return (
        f"Mind who played: {', and '.join(phrases)}. Among better players the figures may be different."
        if phrases
        else ""
    )


def who_played(bots: Iterable[str]) -> str:
    """Every bot with what it does, for who reads figures later."""
    known = described()
    sentences = []
    for name in dict.fromkeys(bots):
        text, _ = known.get(name.partition(":")[0], ("", ()))
        sentences.append(f"{name}: {text[:1].lower()}{text[1:]}" if text else name)
    return " ".join(sentence if sentence.endswith(".") else f"{sentence}." for sentence in sentences)


def players_of(bots: Iterable[str]) -> str:
    """Who played, in a few words."""
    return f"played by {', '.join(dict.fromkeys(bots))}"
