"""The replay of a game on the full screen, step by step, from any seat's view or from all at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.binding import Binding

from draftengine.api.labels import card_in
from draftengine.api.score_sheets import sheets
from draftengine.apps.play import replay as replays
from draftengine.apps.play import review as reviews
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.move_builder import MoveBuilder, sentence
from draftengine.apps.play.replay import EVERYBODY
from draftengine.apps.tui import hand, pages
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.hand import planned
from draftengine.apps.tui.overlays import Question, Sheets
from draftengine.apps.tui.pages import Log, SheetView
from draftengine.apps.tui.scene import Observer
from draftengine.apps.tui.screen import FullScreen, GameScreen
from draftengine.apps.tui.styles import blank, column, fitted, joined, wrapped
from draftengine.bots.hints import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.text import Text
    from textual.binding import BindingType

    from draftengine.api.moves import Move
    from draftengine.api.records import Event
    from draftengine.api.replay import Decision, Recorded
    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.scene import Card, Scene

KEYS = (
    ("help.key.step.keys", "help.key.step"),
    ("PgDn PgUp, r", "help.key.round"),
    ("Home End", "help.key.ends"),
    ("1–9, 0, Tab", "help.key.view"),
    ("h", "help.key.opinion"),
    ("p", "help.key.growth"),
    ("s, w", "help.key.sheets"),
    ("l", "help.key.log"),
    ("Ctrl-T", "help.key.light"),
    ("q, Ctrl-C", "help.key.leave"),
)


class ReplayApp(FullScreen):
    """A finished or saved game that is shown again on the full screen."""

    def __init__(self, recorded: Recorded, names: Names, seat: int = EVERYBODY) -> None:
        """Open a replay. `seat` is the seat whose view is shown first; -1 shows all seats."""
        super().__init__(names)
        self.observer = Observer(names)
        self.recorded = recorded
        self.film = ReplayScreen(recorded, seat)

    def board(self) -> ReplayScreen:
        return self.film


class ReplayScreen(GameScreen):
    """The screen that shows one decision of the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,space,enter", "step(1)", show=False),
        Binding("left,up,backspace", "step(-1)", show=False),
        Binding("pagedown", "round(1)", show=False),
        Binding("pageup", "round(-1)", show=False),
        Binding("home", "step(-9999)", show=False),
        Binding("end", "step(9999)", show=False),
        Binding("tab", "view(1)", show=False, priority=True),
        Binding("shift+tab", "view(-1)", show=False, priority=True),
    ]
    app: ReplayApp

    def __init__(self, recorded: Recorded, seat: int) -> None:
        super().__init__()
        self.recorded = recorded
        self.seat = seat
        self.at = 0
        self.notice = ""

    @property
    def decision(self) -> Decision:
        return self.recorded.decisions[self.at]

    @property
    def _last(self) -> int:
        return len(self.recorded.decisions) - 1

    def _events(self, step: int) -> tuple[Event, ...]:
        """Return all events up to a decision; none before the first."""
        return self.recorded.decisions[step].state.history if step >= 0 else ()

    def _entries(self) -> list[Text]:
        """Return the lines of the log up to this step, as they were shown at the table."""
        log, start = Log(self.app.names, self.seat), 0
        entries: list[Text] = []
        for decision in self.recorded.decisions[: self.at + 1]:
            entries += log.tell(decision.state.history[start:], self.pen)
            log.goes_on_in(decision.state.turn)
            start = len(decision.state.history)
        return entries

    # ── drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def draw_parts(self, columns: int, lines: int) -> None:
        """Draw the table as it was at this step, with the cards that were chosen."""
        pen, scene = self.pen, self._scene()
        rows = self._hands() if self.seat == EVERYBODY and not scene.layout else []
        plan = planned(scene, columns, lines, hand_lines=len(rows))
        left = plan.columns
        players = self.recorded.game.players
        self.draw_around(
            scene,
            plan,
            self._entries(),
            coming="screen.coming.all",
            seats=lambda seat: str(seat + 1) if seat < players else "",
        )
        where = pen.accent(pen.say("replay.step", number=self.at, count=self._last))
        drawn = (
            column(rows, left, plan.hand) if rows else hand.draw(scene, left, plan.hand, -1, pen, rich=plan.rich).lines
        )
        names, key = self.app.names, "replay.cards"
        if self.seat != EVERYBODY:
            key = "replay.hand.yours" if names.is_you(self.seat) else "replay.hand.of"
        title = pen.bold(names.say(key, who=names.seat(self.seat)))
        self.pane("hand").show([drawing.rule(title, where, left, pen), *drawn])
        texts = [self.pen.bad(self.notice)] if self.notice else self._said()
        message = [line for text in texts for line in wrapped(joined(pen.text(" "), text), left, 1)]
        self.pane("message").show([fitted(line, left) for line in [*message, blank()][: plan.message]])
        key_words = [("←", "", "left"), ("→", "step", "right")]
        key_words += [("r", "round", "r")] if self.recorded.game.model.rounds > 1 else []
        most = self.recorded.game.players
        key_words += [(f"0–{most}", "seat", "tab")] if len(self.recorded.viewers) > 1 else []
        keys = [
            *key_words,
            ("h", "bot", "h"),
            ("p", "points", "p"),
            ("s", "sheet", "s"),
            ("l", "log", "l"),
            ("?", "keys", "?"),
            ("q", "quit", "q"),
        ]
        self.draw_keys(keys, columns)

    def _scene(self) -> Scene:
        """Return the table with the chosen cards marked. Cards have no keys, because nobody chooses."""
        state, choices = self.decision.state, self.decision.choices
        seen = self.seat
        if seen == EVERYBODY and choices and self.recorded.end.over:
            seen = next(iter(choices))  # this seat knows how long the hands last, and takes from a layout
        picking = None
        if seen in choices:
            start = MoveBuilder.of(state.view(seen))
            picking = MoveBuilder(start.view, start.items, choices[seen])
        fresh = self._events(self.at)[len(self._events(self.at - 1)) :]
        scene = self.app.observer.scene(state, seen, picking, fresh)
        layout = tuple(tuple((face, card and _keyless(card)) for face, card in row) for row in scene.layout)
        scene = replace(scene, hand=tuple(map(_keyless, scene.hand)), layout=layout)
        if self.seat != EVERYBODY:
            return scene
        seats = self.app.observer.scene(state, EVERYBODY, None, fresh).seats
        return replace(scene, hand=scene.hand if layout else (), seats=seats, coming=())

    def _hands(self) -> list[Text]:
        """Return a line for each seat with its hand and the cards that it takes."""
        pen, names, state = self.pen, self.app.names, self.decision.state
        if EVERYBODY in self.recorded.viewers and not self.recorded.end.over:
            return [pen.muted(f" {pen.say('replay.covered')}")]
        wide = min(16, max(len(names.seat(seat)) for seat in range(self.recorded.game.players)) + 3)
        lines = []
        for seat in range(self.recorded.game.players):
            view = state.view(seat)
            zone = next((zone for zone in view.zones if zone.zone == "hand" and zone.owner == seat), None)
            cards = [name for name, copies in (view.stock or (zone.cards if zone else ())) for _ in range(copies)]
            move = self.decision.choices.get(seat)
            taken = [card_in(pick.card) for pick in move.taken] if move is not None else []
            parts = [pen.text(" "), fitted(joined(pen.accent(f"{pen.mark(seat)} "), pen.plain(names.seat(seat))), wide)]
            for name in cards:
                chosen = name in taken
                if chosen:
                    taken.remove(name)
                sign = self.app.observer.faces.sign(name)
                style = f"bold reverse {pen.palette.accent}" if chosen else pen.palette.text
                parts += [pen.text(f"{'▸' if chosen else ''}{sign}", style), pen.text(" ")]
            lines.append(joined(*parts))
        return lines

    def _said(self) -> list[Text]:
        """Return sentences about the moves at this step or, at the end, about the result."""
        pen, names = self.pen, self.app.names
        if self.at == self._last:
            end = self.recorded.end
            if not end.over:
                return [pen.bold(pen.say("replay.stops"))]
            return [pen.bold(scoreboard.verdict(end.result.winners, end.result.scores, names))]
        move = self.decision.choices.get(self.seat)
        if move is not None:
            taken = names.say_of(self.seat, "said.takes", cards=self._taken(self.seat, move))
            return [joined(pen.good("✓ "), pen.plain(names.say("list.sentence", text=taken)))]
        parts = [
            names.say("lies.labelled", label=names.seat(chooser), text=self._taken(chooser, move))
            for chooser, move in self.decision.choices.items()
        ]
        if self.seat == EVERYBODY and self.recorded.end.over:
            return [pen.plain(" · ".join(parts))]
        return [pen.muted(names.say_of(self.seat, "replay.waits"))] if self.seat >= 0 else [blank()]

    def _taken(self, seat: int, move: Move) -> str:
        return sentence(move.taken, MoveBuilder.of(self.decision.state.view(seat)), self.app.names) or self.pen.say(
            "pick.nothing"
        )

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def key_pressed(self, key: str) -> bool:
        self.notice = ""
        names, pen, show = self.app.names, self.pen, self.show_page

        def growth(names: Names) -> list[str]:
            return replays.growth(self.recorded, names, self.seat)

        def scored() -> list[scoreboard.Scoring]:
            return scoreboard.scorings(self._events(self.at), names.game)

        commands: dict[str, Callable[[], object]] = {
            "left": partial(self.action_step, -1), "right": partial(self.action_step, 1), "r": self._rounds,
            "tab": partial(self.action_view, 1), "h": self._opinion, "s": self._sheet, "q": self.app.leave,
            "p": lambda: show(pen.say("replay.points"), pages.printed(growth, names, pen), "p"),
            "w": lambda: show(pen.say("screen.why"), pages.why(self._scene(), scored(), names, pen), "w"),
            "l": lambda: show(pen.say("screen.log").capitalize(), pages.log(self._entries(), pen), "l"),
            "?": lambda: show(pen.say("screen.keys"), pages.keys(KEYS, names, pen), "?"),
        }  # fmt: skip
        if key in commands:
            commands[key]()
            return True
        if key.isdecimal() and len(key) <= 2:  # noqa: PLR2004 (no game has more seats)
            self._look(int(key) - 1)
            return True
        return False

    def action_step(self, steps: int) -> None:
        """Move forward or, if `steps` is negative, back."""
        self.notice = ""
        self.at = max(0, min(self._last, self.at + steps))
        self.draw()

    def action_round(self, rounds: int) -> None:
        """Move to the start of the next round, of this one, or of the previous one."""
        starts = self._starts()
        if rounds > 0:
            self.at = next((start for start in starts if start > self.at), self._last)
        else:
            self.at = next((start for start in reversed(starts) if start < self.at), 0)
        self.draw()

    def _starts(self) -> list[int]:
        """Return the index of the first step of each round."""
        rounds = [decision.state.round for decision in self.recorded.decisions]
        return [index for index, number in enumerate(rounds) if index == 0 or number > rounds[index - 1]]

    def _rounds(self) -> None:
        starts = self._starts()
        answers = [
            (str(number), self.pen.say("replay.round", number=number), str(start))
            for number, start in enumerate(starts, 1)
        ]
        answers.append(("e", self.pen.say("replay.end"), str(self._last)))

        def go(where: str | None) -> None:
            if where:
                self.at = int(where)
                self.draw()

        self.app.push_screen(Question(self.pen.say("replay.go_to"), answers, self.pen), go)

    def action_view(self, steps: int) -> None:
        """Show the view of another seat: the one `steps` further on in the order of views."""
        viewers = self.recorded.viewers
        self._look(viewers[(viewers.index(self.seat) + steps) % len(viewers)])

    def _look(self, seat: int) -> None:
        if seat in self.recorded.viewers:
            self.seat = seat
        elif seat < self.recorded.game.players:
            self.notice = self.pen.say("replay.not_shown")
        self.draw()

    # ── what opens over the table ───────────────────────────────────────────────────────────────────────────────────

    def _opinion(self) -> None:
        """Ask a bot about the choices that are visible at this step."""
        asked = replays.judged_in(self.recorded, self.decision, self.seat)
        if not asked:
            self.notice = self.pen.say("replay.no_choice" if self.at < self._last else "replay.all_chosen")
            self.draw()
            return
        self.notice, step, seat = self.pen.say("replay.thinks"), self.at, self.seat
        self.draw()

        def show(opinions: Sequence[tuple[int, Evaluator, Move]]) -> None:
            if (self.at, self.seat) != (step, seat):
                return
            self.notice = ""
            self.draw()

            def lines_of(names: Names) -> list[str]:
                lines = []
                for chooser, opinion, move in opinions:
                    title = [] if chooser == seat else ["", names.style.bold(f"  {names.seat(chooser)}")]
                    lines += [*title, *reviews.opinion(opinion, move, names)]
                return lines

            self.show_page(self.pen.say("replay.opinion"), pages.printed(lines_of, self.app.names, self.pen), "h")

        answer = self.on_screen(show)

        def think() -> None:
            opinions = [(chooser, Evaluator(view), move) for chooser, view, move in asked]
            for _, opinion, _ in opinions:
                opinion.values  # noqa: B018 (computed on this thread)
            answer(opinions)

        self.run_worker(think, thread=True, exclusive=True)

    def _sheet(self) -> None:
        result = self.recorded.end.result if self.at == self._last and self.recorded.end.over else None
        app = self.app
        score_sheets = sheets(app.names.game, self._events(self.at))
        if score_sheets:
            view = SheetView(app.names, app.observer.faces, self.pen, score_sheets, result=result)
            app.push_screen(Sheets(view, self.pen.say("screen.closes")))
        else:
            self.notice = self.pen.say("replay.no_scores")
            self.draw()


def _keyless(card: Card) -> Card:
    return replace(card, key="")
