"""Checks that every name is declared exactly once, and that cited sources exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.effects import names_given, without_groups
from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.context import counter_names, name_in_file, word_in
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, reworded, with_hint
from draftengine.model.diagnostics.suggest import closest, did_you_mean, known_names
from draftengine.model.language.builtins import BUILTINS, OPEN
from draftengine.model.language.macros import PLAYERS
from draftengine.model.language.parse import KEYWORDS
from draftengine.model.records import referenced_names, references_in
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, ChipStep, PointsStep
from draftengine.model.verbs.give import WORDS
from draftengine.model.verbs.turns import DoStep, InTurnStep
from draftengine.model.yaml.fixes import renamed
from draftengine.support.locale.phrases import said
from draftengine.support.source import Span  # noqa: TC001 (a field of a struct)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet, Rule
    from draftengine.model.records.reader import Amount
    from draftengine.model.verbs.verb import Step
    from draftengine.support.locale.phrases import Text

FACTS = frozenset({"points", "seat", "players", "seats", "round", "rounds", "turn", "card", "amount"})
"""Names that have a fixed meaning in formulas."""

RESERVED = FACTS | KEYWORDS | frozenset(BUILTINS) - OPEN
_WORDS = {"marker": WORDS, "name": WORDS | {*PLAYERS}, "zone": frozenset(PLAYERS)}
"""For each kind of name in steps, the words that have another meaning there."""
BUILT_IN_ZONES = frozenset({"deck", "hand", "tableau", "discard"})


def check_all_names(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about names that are unknown, ambiguous or reserved for formulas."""
    known = _Known(model)
    first: dict[str, _Named] = {}
    for named in _namespace(model):
        say = "word" if named.name in _WORDS.get(named.what, ()) else "name"
        if say == "word" or named.name in RESERVED:
            yield diagnose("taken-name", named.span, named.path, say=say, name=named.name)
        before = first.setdefault(named.name, named)
        if before is named or named.what == before.what == "family":
            continue
        if named.span.source is before.span.source:
            yield _clash(*sorted((before, named), key=lambda one: one.span.start))
        else:  # the author may have written the file or the one that it extends, so there is a finding in each
            yield _clash(before, named)
            yield _clash(named, before)
    yield from _cards(model, known)
    yield from _changed_by_components(model, known)
    yield from _steps(model, known)
    yield from _triggers(model, known)
    yield from _rules(model, known)
    for zone in model.zones:
        places = [place.id for place in zone.layout]
        for name in dict.fromkeys(name for place in zone.layout for name in place.covered_by if name not in places):
            hint, span = did_you_mean(name, places), word_in(zone.span, name)
            fix, path = renamed(span, name, places), f"/zones/{zone.id}"
            yield diagnose("unknown-place", span, path, hint=hint, fix=fix, zone=zone.id, name=name)
    if model.turn_order:
        yield from known.missing("marker", model.turn_order.marker, model.turn_order.span, "/turn_order")


