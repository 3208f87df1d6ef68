"""Messages to pages about a table, with only what the page's seat may know.

Everything about a game comes from the seat's `View` and from the events that the seat sees. Names, and who has chosen,
are public. No order of a list depends on anything hidden.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from functools import cache, lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET  # our own drawings only: see `rules_shown`

import draftengine as de
from draftengine.api.facts import Things
from draftengine.api.facts.steps import steps_said
from draftengine.api.phrasing.events import EventPhraser, EventTeller, PlainNames
from draftengine.api.phrasing.payments import pays_said
from draftengine.api.phrasing.sentences import tie_said, wins_said
from draftengine.api.score_sheets import sheets
from draftengine.apps.play.coach import tip_for
from draftengine.apps.play.table_view import TableView, options_after
from draftengine.apps.web.table import BOT, FREE
from draftengine.model.cardset.facts import card_points, steps_of_round
from draftengine.render.faces.small import Deck
from draftengine.render.svg import void
from draftengine.support.locale import LANGUAGES, spoken
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from draftengine.api.score_sheets import Sheet
    from draftengine.apps.play.table_view import Options
    from draftengine.apps.web.table import Table
    from draftengine.model.cardset.records import CardSet


STATIC = Path(__file__).parent / "static"
_FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
SCRIPTS = f"/static/{sha256(b''.join(path.read_bytes() for path in _FILES)).hexdigest()[:16]}"
"""The address of the page's files. It changes with their content, so browsers may cache them for ever."""


@cache
def words_in(language: str) -> str:
    """Return all texts of the page in a language, as JSON."""
    catalogue = spoken(language)
    messages = {key: text for key, text in catalogue.patterns.items() if key.startswith(("page.", "server."))}
    titles = {tag: spoken(tag).title for tag in LANGUAGES}
    head = {"language": catalogue.language, "languages": titles, "comma": catalogue.comma, "and": catalogue.last["and"]}
    return json.dumps({**head, "messages": messages}, ensure_ascii=False, separators=(",", ":"))


INSTALLABLE = f'<link rel="manifest" href="{SCRIPTS}/manifest.webmanifest">'
"""The element that makes a page installable. Browsers require a secure connection for this."""


