"""Help from the card set: texts about the game, cards, rules and commands, and answers to ``? NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.facts import Facts
from draftengine.api.labels import card_in
from draftengine.api.phrasing import CardSetPhraser
from draftengine.api.phrasing.sentences import begun
from draftengine.api.phrasing.vocabulary import series_name, series_of
from draftengine.apps.play.move_builder import NoSuchItemError, alike, is_named
from draftengine.apps.play.terminal_style import padded
from draftengine.model.diagnostics.suggest import closest
from draftengine.model.language.evaluate import references
from draftengine.support.locale.catalogue import plain
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.facts import Fact, Things
    from draftengine.apps.play.labels import Names

_COMMANDS = (
    ("help.take.keys", "help.take"),
    ("2, 5", "help.several"),
    ("help.explain.keys", "help.explain"),
    ("help.lists.keys", "help.lists"),
    ("h", "help.hint"),
    ("v", "help.bars"),
    ("x", "help.tips"),
    ("u", "help.undo"),
    ("t", "help.table"),
    ("w, w 1", "help.why"),
    ("s", "help.save"),
    ("help.quit.keys", "help.quit"),
)


def title(names: Names) -> str:
    return names.style.safe(names.labels.title)


def about_game(names: Names) -> list[str]:
    """Return the author's introduction to the game, as lines."""
    text = names.text(names.game.model.about.text)
    return names.style.wrapped(text.split(), 2, "  ") if text else []


def variant_titles(names: Names) -> list[str]:
    return [names.style.safe(names.labels.variant(name)) for name in names.game.variants]


def commands(names: Names, *, tips: bool) -> list[str]:
    """Return the commands and their meanings as lines. The command for tips is included only with `tips`."""
    known = in_words([command for command in _COMMANDS if tips or command[1] != "help.tips"], names)
    wide = max(width_of(typed) for typed, _ in known)
    return ["", *(f"  {names.style.accent(padded(typed, wide))}  {meaning}" for typed, meaning in known)]


def in_words(known: Iterable[tuple[str, str]], names: Names) -> list[tuple[str, str]]:
    """Return (key or command, meaning) pairs, with texts in place of ids of messages."""
    return [(names.say(typed) if typed.startswith("help.") else typed, names.say(does)) for typed, does in known]


def cards_in_short(names: Names, things: Things | None = None) -> list[str]:
    """Return short texts about the cards in the box, one for each card or series of similar cards."""
    lines = [""]
    there = [card for card in names.game.model.cards if card.count]
    for cards in series_of(there):
        label = names.card(cards[0].id) if len(cards) == 1 else series_name(cards, names.labels.speech)
        text = names.style.safe((things or names.things).card(cards[0]).plain)
        lines += names.style.wrapped(text.split(), 6, f"  {names.style.bold(names.style.safe(label))}  ")
    return lines if there else []


def rules_in_short(names: Names) -> list[str]:
    """Return the rulebook's sentences on scoring, events, special cards, words and the end of the game."""
    model, style = names.game.model, names.style
    speech = CardSetPhraser(model, names.language, (names.game.players,)).by_name()
    facts = Facts(names.game.ruleset, speech)
    rules = [
        (f"{style.bold(style.safe(fact.title))} ({names.moment(fact.at).lower()})", fact) for fact in facts.sections
    ]
    others = [(style.bold(style.safe(fact.title)), fact) for fact in (*facts.events, *facts.special)]
    entries = [(title, fact.plain) for title, fact in (*rules, *others)]
    entries += [(style.bold(style.safe(begun(name))), plain(text)) for name, text in speech.called()]
    entries.append((style.bold(speech.phrase("h.end")), plain(speech.joined([facts.ends, facts.wins]))))
    return [
        "",
        *(line for title, text in entries for line in style.wrapped(style.safe(text).split(), 6, f"  {title}  ")),
    ]


def counters_and_markers(names: Names) -> list[str]:
    """Return the start and bounds of counters, the holders of markers, and how markers move."""
    lines = [""]
    starting = {counter.id for counter in names.game.model.counters if counter.start}
    for fact in (*(fact for fact in names.things.counters if fact.id in starting), *names.things.markers):
        first = f"  {names.style.bold(names.label(fact.id))}  "
        lines += names.style.wrapped(names.style.safe(fact.plain).split(), 6, first)
    return lines if len(lines) > 1 else []


def citations(source: Sequence[str], names: Names) -> list[str]:
    """Return the rulebook passages for a statement as lines; none unless the screen is in English."""
    if not names.cites:
        return []
    texts, style = {citation.id: citation.text for citation in names.game.model.citations}, names.style
    lines = []
    for name in source:
        words = style.safe(f"{name}: {texts[name]}" if texts.get(name) else name).split()
        lines += [style.faint(line) for line in style.wrapped(words, 6, "    ")]
    return lines


def about_card(name: str, names: Names) -> list[str]:
    """Return the text about a card, the rulebook passages for it, and the rules that count it.

    For a face, the texts of all cards with this face are given, each text once.
    """
    model = names.game.model
    wanted = card_in(name)
    cards = [card for card in model.cards if wanted in {card.id, card.face}]
    count = sum(card.count for card in cards)
    style = names.style
    things = [names.card(card.side_of) for card in cards if card.side_of]
    there = names.say("lies.a_side", thing=things[0]) if things else names.say("lies.in_the_box", count=count)
    in_the_box = f"  {style.faint(there)}" if cards else ""
    lines = ["", f"  {style.bold(names.card(name))}{in_the_box}"]
    for text in dict.fromkeys(names.things.card(card, with_rules=False).plain for card in cards):
        if text:
            lines += style.wrapped(style.safe(text).split(), 4, "    ")
    for label, sentence in dict.fromkeys(
        pair for card in cards for pair in names.game.rules_about(card.id, names.labels)
    ):
        lines += style.wrapped(
            style.safe(names.say("lies.labelled", label=label, text=sentence)).split(), 6, "    " + style.typed("– ")
        )
    return [*lines, *citations(tuple(dict.fromkeys(source for card in cards for source in card.source)), names)]