class _Known:
    """All declared names, by the kind of what they name."""

    def __init__(self, model: CardSet) -> None:
        counting = counter_names(model)
        of_cards = {counter.id: name_in_file(counter.id, counter.span) for counter in model.counters if counter.card}
        changed = [name for name, kind in counting.items() if kind == "counter" and "." not in name]
        self.model = model
        self.counting = counting
        self.of_the_table = {counter.id for counter in model.counters if counter.per == "table"}
        self.tracks = {counter.id for counter in model.counters if counter.track}
        self.names: dict[str, list[str]] = {
            "card": [card.id for card in model.cards],
            "card or family": [name for name, kind in counting.items() if kind != "counter"],
            "counter": list(dict.fromkeys(of_cards.get(name, name) for name in changed)),
            "die": [counter.id for counter in model.counters if counter.die is not None],
            "zone": [zone.id for zone in model.zones],
            "marker": [marker.id for marker in model.markers],
            "chip pile": [pile.id for pile in model.chips],
            "extra seat": [seat.id for seat in model.extra_seats],
            "rule": [rule.id for rule in model.scoring],
            "trigger": [trigger.id for trigger in model.triggers],
            "score label": [label for _, step in steps_of(model) for label in referenced_names(step, "label")],
        }

        naming = [(name, step.of) for name, (step, _) in names_given(model).items()]
        copied = {name: f"{of}_1" in self.names["zone"] for name, of in naming}
        self.given = {
            "zone": [name for name, is_place in copied.items() if is_place],
            "card or family": [name for name, of in naming if not copied[name] and of not in PLAYERS],
        }
        """The names that steps give to zones and cards, by the kind of name that they can replace."""

    def missing(self, kind: str, name: str | None, span: Span, path: str) -> Iterator[Diagnostic]:
        """Yield a finding if nothing of this kind has the name `name`; nothing for ``None``."""
        if name is None or name in self.names[kind]:
            return
        if kind == "zone" and (first := f"{name}_1") in self.names[kind]:
            yield diagnose("zone-misuse", word_in(span, name), path, say="copies", zone=name, first=first)
            return
        code = "unknown-" + kind.replace(" or family", "").replace(" ", "-")
        place = word_in(span, name)
        # A name with a dot can only be in a list: elsewhere it is the zone of another seat.
        fix = None if "." in name else renamed(place, name, (*self.names[kind], *self.given.get(kind, ())))
        thing = said(f"thing.{kind.replace(' ', '-')}")
        say = "of-a-seat" if kind == "zone" and "." in name else "it"
        yield diagnose(code, place, path, say=say, hint=self.hint(kind, name, path), fix=fix, kind=thing, name=name)

    def hint(self, kind: str, name: str, path: str = "") -> Text:
        names = [known for known in self.names[kind] if ":" not in known]
        if kind == "zone" and "." in name:
            return said("hint.list-of-a-seat", text=f"from: {name}")
        meant = did_you_mean(name, (*names, *self.given.get(kind, ())))
        if kind == "card or family" and name in self.names["zone"]:
            return said("hint.clear-discards", text=f"clear: {name}")
        can_be_named = name in PLAYERS or f"{name}_1" in self.names["zone"]
        if kind == "card or family" and can_be_named and path.endswith("/choose"):
            return said("hint.name-what-is-chosen", of=name)
        return meant or known_names(names, said(f"thing.{kind.replace(' ', '-')}"))


# ── What is declared ──────────────────────────────────────────────────────────────────────────────────────────────────


class _Named(Struct, frozen=True):
    """A declared name, its kind and its position."""

    name: str
    what: str
    span: Span
    path: str


def _clash(before: _Named, named: _Named) -> Diagnostic:
    what, other = said(f"thing.{named.what}"), said(f"thing.{before.what}")
    related = (Related(said("finding.the", what=other), before.span),)
    return diagnose(
        "name-clash", named.span, named.path, say="names", related=related, name=named.name, before=other, what=what
    )


def _namespace(model: CardSet) -> Iterator[_Named]:
    for zone in model.zones:
        yield _Named(zone.id, "zone", zone.span, f"/zones/{zone.id}")
    for card in model.cards:
        yield _Named(card.id, "card", card.span, f"/cards/{card.id}")
    for card in model.cards:
        for family in {family: None for family in card.family if family != card.side_of}:
            yield _Named(family, "family", word_in(card.span, family), f"/cards/{card.id}/family")
    for counter in model.counters:
        yield _Named(counter.id, "counter", counter.span, f"/counters/{counter.id}")
    for parameter in model.parameters:
        yield _Named(parameter.id, "parameter", parameter.span, f"/parameters/{parameter.id}")
    for definition in model.definitions:
        yield _Named(definition.id, "definition", definition.span, f"/define/{definition.id}")
    for marker in model.markers:
        yield _Named(marker.id, "marker", marker.span, f"/markers/{marker.id}")
    for name, (step, path) in names_given(model).items():
        yield _Named(name, "name", word_in(step.span, name), path)


