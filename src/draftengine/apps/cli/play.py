"""``draftengine play``."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from draftengine.apps.cli import options
from draftengine.apps.cli.console import Console, can_fill_the_screen, status_of_screen
from draftengine.apps.cli.errors import FAILED, FINE, INTERRUPTED, StoppedError, UsageError, heed_interrupts, phrase
from draftengine.apps.cli.preparing import ready_to_play, warn_of_failing_examples
from draftengine.apps.cli.saves import SaveReporter, called, check_place, command_line, resumed
from draftengine.apps.play.terminal_style import Style

if TYPE_CHECKING:
    from draftengine.apps.play.coach import Tips
    from draftengine.apps.play.journal import Journal
    from draftengine.apps.play.session import Session
    from draftengine.apps.terminal import Terminal

DEFAULT_BOT = "medium"
_LONGEST_NAME = 20
_NEXT = {"again": -1, "same": -2}
"""Numbers in place of an exit status, if people want another game, or another one with the same deal."""


def play(
    cardset: options.GameOrSave = None,
    players: options.Players = None,
    variant: options.Variants = None,
    seat: options.Seat = None,
    name: options.Name = None,
    level: options.Level = None,
    seed: options.Seed = None,
    language: options.Language = "en",
    hint: options.Hint = False,
    review: options.Review = False,
    auto: options.Auto = False,
    as_json: options.RecordJson = False,
    learn: options.Learn = False,
    resume: options.Resume = False,
    plain: options.Plain = False,
    save: options.Save = None,
    record: options.Record = None,
) -> int:
    """Play a game, alone against bots or with friends.

    One key chooses a card; ? shows all keys, h gives a hint. In a pipe, in a small
    terminal, with --plain or without the extra tui you play the same game line
    by line. Every move is saved at once: whatever ends the program, --resume
    goes on with the game.

    \b
    Examples:
      draftengine play my_game.yaml
      draftengine play my_game.yaml --players 4 --seat human --seat human --name Ada --name Ben
      draftengine play my_game.yaml --level hard --hint --review
      draftengine play my_game.yaml --variant two_rounds --seed 7
      draftengine play --resume
      draftengine play --resume my_game-1
      draftengine play my_game.yaml --auto --json
      draftengine play my_game.yaml --record game.json
    """
    from draftengine.apps.cli.opening import check_output

    new = _NewGame(level, players, variant, seat, name, seed, auto)
    if resume and any(new):
        named = next(option for option, value in new._asdict().items() if value)
        raise UsageError(phrase("command.new_games", option=named))
    if auto and (hint or review):
        raise UsageError(phrase("command.for_people", options="--hint, --review"))
    check_place(save)
    check_output(record)
    journal = resumed(cardset) if resume else new.begin(cardset)
    session = journal.saved.session
    if cardset == "-" and session.humans:
        raise UsageError(phrase("command.no_typing"))
    if save:
        journal.path = Path(save)
    quiet = as_json and not session.humans
    console = Console(sys.stderr if as_json else sys.stdout, quiet=quiet)
    text = ready_to_play(session, learn=learn, quiet=quiet)
    if text:
        console.show("\n".join([*console.style.wrapped(text, 0, ""), "", ""]))
    full = not (plain or as_json) and bool(session.humans) and can_fill_the_screen(console.style)
    play_it = _full_screen if full else _at_the_table
    while (status := play_it(journal, console, language, hint=hint, review=review)) in _NEXT.values():
        _hand_on(journal, record, console)
        seed_now = journal.saved.session.seed if status == _NEXT["same"] else options.seed_from(None)
        journal = journal.again(seed_now)
    if journal.saved.session.over:
        _hand_on(journal, record, console)
        if as_json:
            sys.stdout.write(json.dumps(journal.saved.session.record()) + "\n")
    return status


def _hand_on(journal: Journal, record: Path | None, console: Console) -> None:
    """Write a finished game to the file `record` or, without it, say how to replay it. Raises `OSError`."""
    from draftengine import __version__
    from draftengine.apps.cli.opening import write_out
    from draftengine.apps.play.replay import record as record_of

    if record is not None:
        write_out(record, json.dumps(record_of(journal.saved.session, __version__), ensure_ascii=False) + "\n")
    elif console.interactive and journal.path is not None and journal.saved.session.humans:
        command = command_line("replay", called(journal.path))
        console.show(f"\n  {phrase('kept.see_again', command=command)}\n")


# ── A new game ────────────────────────────────────────────────────────────────────────────────────────────────────────


class _NewGame(NamedTuple):
    """The options for a new game."""

    level: str | None
    players: int | None
    variant: list[str] | None
    seat: list[str] | None
    name: list[str] | None
    seed: str | None
    auto: bool

    def begin(self, cardset: str | None) -> Journal:
        """Return the journal of the new game. Raises `UsageError` and `RefusedError`."""
        from draftengine.apps.cli.opening import game_named
        from draftengine.apps.play.journal import Journal
        from draftengine.apps.play.labels import Names
        from draftengine.apps.play.saved import Saved
        from draftengine.apps.play.session import HUMAN, Session

        if self.auto and self.name:
            raise UsageError(phrase("command.for_people", options="--name"))
        if cardset is None:
            raise UsageError(phrase("command.name_one"))
        game = game_named(cardset, self.variant, self.players, at_least=len(self.seat or ()))
        wanted, bot = self.seat or [], self.level or DEFAULT_BOT
        if len(wanted) > game.players:
            raise UsageError(phrase("command.too_many", count=game.players, option="--seat", given=len(wanted)))
        if self.auto and HUMAN in wanted:
            raise UsageError(phrase("command.auto_human"))
        for name in wanted:
            if name != HUMAN:
                _check_bot(name, (HUMAN,))
        _check_bot(bot, ())
        seats = wanted or ([] if self.auto else [HUMAN])
        seats = seats + [bot] * (game.players - len(seats))
        people, names = seats.count(HUMAN), [name.strip() for name in self.name or ()]
        if len(names) > people:
            raise UsageError(phrase("command.seats_for_people", count=people))
        if any(not name or len(name) > _LONGEST_NAME for name in names):
            raise UsageError(phrase("command.name_length", most=_LONGEST_NAME))
        if len({name.casefold() for name in names}) < len(names):
            raise UsageError(phrase("command.name_twice"))
        session = Session.begin(game, seats, options.seed_from(self.seed), names)
        # Nobody may be called like another seat, or by a word that stands for somebody in messages.
        titles = Names(session.game, session.seats, Style(), session.names).seats
        for seat, name in zip(session.humans, session.names, strict=False):
            others = {title for other, title in enumerate(titles) if other != seat}
            numbered = {f"Player {other}" for other in range(1, len(session.seats) + 1) if other != seat + 1}
            reserved = {"nobody"} if len(session.humans) == 1 else {"nobody", "You"}
            if name.casefold() in {title.casefold() for title in others | numbered | reserved}:
                raise UsageError(phrase("command.name_taken", name=name))
        warn_of_failing_examples(cardset, game.ruleset)
        return Journal(Saved.of(game.ruleset, session))


def _check_bot(name: str, others: tuple[str, ...]) -> None:
    """Check that a bot exists. Raises `UsageError`, which may suggest another bot or one of `others`."""
    from draftengine.bots.catalogue import names, wanted
    from draftengine.bots.outsiders import COMMAND
    from draftengine.bots.protocol import BotError
    from draftengine.model.diagnostics.suggest import closest

    if name.startswith(COMMAND):
        raise UsageError(phrase("command.program"))
    try:
        wanted(name)
    except BotError as error:
        known = (*others, *names())
        if name.isdecimal() or name.partition(":")[0] in known:
            raise UsageError(error.reason) from None
        meant = closest(name, known)
        hint = phrase("command.meant", name=meant) if meant else phrase("command.there_are", names=", ".join(known))
        raise UsageError(phrase("command.nobody", name=name, hint=hint)) from None


# ── At the table ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _at_the_table(journal: Journal, console: Console, language: str, *, hint: bool, review: bool) -> int:
    """Play line by line and return the exit status, or a number in `_NEXT`. The game is saved in any case."""
    from draftengine.apps.play.labels import Names
    from draftengine.apps.terminal import Terminal, opening

    session = journal.saved.session
    names = Names(session.game, session.seats, console.style, session.names, language=language)
    keeper = SaveReporter(journal, console.show)

    def ask(prompt: str) -> str | None:
        answer = console.ask(prompt)
        if console.interactive:
            names.style = replace(Style.of(console.screen), comma=names.style.comma)  # the window may have another size
        return answer

    terminal = Terminal(
        session,
        names,
        ask,
        console.show,
        keeper.save,
        console.interactive,
        hint,
        review,
        console.busy,
        tips=_tips(console, session),
        wait=console.wait,
        keep=keeper.keep,
    )
    heed_interrupts()
    try:
        return _to_the_end(terminal, keeper, opening(names, session.seed))
    except StoppedError:
        keeper.stop(before="\n")
        raise
    except KeyboardInterrupt:
        keeper.stop(before="\n")
        return INTERRUPTED


def _tips(console: Console, session: Session) -> Tips | None:
    """Return the memory of the tips that the user has seen; ``None`` if no person plays at a terminal."""
    from draftengine.apps.play.coach import Tips
    from draftengine.apps.play.journal import usual_folder

    if not console.interactive or not session.humans:
        return None
    try:
        return Tips.kept(usual_folder().parent / "tips.json")
    except RuntimeError:  # the user has no home folder
        return Tips()


def _to_the_end(terminal: Terminal, keeper: SaveReporter, opening: list[str]) -> int:
    """Play until the game is over or cannot go on, and return the exit status, or a number in `_NEXT`.

    A signal can come at any moment, even while the game is being saved for another reason. A closed terminal ends the
    input and sends a signal as well. So the caller must handle signals.
    """
    from draftengine.apps.terminal import QuitGame

    try:
        keeper.show("\n".join([*opening, ""]))
        if terminal.session.humans:
            keeper.show(f"  {terminal.names.say('open.help')}\n")
        return _NEXT.get(terminal.play(), FINE)
    except QuitGame as quitting:
        keeper.stop(before="\n" if quitting.input_ended else "")
        return FAILED if quitting.input_ended and not terminal.interactive else FINE
    except Exception:
        keeper.stop(before="\n")
        raise


def _full_screen(journal: Journal, console: Console, language: str, *, hint: bool, review: bool) -> int:
    """Play on the full screen and return the exit status, or a number in `_NEXT`.

    The game is saved in any case.
    """
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.score_board import final
    from draftengine.apps.terminal import opening
    from draftengine.apps.tui.app import TableApp

    session = journal.saved.session
    seated = partial(Names, session.game, session.seats, console.style, session.names, language=language)
    names = seated(levels=False)
    console.show("\n".join([*opening(seated(), session.seed), ""]))
    keeper = SaveReporter(journal, console.show)
    app = TableApp(session, names, keeper.keep, hints=hint, reviews=review, tips=_tips(console, session))
    texts: list[str] = []

    def show(text: str) -> None:
        texts.append(text)
        app.say(text)

    keeper.show = show
    try:
        how = app.sit_down()
    finally:
        keeper.show = console.show
        with suppress(OSError):  # the terminal may be gone
            console.show("".join(texts))
        keeper.stop(before="")
    if session.over:
        console.show("\n".join([*final(session.state.result, names), ""]))
    return _NEXT[how] if how in _NEXT else status_of_screen(how)