def samples(model: CardSet) -> list[str]:
    """Return the ids of up to three cards whose pictures represent a game."""
    counted = [card.id for card in model.cards if card.count]
    return counted[:: max(1, len(counted) // 3)][:3]


def invitation(table: Table, language: str) -> tuple[str, str]:
    """Return (title, text) of a link to a table: host, game and free seats, but nothing about the cards."""
    phrase, about = spoken(language).phrase, table.game.model.about
    title = _labels(table.game, language_for(table.game, language)).title
    free = sum(seat.kind == FREE or (table.number > 0 and seat.kind == BOT) for seat in table.seats)
    minutes = [phrase("invitation.minutes", count=about.minutes)] if about.minutes else []
    parts = [phrase("invitation.seats", count=free), *minutes, phrase("invitation.browser")]
    return phrase("invitation.title", name=table.seats[table.host].name, game=title), " · ".join(parts)


def link_shown(table: Table, address: str, language: str) -> str:
    """Return the HTML elements from which a chat makes the preview of a link to a table."""
    title, text = invitation(table, language)
    properties = {
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:url": address,
        "og:image": f"{address}/preview.png?language={language}",
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
    }
    return "".join(void("meta", property=key, content=value) for key, value in properties.items())


PAGES = {"": "lobby", "t": "table", "games": "games", "score": "scorekeeper"}
"""The script of each page, by the first part of its address."""


@cache
def preloads(page: str) -> str:
    """Return HTML elements with which a browser loads all scripts of a page at the same time."""
    scripts, left = {"main.js"}, [f"{PAGES[page]}.js", "main.js"]
    while left:
        scripts.add(script := left.pop())
        left += {*re.findall(r'from "\./(.+?)"', (STATIC / script).read_text("utf-8"))} - scripts
    return "".join(f'<link rel="modulepreload" href="{SCRIPTS}/{script}">' for script in sorted(scripts))


@cache
def page_in(language: str, name: str = "index.html") -> str:
    """Return an HTML page with the texts to show before its scripts run, and a placeholder ``{head}``."""
    phrase = spoken(language).phrase
    text = (STATIC / name).read_text("utf-8")
    words = {"language": language, "skip": phrase("page.skip"), "noscript": phrase("page.noscript"), "scripts": SCRIPTS}
    for gap, word in words.items():
        text = text.replace(f"{{{gap}}}", word)
    return text


def hints_shown(view: de.View, names: Sequence[str], language: str = "en") -> list[dict[str, Any]]:
    """Return the best moves of a view's seat, each with a sentence in `language`."""
    hints = de.hints(view, names, _labels(view.game, language_for(view.game, language)))
    return [{"move": hint.move.to_json(), "sentence": hint.sentence, "equal": hint.equal} for hint in hints]


def bars_shown(view: de.View, picked: Any) -> list[list[Any]]:
    """Return (move, bars) for each way to continue the picked cards. More bars are a better rating."""
    return [[move.to_json(), number] for move, number in de.bars(view, picked).items()]


def tip_shown(table: Table, seat: int, given: Collection[str], by: str, language: str = "en") -> dict[str, str] | None:
    """Return the coach's next tip for a seat, in `language`; ``None`` if there is none."""
    if table.state is None or table.eyes(seat) < 0:
        return None
    names = PlainNames(_labels(table.game, language_for(table.game, language)), table.names)
    tip = tip_for(table.view(seat), names, given, by=by, chosen=seat in table.choices)
    return {"id": tip.id, "text": tip.text} if tip is not None else None


@lru_cache(64)
def languages_of(game: de.Game) -> tuple[str, ...]:
    """Return the languages of a card set's names, in order of first use; English if it states none."""
    texts = (game.model.title, *(card.label for card in game.model.cards))
    return tuple(dict.fromkeys(tag for text in texts for tag, _ in text if tag and "#" not in tag)) or ("en",)


def language_for(game: de.Game, wanted: str) -> str:
    """Return the language for names: the wanted one, its main form, or the first one of the card set."""
    known = languages_of(game)
    tags = (wanted, wanted.partition("-")[0])
    return next((tag for tag in tags if tag in known or tag in LANGUAGES), known[0])


@lru_cache(64)
def _labels(game: de.Game, language: str) -> de.Labels:
    return game.labels_in(language)


@lru_cache(64)
def rules_shown(game: de.Game, language: str = "en") -> dict[str, Any]:
    """Return the data of a table that never change, in `language`: cards, rules, names and drawings."""
    labels, model = _labels(game, language), game.model
    things = Things(labels)
    faces = [card.face for card in model.cards if card.face is not None]
    scored = card_points(model)
    deck = Deck(model, {name: labels.card(name) for name in (*(card.id for card in model.cards), *faces)})
    plays = [play for card in model.cards for play in (card.id, *(f"{card.id}@{form}" for form in _forms(card)))]
    return {
        "title": labels.title,
        "language": language,
        "languages": list(languages_of(game)),
        "rounds": model.last_round,
        "drawn": {
            name: _plain(ET.fromstring(deck.panel(name)))  # noqa: S314 (our own drawing, in which every text is escaped)
            for name in dict.fromkeys((*plays, *faces))
        },
        "cards": {
            card.id: {
                "label": labels.card(card.id),
                "text": things.card(card).plain,
                "points": scored[1][card.id] if scored is not None else 0,
                "forms": list(_forms(card)),
                "about": [list(pair) for pair in game.rules_about(card.id, labels)],
            }
            for card in model.cards
        },
        "scored": labels.rule(scored[0].id) if scored is not None else "",
        "ways": {way.id: {"label": way.title, "text": way.plain if way.written else ""} for way in things.ways},
        "faces": {face: {"label": labels.card(face)} for face in faces},
        "round": [plain(line) for line in steps_said(steps_of_round(model), labels.speech)],
        "rules": {rule.id: {"label": rule.title, "text": rule.plain, "at": rule.at} for rule in things.rules},
        "causes": {trigger.id: labels.cause(trigger.id) for trigger in model.triggers},
        "things": {
            thing.id: labels.thing(thing.id)
            for things in (model.counters, model.abilities, model.zones, model.markers, model.chips)
            for thing in things
        },
        "shared": [counter.id for counter in model.counters if counter.per == "table"],
        "order": model.winner.order,
        "ties": labels.speech.joined([tie_said(tie, labels.speech) for tie in model.winner.tie_breakers]),
        "wins": plain(wins_said(labels.speech)),
        "variants": [labels.variant(variant) for variant in game.variants],
        "extra": [labels.seat(extra.id) for extra in model.extra_seats],
    }


def _plain(element: ET.Element) -> list[Any]:
    """Return an SVG element as data: name, attributes and children.

    The page creates its elements one by one, so it never parses anything from the server as markup.
    """
    inner = [element.text] if element.text else []
    return [element.tag.rpartition("}")[2], dict(element.attrib), *inner, *map(_plain, element)]


def _forms(card: Any) -> Sequence[str]:
    """Return the ids of the cards as which a wild card can be played."""
    return card.forms.of if card.forms is not None else ()


def table_shown(
    table: Table,
    seat: int,
    here: Iterable[int],
    watching: int,
    language: str = "en",
    gone: Mapping[int, float] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return a table as a seat sees it (-1: a spectator).

    `here` are the seats whose people are connected, `watching` is the number of spectators, and `gone` says for how
    many seconds each of the other people has been away.
    """
    present = frozenset(here)
    seats = [
        {
            "name": sitter.name,
            "kind": sitter.kind,
            "level": sitter.level if sitter.by_bot else "",
            "away": sitter.away,
            "late": sitter.late,
            "here": index in present,
            "gone": int(gone.get(index, 0)),  # rounded up, a page would offer too early what is refused
            "again": sitter.again,
            "wins": sitter.wins,
            "chosen": index in table.choices,
            "reading": index in table.unread,
        }
        for index, sitter in enumerate(table.seats)
    ]
    data: dict[str, Any] = {
        "at": table.length,
        "seat": seat,
        "host": table.host,
        "host_before": table.host_before,
        "host_left": table.host_left,
        "same": table.same,
        "repeats": table.repeats,
        "seats": seats,
        "watching": watching,
        "hints": bool(table.head["hints"]),
        "effects": bool(table.head["effects"]),
        "decision": [table.number, table.decision],
        "commitment": table.commitment,
    }
    if table.state is not None:
        data["game"] = {**game_shown(table, seat, language), "names": table.names}
    return data


def summary_shown(table: Table, language: str) -> dict[str, Any]:
    """Return what anybody may know of a table, for a list of tables."""
    return {
        "title": _labels(table.game, language_for(table.game, language)).title,
        "host": table.host,
        "names": [sitter.name for sitter in table.seats],
        "begun": table.number > 0,
        "over": table.over,
        "waiting": [seat for seat in table.waiting if seat not in table.choices],
    }


def game_shown(table: Table, seat: int, language: str = "en") -> dict[str, Any]:
    """Return the game as a seat sees it, in `language`; cached until the next reveal."""
    seat = table.eyes(seat)
    state, chosen, language = table.state, table.choices.get(seat), language_for(table.game, language)
    assert state is not None
    before = table.shown.get((seat, language))
    if before is None or before[0] is not state:
        catalogue = spoken(language)
        view = TableView.of(table.view(seat), picked=(), result=state.result if state.over else None)
        data = view.to_json()
        if not table.head["memory"]:
            data["coming"] = []
        for seen, plain in zip(view.seats, data["seats"], strict=True):
            for group, words in zip(seen.groups, plain["groups"], strict=True):
                words["text"] = group.progress.within(catalogue) if group.progress else ""
        if view.options is not None:
            data["options"] = _options_in_words(view.options, table.game, language)
        before = table.shown[seat, language] = (state, data)
    return {**before[1], "chosen": chosen.to_json() if chosen else None}


def options_shown(view: de.View, chosen: Any, language: str = "en") -> dict[str, Any]:
    """Return the ways to continue the chosen cards, in `language`, and if these cards are a legal move."""
    return _options_in_words(options_after(view, chosen), view.game, language)


def _options_in_words(options: Options, game: de.Game, language: str) -> dict[str, Any]:
    """Return options as plain data, with progress and price as texts."""
    data, catalogue = options.to_json(), spoken(language)
    for option, words in zip(options.options, data["options"], strict=True):
        words["short"] = option.progress.brief(catalogue) if option.progress else ""
        if option.pays:
            words["paid"] = pays_said(option.pays, _labels(game, language_for(game, language)).speech)
    return data


def story_shown(table: Table, seat: int, since: int, language: str = "en") -> list[dict[str, Any]]:
    """Return the events from index `since` on as sentences in `language`, as the seat may know them.

    Each entry has the number of its reveal as ``part``. `since` is the first event of a reveal, so the number ``n`` of
    an entry does not depend on it.
    """
    if table.state is None:
        return []
    names = PlainNames(_labels(table.game, language_for(table.game, language)), table.names)
    seat = table.eyes(seat)
    phraser, news = EventPhraser(names), table.state.story(seat, since)
    teller = EventTeller(table.game, seat, table.state.history[:since])
    first = bisect_right(table.parts, since)
    bounds = [since, *table.parts[first:], since + len(news)]
    entries = []
    for part, (start, end) in enumerate(pairwise(bounds), first):
        for number, happening in enumerate(teller.tell(news[start - since : end - since]), start):
            text, event = phraser.sentence(happening), happening.event
            entry = {"n": number, "part": part, "kind": event.kind, "seat": event.seat, "text": text}
            entries += [entry] if text else []
    return entries


def events_so_far(table: Table) -> int:
    """Return the number of events in this game."""
    return len(table.state.history) if table.state is not None else 0


def sheet_shown(table: Table, seat: int, language: str = "en") -> list[dict[str, Any]]:
    """Return the score sheets by round, as the seat sees them, with cards and arithmetic."""
    if table.state is None:
        return []
    return sheets_shown(sheets(table.game, table.state.story(table.eyes(seat))), language)


def sheets_shown(score_sheets: Iterable[Sheet], language: str = "en") -> list[dict[str, Any]]:
    """Return score sheets as data for a page."""
    catalogue = spoken(language)
    return [
        {
            "round": sheet.round,
            "rows": [
                {
                    "rule": row.rule,
                    "points": list(row.points),
                    "lines": [
                        {
                            "seat": given.seat,
                            "cards": list(given.cards),
                            "text": given.within(catalogue),
                            "is": given.points,
                        }
                        for given in row.entries
                    ],
                    "chips": row.chips,
                }
                for row in sheet.rows
            ],
        }
        for sheet in score_sheets
    ]
