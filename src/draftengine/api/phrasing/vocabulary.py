"""Nouns and names for the things of a card set in one language, for use in sentences.

A *series* is several similar cards that one entry of the card set declares. Lists show a long series in one line.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec.structs import replace

from draftengine.model.cardset.effects import all_effects, names_given
from draftengine.model.cardset.facts import zones_of_dice
from draftengine.model.cardset.pieces import as_played
from draftengine.model.cardset.records import DECK, forms_in, text_in
from draftengine.model.language.tree import Number
from draftengine.model.records import default_label
from draftengine.model.verbs.effects import SetStep
from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import IDEOGRAPHS, Noun, begun_small

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from draftengine.model.cardset.records import Card, CardSet
    from draftengine.model.records.reader import Formula, Texts
    from draftengine.support.locale.catalogue import Sort

_MOST_ADDERS = 5
"""The largest number of cards adding to a counter with which sentences name them, not the counter."""
_LONG_WORD = 3
"""The smallest length of a word in a label that is compared with the names of cards by itself."""
_BUILT_IN = frozenset({"deck", "hand", "tableau", "discard"})


_PLURALS = (
    (r"((?:\b[Mm]ov|alor|ix|omb|ook|ooth|own|rair)ie|\b(?:[Cc]an|[Tt])oe)s", r"\1"),
    (r"((?:\b[Bb]|[inp]|[ilo]r)us)es", r"\1"),
    (r"([a-z]{2})ies", r"\1y"),
    (r"(sh|ch|x|z|ss|[bcdfgjklmnpqrtvwxz]o)es", r"\1"),
    (r"([^aiousv]|[^v]e)s", r"\1"),
)
"""Ends of English plurals, each with that of the singular; exceptions such as “cookies” are first.

