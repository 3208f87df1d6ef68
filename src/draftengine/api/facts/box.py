"""The contents of the box, its imprint, and the set-up of the game with its layouts."""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.phrasing.sentences import amounts_of, families_said, numbers_of, sides_of, starts_said
from draftengine.api.phrasing.vocabulary import numbers_of as numbers_in
from draftengine.api.phrasing.vocabulary import series_name, series_of
from draftengine.model.cardset.facts import all_steps, steps_of, zones_in_order
from draftengine.model.cardset.records import DECK, with_players
from draftengine.model.flow import flow_bounds
from draftengine.model.records import referenced_names
from draftengine.support.locale.catalogue import signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from draftengine.api.facts.things import Fact
    from draftengine.api.game import Ruleset
    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.cardset.records import Card
    from draftengine.model.language.macros import Places
    from draftengine.model.records.reader import LayoutPlace, Zone


def layouts_said(speech: CardSetPhraser) -> Iterator[str]:
    """Yield sentences about the layouts, zones in which cards lie at fixed places.

    A layout that is one row of open cards needs no sentence.
    """
    for zone in speech.model.zones:
        rows = _rows(zone)
        if len(rows) > 1 or any(place.face_down for place in zone.layout):
            keys = [("layout.row.down" if row[0].face_down else "layout.row", len(row)) for row in rows]
            named = [speech.phrase(key, cards=speech.phrase("cards", count=count), count=count) for key, count in keys]
            yield speech.phrase("layout.rows", zone=speech.zone(zone.id), list=speech.join_list(named))
        covers = {place.id: set(place.covered_by) for place in zone.layout}
        levels = _rows(zone)
        pyramid = len(levels) > 1 and all(
            covers[place.id] == {cover.id for cover in above[index : index + 2]} and len(above) > index + 1
            for row, above in pairwise(levels)
            for index, place in enumerate(row)
        )
        if pyramid:
            yield speech.phrase("layout.pyramid")
        if any(place.covered_by for place in zone.layout):
            down = any(place.face_down and place.covered_by for place in zone.layout)
            yield speech.phrase("layout.open.down" if down else "layout.open")


def orders_said(speech: CardSetPhraser) -> Iterator[str]:
    """Yield a sentence about the zones in which the order of several open cards matters."""
    orderly = zones_in_order(speech.model)
    if not orderly:
        return
    players = speech.counts[-1]
    most = dict(flow_bounds(with_players(speech.model, players), players).sizes)
    of = {copy: name for name, _, places in speech.model.copied for copy, _ in places.copies}
    several = [zone.id for zone in speech.model.zones if zone.id in orderly and max(most[zone.id]) > 1]
    if names := [speech.zone(name).form("one") for name in dict.fromkeys(of.get(zone, zone) for zone in several)]:
        yield speech.phrase("row.in_order", list=speech.join_list(names))


