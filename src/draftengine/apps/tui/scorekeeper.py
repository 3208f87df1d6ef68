"""The scorekeeper on the whole screen: tap what lies before each player, and see what it is worth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.binding import Binding

from draftengine.api.errors import WrongPositionError
from draftengine.apps.play.move_builder import alike
from draftengine.apps.play.score_book import CARD, COUNTER, MARKER, POINTS, label_of, lying_before, names_for, things_of
from draftengine.apps.play.table_view import CARD_KEYS, Card, Observer, TableView, faces_key
from draftengine.apps.tui import hand, pages
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.layout import planned
from draftengine.apps.tui.lines import blank, fitted, joined, wide
from draftengine.apps.tui.overlays import Question, Sheets, Typed
from draftengine.apps.tui.pane import Place
from draftengine.apps.tui.score_sheet import sheet_view
from draftengine.apps.tui.screen import FullScreen, GameScreen
from draftengine.support.locale.english_lists import counted, join_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.text import Text
    from textual.binding import BindingType

    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.score_book import ScorableItem, Scorebook
    from draftengine.apps.tui.layout import Plan
    from draftengine.apps.tui.pane import Pane

KEYS = (
    ("1–9, 0, a–k", "one more of that card for the player"),
    ("← → ↑ ↓ Enter", "go to a card, and lay one down"),
    ("/", "lay a card down by the start of its name"),
    ("Backspace", "take the last card away again"),
    ("x, -", "take one of the card at the cursor away"),
    ("Tab", "the next player; with Shift the one before"),
    ("n, PgDn PgUp", "the next round; to rounds that are there"),
    ("u", "take the last change back"),
    ("s", "the sheets, with the reasons"),
    ("m", "what the player is called"),
    ("z", "clear everything and begin again"),
    ("Ctrl-T", "light or dark"),
    ("q, Ctrl-C", "leave; everything is kept"),
)


class ScoreApp(FullScreen):
    """A score sheet in the making, on the whole screen."""

    def __init__(self, book: Scorebook, names: Names) -> None:
        super().__init__(names)
        self.observer = Observer(names)
        self.sheet = ScoreBoard(book)

    def board(self) -> ScoreBoard:
        """The screen that stays."""
        return self.sheet


class ScoreBoard(GameScreen):
    """What lies before the players in one round, and everything that can lie there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor(-1)", show=False),
        Binding("right", "cursor(1)", show=False),
        Binding("up", "cursor_line(-1)", show=False),
        Binding("down", "cursor_line(1)", show=False),
        Binding("enter,space", "lay", show=False),
        Binding("backspace", "take_last", show=False),
        Binding("tab", "player(1)", show=False, priority=True),
        Binding("shift+tab", "player(-1)", show=False, priority=True),
        Binding("pagedown", "round(1)", show=False),
        Binding("pageup", "round(-1)", show=False),
    ]
    app: ScoreApp

    def __init__(self, book: Scorebook) -> None:
        super().__init__()
        self.book = book
        self.things = things_of(book.game)
        self.number = len(book.rounds) - 1
        """The round, from 0."""
        self.seat = 0
        self.cursor = 0
        self.notice = ""
        self._each = 1
        """How many cards there are side by side."""

    # ── drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def draw_parts(self, columns: int, lines: int) -> None:
        """The players with what lies before them, and below everything that can lie there."""
        pen, scene = self.pen, self._scene()
        plan = planned(scene, columns, lines)
        left = plan.columns
        rounds = self.book.game.model.rounds
        where = pen.bold(f"Round {self.number + 1}/{rounds}" if rounds > 1 else "Scores")
        head = joined(pen.text(" "), pen.accent(scene.title), pen.text("  "), where, pen.muted(" · scorekeeper"))
        self.pane("head").show([joined(fitted(head, left - 4), pen.focus(" ? "))], [Place(left - 4, 0, 4, 1, "?")])
        entries = list(reversed(self._given()))  # the last is shown first, as in the log of a game
        title = "points of this round"
        self.pane("side").show(drawing.side(scene, entries, plan.side, lines - 2, pen, title) if plan.side else [])
        self.pane("side").styles.width = plan.side
        self.pane("seats").show(
            drawing.seats(scene, left, plan.seats, pen, rich=plan.rich, playing=False), self._seat_places(scene, plan)
        )
        self.pane("coming").show([])
        drawn = hand.draw(scene, left, plan.hand, self.cursor, pen, rich=plan.rich)
        self._each = max(1, sum(spot.y == 0 for spot in drawn.spots)) if drawn.spots else 1
        name = self.app.names.seat(self.seat)
        top = drawing.rule(
            joined(pen.bold("what lies before "), pen.accent(f"{pen.mark(self.seat)} {name}")),
            pen.muted("Tab: next player"),
            left,
            pen,
        )
        spots = [Place(spot.x, spot.y + 1, spot.columns, spot.lines, f"card {spot.card}") for spot in drawn.spots]
        self.pane("hand").show([top, *drawn.lines], spots)
        self._draw_message(plan.message, left)
        log = [drawing.rule(pen.muted(title), drawing.empty(), left, pen)] if plan.log else []
        indented = [joined(pen.text(" "), entry) for entry in entries]
        self.pane("log").show(
            [*log, *drawing.log(indented, left, plan.log - 1)] if plan.log and not plan.side else [],
            [Place(0, 0, left, plan.log, "s")],
        )
        self.draw_keys(self._keys(), columns)

    def _scene(self) -> TableView:
        """The table as it lies, with the player in whose turn it is, and all things as the hand."""
        scene = self.app.observer.scene(self.book.state(self.number), -1)
        seats = tuple(replace(seat, own=seat.seat == self.seat) for seat in scene.seats)
        return replace(scene, seats=seats, hand=tuple(map(self._card, self.things)), layout=(), coming=(), piles=())

    def _card(self, thing: ScorableItem) -> Card:
        names, faces = self.app.names, self.app.observer.faces
        card = thing.kind == CARD
        signs = {MARKER: "⚑", COUNTER: "#", POINTS: "±"}
        return Card(
            item=str(thing.number),
            face=thing.name if card else "",
            key=faces_key(thing.number - 1),
            sign=faces.sign(thing.name) if card else signs[thing.kind],
            label=names.word(thing.name) if card else label_of(thing, names),
            text=faces.text(thing.name) if card else "",
            family=faces.family(thing.name) if card else 0,
            order=self.book.count(self.number, self.seat, thing),
            open=True,
            points=0,
            effect="",
        )

    def _seat_places(self, scene: TableView, plan: Plan) -> list[Place]:
        """A click on a player asks for their cards."""
        each = plan.seats // max(1, len(scene.seats))
        return [
            Place(0, index * each, plan.columns, max(1, each), f"seat {seat.seat}")
            for index, seat in enumerate(scene.seats)
        ]

    def _draw_message(self, lines: int, columns: int) -> None:
        """What lies before the player, each card to be clicked away."""
        pen, names = self.pen, self.app.names
        line, places = pen.bad(f" {self.notice}  ") if self.notice else pen.text(" "), []
        table = self.book.laid(self.number, self.seat)
        for index, name in enumerate(table):
            sign = pen.plain(self.app.observer.faces.sign(name))
            places.append(Place(wide(line), 0, wide(sign) + 1, 1, f"away {index}"))
            line = joined(line, sign, pen.text(" "))
        more = lying_before(self.book, self.number, self.seat, names)[len(set(table)) :]
        note = pen.muted(" · ".join(more)) if more else pen.text("")
        hint = pen.muted("Nothing lies there yet.") if not table and not more else pen.muted("  click or ⌫: away")
        self.pane("message").show(
            [fitted(text, columns) for text in [joined(line, note, hint), blank()][:lines]], places
        )

    def _given(self) -> list[Text]:
        """What the rules give for this round, a line for each that gives something."""
        pen, names = self.pen, self.app.names
        reckoned = self.book.reckoned()
        lines = []
        for row in reckoned.sheets[self.number].rows:
            given = [
                f"{names.seat(seat)} {counted(points, 'chip') if row.chips else points}"
                for seat, points in enumerate(row.points)
                if points
            ]
            if given:
                lines.append(joined(pen.muted(f"{names.reason(row.rule)}: "), pen.good(join_list(given))))
        totals = join_list([f"{names.seat(seat)} {points}" for seat, points in enumerate(reckoned.scores)])
        if reckoned.unplayed:
            cards = join_list([names.word(card) for card in reckoned.unplayed], "or")
            lines.append(pen.bad(f"Not counted: what {cards} did when played; ± adds points."))
        return [*lines, joined(pen.bold("All rounds so far: "), pen.bold(totals))]

    def _keys(self) -> list[tuple[str, str, str]]:
        last = CARD_KEYS[: len(self.things)][-1]
        key_words = [(f"1–{last}", "lay down", "lay"), ("⌫", "away", "back"), ("Tab", "player", "tab")]
        key_words += [("n", "round", "n")] if self.number + 1 < self.book.game.model.rounds else []
        return [*key_words, ("u", "undo", "u"), ("s", "sheets", "s"), ("?", "keys", "?"), ("q", "quit", "q")]

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def key_pressed(self, key: str) -> bool:
        """Do what a key stands for; does it stand for anything."""
        self.notice = ""
        commands: dict[str, Callable[[], object]] = {
            "lay": self.action_lay, "back": self.action_take_last, "tab": partial(self.action_player, 1),
            "x": self._take_one, "-": self._take_one, "n": partial(self.action_round, 1), "u": self._undo,
            "s": self._sheets, "m": self._rename, "z": self._again, "/": self._by_name, "?": self._help,
            "q": self.app.leave,
        }  # fmt: skip
        if key in commands:
            commands[key]()
        elif key in CARD_KEYS:
            self._lay(CARD_KEYS.index(key))
        else:
            return False
        return True

    def on_pane_pressed(self, message: Pane.Pressed) -> None:
        """A click on a card lays it down, one on a card that lies there takes it away."""
        what, _, number = message.does.partition(" ")
        if not number:
            self.key_pressed(what)
            return
        self.notice = ""
        if what == "card":
            self._lay(int(number))
        elif what == "seat":
            self.seat = int(number)
            self.draw()
        else:
            name = self.book.laid(self.number, self.seat)[int(number)]
            self._try(lambda: self.book.take_away(self.number, self.seat, self._thing(name)))

    def _thing(self, name: str) -> ScorableItem:
        return next(thing for thing in self.things if thing.kind == CARD and thing.name == name)

    def _try(self, change: Callable[[], object]) -> None:
        """Change something; what the rules or the disk refuse is said."""
        try:
            change()
        except WrongPositionError as error:
            self.notice = f"{str(error)[:1].upper()}{str(error)[1:]}."
        except OSError as error:
            self.notice = f"Not kept: {error.strerror}."
        self.number = min(self.number, len(self.book.rounds) - 1)
        self.draw()

    def _lay(self, index: int) -> None:
        if index < len(self.things):
            self.cursor = index
            self._try(lambda: self.book.add(self.number, self.seat, self.things[index]))

    def action_lay(self) -> None:
        """Lay the card at the cursor before the player."""
        self._lay(self.cursor)

    def action_take_last(self) -> None:
        """Take the last card of the player away."""
        self._try(lambda: self.book.take_last(self.number, self.seat))

    def _take_one(self) -> None:
        """Take one of what is at the cursor away."""
        self._try(lambda: self.book.take_away(self.number, self.seat, self.things[self.cursor]))

    def _undo(self) -> None:
        self._try(self.book.undo)

    def action_cursor(self, step: int) -> None:
        """Go to the card beside."""
        self.cursor = (self.cursor + step) % len(self.things)
        self.draw()

    def action_cursor_line(self, step: int) -> None:
        """Go to the card below or above."""
        self.action_cursor(step * self._each)

    def action_player(self, step: int) -> None:
        """Go to the next player."""
        self.notice = ""
        self.seat = (self.seat + step) % self.book.game.seats
        self.draw()

    def action_round(self, step: int) -> None:
        """Go to another round; behind the last one begins a new one."""
        number = self.number + step
        if number == len(self.book.rounds):
            if not self.book.begin_round():
                self.notice = "This is the last round."
                self.draw()
                return
            self.seat = 0
        self.number = max(0, min(number, len(self.book.rounds) - 1))
        self.draw()

    # ── what opens over it ──────────────────────────────────────────────────────────────────────────────────────────

    def _sheets(self) -> None:
        reckoned, names = self.book.reckoned(), self.app.names
        view = sheet_view(
            names, self.app.observer.faces, self.pen, reckoned.sheets, result=reckoned if reckoned.winners else None
        )
        if view is not None:
            view.turn(self.number + 1 - view.pages)
            self.app.push_screen(Sheets(view, "Esc closes"))

    def _rename(self) -> None:
        def named(text: str | None) -> None:
            if text and text.strip():
                self._try(lambda: self.book.rename(self.seat, text.strip()[:40]))
                self.app.names = names_for(self.book, self.app.names.style)
                self.app.observer = Observer(self.app.names)
                self.draw()

        if self.seat < self.book.game.players:
            self.app.push_screen(Typed("Who is this?", "a name"), named)

    def _again(self) -> None:
        def sure(answer: str | None) -> None:
            if answer == "yes":
                self._try(self.book.clear_all)
                self.number = self.seat = 0
                self.draw()

        answers = (("y", "Yes, take everything away (u brings it back)", "yes"), ("n", "No", ""))
        self.app.push_screen(Question("Begin again?", answers, self.pen), sure)

    def _by_name(self) -> None:
        def typed(text: str | None) -> None:
            known = [(index, (label_of(thing, self.app.names), thing.name)) for index, thing in enumerate(self.things)]
            matches = alike(text, known) if text else []
            if len(matches) == 1:
                self._lay(matches[0])
            elif text:
                several = join_list([label_of(self.things[index], self.app.names) for index in matches], "or")
                self.notice = f"“{text}” could be {several}." if matches else f"There is no “{text}” here."
                self.draw()

        self.app.push_screen(Typed("Lay down by name"), typed)

    def _help(self) -> None:
        self.show_page("Keys", pages.keys(KEYS, self.pen), "?")
