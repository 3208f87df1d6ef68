"""Words that people often write in card sets by mistake, with the keys and values they mean."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from collections.abc import Mapping as Table

_KEYS: Table[str, tuple[str, ...]] = MappingProxyType(
    {
        "base": ("extends",),
        "based_on": ("extends",),
        "inherits": ("extends",),
        "parent": ("extends",),
        "name": ("label", "title", "id"),
        "description": ("text",),
        "desc": ("text",),
        "image": ("icon",),
        "emoji": ("icon",),
        "symbol": ("icon",),
        "number": ("count",),
        "copies": ("count",),
        "quantity": ("count",),
        "amount": ("count", "cards"),
        "count": ("cards", "size"),
        "group": ("family",),
        "category": ("family",),
        "type": ("kind",),
        "score": ("points", "scores", "scoring"),
        "value": ("points",),
        "points": ("most",),
        "when": ("after", "who"),
        "where": ("who", "when"),
        "only": ("who",),
        "at": ("after",),
        "condition": ("when", "who"),
        "if": ("when", "who"),
        "play": ("choose",),
        "draft": ("choose",),
        "take": ("cards",),
        "pick": ("choose",),
        "end": ("finish",),
        "effect": ("on_play", "do"),
        "effects": ("on_play", "do"),
        "direction": ("to",),
        "rules": ("scoring",),
        "tie_breaker": ("tie_breakers",),
        "scenarios": ("tests", "examples"),
        "tests": ("examples",),
        "examples": ("tests",),
    }
)
"""For each word, the keys that it can mean, most likely first."""

_TRANSLATED: Table[str, tuple[str, ...]] = MappingProxyType(
    {
        word: meant
        for words, meant in (
            ("karty karten cartes cartas carte カード", ("cards",)),
            ("liczba ilość anzahl 枚数", ("count",)),
            ("nombre", ("count", "label")),
            ("punkty punkte 得点", ("points", "scoring")),
            ("punktacja zasady wertung regeln ルール", ("scoring",)),
            ("rundy runden manches rondas ラウンド", ("rounds",)),
            ("gracze spieler joueurs jugadores 人数", ("players",)),
            ("tytuł titel titre título タイトル", ("title",)),
            ("nazwa etykieta bezeichnung nom 名前", ("label",)),
            ("opis tekst beschreibung texte texto 説明", ("text",)),
            ("warianty varianten variantes バリアント", ("variants",)),
        )
        for word in words.split()
    }
)
"""For each word of another language, the keys that it means. Keys are English; texts are translated."""

SURE = frozenset({"scenarios", "tests", "examples"})
"""Words that are keys in another kind of file, so that it is certain which keys they mean."""

_WORDS: Table[str, tuple[str, ...]] = MappingProxyType(
    {
        "share": ("split",),
        "shared": ("split",),
        "divide": ("split",),
        "none": ("nobody",),
        "nothing": ("nobody",),
        "no_one": ("nobody",),
        "noone": ("nobody",),
        "hidden": ("nobody",),
        "all": ("full", "everyone"),
        "both": ("full",),
        "everybody": ("everyone",),
        "public": ("everyone",),
        "private": ("owner",),
        "player": ("seat", "owner"),
        "highest": ("most",),
        "lowest": ("fewest",),
        "least": ("fewest",),
        "one": ("single",),
        "pair": ("set",),
        "clockwise": ("left",),
        "counterclockwise": ("right",),
        "anticlockwise": ("right",),
    }
)
"""For each word, the values that it can mean."""

LANGUAGES: Table[str, str] = MappingProxyType(
    {
        "english": "en", "polish": "pl", "polski": "pl", "japanese": "ja", "german": "de", "deutsch": "de",
        "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "czech": "cs", "portuguese": "pt",
    }
)  # fmt: skip

PLURAL_FORMS = frozenset({"zero", "one", "two", "few", "many", "other"})

NOTHING = frozenset({"delete", "remove", "none", "nothing", "off", "gone"})
"""Words that people write to remove something."""


def key_meant(key: str, free: Container[str]) -> str | None:
    """Return the first key in `free` that a word can mean; ``None`` if there is none."""
    known = _KEYS.get(key.lower()) or _TRANSLATED.get(key.lower(), ())
    return next((meaning for meaning in known if meaning in free), None)


def first_word_meant(key: str, free: Container[str]) -> str | None:
    """Return the key in `free` that is the first word of `key`: ``draw`` for ``draw_count``, or ``None``."""
    first = re.split(r"[_-]", key)[0]
    return next((meaning for meaning in (first, f"{first}s") if meaning != key and meaning in free), None)


def word_meant(word: str, possible: Iterable[str]) -> str | None:
    """Return the first of the possible values that a word can mean; ``None`` if there is none."""
    known = {*possible}
    return next((meaning for meaning in _WORDS.get(re.sub(r"[\s-]", "_", word.lower()), ()) if meaning in known), None)
