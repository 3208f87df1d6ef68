"""Builds the `CardSet` of a game from its YAML tree, which is merged and matches the schema.

Only the texts of formulas can still be wrong here. Names are checked later.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.choices import read_parameters, read_readings, read_variants
from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.payments import PaymentRecord
from draftengine.model.cardset.records import (
    TABLEAU,
    Ability,
    About,
    Assumption,
    Card,
    CardSet,
    CardValue,
    ChipPile,
    Citation,
    Counter,
    ExtraSeat,
    Family,
    Forms,
    Marker,
    Modifier,
    Rule,
    TieBreaker,
    Token,
    Trigger,
    Winner,
)
from draftengine.model.diagnostics import ordered
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.language.tree import Binary, Call, Comparison, Conditional, LogicalOp, Name, Number, whole
from draftengine.model.loading.copies_apart import with_copies_apart
from draftengine.model.loading.from_copies import with_choice_of_copy
from draftengine.model.loading.macros import (
    copies_of,
    definitions_of,
    families_above,
    player_range,
    shorthand_of,
    with_families,
)
from draftengine.model.loading.payments import paid_for
from draftengine.model.loading.repeating import with_cards
from draftengine.model.loading.short import in_full
from draftengine.model.loading.sides import most_copies, with_sides
from draftengine.model.loading.steps import FLOW, turn_order_of, with_turn_order
from draftengine.model.records import default_label, referenced_names
from draftengine.model.records.reader import Amount, Formula, LayoutPlace, Reader, Zone, once
from draftengine.model.rules import FORMULA, RULE_KINDS, kind_named
from draftengine.model.verbs.actions import label_said
from draftengine.model.verbs.effects import AddStep, PointsStep, SetStep
from draftengine.model.verbs.places import numbered_label
from draftengine.model.verbs.seats import HIDDEN_ZONES
from draftengine.model.verbs.turns import EndStep, ScoreStep
from draftengine.model.verbs.verb import read_steps
from draftengine.model.verbs.who import EVERYBODY
from draftengine.model.yaml.tree import Mapping, Scalar, entries_of
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import said
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as Pairs

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.reader import Texts

ANY = "any"
"""The value of `forms: of` that stands for every other card."""
BUILT_IN_ZONES = (
    ("deck", "table", "nobody"),
    ("hand", "seat", "owner"),
    (TABLEAU, "seat", "everyone"),
    ("discard", "table", "everyone"),
)
"""The zones that every game has, as (name, `per`, `seen_by`)."""

_REMEMBERED = 1 << 10
"""The size of the caches for cards and for assumptions of variants."""

NO_CHOICES: Pairs[str, str] = MappingProxyType({})


def build(
    root: Mapping, active: tuple[str, ...] = (), chosen: Pairs[str, str] = NO_CHOICES
) -> tuple[CardSet, tuple[Diagnostic, ...]]:
    """Return the records of a merged and valid tree, and the mistakes in its formulas.

    `active` names the variants that are already merged, in order. `chosen` maps readings to their chosen options, if
    these are not the defaults.
    """
    findings: list[Diagnostic] = []
    root = with_choice_of_copy(with_copies_apart(with_sides(root, findings), findings))
    reader = Reader(root, "", findings)
    reader.short = shorthand_of(reader)
    plain = Reader(root, "", [], reader.short)
    reader.node = in_full(with_cards(root, lambda: _cards(plain), reader.short.board, reader.findings), reader.findings)
    fewest, most = player_range(root)
    cards = _cards(reader)
    rounds_by = _by_players("rounds", reader, reader)
    until = reader.at("rounds").optional_formula("until")
    ending = [EndStep(what="game", when=until, span=reader.at("rounds").span)] if until else []
    written = Reader(with_turn_order(reader.node), "", reader.findings, reader.short)
    model = CardSet(
        id=reader.word("id"),
        title=_label(reader, reader.word("id"), "title"),
        version=reader.word("version"),
        about=About.read(reader.at("about")),
        min_players=fewest,
        max_players=most,
        players_at=players.key.span if (players := root.entry("players")) else None,
        rounds=reader.int_or_most("rounds") or (limits.ROUNDS if reader.has("rounds") else 1),
        rounds_by=rounds_by,
        parameters=read_parameters(reader),
        definitions=definitions_of(reader),
        cards=cards,
        counters=tuple(_counters(reader)),
        families=tuple(once(Family.declared, name, family) for name, family in reader.each("families")),
        payments=tuple(once(PaymentRecord.declared, name, payment) for name, payment in reader.each("payments")),
        values=tuple(once(CardValue.declared, name, value) for name, value in reader.each("values")),
        modifiers=tuple(once(Modifier.declared, name, modifier) for name, modifier in reader.each("modifiers")),
        abilities=tuple(once(Ability.declared, name, ability) for name, ability in reader.each("abilities")),
        zones=tuple(_zones(reader)),
        copied=tuple((name, _label(reader.at("zones").at(name), name), one) for name, one in reader.short.board.places),
        # Ranked seats come first, so that comparisons can stop at the first unranked one.
        extra_seats=tuple(
            sorted(
                (once(ExtraSeat.declared, name, seat) for name, seat in reader.each("extra_seats")),
                key=lambda seat: not seat.ranked,
            )
        ),
        markers=tuple(once(Marker.declared, name, marker) for name, marker in reader.each("markers")),
        chips=tuple(once(ChipPile.declared, name, pile) for name, pile in reader.each("chips")),
        tokens=tuple(once(Token.declared, name, token) for name, token in reader.each("tokens")),
        setup=read_steps(written, "setup"),
        round=(*read_steps(written, "round"), *ending),
        finish=read_steps(written, "finish"),
        triggers=(
            *(once(Trigger.declared, name, trigger) for name, trigger in reader.each("triggers")),
            *_triggers_of_cards(reader),
        ),
        scoring=(*(once(_rule, name, rule) for name, rule in reader.each("scoring")), *_rules_of_cards(reader)),
        winner=_winner(reader.at("winner")),
        wins=reader.optional_formula("wins"),
        variants=read_variants(reader),
        active=active,
        readings=read_readings(reader, chosen),
        citations=tuple(
            Citation(entry.key.text, str(entry.value.value))
            for entry in entries_of(root.get("sources"))
            if isinstance(entry.value, Scalar)
        ),
        assumptions=tuple(_assumptions(reader, active)),
        turn_order=turn_order_of(root),
        until=until,
    )
    return completed(model), ordered(reader.findings)


def completed(model: CardSet) -> CardSet:
    """Return the game with a moment for every rule, and with the hidden zones that some steps need.

    A rule without a moment scores at the only word that steps score. If there are several, it scores at `game` if no
    step scores `round` and all other words have rules. Otherwise it scores at `round`.
    """
    steps = tuple(all_steps(model))
    if not all(rule.at for rule in model.scoring):
        words = {step.label for step in steps if isinstance(step, ScoreStep)}
        others = words - {rule.at for rule in model.scoring}  # a word without rules may be a misspelt `round`
        at_the_end = "game" in words and "round" not in words and others <= {"game"}
        usual = words.pop() if len(words) == 1 else "game" if at_the_end else "round"
        model = replace(model, scoring=tuple(rule if rule.at else replace(rule, at=usual) for rule in model.scoring))
    used = frozenset[str]().union(*(referenced_names(step, "zone") for step in steps))
    hidden = (
        Zone(name, per, seen_by, (), label_said(key) if key else default_label("taken"), model.winner.span)
        for name, per, seen_by, key in HIDDEN_ZONES
        if name in used
    )
    return replace(model, zones=(*model.zones, *hidden))


def _cards(reader: Reader) -> tuple[Card, ...]:
    """Return all cards. In the forms of wild cards, families are replaced by their cards.

    The form ``any`` stands for all cards, including the sides of dice. Wild cards, dice and cards that abilities take
    back are left out.
    """
    above = families_above(reader)
    cards: list[Card] = []
    counters, on_cards = IdentityKey(reader.at("counters").node), reader.short.board.on_cards
    payments = tuple(reader.short.payments.values())
    for name, declared in reader.each("cards"):
        card = once(_card, name, declared)
        card = _with_counters(IdentityKey(card), counters, on_cards) if on_cards else card
        families = with_families(card.family, above)
        card = card if families == card.family else _of_families(IdentityKey(card), families)
        cards.append(paid_for(IdentityKey(card), payments) if payments else card)
    taken_back = {
        ability.word("card") for _, ability in reader.each("abilities") if ability.word("returns_to") != "stays"
    }
    others = tuple(card.id for card in cards if not (card.forms or card.is_die or card.id in taken_back))
    if len(others) == len(cards):
        return tuple(cards)
    members = {ANY: others}
    for card in cards:
        for family in () if card.forms else card.family:
            members[family] = (*members.get(family, ()), card.id)

    def whole(named: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(members.get(name, (name,)) for name in named)))

    return tuple(
        _formed(IdentityKey(card), IdentityKey(card.forms), whole(card.forms.of))
        if card.forms and not members.keys().isdisjoint(card.forms.of)
        else card
        for card in cards
    )


@lru_cache(_REMEMBERED)
def _with_counters(
    card: IdentityKey[Card], counters: IdentityKey[Mapping], on_cards: tuple[tuple[str, tuple[str, ...]], ...]
) -> Card:
    """Return a card with effects that reset the counters on it when it is played."""
    declared, span = Reader(counters.own, "/counters"), card.own.span
    amounts = []
    for counter, cards in on_cards:
        if card.own.id in cards:
            start = declared.at(counter).int("start")
            amounts.append(Amount(f"{counter}_{card.own.id}", Formula(str(start), whole(start), span), span))
    return replace(card.own, begins=(SetStep(amounts=tuple(amounts), span=span),)) if amounts else card.own


def _card(name: str, reader: Reader) -> Card:
    """Return one card as the file declares it."""
    card = Card.declared(name, reader)
    counts = reader.for_each_count("count")
    return replace(card, counts=counts) if counts else card


@lru_cache(_REMEMBERED)
def _of_families(card: IdentityKey[Card], family: tuple[str, ...]) -> Card:
    return replace(card.own, family=family)


@lru_cache(_REMEMBERED)
def _formed(card: IdentityKey[Card], forms: IdentityKey[Forms], others: tuple[str, ...]) -> Card:
    """Return a wild card with the full list of cards that it can be played as."""
    return replace(card.own, forms=replace(forms.own, of=others))


def _label(reader: Reader, name: str, key: str = "label") -> Texts:
    return reader.texts(key) or default_label(name)


# ── Assumptions ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _assumptions(reader: Reader, active: tuple[str, ...]) -> Iterator[Assumption]:
    """Yield the assumptions of the selected game, then the ones that inactive variants would add."""
    for label, text in _assumed_in(reader):
        yield Assumption(label, text, "")
    for name, variant in reader.each("variants"):
        by = "" if name in active else name
        if variant.has("assumed"):
            yield Assumption(_label(variant, name, "title"), variant.texts("assumed"), by)
        for label, text in _assumed_by(IdentityKey(variant.at("changes").node)) if by else ():
            yield Assumption(label, text, by)


@lru_cache(_REMEMBERED)
def _assumed_by(changes: IdentityKey[Mapping]) -> tuple[tuple[Texts, Texts], ...]:
    """Return the assumptions in the changes of a variant.

    The result is cached, because every game without the variant needs it.
    """
    return tuple(_assumed_in(Reader(changes.own, "")))


def _assumed_in(reader: Reader) -> Iterator[tuple[Texts, Texts]]:
    """Yield pairs from a game or changes: the subject's label, which may be empty, and the assumption."""
    parts: list[tuple[Reader, Texts]] = [(part, ()) for part in (reader, reader.at("about"), reader.at("winner"))]
    parts += [(part, _label(part, name)) for section in _ASSUMED_IN for name, part in reader.each(section)]
    parts += [(step, ()) for _, step in reader.each("steps")]  # the changes to steps, and then the steps of the flow
    waiting = [step for key in FLOW for step in reader.items(key)]
    while waiting:
        step = waiting[0]
        parts.append((step, ()))
        turns = [*step.at("repeat").items("do"), *step.at("in_turn").items("do")]
        waiting[:1] = [*step.items("do"), *step.items("else"), *turns]
    for part, label in parts:
        if part.has("assumed"):
            yield label, part.texts("assumed")


