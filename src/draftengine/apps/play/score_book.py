"""The score sheet for people with real cards, who fill in each player's cards round by round.

After each change, the sheet is written to a file that ``draftengine score --input`` reads.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.errors import WrongPositionError
from draftengine.api.records import entries
from draftengine.api.scenario import NOBODY
from draftengine.api.scenario.missing import Round
from draftengine.api.scenario.score_tables import counters_of, markers_of, score_rounds
from draftengine.apps.play.labels import Names
from draftengine.apps.play.move_builder import alike
from draftengine.apps.play.session import HUMAN
from draftengine.support.files import write_whole
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.api.scenario.score_tables import GameScores
    from draftengine.api.state import State
    from draftengine.apps.play.terminal_style import Style
    from draftengine.support.locale.phrases import Phrase

CARD, MARKER, COUNTER, CHIPS, POINTS = "card", "marker", "counter", "chips", "points"
LONGEST_NAME = 40
LARGEST = 999_999
"""The largest number that a score sheet accepts."""


class ScorableItem(Struct, frozen=True):
    """A card, marker, counter or other item that can be entered for a player."""

    number: int
    """The number that a person types to enter it."""
    kind: str
    name: str
    """The card (in a form), marker or counter; ``+1`` or ``-1`` for points that no card shows.

    For chips, people enter their total value.
    """


@lru_cache(8)
def things_of(game: Game) -> tuple[ScorableItem, ...]:
    """Return all items that can be entered for a player, cards first.

    Markers that only show whose turn it is are left out.
    """
    known: list[tuple[str, str]] = []
    for card in game.model.cards:
        known += [(CARD, f"{card.id}@{form}") for form in card.forms.of] if card.forms else [(CARD, card.id)]
    known += [(MARKER, name) for name in markers_of(game)]
    known += [(COUNTER, name) for name in counters_of(game)]
    known += [(CHIPS, CHIPS)] if game.model.chips else []
    known += [(POINTS, "+1"), (POINTS, "-1")]
    return tuple(ScorableItem(number, *fields) for number, fields in enumerate(known, 1))


class Scorebook:
    """The score sheet of one game, in memory and in a file. Rounds and seats count from 0."""

    def __init__(
        self, game: Game, names: Sequence[str], variants: Sequence[str] = (), path: Path | None = None
    ) -> None:
        """Start an empty sheet; `variants` are as on the command line. Without `path` nothing is written."""
        self.game = game
        self.names = [*map(shown_name, names), *[""] * game.players][: game.players]
        self.variants = list(variants)
        self.path = path
        self.rounds = [_empty(game)]
        self._before: list[tuple[Round, ...]] = []
        self._counted: tuple[list[Round], GameScores] | None = None
        """The rounds that were scored last, and their scores."""
        self._together = False
        """True while several changes are made that are checked together, after the last one."""

    # ── what lies there ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def is_empty(self) -> bool:
        """True if nothing lies in front of any player in any round."""
        return self.rounds == [_empty(self.game)]

    def laid(self, number: int, seat: int) -> tuple[str, ...]:
        """Return the cards in front of a player in a round, in order of play."""
        return entries(self.rounds[number].tables[seat])

    def count(self, number: int, seat: int, thing: ScorableItem) -> int:
        """Return a player's amount of an item in a round: copies of a card, or the value of anything else."""
        if thing.kind == CARD:
            return self.laid(number, seat).count(thing.name)
        if thing.kind == MARKER:
            return int(self.state(number).view(-1).markers[thing.name] == seat)
        if thing.kind == COUNTER:
            return self.state(number).counters[seat][thing.name]
        if thing.kind == CHIPS:
            return self.chips(number, seat) or 0
        return max(0, self.points(number, seat) * int(thing.name))

    def chips(self, number: int, seat: int) -> int | None:
        """Return the total value of a player's chips that a round states; ``None`` if it states none."""
        return dict(enumerate(self.rounds[number].chips)).get(seat)

    def points(self, number: int, seat: int) -> int:
        """Return the points of a player in a round that the cards do not show."""
        return dict(enumerate(self.rounds[number].points)).get(seat, 0)

    def add(self, number: int, seat: int, thing: ScorableItem, copies: int = 1) -> None:
        """Enter copies of an item for a player.

        If the item is impossible there, raises `WrongPositionError` and changes nothing.
        """
        if thing.kind == CARD:
            self._lay(number, seat, (*self.laid(number, seat), *[thing.name] * copies))
        elif thing.kind == MARKER:
            self._change(number, markers={**self.rounds[number].markers, thing.name: seat})
        elif thing.kind == COUNTER:
            self._count(number, seat, thing.name, copies)
        elif thing.kind == CHIPS:
            self._write(number, CHIPS, seat, self.count(number, seat, thing) + copies, None)
        else:
            self._write(number, POINTS, seat, self.points(number, seat) + int(thing.name) * copies, 0)

    def put(self, number: int, seat: int, thing: ScorableItem, value: int) -> None:
        """Set the value of a player's counter, or the total value of the player's chips.

        The sheet states the value even if it is unchanged. If the value is impossible, raises `WrongPositionError` and
        changes nothing.
        """
        if thing.kind == COUNTER:
            self._count(number, seat, thing.name, value - self.count(number, seat, thing), said=True)
        else:
            self._write(number, CHIPS, seat, value, None)

    def take_away(self, number: int, seat: int, thing: ScorableItem) -> bool:
        """Remove an item; of several copies of a card, the last one. Return False if there was none."""
        if thing.kind == CHIPS and self.chips(number, seat) is not None:
            self._write(number, CHIPS, seat, None, None)
        elif thing.kind != POINTS and not self.count(number, seat, thing):
            return False
        elif thing.kind == CARD:
            cards = list(self.laid(number, seat))
            del cards[len(cards) - 1 - cards[::-1].index(thing.name)]
            self._lay(number, seat, cards)
        elif thing.kind == MARKER:
            rest = {name: holder for name, holder in self.rounds[number].markers.items() if name != thing.name}
            stays = self._if(number, markers=rest).view(-1).markers[thing.name] == seat
            self._change(number, markers={**rest, thing.name: None} if stays else rest)
        else:
            self.add(number, seat, thing, -1)
        return True

    def take_last(self, number: int, seat: int) -> bool:
        """Remove the last card of a player. Return False if there was none."""
        table = self.laid(number, seat)
        return bool(table) and self.take_away(number, seat, ScorableItem(0, CARD, table[-1]))

    def clear(self, number: int, seat: int) -> None:
        """Remove all cards of a player."""
        self._lay(number, seat, ())

    def clear_all(self) -> None:
        """Clear the sheet and start with the first round."""
        with self.together():
            self.rounds = [_empty(self.game)]

    def begin_round(self) -> bool:
        """Start the next round. Return False if the game is over."""
        if self.reckoned().over:
            return False
        self._before.append(tuple(self.rounds))
        self.rounds.append(_empty(self.game))
        self.changed()
        return True

    def undo(self) -> bool:
        """Take back the last change. Return False if there was none."""
        if not self._before:
            return False
        self.rounds = list(self._before.pop())
        self.changed()
        return True

    def rename(self, seat: int, name: str) -> None:
        self.names[seat] = shown_name(name)
        self.changed()

    def _lay(self, number: int, seat: int, cards: Iterable[str]) -> None:
        self._change(number, tables=_with(self.rounds[number].tables, seat, tuple(cards)))

    def _count(self, number: int, seat: int, name: str, more: int, *, said: bool = False) -> None:
        """Change a counter by `more`. With `said`, the sheet states the value even if it is the usual one."""
        shared = any(own.id == name and own.per == "table" for own in self.game.model.counters)
        before = _values(self.state(number), name)
        after = tuple(_bounded(value + more * (shared or index == seat)) for index, value in enumerate(before))
        rest = {key: values for key, values in self.rounds[number].counters.items() if key != name}
        said = said or after != _values(self._if(number, counters=rest), name)
        self._change(number, counters={**rest, name: after} if said else rest)

    def _write(self, number: int, part: str, seat: int, value: int | None, nothing: int | None) -> None:
        """Set a player's points or chips. If all players' values are `nothing`, the round states none."""
        row = (*getattr(self.rounds[number], part), *[nothing] * self.game.seats)[: self.game.seats]
        after = _with(row, seat, value if value is None else _bounded(value))
        self._change(number, **{part: () if {*after} == {nothing} else after})

    def _change(self, number: int, **parts: Any) -> None:
        with self.together():
            self.rounds[number] = replace(self.rounds[number], **parts)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Group the changes in the ``with`` block, so that one `undo` takes back all of them.

        If the changes lead to a problem that the sheet did not have before, reverts all of them and raises
        `WrongPositionError`.
        """
        if self._together:
            yield
            return
        before, wrong = tuple(self.rounds), self._wrong()
        self._together = True
        try:
            yield
            if new := self._wrong() - wrong:
                raise WrongPositionError(next(iter(new)))  # noqa: TRY301 (what was there comes back)
        except BaseException:
            self.rounds = list(before)
            raise
        finally:
            self._together = False
        self._before.append(before)
        self.changed()

    def _wrong(self) -> Counter[Phrase | str]:
        return Counter(error.phrase or str(error) for error in self.reckoned().missing.impossible)

    # ── what it is worth ────────────────────────────────────────────────────────────────────────────────────────────

    def reckoned(self) -> GameScores:
        """Return the scores of all rounds so far."""
        if self._counted is None or self._counted[0] != self.rounds:
            self._counted = [*self.rounds], score_rounds(self.game, self.rounds)
        return self._counted[1]

    def state(self, number: int) -> State:
        """Return the position at the end of a round, including cards that stayed from earlier rounds."""
        return self.reckoned().states[number]

    def _if(self, number: int, **parts: Any) -> State:
        """Return the position at the end of a round in which `parts` replace the entries of the round."""
        return score_rounds(self.game, [*self.rounds[:number], replace(self.rounds[number], **parts)]).states[-1]

    # ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> None:
        """Write the sheet to its file, if it has one, for ``score --input``. Raises `OSError`."""
        if self.path is not None:
            rounds = []
            for entry in self.rounds:
                markers = {name: NOBODY if holder is None else holder for name, holder in entry.markers.items()}
                parts = {"markers": markers, "counters": entry.counters, "points": entry.points, "chips": entry.chips}
                rounds.append({"tables": entry.tables, **{key: value for key, value in parts.items() if value}})
            data = {"players": self.game.players, "names": self.names, "variants": self.variants, "rounds": rounds}
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")

    def take_over(self, rounds: Iterable[Round]) -> None:
        """Replace the content of the sheet by the rounds from a file.

        Raises `WrongPositionError` if the rounds are impossible under the rules.
        """
        kept = [
            replace(entry, tables=(*map(entries, entry.tables), *[()] * (self.game.seats - len(entry.tables))))
            for entry in rounds
        ]
        score_rounds(self.game, kept)
        self.rounds = kept


def _empty(game: Game) -> Round:
    return Round(((),) * game.seats)


def _with(values: Sequence[Any], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def shown_name(name: str) -> str:
    """Return a name without unprintable characters, cut to `LONGEST_NAME`."""
    return "".join(sign for sign in name if sign.isprintable())[:LONGEST_NAME]


def _bounded(value: int) -> int:
    if abs(value) > LARGEST:
        raise WrongPositionError(said("position.largest", number=LARGEST))
    return value


def names_for(game: Game, names: Sequence[str], style: Style, language: str = "en") -> Names:
    """Return the names for the sheet. Players without a name are called by their number."""
    usual = Names(game, [""] * game.players, style, levels=False, language=language)
    titles = [*map(str.strip, names), *[""] * game.players][: game.players]
    people = [name or usual.seat(seat) for seat, name in enumerate(titles)]
    return Names(game, [HUMAN] * game.players, style, people, language=language)


def label_of(thing: ScorableItem, names: Names) -> str:
    if thing.kind == CARD:
        return names.card(thing.name)
    if thing.kind == POINTS:
        return names.say("sheet.point", amount=thing.name)
    return names.say("sheet.chips") if thing.kind == CHIPS else names.label(thing.name)


def thing_named(
    text: str, things: Iterable[ScorableItem], names: Names, absent: str = "sheet.unknown", **given: object
) -> ScorableItem:
    """Return the item whose name is the typed text, begins with it or contains it.

    Raises `ValueError` if several items match or, with the message `absent`, if none does.
    """
    matches = alike(text, [(own, (label_of(own, names), names.word(own.name), own.name)) for own in things])
    if len(matches) == 1:
        return matches[0]
    if matches:
        several = names.join_list([label_of(thing, names) for thing in matches], "or")
        raise ValueError(names.say("refused.several", text=text, choices=several))
    raise ValueError(names.say(absent, text=text, **given))


def lying_before(book: Scorebook, number: int, seat: int, names: Names) -> list[str]:
    """Return texts about the cards, markers, counters, chips and points of a player at the end of a round.

    Markers and counters from earlier rounds are included.
    """
    texts = names.cards(book.laid(number, seat))
    for thing in things_of(book.game):
        if thing.kind in {MARKER, COUNTER} and (value := book.count(number, seat, thing)):
            texts.append(names.label(thing.name) + (f" {value}" if thing.kind == COUNTER else ""))
    worth, points = book.chips(number, seat), book.points(number, seat)
    texts += [names.say("sheet.chips.worth", worth=worth)] if worth is not None else []
    return [*texts, *([names.say("sheet.points", amount=names.decimal(f"{points:+d}"))] if points else [])]


def _values(state: State, name: str) -> tuple[int, ...]:
    return tuple(counters[name] for counters in state.counters)
