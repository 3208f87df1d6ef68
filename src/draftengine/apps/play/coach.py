"""The coach: tips in a first game, one at a time, each when its subject first comes up.

Tips are made from the data of a card set and a seat's view: kinds of rules, modifiers, abilities, cards that stay, wild
cards and markers. So every card set has a coach. A *tip* has an id; front ends remember the ids of the tips that a
person has seen. Tips about turns are given once, tips about cards once for each card set.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import MsgspecError, Struct
from msgspec.json import decode, encode

from draftengine.api.facts import Things
from draftengine.api.labels import card_in
from draftengine.api.phrasing.events import EventPhraser, EventTeller
from draftengine.api.records import HAND, TABLEAU
from draftengine.apps.play.table_view import hand_of
from draftengine.model.loading.texts import own_rules
from draftengine.support.files import replacing
from draftengine.support.locale.catalogue import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from draftengine.api.phrasing.events import TableNames
    from draftengine.api.records import Event
    from draftengine.api.state import State
    from draftengine.api.view import View
    from draftengine.apps.play.labels import Names
    from draftengine.model.cardset.records import Card

_LONGEST = 170
"""The largest number of characters that a tip quotes from a card set's text, in whole sentences."""
_WAYS = 6
"""The largest number of actions in a choice for which a tip lists them by name."""
_FORMULAS = 3
"""The largest number of rules of the kind ``formula`` in a card set that tips explain."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=。)")


class Tip(Struct, frozen=True):
    """A sentence or two that a person should know at this moment of a game."""

    id: str
    text: str


class Tips(Struct):
    """The tips that the people at this computer have seen, and whether they want more."""

    given: list[str] = []
    wanted: bool = True
    path: str = ""
    """The file in which the tips are stored; empty to forget them after the game."""
    told: dict[int, int] = {}
    """For each seat, the number of events so far when a tip was last looked for."""

    @classmethod
    def kept(cls, path: Path) -> Tips:
        """Read the tips that were seen from a file; there are none if it is missing or cannot be read."""
        try:
            tips = decode(path.read_bytes(), type=cls)
        except (OSError, MsgspecError):
            tips = cls()
        tips.path = str(path)
        return tips

    def next(self, state: State, seat: int, names: Names, by: str) -> str:
        """Return the next tip for a seat as text, and store it as seen; empty if there is none."""
        since = self.told.get(seat, 0) if len(state.history) >= self.told.get(seat, 0) else 0
        self.told[seat], news = len(state.history), state.story(seat, since)
        tip = tip_for(state.view(seat), names, self.given, by=by, news=news) if self.wanted else None
        if tip is None:
            return ""
        self.given.append(tip.id)
        self._keep()
        return names.say("coach.tip", text=names.style.safe(tip.text))

    def switch(self, names: Names) -> str:
        """Turn tips off, or on again. Return a sentence that says so."""
        self.wanted = not self.wanted
        self._keep()
        return names.say("coach.on" if self.wanted else "coach.off")

    def _keep(self) -> None:
        """Write the tips that were seen to the file `path`, if the disk allows it."""
        if self.path:
            with suppress(OSError), replacing(Path(self.path)) as out:
                out.write(encode({"given": self.given, "wanted": self.wanted}))


def tip_for(
    view: View,
    names: TableNames,
    given: Collection[str],
    *,
    by: str,
    chosen: bool = False,
    news: Sequence[Event] | None = None,
) -> Tip | None:
    """Return the first tip for this moment whose id is not in `given`; ``None`` if there is none.

    `by` says how cards are chosen: ``touch``, ``mouse``, ``keys`` or ``line``. `chosen` is true once the seat has
    chosen and the others have not. `news` are the events that the seat has seen since its last choice, by default those
    of the view.
    """
    coach = _Coach(view, names, by, frozenset(given), view.events if news is None else news)
    tips = coach.once_chosen() if chosen else coach.tips()
    return next((tip for tip in tips if tip.text and tip.id not in coach.given), None)


class _Coach(Struct, frozen=True):
    """Makes the tips for one seat at one moment."""

    view: View
    names: TableNames
    by: str
    given: frozenset[str]
    events: Sequence[Event]

    def tips(self) -> Iterator[Tip]:
        """Yield the tips for this moment, the most urgent first."""
        if self.view.over or self.view.seat < 0:
            return
        yield from self._turn()
        yield from self._happened()
        view, labels = self.view, self.names.labels
        cards = {card.id: card for card in view.game.model.cards}
        in_sight = [*(name for name, _ in view.stock or hand_of(view)), *view.tableaus[view.seat]]
        for name in dict.fromkeys(map(card_in, in_sight)):
            if name in cards:
                yield from self._of_card(cards[name])
        # How rules count the cards in front of the seat, one tip for each kind of rule.
        rules = {rule.id: rule for rule in view.game.model.scoring}
        formulas = sum(name.startswith(f"{view.game.id}/rule ") for name in self.given)
        for group in view.groups(view.seat):
            rule, progress = rules.get(group.rule), group.progress
            if rule is None or rule.kind == "each":
                continue
            label = labels.rule(rule.id) if group.named else labels.card(group.cards[0])
            sentence = plain(labels.rule_said(rule))
            if rule.kind == "set" and progress is not None and progress.need > progress.have > 0:
                yield self._say_here("set", card=label, need=progress.need, have=progress.have)
            elif rule.kind == "majority":
                text = _shortened(sentence, 1)
                yield self._say_here("most", card=label, text=text) if text else Tip("most", "")
            elif rule.kind not in {"formula", "set"}:
                yield self._about(rule.kind, label, sentence)
            elif rule.kind == "formula" and formulas < _FORMULAS:
                yield self._about(f"rule {rule.id}", label, sentence)

    def once_chosen(self) -> Iterator[Tip]:
        """Yield the tip for a seat that has chosen and waits for the others."""
        if self._together:
            yield self._say("chosen")

    def _say(self, kind: str, *, key: str = "", **given: object) -> Tip:
        """Return a tip about the course of a game, which is given once in all games."""
        text = self.names.labels.speech.phrase(f"coach.{key or kind}", **given).strip()
        return Tip(kind, text[:1].upper() + text[1:])

    def _say_here(self, kind: str, *, key: str = "", **given: object) -> Tip:
        """Return a tip about cards, which is given once for each card set."""
        tip = self._say(kind, key=key, **given)
        return Tip(f"{self.view.game.id}/{tip.id}", tip.text)

    # ── how the game goes ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _together(self) -> bool:
        """True if several seats choose at the same time."""
        return len(self.view.seen.pending) > 1

    @property
    def _mine(self) -> bool:
        return self.view.seat in self.view.seen.pending

    def _turn(self) -> Iterator[Tip]:
        """Yield a tip that says how to make the choice of this moment."""
        view, labels = self.view, self.names.labels
        asked = view.asked
        if asked is None or not self._mine or view.moves.total < 2:  # noqa: PLR2004 (nothing to choose)
            return
        items = [move.taken[-1].card for move in view.next() if move.taken]
        ways = [labels.cause(name) for name in items if name in labels.ways]
        if asked.places:
            tip = self._say_here("places")
        elif ways and len(ways) == len(items):
            key = "ways" if len(ways) <= _WAYS else "ways.many"
            tip = self._say_here("ways", key=key, ways=labels.speech.join_list(ways, "or"), count=len(ways))
        elif asked.source not in {HAND, ""}:
            key = "zone" if asked.target == TABLEAU else "zone.to"
            given = {"zone": labels.thing(asked.source), "target": labels.thing(asked.target)}
            tip = self._say_here("zone", key=key, **given)
        elif asked.cards > 1:
            tip = self._say("several", count=asked.cards)
        else:
            tip = self._say("turn", key=f"turn.{self.by if asked.target == TABLEAU else 'other'}")
        together = labels.speech.phrase("coach.together") if self._together else ""
        yield Tip(tip.id, labels.speech.joined([tip.text, together]))

    def _happened(self) -> Iterator[Tip]:
        """Yield tips about events that have just happened for the first time, and about the last round."""
        model, view, labels = self.view.game.model, self.view, self.names.labels
        events, me = self.events, view.seat
        used = [event for event in events if event.kind == "modified" and event.seat == me]
        for happening in EventTeller(view.game, me).tell(used[:1]):
            yield self._say_here("modified", text=EventPhraser(self.names).sentence(happening))
        wins = labels.speech.phrase(f"coach.wins.{model.winner.order}")
        if view.round > 1:
            yield self._say("round")
        if view.round == model.rounds > 1:
            yield self._say("last", wins=wins)
        elif model.rounds == 1 and view.turn > 2:  # noqa: PLR2004 (the first turns have tips of their own)
            yield self._say("only", wins=wins)
        if len({event.seat for event in events if event.kind == "revealed"}) > 1:
            yield self._say("reveal")
        came = [event.other for event in events if event.kind == "passed" and event.seat == me]
        went = [event.seat for event in events if event.kind == "passed" and event.other == me]
        if came and went:
            yield self._say("passing", to=self.names.inside(went[0]), giver=self.names.inside(came[0]))
        for marker in Things(labels).markers:
            if marker.id not in view.game.turn_markers and any(event.name == marker.id for event in events):
                _, *later = _SENTENCE.split(marker.plain)  # the first says who holds it at first
                yield self._about("marker", marker.title, " ".join(later))

    # ── cards ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _of_card(self, card: Card) -> Iterator[Tip]:
        """Yield tips about special properties of a card."""
        labels, model = self.names.labels, self.view.game.model
        label, things = labels.card(card.id), Things(labels)
        for modifier, fact in zip(model.modifiers, things.modifiers, strict=True):
            if modifier.card == card.id:
                yield self._about("modifier", label, fact.plain)
        for ability, fact in zip(model.abilities, things.abilities, strict=True):
            if ability.card == card.id:
                yield self._about("ability", label, fact.plain)
        if card.forms is not None:
            yield self._say_here("wild", card=label)
        if card.keep and model.rounds > 1:
            texts = [_shortened(plain(labels.rule_said(rule)), 1) for rule in own_rules(model, card)]
            yield self._say_here("keep", card=label, text=texts[0] if texts else "")
        asked = self.view.asked
        if model.winner.order == "most" and self._mine and asked is not None and asked.target == TABLEAU:
            gains = self.view.brings(move for move in self.view.next() if card_in(move.taken[-1].card) == card.id)
            if gains and all(gain.certain < 0 for gain in gains):
                yield self._say_here("negative", card=label)

    def _about(self, kind: str, card: str, text: str) -> Tip:
        """Return a tip with the rulebook's text about a card or another thing, whose label is `card`.

        It has no text if all of the rulebook's sentences are too long.
        """
        short = _shortened(text)
        return self._say_here(kind, key="about", card=card, text=short) if short else Tip(kind, "")


def _shortened(text: str, most: int = 9) -> str:
    """Return the first sentences of a text: at most `most`, and `_LONGEST` characters; empty if none fits."""
    kept = ""
    for sentence in _SENTENCE.split(text.strip())[:most]:
        longer = f"{kept} {sentence}" if kept and not kept.endswith("。") else kept + sentence
        if len(longer) > _LONGEST:
            break
        kept = longer
    return kept.strip()