_ASSUMED_IN = (
    *("cards", "counters", "families", "modifiers", "abilities", "zones", "extra_seats", "markers", "chips", "tokens"),
    *("payments", "triggers", "scoring"),
)


# ── Zones ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _zones(reader: Reader) -> Iterator[Zone]:
    """Yield the built-in zones, then the declared zones. If a zone has copies, these are yielded instead."""
    whole = reader.node.span
    span = Span(whole.source, whole.start, whole.start)
    for name, per, seen_by in BUILT_IN_ZONES:
        counts = name == TABLEAU
        yield Zone(name, cast("Any", per), cast("Any", seen_by), (), default_label(name), span, counts=counts)
    for name, declared in reader.each("zones"):
        zone = once(_zone, name, declared)
        for copy, number in copies_of(reader.short.board, name):
            yield zone if not number else replace(zone, id=copy, label=numbered_label(zone.label, number))


def _by_players(key: str, reader: Reader, game: Reader) -> tuple[tuple[int, int], ...]:
    """Return a table by number of players. Each number of players that it lacks is reported."""
    table = reader.for_each_count(key)
    fewest, most = player_range(game.node)
    for players in sorted({*range(fewest, most + 1)} - dict(table).keys()) if table else ():
        place, hint = said("quoted", name=key), said("hint.add-example", text=f"{players}: {table[-1][1]}")
        reader.report("required-key", key, say="lacking", place=place, key=str(players), hint=hint)
    return table


