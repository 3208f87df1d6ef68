"""Help from the card set: the game, its cards, its scoring rules, and the commands to type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.labels import card_in, of_card, of_rules, of_things
from draftengine.api.phrasing.vocabulary import series_name, series_of
from draftengine.apps.play.terminal_style import padded
from draftengine.model.diagnostics.render.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.apps.play.labels import Names

_COMMANDS = (
    ("help.take.keys", "help.take"),
    ("2, 5", "help.several"),
    ("help.explain.keys", "help.explain"),
    ("help.lists.keys", "help.lists"),
    ("h", "help.hint"),
    ("u", "help.undo"),
    ("t", "help.table"),
    ("w, w 1", "help.why"),
    ("s", "help.save"),
    ("help.quit.keys", "help.quit"),
)


def title(names: Names) -> str:
    return names.style.safe(names.labels.title)


def about_game(names: Names) -> list[str]:
    """Return the card set's introduction to the game."""
    text = names.text(names.game.model.about.text)
    return names.style.wrapped(text.split(), 2, "  ") if text else []


def variant_titles(names: Names) -> list[str]:
    """Return the titles of the active variants."""
    return [names.style.safe(names.labels.variant(name)) for name in names.game.variants]


def commands(names: Names) -> list[str]:
    """Return the commands with their meanings, one per line."""
    known = in_words(_COMMANDS, names)
    wide = max(width_of(typed) for typed, _ in known)
    return ["", *(f"  {names.style.accent(padded(typed, wide))}  {meaning}" for typed, meaning in known)]


def in_words(known: Iterable[tuple[str, str]], names: Names) -> list[tuple[str, str]]:
    """Return keys or commands with what they do; ids of messages are replaced by their texts."""
    return [(names.say(typed) if typed.startswith("help.") else typed, names.say(does)) for typed, does in known]


def cards_in_short(names: Names) -> list[str]:
    """Return one entry for each card in the box; cards of a series share one."""
    lines = [""]
    there = [card for card in names.game.model.cards if card.count]
    for cards in series_of(there):
        label = names.card(cards[0].id) if len(cards) == 1 else series_name(cards, names.labels.speech)
        text = names.style.safe(of_card(cards[0], names.labels))
        lines += names.style.wrapped(text.split(), 6, f"  {names.style.bold(names.style.safe(label))}  ")
    return lines


def scoring_rules(names: Names) -> list[str]:
    """Return each scoring rule as a sentence."""
    lines = [""]
    for rule in of_rules(names.labels):
        first = f"  {names.style.bold(names.reason(rule.id))} ({names.moment(rule.at).lower()})  "
        lines += names.style.wrapped(names.style.safe(rule.text).split(), 6, first)
    return lines


def counters_and_markers(names: Names) -> list[str]:
    """Return the start and bounds of counters, and the holders of markers and how they move on."""
    lines = [""]
    for thing in of_things(names.labels, names.game.players):
        if thing.kind in {"counter", "marker"}:
            first = f"  {names.style.bold(names.label(thing.id))}  "
            lines += names.style.wrapped(names.style.safe(thing.text).split(), 6, first)
    return lines if len(lines) > 1 else []


def citations(source: Sequence[str], names: Names) -> list[str]:
    """Return the citations that something rests on; with their texts only in English, their language."""
    quoted = names.game.model.citations if names.language == "en" else ()
    texts, style = {citation.id: citation.text for citation in quoted}, names.style
    lines = []
    for name in source:
        words = style.safe(f"{name}: {texts[name]}" if texts.get(name) else name).split()
        lines += [style.faint(line) for line in style.wrapped(words, 6, "    ")]
    return lines


def about_card(name: str, names: Names) -> list[str]:
    """Return the card set's text about a card, its citations, and the rules that count it.

    For a face, the texts of all cards with this face are given, each text once.
    """
    model = names.game.model
    wanted = card_in(name)
    cards = [card for card in model.cards if wanted in {card.id, card.face}]
    count = sum(card.count for card in cards)
    style = names.style
    in_the_box = f"  {style.faint(names.say('lies.in_the_box', count=count))}" if cards else ""
    lines = ["", f"  {style.bold(names.card(name))}{in_the_box}"]
    for text in dict.fromkeys(of_card(card, names.labels, with_rules=False) for card in cards):
        if text:
            lines += style.wrapped(style.safe(text).split(), 4, "    ")
    for label, sentence in dict.fromkeys(
        pair for card in cards for pair in names.game.rules_about(card.id, names.labels)
    ):
        lines += style.wrapped(style.safe(f"{label}: {sentence}").split(), 6, "    " + style.typed("– "))
    return [*lines, *citations(tuple(dict.fromkeys(source for card in cards for source in card.source)), names)]