# ── What is named ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _cards(model: CardSet, known: _Known) -> Iterator[Diagnostic]:
    wild = {card.id for card in model.cards if card.forms}
    not_at_first = {zone.id for zone in model.zones if zone.per == "seat" or zone.layout}
    for card in model.cards:
        path = f"/cards/{card.id}"
        if not card.side_of:  # it begins as that card
            yield from known.missing("zone", card.starts_in, card.span, f"{path}/starts_in")
        if card.starts_in in not_at_first and not card.side_of:
            place = word_in(card.span, card.starts_in)
            yield diagnose("zone-misuse", place, f"{path}/starts_in", say="start", starts_in=card.starts_in)
        forms, span = (card.forms.of, card.forms.span) if card.forms else ((), card.span)
        for form in forms:
            yield from known.missing("card or family", form, span, f"{path}/forms/of")
            is_family = form in known.names["card or family"] and form not in known.names["card"]
            if form in wild or is_family:
                say, place = "family" if is_family else "card", word_in(span, form)
                yield diagnose("wild-form", place, f"{path}/forms/of", say=say, form=form)
        for name in card.free_with:
            yield from known.missing("card or family", name, card.span, f"{path}/free_with")
        for counter, _ in card.adds:
            yield from _not_a_counter(known, counter, card.span, f"{path}/adds/{counter}")
            if counter in known.of_the_table | known.tracks:
                yield from _of_the_table(known, counter, word_in(card.span, counter), f"{path}/adds/{counter}")
        yield from _effects(card.on_play, known, f"{path}/on_play")


def _not_a_counter(known: _Known, name: str, span: Span, path: str) -> Iterator[Diagnostic]:
    """Yield a finding if effects cannot change `name`: it is reserved, or the number of a card or family."""
    if name in RESERVED:
        yield diagnose("taken-name", word_in(span, name), path, say="counter", name=name)
    kind = known.counting.get(name)
    if kind in {"card", "family"}:
        yield diagnose("name-clash", word_in(span, name), path, say=kind, name=name)


def _changed_by_components(model: CardSet, known: _Known) -> Iterator[Diagnostic]:
    """Yield findings about names in payments, modifiers and abilities, and about unreachable tracks."""
    for counter in model.counters:
        if counter.track and (counter.per != "seat" or counter.die is not None):
            name = name_in_file(counter.id, counter.span)
            yield diagnose("name-clash", counter.span, f"/counters/{name}", say="not-a-track", name=name)
    for payment in model.payments:
        for index, name in ((index, name) for index, source in enumerate(payment.from_) for name in source.of):
            path = f"/payments/{payment.id}/from/{index}/of"
            yield from known.missing("card or family", name, payment.span, path)
    for modifier in model.modifiers:
        path = f"/modifiers/{modifier.id}"
        yield from known.missing("card", modifier.card, modifier.span, f"{path}/card")
        for name in modifier.applies_to:
            yield from known.missing("card or family", name, modifier.span, f"{path}/applies_to")
        for change in modifier.then:
            yield from _of_the_table(known, change.counter, change.span, f"{path}/then/{change.counter}")
            yield from _not_a_counter(known, change.counter, change.span, f"{path}/then/{change.counter}")
    for ability in model.abilities:
        yield from known.missing("card", ability.card, ability.span, f"/abilities/{ability.id}/card")


def _of_the_table(known: _Known, name: str, span: Span, path: str) -> Iterator[Diagnostic]:
    """Yield a finding if `name` is a shared counter or a track: cards and payments cannot change these."""
    if name in known.of_the_table | known.tracks:
        say = "track" if name in known.tracks else "counter"
        yield diagnose("name-clash", span, path, say=say, name=name)


def _effects(effects: tuple[Step, ...], known: _Known, path: str) -> Iterator[Diagnostic]:
    for index, effect in enumerate(effects):
        place = f"{path}/{index}/{effect.verb}"
        for names, name in references_in(effect) if effect.verb in EFFECTS else ():
            if names.kind != "die":
                yield from known.missing(names.kind, name, effect.span, place)
            elif name not in known.names["die"]:
                is_zone = name in known.names["zone"] or f"{name}_1" in known.names["zone"]
                way = said("hint.roll-zone" if is_zone else "hint.declare-die", name=name)
                hint = way if is_zone else did_you_mean(name, known.names["die"]) or way
                span = word_in(effect.span, name)
                fix = renamed(span, name, known.names["die"])
                yield diagnose("unknown-die", span, place, hint=hint, fix=fix, name=name)
        for amount in effect.amounts if isinstance(effect, Changing) else ():
            yield from _changed_counter(amount, known, place)