def _counters(reader: Reader) -> Iterator[Counter]:
    """Yield the declared counters. A counter per copy of a zone or per card is split into shared counters."""
    for name, declared in reader.each("counters"):
        counter = once(Counter.declared, name, declared)
        if starts := _by_players("start", declared, reader):
            counter = replace(counter, starts=starts)
        if counter.min is None and counter.die is None and (counter.track or counter.max is not None):
            counter = replace(counter, min=min(0, counter.start, *(start for _, start in starts)))
        cards = dict(reader.short.board.on_cards).get(name)
        if starts and (counter.track or cards is not None):
            declared.report("wrong-type", "start", say="by-players", place=said("quoted", name="start"))
        for card in cards or ():
            labels = dict(_label(reader.at("cards").at(card), card))
            usual = next(iter(labels.values()))
            label = tuple((tag, f"{text} ({labels.get(tag.partition('#')[0], usual)})") for tag, text in counter.label)
            yield replace(counter, id=f"{name}_{card}", per="table", label=label, card=card, label_of_all=counter.label)
        if cards is not None:
            if not cards:
                declared.report("card-not-plain", "per", say="several", counter=name)
            continue
        places = [zone for zone, _ in reader.short.board.places]
        if counter.per not in {"seat", "table", *places}:
            meant = did_you_mean(counter.per, ["seat", "table", "card", *places, *reader.short.members]) or None
            declared.report("unknown-zone", "per", say="of-copies", hint=meant, name=counter.per)
        for copy, number in copies_of(reader.short.board, name):
            label = numbered_label(counter.label, number)
            per = reader.at("zones").at(counter.per).word("per", "table")
            yield counter if not number else replace(counter, id=copy, per=per, label=label)


