"""The scorekeeper on the whole screen: tap the cards in front of each player, and see the points."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual.binding import Binding

from draftengine.api.errors import WrongPositionError
from draftengine.api.scenario.missing import problem_in_words
from draftengine.apps.play import score_book
from draftengine.apps.play.score_board import missing_words
from draftengine.apps.play.score_book import CARD, CHIPS, COUNTER, MARKER, POINTS, ScorableItem, label_of
from draftengine.apps.tui import hand, pages
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.hand import planned
from draftengine.apps.tui.overlays import Place, Question, Sheets, Typed
from draftengine.apps.tui.pages import SheetView
from draftengine.apps.tui.scene import CARD_KEYS, Card, Observer, Scene, key_of
from draftengine.apps.tui.screen import FullScreen, GameScreen
from draftengine.apps.tui.styles import blank, fitted, joined, wide

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.text import Text
    from textual.binding import BindingType

    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.overlays import Pane

KEYS = (
    ("1–9, 0, a–k", "help.sheet.card"),
    ("← → ↑ ↓ Enter", "help.sheet.go"),
    ("/", "help.sheet.name"),
    ("Backspace", "help.sheet.back"),
    ("=", "help.sheet.value"),
    ("x, -", "help.sheet.away"),
    ("Tab", "help.sheet.player"),
    ("n, PgDn PgUp", "help.sheet.round"),
    ("u", "help.sheet.undo"),
    ("s", "help.sheet.sheets"),
    ("m", "help.sheet.rename"),
    ("z", "help.sheet.clear"),
    ("Ctrl-T", "help.key.light"),
    ("q, Ctrl-C", "help.sheet.quit"),
)


class ScoreApp(FullScreen):
    """A score sheet that people fill in on the full screen."""

    def __init__(self, book: score_book.Scorebook, names: Names) -> None:
        super().__init__(names)
        self.observer = Observer(names)
        self.sheet = ScoreBoard(book)

    def board(self) -> ScoreBoard:
        return self.sheet


class ScoreBoard(GameScreen):
    """The screen for one round: the cards in front of each player, and all items that can be entered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor(-1)", show=False),
        Binding("right", "cursor(1)", show=False),
        Binding("up", "cursor(0, -1)", show=False),
        Binding("down", "cursor(0, 1)", show=False),
        Binding("enter,space", "do('lay')", show=False),
        Binding("backspace", "do('back')", show=False),
        Binding("tab", "player(1)", show=False, priority=True),
        Binding("shift+tab", "player(-1)", show=False, priority=True),
        Binding("pagedown", "round(1)", show=False),
        Binding("pageup", "round(-1)", show=False),
    ]
    app: ScoreApp

    def __init__(self, book: score_book.Scorebook) -> None:
        super().__init__()
        self.book = book
        self.things = score_book.things_of(book.game)
        self.number = len(book.rounds) - 1
        """The round, from 0."""
        self.seat = 0
        self.cursor = 0
        self.notice = ""
        self._each = 1
        """The number of cards in a row."""

    # ── drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def draw_parts(self, columns: int, lines: int) -> None:
        """Draw the players with their cards, and below them all items that can be entered."""
        pen, scene = self.pen, self._scene()
        plan = planned(scene, columns, lines)
        left = plan.columns
        rounds = self.book.game.model.last_round
        key = "sheet.scores" if rounds == 1 else "screen.round" if rounds else "now.round.open"
        where = pen.bold(pen.say(key, number=self.number + 1, rounds=rounds))
        head = joined(
            pen.text(" "),
            pen.accent(scene.title),
            pen.text("  "),
            where,
            pen.muted(f" · {pen.say('sheet.scorekeeper')}"),
        )
        head, title = joined(fitted(head, left - 4), pen.focus(" ? ")), "sheet.of_round"
        entries = self._given()[::-1]  # newest first, as in the log of a game
        self.draw_around(scene, plan, entries, head=head, title=title, log="s", seats="seat {}".format)

        drawn = hand.draw(scene, left, plan.hand, self.cursor, pen, rich=plan.rich)
        self._each = max(1, sum(spot.y == 0 for spot in drawn.spots)) if drawn.spots else 1
        name = f"{pen.mark(self.seat)} {self.app.names.seat(self.seat)}"
        lies = pen.bold(pen.say("sheet.lies", who=name))
        lies.highlight_words([name], f"bold {pen.palette.accent}")
        top = drawing.rule(lies, pen.muted(pen.say("sheet.next")), left, pen)
        spots = [Place(spot.x, spot.y + 1, spot.columns, spot.lines, f"card {spot.card}") for spot in drawn.spots]
        self.pane("hand").show([top, *drawn.lines], spots)
        # A click on a card that lies in front of the player removes it.
        names = self.app.names
        line, places = pen.bad(f" {self.notice}  ") if self.notice else pen.text(" "), []
        table = self.book.laid(self.number, self.seat)
        for index, name in enumerate(table):
            sign = pen.plain(self.app.observer.faces.sign(name))
            places.append(Place(wide(line), 0, wide(sign) + 1, 1, f"away {index}"))
            line = joined(line, sign, pen.text(" "))
        others = score_book.lying_before(self.book, self.number, self.seat, names)[len(set(table)) :]
        if missing := missing_words(self.book.reckoned(), names):
            line = joined(line, pen.bad(f"{pen.say('sheet.says_why', text=missing[0].rstrip('.。'))}  "))
        hint = pen.muted(f"  {pen.say('sheet.away')}" if table or others else pen.say("sheet.empty"))
        texts = [joined(line, pen.muted(" · ".join(others)), hint), blank()][: plan.message]
        self.pane("message").show([fitted(text, left) for text in texts], places)
        last = CARD_KEYS[: len(self.things)][-1]
        key_words = [(f"1–{last}", "lay", "lay"), ("⌫", "away", "back"), ("Tab", "player", "tab")]
        more = self.number + 1 < len(self.book.rounds) or not self.book.reckoned().over
        key_words += [("n", "round", "n")] if more else []
        keys = [*key_words, ("u", "undo", "u"), ("s", "sheets", "s"), ("?", "keys", "?"), ("q", "quit", "q")]
        self.draw_keys(keys, columns)

    def _scene(self) -> Scene:
        """Return the round as a table, with the selected player marked.

        The hand consists of all items that can be entered for the player.
        """
        scene = self.app.observer.scene(self.book.state(self.number), -1)
        seats = tuple(replace(seat, own=seat.seat == self.seat) for seat in scene.seats)
        names, faces = self.app.names, self.app.observer.faces
        signs = {MARKER: "⚑", COUNTER: "#", CHIPS: "◎", POINTS: "±"}
        hand = []
        for thing in self.things:
            is_card, order = thing.kind == CARD, self.book.count(self.number, self.seat, thing)
            hand.append(
                Card(
                    item=str(thing.number),
                    face=thing.name if is_card else "",
                    key=key_of(thing.number - 1),
                    sign=faces.sign(thing.name) if is_card else signs[thing.kind],
                    label=names.word(thing.name) if is_card else label_of(thing, names),
                    text=faces.text(thing.name) if is_card else "",
                    family=faces.family(thing.name) if is_card else 0,
                    order=order,
                    open=True,
                )
            )
        return replace(scene, seats=seats, hand=tuple(hand), layout=(), coming=(), piles=())

    def _given(self) -> list[Text]:
        """Return a line for each rule that gives points or chips in this round, then the totals."""
        pen, names = self.pen, self.app.names
        reckoned = self.book.reckoned()
        lines = []
        last = self.number + 1 == len(reckoned.sheets)
        for row in [row for own in reckoned.pages[self.number : None if last else self.number + 1] for row in own.rows]:
            given = [
                f"{names.seat(seat)} {pen.say('standing.chips.n', count=points) if row.chips else points}"
                for seat, points in enumerate(row.points)
                if points
            ]
            if given:
                lines.append(joined(pen.muted(f"{names.reason(row.rule)}: "), pen.good(names.join_list(given))))
        totals = names.join_list([f"{names.seat(seat)} {points}" for seat, points in enumerate(reckoned.scores)])
        lines += map(pen.bad, missing_words(reckoned, names))
        return [*lines, pen.bold(names.say("sheet.so_far", list=totals))]

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def key_pressed(self, key: str) -> bool:
        take_one = partial(self._change, self.book.take_away, self.things[self.cursor])
        lay = {own: partial(self._lay, index) for index, own in enumerate(CARD_KEYS)}
        commands: dict[str, Callable[[], object]] = {
            **lay, "lay": partial(self._lay, self.cursor), "tab": partial(self.action_player, 1),
            "back": partial(self._change, self.book.take_last), "x": take_one, "-": take_one, "=": self._value,
            "n": partial(self.action_round, 1), "u": partial(self._try, self.book.undo), "s": self._sheets,
            "m": self._rename, "z": self._again, "/": self._by_name, "q": self.app.leave,
            "?": partial(self.show_page, self.pen.say("screen.keys"), pages.keys(KEYS, self.app.names, self.pen), "?"),
        }  # fmt: skip
        self.notice = ""
        if key in commands:
            commands[key]()
        return key in commands

    def action_do(self, key: str) -> None:
        """Carry out the command of a key, given by the name of the key."""
        self.key_pressed(key)

    def on_pane_pressed(self, message: Pane.Pressed) -> None:
        """Handle a click: enter an item, remove a card, select a player, or act as a key does."""
        what, _, number = message.does.partition(" ")
        if not number:
            self.key_pressed(what)
            return
        self.notice = ""
        if what == "card":
            self._lay(int(number))
        elif what == "seat":
            self.action_player(int(number) - self.seat)
        else:
            name = self.book.laid(self.number, self.seat)[int(number)]
            self._change(self.book.take_away, ScorableItem(0, CARD, name))

    def _try(self, change: Callable[..., object], *arguments: Any) -> None:
        """Call `change`. If the rules or the disk refuse the change, show why."""
        try:
            change(*arguments)
        except WrongPositionError as error:
            self.notice = problem_in_words(error, self.app.names.labels)
        except OSError as error:
            self.notice = self.pen.say("sheet.not_kept", error=error.strerror)
        self.number = min(self.number, len(self.book.rounds) - 1)
        self.draw()

    def _change(self, change: Callable[..., object], *arguments: Any) -> None:
        """Call `change` for the selected player in this round. If it is refused, show why."""
        self._try(change, self.number, self.seat, *arguments)

    def _lay(self, index: int) -> None:
        """Enter an item for the selected player. For chips, ask for their total value."""
        if index < len(self.things):
            self.cursor = index
            if self.things[index].kind == CHIPS:
                self._value()
            else:
                self._change(self.book.add, self.things[index])

    def action_cursor(self, step: int, lines: int = 0) -> None:
        """Move the cursor by `step` cards and by `lines` rows."""
        self.cursor = (self.cursor + step + lines * self._each) % len(self.things)
        self.draw()

    def action_player(self, step: int) -> None:
        """Select another player."""
        self.notice = ""
        self.seat = (self.seat + step) % self.book.game.seats
        self.draw()

    def action_round(self, step: int) -> None:
        """Show another round. After the last round, begin a new one."""
        self.notice, number = "", self.number + step
        if number == len(self.book.rounds):
            self._try(self.book.begin_round)
            if number < len(self.book.rounds):
                self.seat = 0
            else:
                self.notice = self.pen.say("sheet.last")
        self.number = max(0, min(number, len(self.book.rounds) - 1))
        self.draw()

    # ── what opens over it ──────────────────────────────────────────────────────────────────────────────────────────

    def _sheets(self) -> None:
        reckoned, names = self.book.reckoned(), self.app.names
        result = reckoned if reckoned.winners else None
        missing = missing_words(reckoned, names)
        view = SheetView(names, self.app.observer.faces, self.pen, reckoned.pages, result=result, missing=missing)
        view.turn(0 if self.number + 1 == len(reckoned.sheets) else self.number + 1 - view.pages)
        self.app.push_screen(Sheets(view, self.pen.say("screen.closes")))

    def _value(self) -> None:
        """Ask for the value of the counter or the chips at the cursor."""
        thing = self.things[self.cursor]

        def typed(text: str | None) -> None:
            if text and re.fullmatch(r"-?\d{1,7}", text.strip()):
                self._change(self.book.put, thing, int(text))

        if thing.kind in {COUNTER, CHIPS}:
            names = self.app.names
            title = names.say("lies.labelled", label=names.seat(self.seat), text=label_of(thing, names))
            self.app.push_screen(Typed(title, self.pen.say("sheet.number")), typed)

    def _rename(self) -> None:
        def named(text: str | None) -> None:
            if text and text.strip():
                self._try(self.book.rename, self.seat, text.strip())
                before = self.app.names
                self.app.names = score_book.names_for(self.book.game, self.book.names, before.style, before.language)
                self.app.observer = Observer(self.app.names)
                self.draw()

        if self.seat < self.book.game.players:
            self.app.push_screen(Typed(self.pen.say("sheet.who"), self.pen.say("sheet.name")), named)

    def _again(self) -> None:
        def sure(answer: str | None) -> None:
            if answer == "yes":
                self._try(self.book.clear_all)
                self.number = self.seat = 0
                self.draw()

        answers = (("y", self.pen.say("sheet.again.yes"), "yes"), ("n", self.pen.say("sheet.again.no"), ""))
        self.app.push_screen(Question(self.pen.say("sheet.again"), answers, self.pen), sure)

    def _by_name(self) -> None:
        def typed(text: str | None) -> None:
            try:
                if text:
                    self._lay(score_book.thing_named(text, self.things, self.app.names).number - 1)
            except ValueError as error:
                self.notice = str(error)
                self.draw()

        self.app.push_screen(Typed(self.pen.say("sheet.by_name"), self.pen.say("screen.name_start")), typed)
