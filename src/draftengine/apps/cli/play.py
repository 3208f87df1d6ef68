"""``draftengine play``."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, INTERRUPTED, StoppedError, UsageError, heed_interrupts

if TYPE_CHECKING:
    from draftengine.apps.cli.save_messages import SaveReporter
    from draftengine.apps.play.journal import Journal
    from draftengine.apps.play.session import Session
    from draftengine.apps.terminal.terminal import Terminal

DEFAULT_BOT = "medium"
_AGAIN = -1
"""In place of an exit status: people want to play again."""
_LONGEST_NAME = 20


def play(
    cardset: Annotated[
        str | None,
        typer.Argument(
            metavar="CARDSET",
            autocompletion=completing.card_sets_or_saved_games,
            help="A card set: a file, the id of one that comes with draftengine (see list), or - with --auto. "
            "With --resume a saved game: a file, or a name that saves shows.",
            show_default=False,
        ),
    ] = None,
    players: options.Players = None,
    variant: options.Variants = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="human|BOT",
            autocompletion=completing.seats,
            help="Who takes the next seat: human or a bot (see bots). Can be given for every seat in turn; by default "
            "you sit first and bots of medium strength take the rest.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="What a person is called on the screen and in the record. Can be given for every person in turn.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="easy|medium|hard|expert",
            autocompletion=completing.bots,
            help="How well the bots play whose seats --seat does not name (medium by default); any other bot will do, "
            "too (see bots).",
            show_default=False,
        ),
    ] = None,
    seed: options.Seed = None,
    language: options.Language = "en",
    hint: Annotated[bool, typer.Option("--hint", help="Show the best choices and why with every hand.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Show at the end which of your choices cost most, and what was better.")
    ] = False,
    auto: Annotated[bool, typer.Option("--auto", help="Bots in all seats: print the game and its scores.")] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print the final record as one JSON document; a game with people in it is shown on stderr."
        ),
    ] = False,
    learn: Annotated[
        bool, typer.Option("--learn", help="Let the bots learn these rules first, if nobody has before.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a saved game; without a name, with the one played last.")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Line by line, without a full screen: for screen readers, recordings and pipes."),
    ] = False,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Where to keep the game; by default where saves finds it.",
            show_default=False,
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Write the game, once it is over, as one JSON file that replay shows anywhere.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Play a game, alone against bots or with friends.

    One key chooses a card; ? shows all keys, h gives a hint. In a pipe, in a small
    terminal, with --plain or without the extra tui it is the same game line by
    line. Every move is kept at once: whatever ends the game, --resume goes on
    with it.

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
    from draftengine.apps.cli.files import check_output
    from draftengine.apps.cli.readiness import ready_to_play
    from draftengine.apps.cli.screens import can_fill_the_screen
    from draftengine.apps.play.terminal_style import Style, is_interactive

    new = {
        "level": level, "players": players, "variant": variant, "seat": seat, "name": name, "seed": seed, "auto": auto,
    }  # fmt: skip
    if resume and any(new.values()):
        named = next(option for option, value in new.items() if value)
        raise UsageError(f"--{named} is for new games: a saved game goes on as it was.")
    if auto and (hint or review):
        raise UsageError("--hint and --review are for people, and --auto leaves no seat for one.")
    if auto and name:
        raise UsageError("--name is for people, and --auto leaves no seat for one.")
    bot = level or DEFAULT_BOT
    _check_place(save)
    check_output(record)
    journal = _resumed(cardset) if resume else _begun(cardset, players, variant, seat, name, bot, seed, auto=auto)
    session = journal.saved.session
    if cardset == "-" and session.humans:
        raise UsageError("The card set came from standard input, so nobody can type: use --auto, or name a file.")
    if save:
        journal.path = Path(save)
    screen = sys.stderr if as_json else sys.stdout
    quiet = as_json and not session.humans
    console = _Console(screen, Style.of(screen), is_interactive(), quiet=quiet)
    text = ready_to_play(session, learn=learn, quiet=quiet)
    if text:
        console.show("\n".join([*console.style.wrapped(text.split(), 0, ""), "", ""]))
    full = not (plain or as_json) and bool(session.humans) and can_fill_the_screen(console.style)
    play_it = _full_screen if full else _at_the_table
    while (status := play_it(journal, console, language, hint=hint, review=review)) == _AGAIN:
        _hand_on(journal, record, console, language)
        journal = journal.again(options.seed_from(None))
    if journal.saved.session.over:
        _hand_on(journal, record, console, language)
    if as_json and journal.saved.session.over:
        _print_record(journal.saved.session)
    return status


def _hand_on(journal: Journal, record: Path | None, console: _Console, language: str) -> None:
    """Write the record of a finished game, or say how to replay it. Raises `OSError`."""
    import json

    from draftengine import __version__
    from draftengine.apps.cli.files import write_out
    from draftengine.apps.cli.program_name import command_line
    from draftengine.apps.cli.save_messages import called
    from draftengine.apps.play import replay as replays
    from draftengine.support.locale import spoken

    if record is not None:
        write_out(record, json.dumps(replays.record(journal.saved.session, __version__), ensure_ascii=False) + "\n")
    elif console.interactive and journal.path is not None and journal.saved.session.humans:
        command = command_line("replay", called(journal.path))
        console.show(f"\n  {spoken(language).phrase('kept.see_again', command=command)}\n")


def _begun(
    cardset: str | None,
    players: int | None,
    variant: list[str] | None,
    seat: list[str] | None,
    name: list[str] | None,
    bot: str,
    seed: str | None,
    *,
    auto: bool,
) -> Journal:
    from draftengine.apps.cli.examples import warn_of_failing_examples
    from draftengine.apps.cli.opening import game_named
    from draftengine.apps.play.journal import Journal
    from draftengine.apps.play.saved import Saved
    from draftengine.apps.play.session import Session

    if cardset is None:
        raise UsageError("Name a card set (draftengine list shows some), or go on with a saved game: --resume.")
    game = game_named(cardset, variant, players, at_least=len(seat or ()))
    seats = _seats(seat or [], game.players, bot, auto=auto)
    session = Session.begin(game, seats, options.seed_from(seed), _people(name or [], seats))
    _check_titles(session)
    warn_of_failing_examples(cardset, game.ruleset)
    return Journal(Saved.of(game.ruleset, session))


def _seats(wanted: list[str], count: int, bot: str, *, auto: bool) -> list[str]:
    """Return who takes each seat; `bot` takes those that are not `wanted`. Raises `UsageError`."""
    from draftengine.apps.play.session import HUMAN

    if len(wanted) > count:
        raise UsageError(f"There are {count} players, and --seat was given {len(wanted)} times.")
    if auto and HUMAN in wanted:
        raise UsageError("--auto leaves no seat for a human: leave one of the two out.")
    for name in wanted:
        if name != HUMAN:
            _check_bot(name, (HUMAN,))
    _check_bot(bot, ())
    seats = wanted or ([] if auto else [HUMAN])
    return seats + [bot] * (count - len(seats))


def _people(names: list[str], seats: list[str]) -> list[str]:
    """Return the names of people. Raises `UsageError`."""
    from draftengine.apps.play.session import HUMAN

    people = seats.count(HUMAN)
    if len(names) > people:
        raise UsageError(f"There {'is one seat' if people == 1 else f'are {people} seats'} for people (--seat human).")
    names = [name.strip() for name in names]
    if any(not name or len(name) > _LONGEST_NAME for name in names):
        raise UsageError(f"--name takes a name of 1 to {_LONGEST_NAME} characters.")
    if len({name.casefold() for name in names}) < len(names):
        raise UsageError("--name was given twice with the same name, and nobody could tell those two apart.")
    return names


def _check_titles(session: Session) -> None:
    """Check that no name is the title of another seat, or reserved. Raises `UsageError`."""
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.terminal_style import Style

    titles = Names(session.game, session.seats, Style(), session.names).seats
    for seat, name in zip(session.humans, session.names, strict=False):
        others = {title for other, title in enumerate(titles) if other != seat}
        numbered = {f"Player {other}" for other in range(1, len(session.seats) + 1) if other != seat + 1}
        reserved = {"nobody"} if len(session.humans) == 1 else {"nobody", "You"}
        if name.casefold() in {title.casefold() for title in others | numbered | reserved}:
            raise UsageError(f"--name {name}: somebody else is called that, and nobody could tell those two apart.")


def _check_bot(name: str, others: tuple[str, ...]) -> None:
    """Check that a bot exists; `others` are further names to suggest. Raises `UsageError`."""
    from draftengine.bots.catalogue import names, wanted
    from draftengine.bots.protocol import BotError
    from draftengine.model.diagnostics.suggest import did_you_mean

    try:
        wanted(name)
    except BotError as error:
        known = (*others, *names())
        if name.partition(":")[0] in known:
            raise UsageError(str(error)) from None
        hint = did_you_mean(name, known) or f"There are {', '.join(known)}."
        raise UsageError(f"Nobody called “{name}” can take a seat. {hint}") from None


def _resumed(name: str | None) -> Journal:
    """Open the named game to continue it, or the latest unfinished one. Raises `UsageError`."""
    from draftengine.apps.play.journal import Journal, find
    from draftengine.apps.play.saved import SaveError

    path = find(name) if name else _chosen()
    if name and not path.exists():
        raise UsageError(f"There is no saved game “{name}” (see saves).")
    try:
        return Journal.resumed(path)
    except SaveError as error:
        raise UsageError(f"{name or path}: {error} [{error.code}]") from None


def _chosen() -> Path:
    """Return the latest unfinished game; at a terminal, a person chooses. Raises `UsageError`."""
    from draftengine.apps.cli.saves import table
    from draftengine.apps.cli.screens import typed_line
    from draftengine.apps.play.journal import games
    from draftengine.apps.play.terminal_style import is_interactive

    unfinished = [game for game in games() if game.unfinished]
    if not unfinished:
        raise UsageError("There is no unfinished game to go on with (see saves).")
    if len(unfinished) == 1 or not is_interactive():
        return unfinished[0].path
    lines = table(unfinished)
    sys.stdout.write("\n".join(f"{number or '':>3}  {line}" for number, line in enumerate(lines)) + "\n")
    while True:
        sys.stdout.write("Go on with which game? (Enter for 1) ")
        sys.stdout.flush()
        answer = typed_line()
        number = answer.strip() or "1"
        if not answer:
            raise UsageError("No game was chosen.")
        if number.isdecimal() and 1 <= int(number) <= len(unfinished):
            return unfinished[int(number) - 1].path


def _check_place(save: str | None) -> None:
    """Check that a game can be saved at a path without overwriting another file. Raises `UsageError`."""
    from draftengine.apps.cli.files import check_output
    from draftengine.apps.play.saved import is_save

    if save is None:
        return
    path = Path(save)
    try:
        if path.exists() and not (path.is_file() and is_save(path)):
            raise UsageError(f"--save {save}: there is something else, which would be lost. Name another file.")
        if not path.parent.is_dir():
            raise UsageError(f"--save {save}: there is no folder {path.parent}.")
        check_output(path)
    except OSError as error:
        raise UsageError(f"--save {save}: {error.strerror}.") from None


class _Console:
    """Screen and keyboard."""

    def __init__(self, screen: Any, style: Any, interactive: bool, *, quiet: bool) -> None:
        from draftengine.apps.cli.progress import ProgressLine

        self.screen = screen
        self.style = style
        self.interactive = interactive
        self.quiet = quiet
        self.line = ProgressLine(quiet=quiet)

    def show(self, text: str) -> None:
        if not self.quiet:
            self.screen.write(text)
            self.screen.flush()

    def busy(self, text: str) -> None:
        """Show a temporary line."""
        self.line.say(text)

    def ask(self, prompt: str) -> str | None:
        """Return a typed line; in a pipe it is echoed, so that the transcript is readable."""
        from draftengine.apps.cli.screens import typed_line

        self.show(prompt)
        line = typed_line()
        if not self.interactive:
            self.show(self.style.safe(line.rstrip("\n")) + "\n")
        return line.rstrip("\n") if line else None


def _at_the_table(journal: Journal, console: _Console, language: str, *, hint: bool, review: bool) -> int:
    """Play line by line and return the exit status, or `_AGAIN`. The game is saved however it ends."""
    from draftengine.apps.cli.save_messages import SaveReporter
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.terminal_style import Style
    from draftengine.apps.terminal.terminal import Terminal, opening

    session = journal.saved.session
    names = Names(session.game, session.seats, console.style, session.names, language=language)
    keeper = SaveReporter(journal, console.show, language)

    def ask(prompt: str) -> str | None:
        answer = console.ask(prompt)
        if console.interactive:
            names.style = Style.of(console.screen)  # the window may have another size by now
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


def _to_the_end(terminal: Terminal, keeper: SaveReporter, opening: list[str]) -> int:
    """Play until the game is over or cannot go on, and return the exit status, or `_AGAIN`.

    A signal can come at any moment, even while the game is put aside for another reason. A closed terminal ends the
    input and sends a signal as well. So the caller must handle signals.
    """
    from draftengine.apps.terminal.terminal import QuitGame

    try:
        keeper.show("\n".join([*opening, ""]))
        if terminal.session.humans:
            keeper.show(f"  {terminal.names.say('open.help')}\n")
        return _AGAIN if terminal.play() else FINE
    except QuitGame as quitting:
        keeper.stop(before="\n" if quitting.input_ended else "")
        return FAILED if quitting.input_ended and not terminal.interactive else FINE
    except Exception:
        keeper.stop(before="\n")
        raise


def _full_screen(journal: Journal, console: _Console, language: str, *, hint: bool, review: bool) -> int:
    """Play on the full screen and return the exit status, or `_AGAIN`. The game is saved however it ends."""
    from functools import partial

    from draftengine.apps.cli.save_messages import SaveReporter
    from draftengine.apps.play.labels import Names
    from draftengine.apps.terminal.terminal import opening
    from draftengine.apps.tui.app import TableApp

    session = journal.saved.session
    seated = partial(Names, session.game, session.seats, console.style, session.names, language=language)
    names = seated(levels=False)
    console.show("\n".join([*opening(seated(), session.seed), ""]))
    keeper = SaveReporter(journal, console.show, language)
    app = TableApp(session, names, keeper.keep, hints=hint, reviews=review)
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
        from draftengine.apps.play.score_board import final

        console.show("\n".join([*final(session.state.result, names), ""]))
    if how in {"SIGTERM", "SIGHUP"}:
        raise StoppedError(f"Stopped by {how}.")
    return {"SIGINT": INTERRUPTED, "again": _AGAIN}.get(how, FINE)


def _print_record(session: Session) -> None:
    import json

    sys.stdout.write(json.dumps(session.record()) + "\n")