def _changed_counter(amount: Amount, known: _Known, path: str) -> Iterator[Diagnostic]:
    yield from _not_a_counter(known, amount.counter, amount.span, f"{path}/{amount.counter}")
    if amount.counter not in known.counting and ":" not in amount.counter:
        hint = known.hint("counter", amount.counter)
        fix = renamed(amount.span, amount.counter, known.names["counter"])
        yield diagnose("unknown-counter", amount.span, path, hint=hint, fix=fix, counter=amount.counter)


def _steps(model: CardSet, known: _Known) -> Iterator[Diagnostic]:
    seen: dict[str, Step] = {}
    for path, step in steps_of(model):
        for kind, name in dict.fromkeys((names.kind, name) for names, name in references_in(step)):
            if kind == "label":  # a score step declares its label
                if name == "reveal":
                    yield diagnose("taken-name", word_in(step.span, name), path, say="label")
            else:
                place = f"{path}/also" if kind == "extra seat" else path
                yield from known.missing(kind, name, step.span, place)
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            place = f"{path}/as/{way.id}"
            for kind in ("card", "trigger", *(("rule",) if _pays(way.do) else ())):
                if way.id in known.names[kind]:
                    hint = said("name-clash.way-and-rule.hint" if kind == "rule" else "name-clash.ways.hint")
                    thing = said(f"thing.{kind}")
                    yield diagnose("name-clash", way.span, place, say="ways", hint=hint, way=way.id, kind=thing)
            card = next((card for card in model.cards if card.id == way.ask), None)
            if card is not None and (card.forms or card.face):
                yield diagnose("card-not-plain", way.span, f"{place}/ask", say="asked", card=card.id)
            for amount in way.pay:
                yield from _changed_counter(amount, known, f"{place}/pay")
                yield from _of_the_table(known, amount.counter, amount.span, f"{place}/pay")
            yield from _effects(way.do, known, f"{place}/do")
        if isinstance(step, InTurnStep | DoStep):
            yield from _effects(step.do, known, f"{path}{step.path_within}")
        if step.id is not None:
            yield from _once(step, step.id, path, seen.setdefault(step.id, step))


def _once(step: Step, name: str, path: str, first: Step) -> Iterator[Diagnostic]:
    """Yield a finding if a step is not the first one with its id, which is `name`."""
    if step is first:
        return
    if step.span == first.span:  # a `for` repeats the step
        yield diagnose("name-clash", step.span, path, say="repeated", step=name, text=f"{name}_{{c}}")
    else:
        related = (Related(said("finding.the-first-one"), first.span),)
        yield diagnose("name-clash", step.span, path, say="steps", related=related, step=name)


def _pays(steps: tuple[Step, ...]) -> bool:
    return any(isinstance(step, PointsStep | ChipStep) for step in without_groups(steps))


def _triggers(model: CardSet, known: _Known) -> Iterator[Diagnostic]:
    """Yield findings about the names and moments of triggers, and about names in their effects."""
    moments = ["reveal", "turn", *known.names["score label"]]
    on_cards = {trigger.id: trigger for trigger in model.triggers if trigger.card}
    for trigger in model.triggers:
        after, path = trigger.after, trigger.path
        other = None if trigger.card else on_cards.get(trigger.id)
        if other is not None:
            related = (Related(said("finding.the", what=said("thing.card")), other.span),)
            yield diagnose(
                "name-clash", trigger.span, path, say="triggers", related=related, trigger=trigger.id, card=other.card
            )
        if trigger.id in known.names["rule"] and _pays(trigger.do):
            both, rule = said("name-clash.way-and-rule.hint"), said("thing.rule")
            yield diagnose("name-clash", trigger.span, path, say="ways", hint=both, way=trigger.id, kind=rule)
        steps = [(place, step) for place, step in steps_of(model) if step.id == after]
        if steps and after in moments:
            place, step = steps[0]
            yield diagnose("name-clash", step.span, place, say="moment", after=after)
        elif not steps and after not in moments:
            ids = [step.id for _, step in steps_of(model) if step.id]
            hint = did_you_mean(after, [*moments, *ids]) or said("unknown-score-label.moment.hint")
            span = word_in(trigger.span, after)
            yield diagnose("unknown-score-label", span, f"{path}/after", say="moment", hint=hint, label=after)
        yield from _effects(trigger.do, known, f"{path}/do")


