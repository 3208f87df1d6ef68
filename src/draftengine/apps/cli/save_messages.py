"""Messages about saving a game: where it is, and what to do if it cannot be saved."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from draftengine.api.ruleset import as_typed
from draftengine.apps.cli.errors import ignore_signals, sentence_of
from draftengine.apps.cli.program_name import command_line
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from draftengine.apps.play.journal import Journal
    from draftengine.apps.play.session import Session


class SaveReporter:
    """Saves a game as it goes on, and tells people what they need to know about it."""

    def __init__(self, journal: Journal, show: Callable[[str], None], language: str = "en") -> None:
        self.catalogue = spoken(language)
        self.journal = journal
        self.show = show
        self._warned = ""

    def keep(self) -> None:
        """Write every move to disk. If that fails, the game goes on, and a warning is shown once."""
        try:
            self.journal.keep()
        except OSError as error:
            self._warn(f"From here on this game cannot be kept: {sentence_of(error)}")
        else:
            self._say_where()

    def _say_where(self) -> None:
        if self.journal.trouble is not None:
            self._warn(f"{sentence_of(self.journal.trouble)} The game is kept in {self.journal.path} instead.")

    def _warn(self, text: str) -> None:
        if text != self._warned:
            self._warned = text
            self.show(f"  {text}\n")

    def save(self) -> None:
        """Save the game on request, and show how to continue it."""
        self._saved(lambda: self.journal.keep(anyway=True), "")

    def stop(self, before: str) -> None:
        """Put the game aside before the program ends. A closed terminal causes several stops; one is enough."""
        ignore_signals()
        session = self.journal.saved.session
        if not session.humans or session.over:
            return
        with suppress(OSError, ValueError):  # nobody may be left to read this
            if self.journal.moved:
                self._saved(self.journal.close, before)
            else:
                self.show(f"{before}  {self.catalogue.phrase('kept.nothing')}\n")

    def _saved(self, how: Callable[[], None], before: str) -> None:
        """Save the game and say so; if that fails, say what to write down."""
        try:
            how()
        except OSError as error:
            self.show(f"{before}  Not saved: {sentence_of(error)}\n{self._to_write_down()}")
        else:
            self.show(before)
            self._say_where()
            command = command_line("play", "--resume", called(self.journal.path))
            self.show(f"  {self.catalogue.phrase('kept.saved', command=command)}\n")

    def _to_write_down(self) -> str:
        """Return the commands that lead to this position, for when nothing can be written."""
        saved = self.journal.saved
        session, variants = saved.session, as_typed(saved.rules.selection)
        name = next(name for asked, name, _ in saved.rules.files if not asked)
        command = ["play", name, "--seed", str(session.seed)]
        command += [part for variant in variants for part in ("--variant", variant)]
        command += [part for seat in session.seats for part in ("--seat", seat)]
        return "\n".join(["  To come here again, write down:", command_line(*command), *_typed(session), ""])


def _typed(session: Session) -> Iterator[str]:
    """Yield what people typed for the moves so far; forced moves were not asked for."""
    state = session.game.start(session.seed)
    for seat, move in session.moves:
        if seat in session.humans and len(state.view(seat).moves) > 1:
            further = (cards for _, cards in (*move.abilities, *move.others))
            yield ", ".join([*move.cards, *(card for cards in further for card in cards)])
        state = state.commit(seat, move)


def called(path: Path | None) -> str:
    """Return the name by which --resume and replay find a game."""
    from draftengine.apps.play.journal import SUFFIX, find

    assert path is not None, "a game that was saved has a place"
    name = path.name.removesuffix(SUFFIX)
    return name if find(name) == path else str(path)