def _zone(name: str, reader: Reader) -> Zone:
    per, counts = reader.word("per", "table"), reader.flag("counts")
    layout, places = reader.at("layout"), []
    rows = [(row.int("cards"), row.word("face") == "down") for row in layout.items("rows")]
    pyramid = layout.word("covers") == "pyramid"
    for row, (cards, down) in enumerate(rows, start=1):
        for column in range(1, cards + 1):
            # In a pyramid, its two neighbours in the next row cover a place.
            width = rows[row][0] if row < len(rows) else 0
            above = tuple(_place(row + 1, other) for other in (column, column + 1) if other <= width)
            covered_by = above if pyramid else layout.at("covers").words(_place(row, column))
            places.append(LayoutPlace(_place(row, column), down, covered_by))
    return Zone(
        id=name,
        per=cast("Any", per),
        seen_by=cast("Any", reader.word("seen_by", "owner" if per == "seat" and not counts else "everyone")),
        layout=tuple(places),
        label=_label(reader, name),
        span=reader.span,
        counts=counts,
        side=reader.word("side"),
    )


def _place(row: int, column: int) -> str:
    return f"r{row}c{column}"


# ── Rules ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _rule(name: str, reader: Reader) -> Rule:
    kind = RULE_KINDS[kind_named(reader.keys) or FORMULA]
    return Rule(
        id=name,
        kind=kind.name,
        at=reader.word("at"),
        label=_label(reader, name),
        text=reader.texts("text"),
        when=reader.optional_formula("when"),
        spec=kind.read(reader),
        source=reader.words("source"),
        span=reader.span,
        labelled=reader.has("label"),
    )