Words with other ends stay as they are.
"""
_MANY = re.compile(r"[^sui]s\Z")
"""The end of an English label that is probably a plural, even if its singular is not known."""
_NO_PLURALS = ("series", "species", "clothes", "lens", "news", "ves")


def singular(label: str) -> str:
    """Return the singular of an English label that looks like a plural; the label itself for any other."""
    if label.casefold().endswith(_NO_PLURALS):
        return label
    ends = ((re.search(rf"(?:{end})\Z", label), one) for end, one in _PLURALS)
    return next((label[: end.start()] + end.expand(one) for end, one in ends if end is not None), label)


class Vocabulary:
    """The names of the things in a card set, and the sentence patterns of a language."""

    def __init__(self, model: CardSet, language: str = "en") -> None:
        self.model = model
        in_box = [card for card in model.cards if card.count]
        self.catalogue = spoken(language)
        if in_box and all(card.is_die for card in in_box):
            self.catalogue = self.catalogue.of_dice
        # Zones in which only dice can lie, which matters in games with cards, too.
        self.zones_of_dice = zones_of_dice(model) if any(card.is_die for card in in_box) else frozenset[str]()
        self.language = language
        self._cards = {card.id: card.label for card in model.cards}
        self._single = {card.id for card in model.cards if card.count == 1}
        self._dice = {card.id: card.label for card in model.cards if card.is_die}
        """The labels of dice, by id. `_families` includes them, because each die is the family of its sides."""
        self._sides = {card.id for card in model.cards if card.side_of in self._dice}
        self._families = {family.id: family.label for family in model.families} | self._dice
        self._members: dict[str, list[str]] = {}
        for card in model.cards:
            for family in card.family:
                self._members.setdefault(family, []).append(card.id)
        parts = (model.counters, model.modifiers, model.abilities, model.zones, model.markers, model.chips)
        things: list[Any] = [thing for part in parts for thing in part]
        copied = {name: label for name, label, _ in model.copied}
        self._labels = copied | {thing.id: thing.label for thing in reversed(things)}
        self._counters = {counter.id: counter.label for counter in model.counters}
        for _, _, places in model.copied:
            for name in places.counters:
                label = self._counters[f"{name}_1"]
                self._counters[name] = tuple((language, text.removesuffix(" 1")) for language, text in label)
        self._shared = {counter.id for counter in model.counters if counter.per == "table"}
        self._shared |= {name for _, _, places in model.copied for name in places.counters}
        self._values = {counter.id for counter in model.counters if counter.die is not None}
        """Dice, and counters that an effect sets to something other than zero."""
        self.given = {name: step.of for name, (step, _) in names_given(model).items()}
        """The names that steps give, with the possible meanings of each."""
        self._labels |= {name: default_label(name) for name in self.given}
        for step in all_effects(model):
            if isinstance(step, SetStep):
                self._values |= {amount.counter for amount in step.amounts if not amount.formula.expr == Number(0)}  # noqa: SIM201 (trees know only ==)

    @cached_property
    def varying(self) -> re.Pattern[str]:
        """The pattern of words in which the texts of a series may differ: numbers, and labels of families."""
        labels = {self.text(label) for label in self._families.values()} - {""}
        words = [*map(re.escape, sorted(labels, key=len, reverse=True)), _NUMBER.pattern]
        return re.compile("|".join(words), re.IGNORECASE)

    # ── Words of the catalogue ────────────────────────────────────────────────────────────────────────────────────────

    def phrase(self, key: str, /, **given: object) -> str:
        """Return the text of the catalogue's pattern `key` with the values `given`."""
        return self.catalogue.phrase(key, **given)

    def has(self, key: str) -> bool:
        """True if the catalogue has a pattern `key`."""
        return key in self.catalogue.patterns

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """Return several items as an enumeration for a sentence."""
        return self.catalogue.join_list(items, word)

    def joined(self, sentences: Sequence[str]) -> str:
        """Return sentences as one text. Empty ones are left out."""
        return self.phrase("space").join(sentence for sentence in sentences if sentence)

    def number(self, number: int) -> str:
        """Return a small number as a word, if the catalogue has a word for it; otherwise as digits."""
        return self.phrase(f"number.{number}") if self.has(f"number.{number}") else str(number)

    def range(self, low: int, high: int) -> str:
        """Return ``2–3``, or ``2`` if both are equal."""
        return self.phrase("range", low=low, high=high) if low < high else str(low)

    def text(self, texts: Texts) -> str:
        """Return the text in this language or, if it is missing, in another language of the card set."""
        return text_in(texts, self.language)

    def own_text(self, texts: Texts) -> str:
        """Return the text in exactly this language; empty if the card set has none."""
        tags = {tag for tag, _ in texts}
        mine = {self.language, self.language.split("-", maxsplit=1)[0]} | ({""} if self.language == "en" else set())
        return self.text(texts) if tags & mine else ""

    # ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def paid_in(self) -> Literal["", "tokens", "chips", "both"]:
        """The things that players receive instead of points; ``both`` if only some rules give chips."""
        if self.money:
            return "tokens"
        piles = [rule.spec.pile for rule in self.model.scoring]
        return "chips" if piles and all(piles) else "both" if any(piles) else ""

    @property
    def money(self) -> str:
        """The names of the tokens that count as points, joined for use in a sentence; empty if there are none."""
        return self.join_list([begun_small(self.text(token.label)) for token in self.model.tokens if token.value])

    def thing(self, name: str) -> str:
        """Return the label of a marker, counter, zone or chip pile."""
        return self.text(self._labels.get(name, ())) or self.text(self._cards.get(name, ())) or name.replace("_", " ")

    def value_name(self, name: str) -> str:
        """Return the name of a number that is printed on cards, for use within a sentence."""
        label = next((self.text(value.label) for value in self.model.values if value.id == name), "")
        return begun_small(label) or name.replace("_", " ")

    def value(self, name: str) -> Noun:
        """Return the noun for units of a good that has no counter, which cards cost and make."""
        label = next((value.label for value in self.model.values if value.id == name), ())
        return self._noun("counter", label, name, counted=True)

    def units(self, noun: Noun, amount: int) -> str:
        """Return a number of units in words. A label that does not fit the number precedes it."""
        one = noun.form("one")
        alike = one == noun.form("few") and (self.language != "en" or (amount == 1 and _MANY.search(one)))
        return self.phrase("card.add.alike" if alike else "card.add", of=noun, amount=amount)

    def marker(self, name: str) -> Noun:
        """Return the noun for a marker and its holder, with one label for both if the marker is a role."""
        if name in self.given:
            return Noun("marker", {"other": self.thing(name), "holder": self.zone(name).form("one")})
        role = next((self.text(marker.role) for marker in self.model.markers if marker.id == name and marker.role), "")
        label = role or self.thing(name)
        return Noun(
            "role" if role else "marker", {"other": label, "holder": role or self.phrase("holder", marker=label)}
        )

    def seat(self, name: str) -> str:
        """Return the name of an extra seat in this language."""
        return next((self.text(seat.label) for seat in self.model.extra_seats if seat.id == name), name)

    def zone(self, name: str, *, theirs: bool = False) -> Noun:
        """Return the noun for a zone: its name (form ``one``), and other forms in languages that have them.

        With `theirs`, the hand is called that of the seat that the sentence is about. The name of another seat's zone,
        such as ``left.stash``, begins with that seat.
        """
        seat, _, there = name.rpartition(".")
        if seat:
            sort = seat if seat in {"left", "right"} else "named" if seat in self.given else "holder"
            whose = self.phrase(f"whose.{sort}", marker=self.marker(seat))
            key = f"zone.of.{there}" if there in {"hand", "tableau"} else "zone.of"
            return Noun("phrase", self.catalogue.forms_of(key, zone=self.thing(there), whose=whose))
        key = "zone.their_hand" if theirs and name == "hand" else f"zone.{name}" if name in _BUILT_IN else "zone"
        return Noun("phrase", self.catalogue.forms_of(key, zone=self.thing(name)))

    def in_the_open(self, zone: str) -> bool:
        """True if everyone sees the cards in a zone."""
        return any(declared.id == zone and declared.seen_by == "everyone" for declared in self.model.zones)

    def is_hidden(self, zone: str) -> bool:
        """True if nobody sees the cards in a zone."""
        return any(declared.id == zone and declared.seen_by == "nobody" for declared in self.model.zones)

    def sets_aside(self, zone: str) -> bool:
        """True if the game has several zones in which seats set cards aside, and this is one of them."""
        aside = [
            zone.id for zone in self.model.zones if zone.per == "seat" and zone.seen_by == "owner" and zone.id != "hand"
        ]
        return zone in aside and len(aside) > 1

    def is_layout(self, zone: str) -> bool:
        """True if a zone is a layout: its cards lie at named places."""
        return any(declared.id == zone and declared.layout for declared in self.model.zones)

    def of_each(self, zone: str) -> bool:
        """True if every seat has its own zone of this id."""
        return any(declared.id == zone and declared.per == "seat" for declared in self.model.zones)

    def is_named(self, name: str) -> bool:
        """True if a step of the card set gives this name to something that it finds."""
        return name in self.given

    def has_copies(self, zone: str) -> bool:
        """True if the card set declares several copies of the zone with this id."""
        return any(name == zone for name, *_ in self.model.copied)

    def card_name(self, name: str) -> str:
        """Return the printed name of a card, a face, or a card in a form."""
        card, _, form = as_played(name).partition("@")
        label = self.text(self._cards.get(card, ())) or card.replace("_", " ").capitalize()
        return self.phrase("expr.form", card=label, form=self.card_name(form)) if form else label

    def card_noun(self, name: str) -> Noun:
        """Return the noun for a card, or for a card in a form."""
        card, _, form = as_played(name).partition("@")
        if form:
            form = self.card_noun(form).form("name").strip("„”「」")
            given = forms_in(self._cards.get(card, ()), self.language)
            forms = {key: self.phrase("expr.form", card=text, form=form) for key, text in given.items()}
            return self.catalogue.noun("card", self.card_name(name), forms)
        return self._noun("card", self._cards.get(card, ()), card)

    def is_shared(self, name: str) -> bool:
        """True if a counter belongs to the table, or to a copy of a zone."""
        return name in self._shared

    def counter(self, name: str) -> Noun:
        """Return the noun for the units of a counter, such as coins."""
        if (on_card := self.on_cards(name)) is not None:
            forms = {form: self.phrase("expr.on_it", text=text) for form, text in on_card.forms.items()}
            return Noun("on_card", forms)
        is_amount = not (self.is_shared(name) or name in self._values)
        noun = self._noun("counter", self._counters.get(name, ()), name, counted=is_amount)
        return noun if is_amount else replace(noun, sort="shared" if self.is_shared(name) else "value")

    def on_cards(self, name: str) -> Noun | None:
        """Return the common noun for counters that lie on cards; ``None`` if the counter is not one of these."""
        of_all = next((counter.label_of_all for counter in self.model.counters if counter.id == name), ())
        return self._noun("counter", of_all, name) if of_all else None

    def is_of_dice(self, name: str) -> bool:
        """True if a name is the id of a die or of one of its sides."""
        return name in self._dice or name in self._sides

    def _noun(self, sort: Sort, texts: Texts, name: str, *, counted: bool = False) -> Noun:
        """Return the noun for a label. If its things are `counted`, an English plural gets its singular."""
        label, forms = self.text(texts) or name.replace("_", " ").capitalize(), forms_in(texts, self.language)
        if sort == "counter" and label.lower() in self.catalogue.words:
            label = self.phrase("quoted", name=label)
        elif self.language == "en":
            label, *spelt = map(self._in_sentence, (label, *forms.values()))
            forms = dict(zip(forms, spelt, strict=True))
            if counted and not forms and (one := singular(label)) != label:
                forms = {"one": one, "other": label}
        sort, proper = ("counter", False) if sort == "counter" else ("card", name in self._single)
        catalogue = self.catalogue.of_dice if sort == "card" and self.is_of_dice(name) else self.catalogue
        return catalogue.noun(sort, label, forms, proper=proper)

    def _in_sentence(self, label: str) -> str:
        """Return an English label without its article, in quotes if it would read as part of a sentence."""
        label = _ARTICLE.sub("", label)
        return self.phrase("quoted", name=label) if _NO_NAME.search(label) else label

    def family(self, name: str) -> Noun:
        """Return the noun for a family: its label or, without one, a few card names or its id in words."""
        if name in self._families:
            return self._noun("card", self._families[name], name, counted=name not in self._dice)
        members = self._members.get(name, [])
        if 0 < len(members) <= 3 and self.catalogue.language != "en":  # noqa: PLR2004 (a list, not a litany)
            names = self.join_list([self.card_noun(member).form("name") for member in members], "or")
            return Noun("phrase", {"other": names})
        words = name.replace("_", " ")
        return self.catalogue.noun("card", words.capitalize(), {})

    def is_family(self, name: str) -> bool:
        """True if `name` is the id of a family, not of a card."""
        return name in self._members or name in self._families

    def is_evident(self, family: str) -> bool:
        """True if exactly the cards of a family have words of the family's label in their names.

        In scripts without spaces, the first character of the label stands for its words.
        """
        label = (self.text(self._families.get(family, ())) or family.replace("_", " ")).casefold()
        words = (
            [word for word in label.split() if len(word) >= _LONG_WORD or word == label]
            if label < IDEOGRAPHS
            else [label[0]]
        )
        names = {card.id: self.card_name(card.id).casefold() for card in self.model.cards}
        return any(
            {card for card, name in names.items() if re.search(rf"(?<![a-zß-ɏ])({pattern})", name)}
            == set(self._members.get(family, ()))
            for pattern in (re.escape(label), "|".join(map(re.escape, words)))
        )

    def counts_as(self, card: Card) -> list[Noun]:
        """Return the families of a card whose label is the name of another card."""
        names = {self.card_name(other.id) for other in self.model.cards if other.id != card.id}
        labels = {family: self.text(self._families[family]) for family in card.family if family in self._families}
        return [
            self.family(family)
            for family, label in labels.items()
            if label in names and label != self.card_name(card.id)
        ]

    def begin_apart(self) -> bool:
        """True if some cards are in a zone other than the deck when the game starts."""
        return any(card.count and card.starts_in != DECK for card in self.model.cards)

    def kept(self) -> list[str]:
        """Return the names of the cards that stay when tableaus are cleared.

        If all cards of a family stay, the name of the family takes their place.
        """
        kept = [card for card in self.model.cards if card.keep]
        ids = {card.id for card in kept}
        whole = {family for family, members in self._members.items() if ids.issuperset(members)}
        names = [self._together(card.family[0]) if whole.intersection(card.family[:1]) else None for card in kept]
        nouns = [noun or self.card_noun(card.id) for noun, card in zip(names, kept, strict=True)]
        return list(dict.fromkeys(map(self.plural, nouns)))

    def plural(self, noun: Noun) -> str:
        """Return the form of a noun that means several cards in a list."""
        return noun.form("other" if self.catalogue.language == "en" else "name")

    def _together(self, family: str) -> Noun | None:
        return self.family(family) if family in self._families or self.catalogue.language == "en" else None

    def family_of_formulas(self, formulas: Sequence[Formula]) -> Noun | None:
        """Return the noun for the family of exactly the cards that formulas name; ``None`` if there is none."""
        return self.family_of({formula.text for formula in formulas})

    def family_of(self, names: Collection[str]) -> Noun | None:
        """Return the noun for the family of exactly these cards or sub-families; ``None`` if there is none.

        A family with cards outside its sub-families does not consist of these sub-families.
        """
        cards = {card for name in names for card in self._members.get(name, [name])}
        for family, members in self._members.items():
            below = {other.id for other in self.model.families if family in other.family}
            if cards == {*members} and set(names) in (cards, below) and family not in self._dice:
                return self._together(family)
        return None

    def cards_adding_to(self, formula: Formula) -> tuple[tuple[Noun, int], ...]:
        """Return (noun, amount) for each card that adds to the counter that a formula names.

        Empty if there are many such cards, or if anything else changes the counter.
        """
        amounts = self.by_card(formula)
        return tuple((self.card_noun(card), amount) for card, amount in amounts.items() if len(amounts) <= _MOST_ADDERS)

    def by_card(self, formula: Formula) -> dict[str, int]:
        """Return the amount that each card adds to the counter that a formula names.

        The counter must start at 0 and have no bounds, and only cards may change it. Otherwise, returns an empty
        mapping.
        """
        name = formula.text
        amounts = {card.id: dict(card.adds)[name] for card in self.model.cards if name in dict(card.adds)}
        if name in self._cards or name in self._members:
            return {}
        changed = {amount.counter for step in all_effects(self.model) for amount in getattr(step, "amounts", ())}
        changed |= {one.id for one in self.model.counters if one.start or one.min is not None or one.max is not None}
        return {} if name in changed else amounts


