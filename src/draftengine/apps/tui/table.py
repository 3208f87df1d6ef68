"""The table: the main screen of a game, and the commands of its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from draftengine.api.phrasing.events import is_reason
from draftengine.api.score_sheets import sheets
from draftengine.apps.play import help_texts
from draftengine.apps.play import review as reviews
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.move_builder import NoSuchItemError, find
from draftengine.apps.tui import choosing as prompts
from draftengine.apps.tui import hand, pages
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.choosing import Choosing
from draftengine.apps.tui.hand import planned
from draftengine.apps.tui.overlays import Cover, Pane, Place, Question, Sheets, Typed
from draftengine.apps.tui.pages import Log, SheetView
from draftengine.apps.tui.scene import CARD_KEYS
from draftengine.apps.tui.screen import GameScreen
from draftengine.apps.tui.styles import blank, fitted, joined, wrapped
from draftengine.bots.hints import is_quick

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.text import Text
    from textual.timer import Timer

    from draftengine.api.records import Event
    from draftengine.apps.play.move_builder import MoveBuilder
    from draftengine.apps.play.review import GameReview
    from draftengine.apps.tui.app import Moment, TableApp
    from draftengine.apps.tui.scene import Scene
    from draftengine.bots.hints import Evaluator
    from draftengine.bots.hints.reasons import Hint

NOBODY = -1


class Table(GameScreen):
    """The table as one person sees it, or as a spectator does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "cursor(-1)", show=False),
        Binding("right,down", "cursor(1)", show=False),
        Binding("enter", "go", show=False),
    ]
    app: TableApp

    def __init__(self) -> None:
        super().__init__()
        self.moment: Moment | None = None
        self.arrived: Moment | None = None
        """The newest moment; it waits until the overlays on the table are closed."""
        self.seat = NOBODY
        """The person whose hand is on the screen."""
        self.choosing: Choosing | None = None
        self.decision = -1
        self.cursor = 0
        self.told = 0
        self.entries: list[Text] = []
        self.fresh: list[Event] = []
        """The events since the last reveal, including the reveal."""
        self.asked: frozenset[int] = frozenset()
        self.pressed: tuple[int, ...] = ()
        """The pressed places of the hand, newest last.

        Among equal cards, those at these places are shown as chosen.
        """
        self.hidden = False
        self.committed = False
        """True while the choice is being written to disk."""
        self.notice = ""
        self.tip = ""
        """The text below the message: a tip or, after the game, the points that were lost."""
        self.lost = ""
        self.weighed: tuple[MoveBuilder | None, dict[str, int]] = (None, {})
        """The choice for which the adviser values the cards, and the bars of the cards once they are known."""
        self.open_sheet = False
        self.looked_back = False
        self.scene: Scene | None = None
        self._timer: Timer | None = None
        self._log: Log | None = None

    # ── the parts of the screen ─────────────────────────────────────────────────────────────────────────────────────

    def draw_parts(self, columns: int, lines: int) -> None:
        scene = self._scene()
        if scene is None:
            return
        self.scene, pen = scene, self.pen
        room = planned(scene, columns, lines).columns - 2
        tip = wrapped(self.pen.accent(self.tip), room) if self.tip and not (self.hidden or self.committed) else []
        over = self.moment is not None and self.moment.state.over  # who has won, and what can be done, a line each
        plan = planned(scene, columns, lines, tip_lines=len(tip) + (over and bool(tip)))
        left = plan.columns
        self.cursor = max(0, min(self.cursor, len(scene.hand) - 1))
        self.draw_around(scene, plan, self.entries)

        cursor = self.cursor if self.choosing is not None and not self.hidden else -1
        drawn = hand.draw(scene, left, plan.hand, cursor, pen, rich=plan.rich)
        names, giver, receiver = self.app.names, scene.table.giver, scene.table.receiver
        goes_to = drawing.empty()
        if giver is not None and receiver is not None:
            to = f"{pen.mark(receiver)} {names.inside(receiver)}"
            arrow = pen.muted(" ▸ ")
            goes_to = pen.accent(names.say("screen.swapped.with", who=to)) if giver == receiver else joined(
                pen.accent(f"{pen.mark(giver)} "), pen.muted(names.seat(giver)), arrow, pen.bold(pen.say("screen.you")),
                arrow, pen.accent(pen.mark(receiver)), pen.plain(to.removeprefix(pen.mark(receiver))),
            )  # fmt: skip
        top = drawing.rule(pen.bold(scene.hand_title), goes_to, left, pen)
        places = [Place(spot.x, spot.y + 1, spot.columns, spot.lines, f"card {spot.card}") for spot in drawn.spots]
        self.pane("hand").show([top, *drawn.lines], places)
        texts = [pen.bad(f" {self.notice}")] if self.notice else []
        texts += [*(joined(pen.text(" "), text) for text in self._said()), blank()]
        room = plan.message - len(tip)
        if room == 1 and len(texts) > 1:
            texts = [joined(texts[0], pen.text("  "), texts[1])]
        below = [joined(blank(1), line) for line in tip]
        self.pane("message").show([fitted(line, left) for line in [*texts[:room], *below]])
        choosing = None if self.committed or self.hidden else self.choosing
        self.draw_keys(prompts.keys(choosing, len(scene.hand), coming=bool(scene.coming)), columns)

    def _scene(self) -> Scene | None:
        if self.moment is None:
            return None
        picking = self.choosing.picking if self.choosing is not None else None
        worth: dict[str, int] = {}  # the bars of each card that can be taken next
        if picking is not None and self.app.shows_bars and not self.committed:
            if self.weighed[0] is not picking:  # the adviser is asked only once for each choice
                self.weighed = (picking, {})

                def show(weighed: dict[str, int]) -> None:
                    if self.weighed[0] is picking:
                        self.weighed = (picking, weighed)
                        self.draw()

                def ask(opinion: Evaluator) -> dict[str, int]:
                    return reviews.worth_of_items(opinion, picking.taken)

                self.app.work.advise(picking.view, ask, self.on_screen(show))
            worth = self.weighed[1]
        state, fresh = self.moment.state, self.fresh
        scene = self.app.observer.scene(state, self.seat, picking, fresh, self.asked, self.pressed, worth)
        if self.arrived is not None and self.moment.state is self.arrived.scored:
            state = self.arrived.state
            if self.app.pause is not None:  # the sheet over the table counts up to the new points
                return scene.settled(self.moment.state.points)
            return scene.settled(state.totals if state.over else state.points)
        return replace(scene, hand=(), layout=(), coming=()) if self.hidden else scene

    # ── the line that says what to do ───────────────────────────────────────────────────────────────────────────────

    def _said(self) -> list[Text]:
        """Return sentences about what happens now, or about what to do."""
        pen, names = self.pen, self.app.names
        assert self.moment is not None, "there is something to say only once the game has begun"
        if self.moment.state.over:
            result = self.moment.state.result
            return [
                pen.accent(scoreboard.verdict(result.winners, result.scores, names)),
                pen.muted(pen.say("screen.over.keys")),
            ]
        if self.open_sheet:
            return [pen.muted(pen.say("screen.sheet_open"))]
        if self.choosing is None or self.committed:
            done = self.seat if self.committed else NOBODY
            return [prompts.waiting(self.moment.state, done, self.app.work.session.humans, names, pen)]
        if self.hidden:
            return [pen.plain(pen.say("screen.hidden"))]
        return prompts.prompt(self.choosing, names, pen)

    def notify_in_line(self, text: str) -> None:
        self.notice = text
        self.draw()

    # ── how the game goes on ────────────────────────────────────────────────────────────────────────────────────────

    def arrive(self, moment: Moment) -> None:
        """Store a new snapshot of the game, which has been saved, and show it unless an overlay is open."""
        self.arrived = moment
        if not self.open_sheet and not isinstance(self.app.screen, Cover):
            self._take_news()

    def _take_news(self) -> None:
        """Show the events since the last call: after a scoring first the score sheet, then the table."""
        moment = self.arrived
        if moment is None:
            return
        news = self.app.work.news(self.told, moment.events)
        self.told = moment.events
        if self._log is None:
            self._log = Log(self.app.names, self.app.only_person)
        self.entries += self._log.tell(news, self.pen)
        self._log.goes_on_in(moment.state.turn)
        scored = any(map(is_reason, news))
        if any(event.kind in {"revealed", "round-started"} for event in news):
            self.fresh = news
            self.bell_if_away()
        if scored and self.app.work.session.humans:
            # Until the score sheet is closed, the table stays as it was at the scoring.
            if moment.scored is not None:
                self.moment = replace(moment, state=moment.scored)
            self.choosing, self.committed, self.open_sheet = None, False, True
            self.draw()
            ends = self.pen.say("screen.ends.over" if moment.state.over else "screen.ends.go_on")
            self._push_sheets(over=moment.state.over, ends=ends, counts=self.app.pause is not None)
        else:
            self._settle()

    def bell_if_away(self) -> None:
        """Play the terminal bell if the window is in the background and the user wants the bell."""
        if self.app.rings and not self.app.app_focus:
            self.app.bell()

    def _push_sheets(self, *, over: bool, ends: str, counts: bool = False) -> bool:
        """Open the score sheets. Return False if there are none."""
        moment = self.arrived or self.moment
        result = moment.state.result if over and moment is not None else None
        app = self.app
        score_sheets = sheets(app.names.game, app.work.news(0, self.told))
        self.open_sheet = bool(score_sheets)

        def closed(how: str | None) -> None:
            self.open_sheet = False
            self._settle()
            if how == "quit":
                app.leave()
            elif how in {"again", "same"}:
                self._play_next(how)
            elif how == "review" or (app.reviews and not self.looked_back):
                self._look_back()

        if score_sheets:
            view = SheetView(app.names, app.observer.faces, self.pen, score_sheets, result=result)
            app.push_screen(Sheets(view, ends, counts=counts), closed)
        return self.open_sheet

    def _settle(self) -> None:
        """Show the table as it is now. If a person has to choose, start that choice."""
        moment = self.arrived
        if moment is None:
            return
        if self.told < moment.events:
            self._take_news()
            return
        if self.moment is None or moment.decision != self.decision:
            self.asked = frozenset(moment.state.waiting) | frozenset(moment.state.committed)
        self.moment = moment
        people = [seat for seat in moment.state.waiting if seat in self.app.work.session.humans]
        if moment.state.over or not people:
            self._stop_timer()
            self.choosing, self.committed, self.tip = None, False, self.lost
            self.seat = self.app.only_person
            self.decision = moment.decision
            if moment.state.over and self.seat >= 0 and is_quick() and not self.lost:
                self.app.work.look_back(self.seat, lambda _: None, self.on_screen(self._looked_back))
        elif self.app.only_person >= 0:
            self._let_choose(people[0], moment)
        elif (people[0], moment.decision) != (self.seat, self.decision) or self.committed:
            self._hand_over(people[0], moment)
            return
        self.draw()

    def _let_choose(self, seat: int, moment: Moment) -> None:
        """Let a person choose, or continue a choice that has begun."""
        if (seat, moment.decision) == (self.seat, self.decision) and self.choosing is not None:
            return
        self._stop_timer()
        self.seat, self.decision, self.committed, self.notice = seat, moment.decision, False, ""
        self.choosing = Choosing(moment.state.view(seat))
        tips = self.app.tips
        self.tip = tips.next(moment.state, seat, self.app.names, "keys") if tips is not None else ""
        self.cursor, self.pressed = 0, ()
        if self.choosing.no_choice:
            self._hold()
        elif self.app.shows_hints and self.choosing.start.view.moves.total > 1:
            self._ask_hint()

    def _hand_over(self, seat: int, moment: Moment) -> None:
        """Hide the hands until the next person is at the keyboard."""
        self._stop_timer()
        self.seat, self.choosing, self.committed, self.decision = NOBODY, None, False, moment.decision
        self.tip, self.weighed = "", (None, {})
        self.draw()

        def uncovered(how: str | None) -> None:
            if how == "quit":
                self.app.leave()
            elif how == "undo" and moment.state.committed:
                self.decision = -1
                self.app.work.take_back(self.app.tell)
            elif self.arrived is not None and self.arrived.decision != moment.decision:
                self._settle()
            else:
                self.seat, self.decision = NOBODY, -1
                self._let_choose(seat, self.arrived or moment)
                self.moment = self.arrived or moment
                self.draw()

        people = self.app.work.session.humans
        self.app.push_screen(Cover(prompts.cover(seat, moment.state, people, self.app.names, self.pen)), uncovered)

    # ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _hold(self) -> None:
        """Start the timer after which a complete choice is played. Until then it can be undone."""
        self._stop_timer()
        if self.app.pause is not None:
            self._timer = self.set_timer(self.app.pause, self._lock)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = None

    def _lock(self) -> None:
        """Play the choice if it is complete, so that it can no longer be undone."""
        self._stop_timer()
        choosing = self.choosing
        if choosing is None or self.committed or not choosing.picking.complete or self.app.screen is not self:
            return
        self.committed = True
        self.draw()
        self.app.work.commit(self.seat, choosing.picking.taken, self.app.tell)

    def take(self, number: int) -> None:
        """Choose the card at an index in the hand, or put it back if it is chosen."""
        if self.choosing is None or self.committed or self.hidden or self.scene is None:
            return
        if number >= len(self.scene.hand):
            return
        self.cursor = number
        card = self.scene.hand[number]
        self.pressed = (*self.pressed, number)
        forms = self.choosing.forms(card.item)
        if card.order:
            self.choosing.put_back(card.item)
        elif len(forms) > 1:
            labels = self.app.names
            answers = [
                (key, labels.card(form.name.partition("@")[2] or form.name), form.name)
                for key, form in zip(CARD_KEYS, forms, strict=False)
            ]

            def formed(name: str | None) -> None:
                if name and self.choosing is not None:
                    self.choosing.press(name)
                    self._chosen()

            self.app.push_screen(Question(labels.say("screen.form", card=card.label), answers, self.pen), formed)
            return
        elif not self.choosing.press(forms[0].name if forms else card.item):
            self.notice = self.app.names.say("refused.not_now", card=card.label)
        self._chosen()

    def _chosen(self) -> None:
        self._stop_timer()
        choosing = self.choosing
        if choosing is not None and choosing.settled and not choosing.is_empty:
            self._hold()
        self.draw()

    # ── keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def on_pane_pressed(self, message: Pane.Pressed) -> None:
        """Handle a click: choose the card that was clicked, or carry out the command of the text."""
        if message.does.startswith("card "):
            self.take(int(message.does.removeprefix("card ")))
        else:
            self.key_pressed(message.does)

    def key_pressed(self, key: str) -> bool:
        self.notice = ""
        log, names = self.pen.say("screen.log").capitalize(), self.app.names
        commands: dict[str, Callable[[], object]] = {
            "t": self._two, "u": self._undo, "h": self._ask_hint, "w": self._why, "s": self._scores, "r": self._read,
            "l": lambda: self._page(log, pages.log(self.entries, self.pen), "l"),
            "o": self._on_the_way, "p": self._hide, "q": self.app.leave, "/": self._by_name, "go": self.action_go,
            "?": lambda: self._page(help_texts.title(names), pages.help_page(names, self.pen), "?"),
            "n": lambda: self._play_next("again"), "m": lambda: self._play_next("same"),
            "v": lambda: self._teach("v"), "x": lambda: self._teach("x"),
        }  # fmt: skip
        if key in commands:
            commands[key]()
            return True
        if key in CARD_KEYS:
            self.take(CARD_KEYS.index(key))
            return True
        return False

    def _play_next(self, how: str) -> None:
        """Leave a finished game: ``again`` for another game, ``same`` for another with the same deal."""
        if self.moment is not None and self.moment.state.over:
            self.app.exit(how)

    def _teach(self, key: str) -> None:
        """Show or hide the ratings of cards (key ``v``), or turn tips on or off (key ``x``)."""
        tips = self.app.tips
        if key == "v":
            self.app.shows_bars = not self.app.shows_bars
        elif tips is not None:
            self.tip, self.notice = "", tips.switch(self.app.names)
        self.draw()

    def action_cursor(self, step: int) -> None:
        """Move the cursor to the next or previous card. All rows of the hand are one sequence."""
        if self.scene is not None and self.scene.hand:
            self.cursor = (self.cursor + step) % len(self.scene.hand)
            self.draw()

    def action_go(self) -> None:
        """Play the choice if it is complete. Otherwise, take the card at the cursor."""
        choosing = self.choosing
        if choosing is None or self.committed:
            return
        if choosing.settled and (not choosing.is_empty or choosing.start.complete):
            self._lock()
        elif choosing.more and choosing.picking.complete:
            choosing.more = False
            self._lock()
        else:
            self.take(self.cursor)

    def _two(self) -> None:
        if self.choosing is not None and not self.committed:
            self.choosing.want_more()
            self._chosen()

    def _undo(self) -> None:
        if self.choosing is not None and not self.committed and not self.choosing.no_choice:
            self.choosing.take_back()
            self._stop_timer()
            self.draw()

    def _hide(self) -> None:
        self._stop_timer()
        self.hidden = not self.hidden
        self.draw()

    def _by_name(self) -> None:
        """Ask for the beginning of a card's name, and choose that card."""
        if self.choosing is None or self.committed:
            return
        self._stop_timer()

        def typed(text: str | None) -> None:
            if not text or self.choosing is None:
                return
            try:
                item = find(text, self.choosing.start.items, self.app.names)
            except NoSuchItemError as error:
                self.notice = str(error)
            else:
                if not self.choosing.press(item.name):
                    names = self.app.names
                    self.notice = names.say("refused.not_now", card=names.word(item.card))
            self._chosen()

        self.app.push_screen(Typed(self.pen.say("screen.by_name"), self.pen.say("screen.name_start")), typed)

    # ── what opens over the table ───────────────────────────────────────────────────────────────────────────────────

    def _page(self, title: str, draw: pages.Draw, key: str = "") -> None:
        self._stop_timer()
        self.show_page(title, draw, key)

    def _ask_hint(self) -> None:
        choosing = self.choosing
        if choosing is None or self.committed or not choosing.start.view.moves:
            return
        self._stop_timer()
        self.notice = self.pen.say("screen.thinking")
        self.draw()
        chosen = choosing.picking
        picking = chosen if chosen.following else choosing.start

        def show(hints: list[Hint]) -> None:
            self.notice = ""
            if (
                self.choosing is choosing
                and choosing.picking is chosen
                and not self.committed
                and self.app.screen is self
            ):
                keys = {card.item: card.key for card in reversed(self.scene.hand)} if self.scene is not None else {}
                self._page(
                    self.pen.say("advice.title"), pages.hint(picking, hints, self.app.names, self.pen, keys), "h"
                )
            self.draw()

        self.app.work.advise(picking.view, lambda opinion: opinion.hints(picking.taken), self.on_screen(show))

    def _why(self) -> None:
        scene = self.scene
        if scene is not None:
            scored = scoreboard.scorings(self.app.work.news(0, self.told), self.app.names.game)
            self._page(self.pen.say("screen.why"), pages.why(scene, scored, self.app.names, self.pen), "w")

    def _scores(self) -> None:
        self._stop_timer()
        over = self.moment is not None and self.moment.state.over
        if not self._push_sheets(over=over, ends=self.pen.say("screen.closes")) and self.scene is not None:
            scene = self.scene
            self._page(
                self.pen.say("sheet.scores"), lambda columns: drawing.scores(scene, min(columns, 60), self.pen), "s"
            )

    def _on_the_way(self) -> None:
        scene = self.scene
        if scene is not None:
            title = self.pen.say("screen.coming").capitalize()
            self._page(title, lambda columns: drawing.coming_lines(scene, columns, self.pen), "o")

    def _read(self) -> None:
        """Show the text of the card at the cursor or, after the game, the review."""
        if self.moment is not None and self.moment.state.over:
            self._look_back()
        elif self.scene is not None and self.scene.hand and not self.hidden:
            card = self.scene.hand[self.cursor]
            self._page(card.label, pages.card(card.face, self.app.names, self.pen), "r")

    def _look_back(self) -> None:
        """Show each person's costliest choices after the game."""
        if self.moment is None or not self.moment.state.over:
            return
        self.looked_back = True
        say = self.pen.say

        def busy(share: float) -> None:
            self.notify_in_line(say("advice.back.busy", percent=f"{share:.0%}"))

        for seat in self.app.work.session.humans:
            self.notice = say("advice.back.busy", percent="").rstrip()
            self.app.work.look_back(seat, self.on_screen(busy), self.on_screen(self._looked_back))
        self.draw()

    def _looked_back(self, review: GameReview) -> None:
        self.notify_in_line("")
        if not self.looked_back:  # nobody has asked for it yet
            self.tip = self.lost = " ".join(reviews.where_lost(review, self.app.names))
            self.draw()
            return
        page = pages.printed(lambda names: reviews.looking_back(review, names), self.app.names, self.pen)
        self._page(self.pen.say("advice.back"), page)