_SCORE_STEPS = {"game": "finish: [{score: game}]", "round": "score: round"}
"""The usual labels of `score` steps, each with the YAML of such a step."""


def _rules(model: CardSet, known: _Known) -> Iterator[Diagnostic]:
    """Yield findings about rules with equal names, unknown piles of chips, or labels that no step scores."""
    places: dict[str, Span] = {}
    waiting: dict[str, list[Rule]] = {}
    for rule in model.scoring:
        if rule.id in places:
            other_one = (Related(said("finding.the-other-rule"), places[rule.id]),)
            yield diagnose("name-clash", rule.span, rule.path, say="rules", related=other_one, rule=rule.id)
        places.setdefault(rule.id, rule.span)
        waiting.setdefault(rule.at, []).append(rule)
        yield from known.missing("chip pile", rule.spec.pile, rule.span, f"{rule.path}/chip")
    idle = [label for label in known.names["score label"] if label not in waiting]
    for word, rules in waiting.items():
        if word in known.names["score label"]:
            continue
        meant = closest(word, idle)
        labelled = [(path, step) for path, step in steps_of(model) if meant in referenced_names(step, "label")]
        if len(rules) > 1 and meant and labelled:  # the label is probably misspelt at the step
            path, step = labelled[0]
            place = word_in(step.span, meant)
            fix = renamed(place, meant, [word])
            yield diagnose(
                "unknown-score-label", place, path, say="rules", fix=fix, other=meant, rules=len(rules), label=word
            )
            continue
        first, *others = rules
        finding = next(known.missing("score label", word, first.span, f"{first.path}/at"))
        related = tuple(Related(said("finding.waits-too"), other.span) for other in others)
        labels = [*known.names["score label"]]
        unsaid = word == "round" and len(labels) == 1 and finding.fix is None
        finding = replace(finding, related=related)
        lacking = _SCORE_STEPS.get(word, "") if finding.fix is None and (word == "game" or not labels) else ""
        finding = with_hint(finding, "hint.add-score", text=lacking) if lacking else finding
        finding = with_hint(finding, "hint.at-or-score-rounds", label=labels[0]) if unsaid else finding
        yield reworded(finding, "several", name=word, first=first.id, more=len(others)) if others else finding


_SECTIONS = (
    *("cards", "counters", "families", "modifiers", "abilities", "extra_seats", "markers", "chips", "tokens"),
    *("payments", "triggers", "scoring", "variants", "readings"),
)


def check_citations(model: CardSet) -> Iterator[Diagnostic]:
    """Yield a finding for each citation of a source that the file does not list."""
    known = [citation.id for citation in model.citations]
    if not known:
        return
    citing = [
        (entry.source, entry.span, f"/{section}/{entry.id}/source")
        for section in _SECTIONS
        for entry in getattr(model, section)
    ]
    citing += [(step.source, step.span, f"{path.rsplit('/', 1)[0]}/source") for path, step in steps_of(model)]
    citing += [
        (breaker.source, breaker.span, f"/winner/tie_breakers/{index}/source")
        for index, breaker in enumerate(model.winner.tie_breakers)
    ]
    for source, span, path in (*citing, (model.winner.source, model.winner.span, "/winner/source")):
        for name in source:
            if name not in known:
                hint = did_you_mean(name, known) or said("hint.add-to-sources")
                place = word_in(span, name)
                fix = renamed(place, name, known)
                yield diagnose("unknown-citation", place, path, hint=hint, fix=fix, name=name)