T = TypeVar("T")
_FEWEST = 6
"""The smallest number of similar consecutive cards or texts that lists show in one line."""
_FEWEST_NUMBERED = 3
"""Like `_FEWEST`, for an entry with several series whose cards are distinguished by a number."""
_NUMBER = re.compile(r"\d+")
_NO_NAME = re.compile(r"[=:/]|^(?:each|every)\b", re.IGNORECASE)
"""The pattern of a label that is not words, or begins as sentences do. Sentences quote such a label."""
_ARTICLE = re.compile(r"^the (?=\w)", re.IGNORECASE)
"""The article of an English label. Sentences have articles and pronouns of their own before its noun."""
_SHOWN = 3


def series_of(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield the cards in order, as tuples: a long series in one tuple, any other card alone.

    A card that an extending file changes does not belong to its series.
    """
    for _, group in groupby(cards, attrgetter("span", "text_at", "family", "count", "counts")):
        entry = tuple(group)
        numbered = _parts(entry, lambda card: (card.icon, _NUMBER.sub("#", str(card.label))))
        if len(numbered) > 1 and min(map(len, numbered)) >= _FEWEST_NUMBERED:
            yield from numbered
            continue
        for series in _parts(entry, attrgetter("icon")):
            yield from [series] if len(series) >= _FEWEST else ((card,) for card in series)


def _parts(cards: Sequence[Card], key: Callable[[Card], object]) -> list[tuple[Card, ...]]:
    """Return the cards in order, as tuples of consecutive cards with equal keys."""
    return [tuple(part) for _, part in groupby(cards, key)]


def series_name(cards: Sequence[Card], vocabulary: Vocabulary) -> str:
    """Return the name of a series: ``Row 1, 5, 9, …, 117``."""
    return name_of_all([vocabulary.card_name(card.id) for card in cards], vocabulary)


def name_of_all(names: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return one name for all: ``Row 1, 5, …, 117`` if only a number differs, else ``First, …, Last``."""
    if len({*names}) == 1:
        return names[0]
    if not (listed := numbers_of(names)):
        return f"{names[0]}, …, {names[-1]}"
    if len(listed) > _SHOWN + 2:
        listed[_SHOWN:-1] = ["…"]
    return _NUMBER.sub(vocabulary.catalogue.comma.join(listed), names[0])


def numbers_of(names: Sequence[str]) -> list[str]:
    """Return the number in each name, if the names differ only by one number; otherwise an empty list."""
    numbers = [digits for name in names for digits in _NUMBER.findall(name)]
    return numbers if len(numbers) == len(names) and len({_NUMBER.sub("#", name) for name in names}) == 1 else []


def _alike(one: Sequence[str], other: Sequence[str], varying: re.Pattern[str]) -> bool:
    """True if two lists of texts differ only by the numbers or labels by which their titles differ.

    The first text of each list is its title. `varying` matches the numbers and labels.
    """
    if [varying.split(text) for text in one] != [varying.split(text) for text in other]:
        return False
    words, others = ([[word.casefold() for word in varying.findall(text)] for text in row] for row in (one, other))
    in_title = {*zip(words[0], others[0], strict=True)}
    pairs = zip(chain(*words), chain(*others), strict=True)
    differing = {(first, second) for first, second in pairs if first != second}
    return bool(in_title) and differing <= in_title and len({first.isdigit() for first, _ in differing}) <= 1


def runs_of(items: Sequence[T], texts: Callable[[T], Sequence[str]], varying: re.Pattern[str]) -> Iterator[list[T]]:
    """Yield the items in order, as lists: long runs of items with similar texts together, others alone.

    Texts are similar if they differ only by the `varying` words by which their titles (the first texts) differ.
    """
    runs: list[list[T]] = []
    for item in items:
        if runs and _alike(texts(runs[-1][0]), texts(item), varying):
            runs[-1].append(item)
        else:
            runs.append([item])
    for run in runs:
        yield from [run] if len(run) >= _FEWEST else ([item] for item in run)
