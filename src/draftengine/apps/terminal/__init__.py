"""The table in a terminal or a pipe: it shows what people may see, asks for cards, and runs commands."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.records import HAND
from draftengine.apps.play import board, help_texts
from draftengine.apps.play import review as reviews
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.board import EventNarrator
from draftengine.apps.play.coach import Tips
from draftengine.apps.play.move_builder import (
    MoveBuilder,
    NoSuchItemError,
    find,
    for_target,
    is_named,
    sentence,
    spelled,
)
from draftengine.apps.play.review import review
from draftengine.apps.play.table_view import TableView
from draftengine.apps.play.terminal_style import padded
from draftengine.bots.hints import Evaluator, is_quick
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.moves import Move
    from draftengine.api.view import View
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.session import Session

SPECTATOR = -1
_PER_RULE = 0.3
"""The seconds between the points of two rules, which are shown one after the other."""
_ROOM_TO_TYPE = 4
"""The number of columns that must be left for the answer after a prompt."""


class QuitGame(Exception):  # noqa: N818 (not an error: somebody leaves the table)
    """Raised when somebody quits the game; `input_ended` is True if the input has ended."""

    def __init__(self, *, input_ended: bool = False) -> None:
        super().__init__()
        self.input_ended = input_ended


class _TakeBack(Exception):  # noqa: N818 (not an error)
    """Raised when somebody takes back the last commitment."""


class Terminal(Struct):
    """The screen and keyboard that all people of a game share."""

    session: Session
    names: Names
    ask: Callable[[str], str | None]
    """A function that shows a prompt and returns the typed line; ``None`` at the end of the input."""
    show: Callable[[str], None]
    save: Callable[[], None]
    """A function that saves the game and shows the name of the saved game."""
    interactive: bool
    """True if a person is at the keyboard. Choices are then confirmed before they are revealed."""
    hint: bool = False
    """True if advice is shown with every choice."""
    review: bool = False
    """True if the review of choices is shown after the game without asking."""
    busy: Callable[[str], None] = lambda _: None
    """A function that shows a temporary text in place of the last one; an empty text removes it."""
    teller: EventNarrator | None = None
    """The object that shows events; made when it is first needed."""
    hand_shown: bool = False
    """True while a hand is on the screen that other people at it must not see."""
    headed: tuple[int, int, int] | None = None
    """The seat, round and turn of the last choice with a heading; further choices in that turn get none."""
    brackets_told: bool = False
    """True once the meaning of the brackets after rules was explained to people."""
    tips: Tips | None = None
    """The tips that people have seen; ``None`` if no tips are given."""
    tip: str = ""
    """The tip that is shown with the current choice; empty if there is none."""
    bars: bool = False
    """True if the adviser's rating of each card is shown, in bars."""
    opinion: Evaluator | None = None
    """The adviser's ratings of the last choice, which hints and bars share."""
    wait: Callable[[float], bool] = lambda _: True
    """A function that waits some seconds. It returns True if somebody has pressed Enter to go on."""
    keep: Callable[[], None] = lambda: None
    """A function that writes the moves to disk. It is called before anybody sees that a move was accepted."""

    @property
    def viewer(self) -> int:
        """The seat whose view the screen shows: the only person's, or a spectator's if there are several."""
        humans = self.session.humans
        return humans[0] if len(humans) == 1 else SPECTATOR

    def play(self) -> str:
        """Play to the end of the game, and return what people want to do next. Raises `QuitGame`.

        The result is ``again`` for another game, ``same`` for another game with the same deal, or empty.
        """
        session = self.session
        getting_ready = Thread(target=session.get_ready, daemon=True)
        if session.prepare is not None and session.to_choose():  # people see their cards, and choose, meanwhile
            getting_ready.start()
            self._tell()
            self._people_choose()
            self.busy(f"  {self.names.say('said.getting_ready')}")
            getting_ready.join()
            self.busy("")
        while True:
            session.let_bots_choose()
            self.keep()
            self._tell()
            if session.over:
                break
            self._people_choose()
        final = self.names.style.headline(self.names.say("standing.final"))
        self._print("", final, *scoreboard.final(session.state.result, self.names))
        if self.review and session.humans:
            self._look_back()
        elif self.interactive and is_quick():
            self._look_back(briefly=True)
        if not (session.humans and self.interactive):
            return ""
        while True:  # until people say what they want to do next, or the input ends
            try:
                text = self.ask(f"\n{self.names.say('ask.after')} ") or ""
            except KeyboardInterrupt:
                self._print()
                return ""
            word = text.strip().casefold()
            if word not in {"r", "review"}:
                return {"n": "again", "new": "again", "m": "same", "same": "same"}.get(word, "")
            self._look_back()

    def _look_back(self, *, briefly: bool = False) -> None:
        """Show the review of each person's choices; with `briefly`, in a few sentences."""
        say, style = self.names.say, self.names.style
        self._print("", *([] if briefly else [style.headline(say("advice.back"))]))
        for seat in self.session.humans:
            reviewed = review(
                self.session, seat, lambda share: self.busy(f"  {say('advice.back.busy', percent=f'{share:.0%}')}")
            )
            self.busy("")
            if briefly:
                self._print(*style.wrapped(" ".join(reviews.where_lost(reviewed, self.names)), 2, "  "))
            else:
                self._print(*reviews.looking_back(reviewed, self.names))

    def _say(self, key: str, /, **given: object) -> None:
        """Print a message of the catalogue."""
        self._print(f"  {self.names.say(key, **given)}")

    def _print(self, *lines: str) -> None:
        self.show("".join(f"{part}\n" for line in lines for part in self.names.style.fitted(line)))

    # ── what happened ───────────────────────────────────────────────────────────────────────────────────────────────

    def _tell(self) -> None:
        """Show the events since the last call."""
        news = self.session.take_news()
        if news:
            self._hide_hand()
        if self.teller is None:
            self.teller = EventNarrator(
                self.names,
                self.viewer,
                lambda lines: self._print(*lines),
                turns=not self.session.humans,  # with people, the heading is above the choice
                counted=self.count,
                paused=self._pause,
            )
        self.teller.tell(news)

    def count(self, lines: Sequence[str]) -> None:
        """Print lines about points, rule by rule with pauses. Enter ends the pauses."""
        skipped = not self.session.humans
        for line in lines:
            skipped = skipped or (bool(line[2:3].strip()) and self.wait(_PER_RULE))
            self._print(line)

    def _pause(self) -> None:
        """Wait until a person has read the screen and pressed Enter. Commands are carried out meanwhile."""
        while self.interactive and self.session.humans:
            text = self._answer(f"\n{self.names.say('ask.go_on')} ").strip()
            if not text:
                return
            try:
                known = self._command(text, None)
            except _TakeBack:
                known = False
            if not known:
                self._say("said.go_on")

    def _page(self, lines: Sequence[str]) -> None:
        """Print lines; if a person is at the keyboard, one screen at a time."""
        rest = [part for line in lines for part in self.names.style.fitted(line)]
        most = max(1, self.names.style.lines - 2) if self.interactive else len(rest)
        while len(rest) > most + 1:
            self.show("".join(f"{line}\n" for line in rest[:most]))
            rest = rest[most:]
            if self._answer(f"{self.names.say('ask.more')} ").strip():
                return
        self.show("".join(f"{line}\n" for line in rest))

    # ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _people_choose(self) -> None:
        """Ask each person who has to choose for a move, in turn. After the last move, choices are revealed."""
        while self.session.to_choose():
            seat = self.session.to_choose()[0]
            try:
                move = self._choose(seat)
            except _TakeBack:
                again = self.session.take_back()
                if again is None:
                    self._say("said.nothing_back")
                    continue
                self.keep()
                self._hide_hand()
                self._print(f"  {self.names.say_of(again, 'said.again')}")
                continue
            self.session.commit(seat, move)
            self.keep()
            if not self.session.state.committed:
                return

    def _choose(self, seat: int) -> Move:
        """Ask one person for a move. Raises `QuitGame` or `_TakeBack`."""
        if len(self.session.humans) > 1:  # the next person takes the keyboard, without seeing anybody else's hand
            if self.interactive:
                self._hide_hand()
                self._answer(f"\n{self.names.say('ask.keyboard', who=self.names.seat(seat))} ")
                self._wipe()
                self.hand_shown = True
            else:
                self._print("", self.names.style.bold(self.names.say("said.chooses", who=self.names.seat(seat))))
        start = picking = MoveBuilder.of(self.session.view(seat))
        place = (seat, start.view.round, start.view.turn)
        self.tip = self.tips.next(self.session.state, seat, self.names, "line") if self.tips is not None else ""
        self._show_choice(start, headed=place != self.headed)
        self.headed = place
        chosen = False
        while True:
            picking, asked = self._pick(picking, start)
            chosen = chosen or asked
            if not chosen:
                self._say("said.only", cards=self._sentence(picking))
            other = self._second_thought(picking, start) if chosen and self.interactive else None
            if other is None:
                return picking.taken
            picking = other

    def _hide_hand(self) -> None:
        """Remove a person's hand from the screen."""
        if self.hand_shown:
            self._wipe()
        self.hand_shown = False

    def _wipe(self) -> None:
        self.show("\x1b[2J\x1b[H" if self.names.style.color else "\n" * self.names.style.lines)

    def _show_choice(self, picking: MoveBuilder, *, headed: bool = True) -> None:
        """Show the table, the items to choose from, and with `hint` a hint; with `headed`, a heading first."""
        view = picking.view
        table = TableView.of(view)
        shown_below = picking.asked.source if picking.asked.places else ""
        heading = [board.heading(table, self.names)] if headed else []
        self._print("", *heading, *board.table(table, self.names, without=shown_below))
        style = self.names.style
        self._print(
            *([""] if self.tip else []), *map(style.accent, style.wrapped(self.tip, 2, "  ") if self.tip else [])
        )
        self._print(*self._menu(picking))
        if self.hint and view.moves.total > 1:
            self._show_hint(picking)

    def _show_hint(self, picking: MoveBuilder) -> None:
        """Show the best ways to continue the move; if it cannot be continued, the best moves."""
        start = picking if picking.following else MoveBuilder(picking.view, picking.items)
        self._print("", f"  {self.names.style.bold(self.names.say('advice.title'))}")
        self._print(*reviews.hint(start, self._opinion(start.view).hints(start.taken), self.names))

    def _opinion(self, view: View) -> Evaluator:
        """Return the adviser's ratings for a choice, which are computed only once."""
        if self.opinion is None or self.opinion.view is not view:
            self.opinion = Evaluator(view)
        return self.opinion

    def _menu(self, picking: MoveBuilder) -> list[str]:
        names = self.names
        source = picking.asked.source
        worth = reviews.worth_of_items(self._opinion(picking.view), picking.taken) if self.bars else {}
        if picking.asked.places:
            numbers = {item.name: item.number for item in picking.items}
            layouts = TableView.of(picking.view).layouts
            drawn = board.layout_of(next(layout for layout in layouts if layout.zone == source), names, numbers)
            bars = [f"{numbers[name]} {names.style.typed(reviews.in_bars(number))}" for name, number in worth.items()]
            return ["", *drawn, *(names.style.listed(sorted(bars), "  ") if bars else [])]
        if picking.without_cards:
            title = names.say("menu.may")
        elif not source:
            title = names.say("menu.several")
        else:  # the zone of the cards, not what happens to them
            title = names.say("menu.hand" if source == HAND else "menu.from", zone=names.zone(source))
        lines = ["", f"  {names.style.bold(title)}"]
        pays = {move.taken[-1].card: names.pays(picking.view.pays(move)) for move in picking.following}
        for item in picking.items:
            number = names.style.accent(f"{item.number:>4}")
            number += f"  {names.style.typed(reviews.in_bars(worth.get(item.name, 0)))}" if worth else ""
            copies = names.style.faint(f"  ({item.copies})") if item.copies > 1 else ""
            pile = picking.view.aim(item.name)
            has = names.has(item.card) or (board.cards_of(pile, names) if pile is not None and pile.size else "")
            notes = names.style.comma.join(filter(None, (has, pays.get(item.name, ""))))
            lines.append(f"{number}  {names.card(item.card)}{copies}{names.style.faint(f'  {notes}') if notes else ''}")
        return lines

    def _pick(self, picking: MoveBuilder, start: MoveBuilder) -> tuple[MoveBuilder, bool]:
        """Let a person complete a move. Return it, and True if the person was asked for anything.

        If the person takes cards back, the choice begins again at `start`.
        """
        asked = False
        while picking.following:
            if len(picking.following) == 1 and not picking.complete:
                picking = picking.take(picking.now[0])
                continue
            asked = True
            try:
                words = self._asked(picking)
            except _TakeBack:
                if not picking.taken.taken:
                    raise
                picking = start
                continue
            if not words and picking.complete:
                break
            picking = self._spelled(picking, words) or picking
        return picking, asked

    def _spelled(self, picking: MoveBuilder, words: Sequence[str]) -> MoveBuilder | None:
        """Return the move with the typed cards. If they cannot be taken, print why and return ``None``."""
        try:
            return spelled(picking, words, self.names)
        except NoSuchItemError as error:
            self._print(f"  {self.names.style.safe(str(error))}")
            return None

    def _asked(self, picking: MoveBuilder) -> list[str]:
        """Return the words that a person types for a card. Commands typed before them are carried out.

        Raises `QuitGame`, `_TakeBack`.
        """
        if self.hint and picking.taken.taken:
            self._show_hint(picking)
        while True:
            names = self.names
            receiver, ability = picking.receiver(), picking.ability()
            if receiver:
                prompt = f"{names.say('ask.other', seat=names.extra_seat(receiver))} "
            elif picking.complete and ability:
                so_far = f"{names.say('list.sentence', text=self._sentence(picking))} " if picking.taken.taken else ""
                prompt = f"{so_far}{names.say('ask.ability', ability=names.label(ability))} "
            elif picking.taken.taken:
                prompt = f"{names.say('ask.and', cards=self._sentence(picking))} "
            elif picking.without_cards:
                prompt = f"{names.say('ask.choice')} "
            else:
                target = picking.asked.target
                prompt = f"{names.say(for_target('ask.card', target), where=names.label(target))} "
            text = self._answer(prompt).strip()
            if not self._command(text, picking):
                return [word for word in _words(text) if word]

    def _sentence(self, picking: MoveBuilder) -> str:
        return sentence(picking.taken.taken, picking, self.names) or self.names.say("pick.none")

    def _second_thought(self, picking: MoveBuilder, start: MoveBuilder) -> MoveBuilder | None:
        """Ask for confirmation of a complete move.

        Returns the move with which to continue, or ``None`` if the person keeps the complete move.
        """
        while True:
            text = self._answer(f"  {self.names.say('ask.sure', cards=self._sentence(picking))} ").strip()
            if text.casefold() in {"u", "undo"}:
                return start
            if not text:
                return None
            if not self._command(text, picking):
                other = self._spelled(start, _words(text))
                if other is not None:
                    return other

    def _answer(self, prompt: str) -> str:
        """Show a prompt and return the typed answer. A wide prompt is wrapped, with room for the answer.

        Raises `QuitGame` at the end of the input.
        """
        if width_of(prompt) + _ROOM_TO_TYPE > self.names.style.columns:
            before, words = prompt[: len(prompt) - len(prompt.lstrip())], prompt.split()
            prompt = "\n".join(self.names.style.wrapped(words, 2, before.lstrip("\n"))) + " "
            prompt = "\n" * before.count("\n") + prompt
        text = self.ask(prompt)
        if text is None:
            raise QuitGame(input_ended=True)
        return text

    # ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _command(self, text: str, picking: MoveBuilder | None) -> bool:
        """Carry out a command. Return False if the text is not a command.

        `picking` is the move in progress, which some commands need.
        """
        word, _, rest = text.partition(" ")
        if text.startswith("?") and not text.startswith("? "):
            word, rest = "?", text[1:]
        word, rest = word.casefold(), rest.strip()
        if word in {"q", "quit", "exit"}:
            raise QuitGame
        if word in {"u", "undo"}:
            raise _TakeBack
        if self.tips is not None and self.names.is_word(word, "tips"):
            word = "x"
        word = _COMMANDS.get(word, word)
        commands: dict[str, Callable[[], object]] = {
            "?": lambda: self._help(rest, picking), "w": lambda: self._why(rest), "s": self.save,
        }  # fmt: skip
        if (tips := self.tips) is not None:
            commands["x"] = lambda: self._print(f"  {tips.switch(self.names)}")
        if picking is not None:
            commands |= {"t": lambda: self._show_choice(picking), "h": lambda: self._show_hint(picking)}
        if word == "v" and picking is not None:
            self.bars = not self.bars
        elif word in commands:
            commands[word]()
        else:
            return False
        if picking is not None and word in {"?", "w", "v"} and picking.following:
            self._print(*self._menu(picking))
        return True

    def _help(self, about: str, picking: MoveBuilder | None) -> None:
        """Show the commands, or the help about a subject."""
        if not about:
            self._page(help_texts.commands(self.names, tips=self.tips is not None))
        elif self.names.is_word(about, "cards"):
            self._page(help_texts.cards_in_short(self.names))
        elif self.names.is_word(about, "rules"):
            self._page([*help_texts.rules_in_short(self.names), *help_texts.counters_and_markers(self.names)])
        else:
            try:
                self._page(self._about(about, picking))
            except NoSuchItemError as error:
                self._print(f"  {self.names.style.safe(str(error))}")

    def _about(self, text: str, picking: MoveBuilder | None) -> list[str]:
        """Return lines about an item of the choice, or about any other thing with the typed name.

        Raises `NoSuchItemError`.
        """
        if picking is not None:
            for item in [find(text, picking.items, self.names)] if text.isdecimal() else picking.items:
                pile = picking.view.aim(item.name)
                named = pile is not None and is_named(text, (self.names.word(item.card), item.name))
                if text.isdecimal() or named:
                    return help_texts.about_item(
                        item.card, self.names, [name for name, _ in pile.cards] if pile else []
                    )
        return help_texts.explained(text, self.names)

    def _why(self, which: str) -> None:
        """Show why points were given in the round `which`. The default is the last round that gave points."""
        scored = scoreboard.scorings(self.session.story, self.session.game)
        if not scored:
            self._say("said.no_scores")
            return
        number = int(which) if which.isdecimal() else scored[-1].round
        events = [event for scoring in scored for event in scoring.events]
        lines = [
            line
            for scoring in scored
            if scoring.round == number
            for line in ("", *scoreboard.proof(scoring, self.names))
        ]
        if not lines:
            lines = [f"  {self.names.say('said.no_scores.round', number=number)}"]
        elif not self.brackets_told and self.names.cites and any(event.source for event in events):
            self.brackets_told = True
            lines += ["", *self.names.style.wrapped(self.names.say("standing.brackets").split(), 2, "  ")]
        self._page(lines)


_COMMANDS = {"help": "?", "why": "w", "save": "s", "table": "t", "hint": "h", "worth": "v"}
"""The letters of commands that may also be typed as whole words."""


def _words(text: str) -> list[str]:
    """Split a line at commas and plus signs or, if there are none and all words are numbers, at spaces."""
    parts = [part.strip() for part in text.replace("+", ",").split(",")]
    if len(parts) == 1 and all(word.isdecimal() for word in text.split()):
        return text.split()
    return parts


def opening(names: Names, seed: int | str | None) -> list[str]:
    """Return the lines before a game: title, seats, variants, and the seed if given."""
    model = names.game.model
    style = names.style
    lines = [style.headline(help_texts.title(names))]
    lines += help_texts.about_game(names)
    heads = {key: names.say(f"open.{key}") for key in ("seats", "with", "seed")}
    wide = max(6, *map(width_of, heads.values()))
    lines += style.listed(names.seats, f"  {padded(heads['seats'], wide)}  ")
    if model.active:
        lines += style.listed(help_texts.variant_titles(names), f"  {padded(heads['with'], wide)}  ")
    return lines if seed is None else [*lines, style.faint(f"  {padded(heads['seed'], wide)}  {seed}")]