def copies_said(speech: CardSetPhraser) -> Iterator[str]:
    """Yield a set-up sentence for each zone with several copies, such as the places of a market.

    If the number of copies depends on the number of players, the sentence points to the table of numbers, unless the
    copies are in a grid.
    """
    for name, _, places in speech.model.copied:
        count, columns = _used(places, speech.counts[0]), places.columns
        zones = {"zone": speech.zone(name), "first": speech.zone(f"{name}_1"), "last": speech.zone(f"{name}_{count}")}
        if columns:
            yield speech.phrase("setup.grid", rows=count // columns, columns=columns, **zones)
        elif count != _used(places, speech.counts[-1]):
            yield speech.phrase("setup.copies.by_players", table=speech.phrase("by_players"), **zones)
        elif count > 1:
            yield speech.phrase("setup.copies", count=count, **zones)


def _used(places: Places, players: int) -> int:
    """Return the number of copies of a zone that are used with a number of players."""
    return sum(needed <= players for _, needed in places.copies)


def _rows(zone: Zone) -> list[list[LayoutPlace]]:
    """Return the places of a layout, row by row. The ids of places have the form ``rRcC``."""
    rows: dict[str, list[LayoutPlace]] = {}
    for place in zone.layout:
        rows.setdefault(place.id.partition("c")[0], []).append(place)
    return list(rows.values())


class Boxed(Struct, frozen=True):
    """Cards in the box: one card, or a series of cards whose names differ only by a number."""

    card: str
    """The card whose picture is printed."""
    label: str
    copies: int
    """The number of copies of all these cards."""
    text: str = ""
    """Notes: the price of the card, the amounts that it adds, and the families that it counts as."""
    values: tuple[tuple[str, str], ...] = ()
    """Notes for the cards of a series, if these differ: pairs of the cards and the text."""


class SetUp(Struct, frozen=True):
    """Sentences about the preparations that are not written as steps in the card set."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    by_players: tuple[tuple[str, tuple[int, ...]], ...]
    """Rows of a table: a title, and a value for each number of players."""


# ── The box ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def boxed_cards(speech: CardSetPhraser, scoring: Sequence[Fact]) -> Iterator[Boxed]:
    """Yield an entry for each die and each other card or series of cards, in the order of the card set."""
    rules = zip(speech.model.scoring, scoring, strict=True)
    scored_by_card = {
        formula.text for rule, fact in rules if any(line.card for line in fact.lines) for formula in rule.spec.inputs()
    }
    groups: list[Sequence[Card]] = []
    once: dict[str, Card] = {}
    for card in speech.model.cards:  # copies that have counters of their own are printed as one card
        known = once.get(card.copy_of or card.id)
        once[card.copy_of or card.id] = replace(known, count=known.count + card.count) if known else card
    for series in series_of([card for card in once.values() if not card.side_of]):
        groups += [[die] for die in series] if series[0].is_die else [series]
    for cards in groups:
        first, copies = cards[0], cards[0].count
        families = [set(families_said(card, speech)) for card in cards]
        common = [name for name in families_said(first, speech) if all(name in others for others in families)]
        # Amounts that are the numbers in the names are noted once.
        numbers = [numbers_in([speech.card_name(card.id)]) for card in cards]
        named = [
            name
            for name, _ in (first.adds if len(cards) > 1 else ())
            if [[str(abs(dict(card.adds).get(name, 0)))] for card in cards] == numbers
        ]
        apart = {*scored_by_card, *named, *(common if len(cards) > 1 else ())}
        printed = [_printed(card, apart, speech) for card in cards]
        alike = [[cards[index] for index, _ in part] for _, part in groupby(enumerate(printed), itemgetter(1))]
        notes = printed[0] if len(alike) == 1 else []
        values: tuple[tuple[str, str], ...] = ()
        if len(cards) == 1 and (sides := sides_of(first, speech)):
            notes = [*notes, sides if first.is_die else speech.phrase("card.back.note", side=sides)]
        if len(cards) > 1:
            counters = [speech.counter(name) for name in named if name not in scored_by_card]
            counted = [speech.phrase("box.number", of=counter) for counter in counters]
            notes = [*common, speech.phrase("box.each", copies=copies), *counted, *notes]
        if len(alike) > 1:
            texts = [speech.join_list(text, "comma") or "–" for text, _ in groupby(printed)]
            values = tuple(zip([series_name(part, speech) for part in alike], texts, strict=True))
        name, text = series_name(cards, speech), speech.join_list(notes, "comma")
        yield Boxed(first.id, name, copies * len(cards), text, values)


def _printed(card: Card, apart: AbstractSet[str], speech: CardSetPhraser) -> list[str]:
    """Return notes on a card: its families, numbers, price and amounts, without those in `apart`."""
    adds = tuple((name, number) for name, number in card.adds if name not in apart)
    like = [speech.phrase("card.counts_as", of=family) for family in speech.counts_as(card)]
    return [
        *([] if like else [name for name in families_said(card, speech) if name not in apart]),
        *numbers_of(card, speech),
        *amounts_of(replace(card, adds=adds), speech),
        *like,
    ]


def pieces_said(speech: CardSetPhraser) -> Iterator[tuple[str, str]]:
    """Yield (id, text) for each kind of thing in the box other than cards: chips, markers, cubes, dice."""
    for pile in speech.model.chips:
        values = speech.join_list([*map(signed, pile.values)], "comma")
        label = speech.text(pile.label)
        yield pile.id, speech.phrase("box.chips", count=len(pile.values), label=label, values=values)
    yield from ((marker.id, speech.text(marker.label)) for marker in speech.model.markers if not marker.role)
    for token in speech.model.tokens:
        label, key = speech.text(token.label), "box.token.each" if token.per == "seat" else "box.token"
        yield (
            token.id,
            speech.phrase(key, label=label, value=token.value) if token.value or token.per == "seat" else label,
        )
    for counter in speech.model.counters:
        if counter.die is not None:
            yield counter.id, speech.phrase("box.die", label=speech.text(counter.label), sides=counter.die)


# ── The set-up ────────────────────────────────────────────────────────────────────────────────────────────────────────


def set_up(speech: CardSetPhraser) -> SetUp:
    """Return the sentences that precede and follow the set-up steps, and the table by number of players."""
    model = speech.model
    copies = [(card, set(_copies(card, speech))) for card in model.cards]
    by_players, table = any(len(numbers) > 1 for _, numbers in copies), speech.phrase("by_players")
    before = [speech.phrase("box.out.by_players", table=table)] if by_players else []
    left = [(card, card.count - min(numbers)) for card, numbers in copies if len(numbers) == 1]
    out = [f"{number} × {speech.card_name(card.id)}" for card, number in left if number]
    before += [speech.phrase("box.out", list=speech.join_list(out))] if out else []
    zones: dict[str, list[Card]] = {}
    for card in speech.model.cards:
        if card.count:
            zones.setdefault(card.starts_in, []).append(card)
    in_deck = zones.pop(DECK, [])
    for zone, there in zones.items():
        backs = [side for card in there if not card.is_die for side, _ in card.sides if side != card.id]
        many = len(there) > _LISTED
        if many and (family := speech.family_of([card.id for card in there])):
            named = [(there, family.form("other"))]
        elif many and (family := speech.family_of(backs)):
            named = [(there, speech.phrase("card.backed", of=family))]
        else:
            named = [(list(cards), series_name(cards, speech)) for cards in series_of(there)]
        fixed = [all(len(set(_copies(card, speech))) == 1 for card in cards) for cards, _ in named]
        listed = [
            f"{sum(card.count for card in cards)} × {name}"
            if one
            else speech.phrase("setup.apart.by_players", name=name)
            if any(fixed)
            else name
            for (cards, name), one in zip(named, fixed, strict=True)
        ]
        before.append(speech.about(zone).phrase("setup.apart", zone=speech.zone(zone), list=speech.join_list(listed)))
    if zones and in_deck:
        before.append(speech.phrase("setup.rest"))
    taken = [f"1 × {speech.text(token.label)}" for token in model.tokens if token.per == "seat"]
    lying = [speech.text(token.label) for token in model.tokens if token.per == "table"]
    lying += [speech.text(marker.label) for marker in model.markers if marker.start == "nobody" and not marker.role]
    after = [speech.phrase("setup.pieces", list=speech.join_list(lying))] if lying else []
    after += [speech.phrase("setup.taken", list=speech.join_list(taken))] if taken else []
    after += [*layouts_said(speech), *copies_said(speech), *orders_said(speech), *starts_said(speech)]
    after += [speech.phrase("setup.chips")] if model.chips else []
    verbs = {step.verb for step in all_steps(model)}
    of_deck = {step.verb for step in all_steps(model) if "deck" in referenced_names(step, "zone")}
    # Every round deals from the rest of the deck, and discarded cards do not come back to it.
    deals_on = model.rounds > 1 and "deal" in of_deck and "clear" in verbs
    returned = [path for path, step in steps_of(model) if getattr(step, "to", "") == DECK]
    refilled = "gather" in verbs or any(path.startswith("/round/") for path in returned)
    after += [speech.phrase("setup.once")] if deals_on and not refilled and "draw" not in of_deck else []
    after += [] if speech.paid_in in {"tokens", "chips"} else [speech.phrase("box.paper")]
    return SetUp(tuple(before), tuple(after), tuple(_by_players(speech)))


_LISTED = 9
"""The largest number of different cards that a sentence names one by one."""


def _copies(card: Card, speech: CardSetPhraser) -> tuple[int, ...]:
    """Return the number of copies of a card in play, for each number of players."""
    counts = dict(card.counts)
    return tuple(counts.get(count, 0) if counts else card.count for count in speech.counts)


def _by_players(speech: CardSetPhraser) -> Iterator[tuple[str, tuple[int, ...]]]:
    model = speech.model
    for card in model.cards:
        copies = _copies(card, speech)
        if len(set(copies)) > 1:
            yield speech.card_name(card.id), copies
    for name, _, places in model.copied:
        used = tuple(_used(places, players) for players in speech.counts)
        if len(set(used)) > 1:
            yield speech.phrase("setup.copies.row", zone=speech.zone(name)), used
    deals = [step for step in model.round if step.verb == "deal" and speech.of_each(getattr(step, "to", ""))]
    numbers = {getattr(step, "to", ""): speech.numbers(getattr(step, "cards", None)) for step in deals}
    known = {zone: tuple(int(one or 0) for one in dealt) for zone, dealt in numbers.items() if None not in dealt}
    if "hand" not in known or len(known) < len(deals):
        return
    yield speech.phrase("dealt"), known["hand"]
    yield from (
        (speech.phrase("dealt.zone", zone=speech.zone(zone)), dealt) for zone, dealt in known.items() if zone != "hand"
    )
    loop = next((step for step in model.round if step.verb == "repeat"), None)
    one_each = loop is not None and [step.verb for step in loop.within] in (["choose", "pass"], ["choose"])
    if not one_each or getattr(loop, "until_empty", None) != "hand" or getattr(loop, "at_most", None) is not None:
        return
    yield speech.phrase("turns"), known["hand"]
    whole = [sum(column) for column in zip(*(_copies(card, speech) for card in model.cards), strict=True)]
    moved = any(
        step.verb in {"gather", "move", "draw"} or (step.verb == "deal" and step not in deals) for step in model.round
    )
    if len(set(whole)) == 1 and not moved and not model.until and not speech.begin_apart():
        dealt = [sum(column) for column in zip(*known.values(), strict=True)]
        left = [
            whole[0] - model.rounds * players * number for players, number in zip(speech.counts, dealt, strict=True)
        ]
        yield speech.phrase("left_over", count=whole[0]), tuple(left)


_HASH = 12
"""The number of digits of the hash that are printed. Copies with equal hashes have the same rules."""


def imprint_said(rules: Ruleset, speech: CardSetPhraser) -> str:
    """Return the imprint: title, version and hash of the card set, then the sentences about its owners."""
    made = speech.phrase(
        "made",
        title=speech.text(rules.model.title),
        version=rules.model.version,
        hash=rules.fingerprint[:_HASH],
    )
    return speech.joined([made, *owners_said(speech)])


def owners_said(speech: CardSetPhraser) -> tuple[str, ...]:
    """Return the sentence about the author, if there is one, and a note about publishers' rights."""
    by, note = maker_said(speech), speech.phrase("note")
    return (by, note) if by else (note,)


def maker_said(speech: CardSetPhraser) -> str:
    """Return the sentence about author and publisher; empty if the card set names no author."""
    about = speech.model.about
    if about.author and about.publisher and about.year:
        return speech.phrase("published", author=about.author, publisher=about.publisher, year=about.year)
    return speech.phrase("game_by", author=about.author) if about.author else ""
