"""``draftengine play``."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.cli import completing, options
from draftengine.cli.problems import FAILED, FINE, INTERRUPTED, UsageError

if TYPE_CHECKING:
    from draftengine.play.save import Saved
    from draftengine.play.session import Session
    from draftengine.play.terminal import Terminal

DEFAULT_BOT = "medium"
_LONGEST_NAME = 20


def play(
    cardset: Annotated[
        str | None,
        typer.Argument(
            metavar="CARDSET",
            autocompletion=completing.card_sets,
            help="A card set: a file, the id of one that comes with draftengine (see list), or - with --auto.",
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
        str | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game.", show_default=False)
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Where to save the game when you stop.", show_default=False),
    ] = None,
) -> int:
    """Play a game, alone against bots or with friends.

    Choose by number or by name. Type ? for help, h for a hint. Ctrl-C saves the game.

    \b
    Examples:
      draftengine play my_game.yaml
      draftengine play my_game.yaml --players 4 --seat human --seat human --name Ada --name Ben
      draftengine play my_game.yaml --level hard --hint --review
      draftengine play my_game.yaml --variant two_rounds --seed 7
      draftengine play --resume my_game-1.save.json
      draftengine play my_game.yaml --auto --json
    """
    from draftengine.cli.readiness import ready_to_play
    from draftengine.play.style import Style, is_interactive

    new = {
        "level": level, "players": players, "variant": variant, "seat": seat, "name": name, "seed": seed, "auto": auto,
    }  # fmt: skip
    if resume and any(new.values()):
        named = next(own for own, value in new.items() if value)
        raise UsageError(f"--{named} is for new games: a saved game goes on as it was.")
    if auto and (hint or review):
        raise UsageError("--hint and --review are for people, and --auto leaves no seat for one.")
    if auto and name:
        raise UsageError("--name is for people, and --auto leaves no seat for one.")
    bot = level or DEFAULT_BOT
    saved = _resumed(resume, cardset) if resume else _begun(cardset, players, variant, seat, name, bot, seed, auto=auto)
    if cardset == "-" and saved.session.humans:
        raise UsageError("The card set came from standard input, so nobody can type: use --auto, or name a file.")
    _check_place(save)
    screen = sys.stderr if as_json else sys.stdout
    quiet = as_json and not saved.session.humans
    console = _Console(screen, Style.of(screen), is_interactive(), quiet=quiet)
    said = ready_to_play(saved.session, learn=learn, quiet=quiet)
    if said:
        console.show("\n".join([*console.style.wrapped(said.split(), 0, ""), "", ""]))
    status = _at_the_table(saved, console, save or resume, hint=hint, review=review)
    if as_json and saved.session.over:
        _print_record(saved.session)
    return status


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
) -> Saved:
    from draftengine.cli.examples import warn_of_failing_examples
    from draftengine.cli.opening import game_named
    from draftengine.play.save import Saved
    from draftengine.play.session import Session

    if cardset is None:
        raise UsageError("Name a card set (draftengine list shows some), or a saved game: --resume FILE.")
    game = game_named(cardset, variant, players, at_least=len(seat or ()))
    seats = _seats(seat or [], game.players, bot, auto=auto)
    session = Session.begin(game, seats, options.seed_from(seed), _people(name or [], seats))
    warn_of_failing_examples(cardset, game.ruleset)
    return Saved(game.ruleset.document, game.ruleset.selection, session)


def _seats(wanted: list[str], count: int, bot: str, *, auto: bool) -> list[str]:
    """Who sits where; `bot` takes the seats that nobody was named for. Raises `UsageError`."""
    from draftengine.play.session import HUMAN

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
    """What people are called. Raises `UsageError`."""
    from draftengine.play.session import HUMAN

    people = seats.count(HUMAN)
    if len(names) > people:
        raise UsageError(f"There {'is one seat' if people == 1 else f'are {people} seats'} for people (--seat human).")
    names = [own.strip() for own in names]
    if any(not own or len(own) > _LONGEST_NAME for own in names):
        raise UsageError(f"--name takes a name of 1 to {_LONGEST_NAME} characters.")
    if len({own.casefold() for own in names}) < len(names):
        raise UsageError("--name was given twice with the same name, and nobody could tell those two apart.")
    return names


def _check_bot(name: str, others: tuple[str, ...]) -> None:
    """Is this a bot that can take a seat; `others` could have been meant, too. Raises `UsageError`."""
    from draftengine.bots.catalogue import names, wanted
    from draftengine.bots.protocol import BotError
    from draftengine.diagnostics.suggest import did_you_mean

    try:
        wanted(name)
    except BotError as error:
        known = (*others, *names())
        if name.partition(":")[0] in known:
            raise UsageError(str(error)) from None
        hint = did_you_mean(name, known) or f"There are {', '.join(known)}."
        raise UsageError(f"Nobody called “{name}” can take a seat. {hint}") from None


def _resumed(file: str, cardset: str | None) -> Saved:
    from pathlib import Path

    from draftengine.library import shelf
    from draftengine.play.save import SaveError, read

    try:
        saved = read(Path(file))
    except SaveError as error:
        raise UsageError(f"{file}: {error} [{error.code}]") from None
    own = saved.session.game.id
    if cardset is not None and own != (cardset if cardset in shelf() else Path(cardset).stem):
        raise UsageError(f"{file} is a game of {own}, not of {cardset}. Leave the card set out to go on with it.")
    return saved


def _check_place(save: str | None) -> None:
    """Can a game be saved there, and would nothing else be lost. Raises `UsageError`."""
    from pathlib import Path

    from draftengine.play.save import is_save

    if save is None:
        return
    path = Path(save)
    try:
        if path.exists() and not (path.is_file() and is_save(path)):
            raise UsageError(f"--save {save}: there is something else, which would be lost. Name another file.")
        if not path.parent.is_dir():
            raise UsageError(f"--save {save}: there is no folder {path.parent}.")
    except OSError as error:
        raise UsageError(f"--save {save}: {error.strerror}.") from None


class _Console:
    """The screen and the keyboard."""

    def __init__(self, screen: Any, style: Any, interactive: bool, *, quiet: bool) -> None:
        self.screen = screen
        self.style = style
        self.interactive = interactive
        self.quiet = quiet

    def show(self, text: str) -> None:
        if not self.quiet:
            self.screen.write(text)
            self.screen.flush()

    def busy(self, text: str) -> None:
        """A line that comes and goes."""
        from draftengine.cli.progress import ProgressLine

        ProgressLine(quiet=self.quiet).say(text)

    def ask(self, prompt: str) -> str | None:
        """A line from the keyboard; in a pipe the answer is repeated, so that the transcript can be read."""
        self.show(prompt)
        line = sys.stdin.readline()
        if not self.interactive:
            self.show(self.style.safe(line.rstrip("\n")) + "\n")
        return line.rstrip("\n") if line else None


def _at_the_table(saved: Saved, console: _Console, save_as: str | None, *, hint: bool, review: bool) -> int:
    """Play; the exit status. Whatever interrupts the game, it is saved first."""
    from draftengine.play.names import Names
    from draftengine.play.terminal import QuitGame, Terminal, opening

    session = saved.session
    names = Names(session.game, session.seats, console.style, session.names)
    keeper = _Keeper(saved, console, save_as)
    terminal = Terminal(
        session, names, console.ask, console.show, keeper.save, console.interactive, hint, review, console.busy
    )
    _on_interrupt(_interrupt)
    try:
        return _played(terminal, console, keeper, opening(names, session.seed))
    except QuitGame as quitting:
        keeper.save_at_last(before="\n" if quitting.input_ended else "")
        return FAILED if quitting.input_ended and not console.interactive else FINE
    except KeyboardInterrupt:
        keeper.save_at_last(before="\n")
        return INTERRUPTED


def _played(terminal: Terminal, console: _Console, keeper: _Keeper, opening: list[str]) -> int:
    """Play to the end. Whatever goes wrong, also if nobody reads what is shown any more, the game is saved."""
    people = terminal.session.humans
    try:
        console.show("\n".join([*opening, ""]))
        if people:
            console.show("  Type ? for help, h for a hint.\n")
        terminal.play()
    except Exception as error:
        from draftengine.play.terminal import QuitGame

        if people and not isinstance(error, QuitGame):
            keeper.save_at_last(before="\n")
        raise
    return FINE


def _on_interrupt(handler: Any) -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)


def _interrupt(_number: int, _frame: Any) -> None:
    """The first interrupt ends the game; those after it would only disturb the saving."""
    _on_interrupt(signal.SIG_IGN)
    raise KeyboardInterrupt


class _Keeper:
    """Saves the game, always to the same file."""

    def __init__(self, saved: Saved, console: _Console, file: str | None) -> None:
        self.saved = saved
        self.console = console
        self.file = file

    def save_at_last(self, before: str) -> None:
        """Save the game before the program ends, whatever else comes: a closed terminal says so in several ways."""
        _on_interrupt(signal.SIG_IGN)
        self.save(before)

    def save(self, before: str = "") -> None:
        """Save the game, and only then say how to go on with it. If that fails, try once more elsewhere."""
        import tempfile
        from contextlib import suppress
        from pathlib import Path

        from draftengine.cli.calling import command_line
        from draftengine.play.save import free_path, write

        name = self.saved.session.game.id
        path = Path(self.file) if self.file else free_path(name)
        said = [before]
        try:
            write(self.saved, path)
        except OSError as error:
            said.append(f"  {path} cannot be written: {error.strerror}.\n")
            path = free_path(name, Path(tempfile.gettempdir()))
            write(self.saved, path)
        self.file = str(path)
        said.append(f"  Saved. Go on with: {command_line('play', '--resume', str(path))}\n")
        with suppress(OSError, ValueError):  # the terminal may be gone
            self.console.show("".join(said))


def _print_record(session: Session) -> None:
    import json

    sys.stdout.write(json.dumps(session.record()) + "\n")