def _rules_of_cards(reader: Reader) -> Iterator[Rule]:
    """Yield the rules on cards. If a rule has no label or sources, it gets those of its card."""
    for name, card in reader.each("cards"):
        if card.has("scores"):
            rule = once(_rule, name, card.at("scores"))
            label = card.at("scores").texts("label") or _label(card, name)
            yield _on_card(IdentityKey(rule), name, label, rule.source or card.words("source"))


@lru_cache(_REMEMBERED)
def _on_card(rule: IdentityKey[Rule], card: str, label: Texts, source: tuple[str, ...]) -> Rule:
    return replace(rule.own, card=card, label=label, source=source)


def _triggers_of_cards(reader: Reader) -> Iterator[Trigger]:
    """Yield the triggers on cards. They run for seats that have the card, and count once for each copy."""
    copies = most_copies(reader, unknown=0)
    for name, card in reader.each("cards"):
        several = copies[name] > 1
        for number, inner in enumerate(card.items("triggers")):
            trigger = once(Trigger.declared, name, inner)
            if several and not all(isinstance(step, AddStep | PointsStep) for step in trigger.do):
                inner.report("misplaced-step", "do", say="copies", card=name)
            label = trigger.label if inner.has("label") else _label(card, name)
            source = trigger.source or card.words("source")
            yield _of_card(IdentityKey(trigger), name, number, label, source, several=several)


@lru_cache(_REMEMBERED)
def _of_card(
    trigger: IdentityKey[Trigger], card: str, number: int, label: Texts, source: tuple[str, ...], *, several: bool
) -> Trigger:
    """Return a trigger that runs for seats with the card. `several` multiplies its amounts by the copies."""
    read, there = trigger.own, Name(card)

    def whole(formula: Formula) -> Formula:
        return replace(formula, expr=Binary("*", formula.expr, there)) if several else formula

    steps = tuple(
        replace(step, amounts=tuple(replace(one, formula=whole(one.formula)) for one in step.amounts))
        if isinstance(step, AddStep)
        else replace(step, amount=whole(step.amount))
        if isinstance(step, PointsStep)
        else step
        for step in read.do
    )
    has: Expr = Comparison(">", there, Number(0))
    who = has if read.who.expr == EVERYBODY.expr else LogicalOp("and", has, read.who.expr)
    return replace(
        read,
        id=f"{card}_trigger_{number + 1}" if number else f"{card}_trigger",
        card=card,
        number=number,
        label=label,
        source=source,
        who=replace(read.who, expr=who),
        do=steps,
        each=read,
    )


def _winner(reader: Reader) -> Winner:
    breakers = []
    for breaker in reader.items("tie_breakers"):
        order: Literal["most", "fewest"] = "fewest" if breaker.has("fewest") else "most"
        if breaker.has("holder"):  # the holder of the marker has 1, and all others have 0
            marker = breaker.formula("holder")
            holds = Call("holds", (marker.expr,), marker.expr.start, marker.expr.end)
            measure = Formula(f"holds({marker.text})", Conditional(Number(1), holds, Number(0)), marker.span)
        else:
            measure = breaker.formula(order)
        holder = breaker.word("holder")
        breakers.append(TieBreaker(order, measure, breaker.words("source"), breaker.span, holder))
    return Winner(cast("Any", reader.word("order", "most")), tuple(breakers), reader.words("source"), reader.span)