class Topic(Struct, frozen=True):
    """A thing of a game that people can look up by its name, with texts about it."""

    id: str
    label: str
    title: str = ""
    """The title above the texts; empty for a card, whose text has its own."""
    texts: Sequence[str] = ()
    source: Sequence[str] = ()

    def lines(self, names: Names) -> list[str]:
        """Return the title, the texts and the rulebook passages as lines."""
        if not self.title:
            return about_card(self.id, names)
        lines = ["", f"  {names.style.bold(self.title)}"]
        for text in self.texts:
            lines += names.style.wrapped(text.split(), 4, "    ")
        return [*lines, *citations(self.source, names)]


def explained(text: str, names: Names) -> list[str]:
    """Return lines about the thing with this name or, without one, the thing whose name contains the text.

    Cards take precedence. Raises `NoSuchItemError`, with the names that could be meant.
    """
    topics = list(topics_of(names))
    exact = [topic for topic in topics if is_named(text, (topic.id, topic.label))]
    if exact:
        return [line for topic in exact for line in topic.lines(names)]
    named = [(topic, (topic.id, topic.label)) for topic in topics]
    cards, others = ([pair for pair in named if bool(pair[0].title) is other] for other in (False, True))
    matches = alike(text, cards) or alike(text, others)
    if not matches:
        meant = closest(text, [topic.label for topic in topics])
        key = "refused.unknown.meant" if meant else "refused.unknown"
        raise NoSuchItemError(names.say(key, text=text, name=meant))
    labels = list(dict.fromkeys(topic.label for topic in matches))
    if len(labels) > 1:
        raise NoSuchItemError(names.say("refused.several", text=text, choices=names.join_list(labels, "or")))
    return matches[0].lines(names)


def about_item(name: str, names: Names, bid_for: Sequence[str] = ()) -> list[str]:
    """Return lines about an item that can be chosen: a card, an action, or a card with its action.

    `bid_for` names the cards that a bid can win. Lines about them are included.
    """
    front, _, last = name.rpartition("@")
    if last not in names.labels.ways:
        return about_card(name, names)
    cards = [line for card in (front, *bid_for) if card for line in about_card(card, names)]
    way = next(way for way in names.things.ways if way.id == last)
    if bid_for and not front and not way.written:  # the cards say what it does
        way = replace(way, text="")
    lines = _about(way, names).lines(names)
    return [*cards, *lines] if front else [*lines, *cards]


def topics_of(names: Names) -> Iterator[Topic]:
    """Yield a topic for everything that has a name: cards and their faces, then the other things."""
    model, things, label, safe = names.game.model, names.things, names.label, names.style.safe
    faces = (card.face for card in model.cards if card.face is not None)
    for name in dict.fromkeys([*(card.id for card in model.cards), *faces]):
        yield Topic(name, names.word(name))
    for rule in things.rules:
        title = names.say("lies.with", card=names.reason(rule.id), note=names.moment(rule.at).lower())
        yield Topic(rule.id, names.reason(rule.id), title, [safe(rule.plain)], rule.source)
    for fact in (*things.modifiers, *things.abilities, *things.triggers, *things.ways):
        yield _about(fact, names)
    for variant in model.variants:
        name = names.text(variant.title) or variant.id
        title = names.say("topic.variant" if variant.id in model.active else "topic.variant.not", title=name)
        yield Topic(variant.id, name, title, [names.text(variant.text)], variant.source)
    for pile in model.chips:
        values = names.join_list([str(value) for value in sorted(pile.values)])
        text = names.say("topic.chips", count=len(pile.values), values=values)
        yield Topic(pile.id, label(pile.id), names.say("topic.chips.name", pile=label(pile.id)), [text], pile.source)
    for counter, fact in zip(model.counters, things.counters, strict=True):
        # The cards that add to a counter, its bounds, and the rules that read it.
        cards = [
            f"{names.card(card.id)} {names.decimal(f'{number:+d}')}"
            for card in model.cards
            for target, number in card.adds
            if target == counter.id and (card.count or card.side_of)
        ]
        texts = [names.say("topic.counted", cards=names.style.comma.join(cards))] if cards else []
        texts += [safe(fact.plain)] if fact.text else []
        texts = texts or [names.say("topic.counted.only")]
        for scored, by_rule in zip(model.scoring, things.rules, strict=True):
            if any(name == counter.id for formula in scored.spec.inputs() for _, name in references(formula.expr)):
                texts.append(names.say("lies.labelled", label=names.reason(scored.id), text=safe(by_rule.plain)))
        yield Topic(counter.id, label(counter.id), label(counter.id), texts, fact.source)
    for fact in things.markers:
        yield _about(fact, names)


def _about(fact: Fact, names: Names) -> Topic:
    """Return the topic for a thing about which there is one fact."""
    title = names.style.safe(fact.title).strip() or fact.id
    return Topic(fact.id, title, title, [names.style.safe(fact.plain)] if fact.text else [], fact.source)
