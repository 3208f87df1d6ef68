"""The table in a terminal or a pipe: shows what a person may see, asks for cards, and understands commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.play import advice_words, board, help_texts, scoreboard, story
from draftengine.play.advice import advise, opinion
from draftengine.play.choosing import NoSuchItemError, Picking, find, sentence
from draftengine.play.review import review
from draftengine.play.style import padded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.events import Event
    from draftengine.engine.moves import Move
    from draftengine.play.names import Names
    from draftengine.play.session import Session

SPECTATOR = -1


class QuitGame(Exception):  # noqa: N818 (not an error: somebody leaves the table)
    """Somebody wants to stop; `input_ended` if there was nobody left to ask."""

    def __init__(self, *, input_ended: bool = False) -> None:
        super().__init__()
        self.input_ended = input_ended


class _TakeBack(Exception):  # noqa: N818 (not an error)
    """The last commitment is to be undone."""


class Terminal(Struct):
    """One screen and one keyboard, shared by all people of a game."""

    session: Session
    names: Names
    ask: Callable[[str], str | None]
    """Shows a prompt and returns what was typed; ``None`` when the input has ended."""
    show: Callable[[str], None]
    save: Callable[[], None]
    """Saves the game and says where."""
    interactive: bool
    """Does a person sit at the keyboard: then choices are confirmed before they are revealed."""
    points: list[Event]
    """The points of rules so far, with their reasons."""
    hint: bool = False
    """Is the best advice shown with every choice, without being asked for."""
    review: bool = False
    """Are the choices of people looked at when the game is over, without being asked for."""
    busy: Callable[[str], None] = lambda _: None
    """Says what takes a while, in place of what it said last; with an empty text takes it away."""

    @property
    def viewer(self) -> int:
        """Whose eyes the shared screen has: those of the only person, else nobody's."""
        humans = self.session.humans
        return humans[0] if len(humans) == 1 else SPECTATOR

    def play(self) -> None:
        """Play to the end of the game. Raises `QuitGame`."""
        session = self.session
        while True:
            session.let_bots_choose()
            self._tell()
            if session.over:
                break
            self._people_choose()
        self._print("", self.names.style.headline("Final score"), *scoreboard.final(session.state, self.names))
        if session.humans and (self.review or self._wants_review()):
            self._look_back()

    def _wants_review(self) -> bool:
        """Does the person at the keyboard want to look back: the end of the input means no."""
        if not self.interactive:
            return False
        try:
            text = self.ask("\nEnter to leave, r to see which choices cost you most: ") or ""
        except KeyboardInterrupt:
            self._print()
            return False
        return text.strip().casefold() in {"r", "review"}

    def _look_back(self) -> None:
        """The costly choices of every person."""
        self._print("", self.names.style.headline("Looking back"))
        for seat in self.session.humans:
            found = review(self.session, seat, lambda share: self.busy(f"  Looking back … {share:.0%}"))
            self.busy("")
            self._print(*advice_words.looking_back(found, self.names))

    def _print(self, *lines: str) -> None:
        self.show("".join(f"{own}\n" for line in lines for own in self.names.style.fitted(line)))

    # ── what happened ───────────────────────────────────────────────────────────────────────────────────────────────

    def _tell(self) -> None:
        """Tell the news: a block for every turn, scoring and new round."""
        news = self.session.take_news()
        self.points += [event for event in news if event.kind == story.SCORING and event.text]
        block: list[Event] = []
        dealing = False
        for event in news:
            if event.kind in {"round-started", "turn-started", "round-ended", "cleared"}:
                self._tell_block(block)
                block = []
                dealing = event.kind == "round-started"
                self._begin(event)
            elif not (dealing and event.kind == "dealt" and event.seat >= 0):  # the deal is seen in the hands
                block.append(event)
        self._tell_block(block)

    def _begin(self, event: Event) -> None:
        """The headline of a round; that of a turn stands over the choice, if a person chooses."""
        style, rounds = self.names.style, self.session.program.model.rounds
        if event.kind == "round-started":
            title = f"Round {event.amount} of {rounds}" if rounds > 1 else "The game begins"
            self._print("", style.headline(title))
        elif event.kind == "turn-started" and not self.session.humans:
            self._print("", style.faint(f"  Turn {event.amount}"))

    def _tell_block(self, events: Sequence[Event]) -> None:
        lines = story.tell(events, self.viewer, self.names)
        if lines:
            self._print(*lines)
        scored = scoreboard.reasons(events, self.names)
        if scored:
            label = self._label_of(events)
            self._print("", self.names.style.headline(self.names.moment(label), "─"), *scored)

    def _label_of(self, events: Sequence[Event]) -> str:
        labels = {rule.id: rule.at for rule in self.session.program.model.scoring}
        return next((labels[event.name] for event in events if event.name in labels), "round")

    # ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _people_choose(self) -> None:
        """Everybody who has to choose does, one after the other; the last commitment settles the choice."""
        while self.session.to_choose():
            seat = self.session.to_choose()[0]
            try:
                move = self._choose(seat)
            except _TakeBack:
                self._undo()
                continue
            self.session.commit(seat, move)
            if not self.session.state.chosen:
                return

    def _undo(self) -> None:
        seat = self.session.take_back()
        if seat is None:
            self._print("  There is nothing to take back: the cards are revealed.")
        else:
            self._print(f"  {self.names.seat(seat)} can choose again.")

    def _choose(self, seat: int) -> Move:
        """One person's choice. Raises `QuitGame` or `_TakeBack`."""
        self._hand_over(seat)
        start = Picking.of(self.session.seen_by(seat))
        self._show_choice(start)
        while True:
            picking, asked = self._pick(start)
            if not asked or not self.interactive or self._confirmed(picking):
                if not asked:
                    self._print(f"  The only choice: {self._sentence(picking)}.")
                return picking.taken

    def _hand_over(self, seat: int) -> None:
        if len(self.session.humans) > 1:
            if self.interactive:
                self._answer(f"\n{self.names.seat(seat)}, take the keyboard and press Enter. ")
                self.show("\x1b[2J\x1b[H" if self.names.style.color else "\n" * 40)
            else:
                self._print("", self.names.style.bold(f"{self.names.seat(seat)} chooses."))

    def _show_choice(self, picking: Picking) -> None:
        """The table, what can be chosen, and the hint if it is wanted with every choice."""
        seen = picking.seen
        shown_below = picking.zone if picking.from_layout else ""
        self._print("", board.heading(seen, self.names), *board.table(seen, self.names, without=shown_below))
        self._print(*self._menu(picking))
        if self.hint and seen.moves.total > 1:
            self._show_hint(picking)

    def _show_hint(self, picking: Picking) -> None:
        """The best ways to go on; once everything is chosen, the best ways to choose again."""
        start = picking if picking.following else Picking(picking.seen, picking.items)
        advices = advise(start.seen, opinion(start.seen), start.taken)
        self._print("", *advice_words.hint(start, advices, self.names))

    def _menu(self, picking: Picking) -> list[str]:
        names = self.names
        if picking.from_layout:
            numbers = {item.name: item.number for item in picking.items}
            view = next(view for view in picking.seen.zones if view.zone == picking.zone)
            return ["", *board.layout(view, names, numbers)]
        title = "Your hand" if picking.zone == "hand" else names.label(picking.zone)
        lines = ["", f"  {names.style.bold(title)}"]
        for item in picking.items:
            number = names.style.accent(f"{item.number:>4}")
            copies = names.style.faint(f"  ({item.copies})") if item.copies > 1 else ""
            lines.append(f"{number}  {names.card(item.card)}{copies}")
        return lines

    def _pick(self, start: Picking) -> tuple[Picking, bool]:
        """The finished move, and whether there was anything to ask."""
        picking, asked = start, False
        words: list[str] = []
        while picking.following:
            if not words and len(picking.following) == 1 and not picking.complete:
                picking = picking.take(picking.now[0])
                continue
            if not words:
                asked = True
                try:
                    words = self._asked(picking)
                except _TakeBack:
                    if not picking.taken:
                        raise
                    picking = start
                    continue
                if not words:
                    if picking.complete:
                        break
                    continue
            try:
                picking = picking.take(find(words.pop(0), picking.now, self.names))
            except NoSuchItemError as error:
                self._print(f"  {self.names.style.safe(str(error))}")
                words, picking = [], start if not picking.complete else picking
        if words:
            self._print("  That is more than can be taken; the rest is ignored.")
        return picking, asked

    def _asked(self, picking: Picking) -> list[str]:
        """The next words of a person, after every command has been carried out. Raises `QuitGame`, `_TakeBack`."""
        if self.hint and picking.taken:
            self._show_hint(picking)
        while True:
            text = self._answer(self._prompt(picking)).strip()
            if not self._command(text, picking):
                return [word for word in _words(text) if word]

    def _prompt(self, picking: Picking) -> str:
        names = self.names
        receiver, ability = picking.receiver(), picking.ability()
        if receiver is not None:
            return names.style.typed(f"Card for {names.seat(receiver)}: ")
        if picking.complete and ability is not None:
            so_far = f"{self._sentence(picking)}. " if picking.taken else ""
            return names.style.typed(f"{so_far}{names.label(ability)}: another card, or Enter for none: ")
        if picking.taken:
            return names.style.typed(f"{self._sentence(picking)}, and: ")
        use = "" if picking.target == "tableau" else f" to be {names.label(picking.target)}"
        return names.style.typed(f"Your card{use} (number or name, ? for help): ")

    def _sentence(self, picking: Picking) -> str:
        return sentence(picking, self.names) or "no card"

    def _confirmed(self, picking: Picking) -> bool:
        """Does the person stay with it: the last moment to think again before the cards are revealed."""
        while True:
            text = self._answer(f"  {self._sentence(picking)}. Enter to play it, u to take it back: ").strip()
            if text.casefold() in {"u", "undo"}:
                return False
            if not text:
                return True
            if not self._command(text, picking):
                self._print("  Press Enter to play it, or u and Enter to choose again.")

    def _answer(self, prompt: str) -> str:
        text = self.ask(prompt)
        if text is None:
            raise QuitGame(input_ended=True)
        return text

    # ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _command(self, text: str, picking: Picking) -> bool:
        """Carry out a command; is the text one."""
        word, _, rest = text.partition(" ")
        if text.startswith("?") and not text.startswith("? "):
            word, rest = "?", text[1:]
        if word.casefold() in {"q", "quit", "exit"}:
            raise QuitGame
        if word.casefold() in {"u", "undo"}:
            raise _TakeBack
        commands: dict[str, Callable[[], None]] = {
            "?": lambda: self._help(rest.strip(), picking),
            "help": lambda: self._help(rest.strip(), picking),
            "t": lambda: self._show_choice(picking),
            "table": lambda: self._show_choice(picking),
            "h": lambda: self._show_hint(picking),
            "hint": lambda: self._show_hint(picking),
            "w": self._why,
            "why": self._why,
            "s": self.save,
            "save": self.save,
        }
        command = commands.get(word.casefold())
        if command is not None:
            command()
        return command is not None

    def _help(self, about: str, picking: Picking) -> None:
        if not about:
            self._print(*help_texts.commands(self.names), *help_texts.cards_in_short(self.names))
            return
        try:
            name = find(about, picking.items, self.names).card
        except NoSuchItemError:
            found = help_texts.card_named(about, self.names)
            if found is None:
                self._print(f"  There is no card “{self.names.style.safe(about)}” in this game; ? lists them.")
                return
            name = found
        self._print(*help_texts.about_card(name, self.names))

    def _why(self) -> None:
        lines = scoreboard.reasons(self.points, self.names, sources=True)
        self._print(*(lines or ["  Nothing has been scored yet."]))


def _words(text: str) -> list[str]:
    """What was typed, cut into cards: at commas and plus signs, else at spaces if every part is a number."""
    parts = [part.strip() for part in text.replace("+", ",").split(",")]
    if len(parts) == 1 and all(word.isdecimal() for word in text.split()):
        return text.split()
    return parts


def opening(names: Names, seed: int | str) -> list[str]:
    """What is said before a game: title, seats, seed, and how to get help."""
    model = names.program.model
    style = names.style
    lines = [style.headline(help_texts.title(names))]
    lines += help_texts.about_game(names)
    lines += style.listed(names.seats, f"  {padded('Seats', 6)}  ")
    if model.active:
        lines += style.listed(help_texts.variant_titles(names), f"  {padded('With', 6)}  ")
    lines.append(style.faint(f"  {padded('Seed', 6)}  {seed}"))
    return lines
