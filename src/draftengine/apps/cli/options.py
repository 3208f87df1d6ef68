"""Arguments and options of the commands, each with its type and help text.

A command uses them as annotations in its signature. Options that several commands share come first.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from draftengine.apps.cli import completion as completing


class FindingsFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class FileKind(StrEnum):
    CARDSET = "cardset"
    SCENARIOS = "scenarios"
    TABLES = "tables"
    GAME = "game"


BookFormat = Literal["text", "md", "markdown", "html"]
PaperSize = Literal["a4", "letter"]


def _argument(metavar: str, text: str, complete: Any = None) -> Any:
    return typer.Argument(metavar=metavar, autocompletion=complete, help=text)


def _value(names: str, metavar: str | None, text: str, complete: Any = None, **more: Any) -> Any:
    return typer.Option(*names.split(), metavar=metavar, autocompletion=complete, help=text, **more)


def _switch(names: str, text: str, **more: Any) -> Any:
    return typer.Option(*names.split(), help=text, **more)


def _spoken_here(text: str) -> str:
    """Return the language if the program has sentences in it. Raises `typer.BadParameter` otherwise."""
    from draftengine.support.locale import LANGUAGES, spoken

    if text.split("-", maxsplit=1)[0] not in LANGUAGES:
        names = ", ".join(f"{language} ({spoken(language).title})" for language in LANGUAGES)
        raise typer.BadParameter(f"there are no sentences in “{text}” yet. There are {names}.")
    return text


CardSet = Annotated[
    str,
    _argument(
        "CARDSET",
        "A card set: a file, the id of one that comes with draftengine (see list), or - for standard input.",
        completing.card_sets,
    ),
]
AnyCardSet = Annotated[
    str, _argument("[CARDSET]", "A card set whose levels are described: a file or an id.", completing.card_sets)
]
Players = Annotated[int | None, _value("--players -p", "N", "How many players.", min=1)]
Variants = Annotated[
    list[str] | None,
    _value(
        "--variant -v --menu",
        "NAME",
        "Play with a variant: NAME, NAME:PARAMETER=3, READING=OPTION, or any number by its path, such as "
        "cards.soup.count=9. Or with a menu, by its name or as a list: NAME,NAME,NAME. Can be given several times.",
        completing.variants,
    ),
]
Language = Annotated[
    str,
    typer.Option(
        "--language",
        "--lang",
        "-l",
        metavar="LANGUAGE",
        callback=_spoken_here,
        envvar="DRAFTENGINE_LANG",
        help="In which language: en, pl or ja, as far as the card set has labels in it.",
    ),
]
Seed = Annotated[str | None, _value("--seed", "S", "A number or a word: the same seed deals the same game.")]
Json = Annotated[bool, _switch("--json", "Print one JSON document and nothing else.")]

# ── Many games: simulate, compare, tune, arena ────────────────────────────────────────────────────────────────────────

DEFAULT_BOTS = "table"
"""The default bots, as in `draftengine.studies.public`, whose import takes too long for a help text."""
Bots = Annotated[
    str,
    _value(
        "--bots",
        "A,B,...",
        "Who plays, seat by seat (see bots); those named take turns if there are more seats. A comma "
        "that belongs to a bot is written in quotation marks.",
        completing.bots,
    ),
]
Jobs = Annotated[int | None, _value("--jobs -j", "N", "How many processes play; by default one for each core.", min=1)]
Where = Annotated[str, _value("--executor", "ADDRESS", "Play on a cluster: tcp://HOST:PORT of a Dask scheduler.")]
Engine = Annotated[
    str,
    _value(
        "--engine",
        "auto|compiled|reference",
        "Which engine plays. Both play the same games to the same ends.",
        completing.engines,
    ),
]
Report = Annotated[Path | None, _value("--report", "FILE.html", "Write a report with pictures.")]

# ── Games: play, replay, saves, cache, serve ──────────────────────────────────────────────────────────────────────────

GameOrSave = Annotated[
    str | None,
    _argument(
        "CARDSET",
        "A card set: a file, the id of one that comes with draftengine (see list), or - with --auto. "
        "With --resume a saved game: a file, or a name that saves shows.",
        completing.card_sets_or_saved_games,
    ),
]
Seat = Annotated[
    list[str] | None,
    _value(
        "--seat",
        "human|BOT",
        "Who takes the next seat: human or a bot (see bots). Can be given for every seat in turn; by default "
        "you sit first and bots of medium strength take the rest.",
        completing.seats,
    ),
]
Name = Annotated[
    list[str] | None,
    _value(
        "--name",
        "NAME",
        "What a person is called on the screen and in the record. Can be given for every person in turn.",
    ),
]
Level = Annotated[
    str | None,
    _value(
        "--level",
        "1-7|easy|medium|hard|expert",
        "How well the bots play whose seats --seat does not name: a strength from 1 to 7 or its name "
        "(easy 1, medium 3, the default, hard 5, expert 7); any other bot will do, too (see bots).",
        completing.bots,
    ),
]
Hint = Annotated[bool, _switch("--hint", "Show the best choices and why with every hand.")]
Review = Annotated[bool, _switch("--review", "Show at the end which of your choices cost most, and what was better.")]
Auto = Annotated[bool, _switch("--auto", "Bots in all seats: print the game and its scores.")]
RecordJson = Annotated[
    bool, _switch("--json", "Print the final record as one JSON document; a game with people in it is shown on stderr.")
]
Learn = Annotated[bool, _switch("--learn", "Let the bots learn these rules first, if nobody has before.")]
Resume = Annotated[bool, _switch("--resume", "Go on with a saved game; without a name, with the one played last.")]
Plain = Annotated[
    bool, _switch("--plain", "Line by line, without a full screen: for screen readers, recordings and pipes.")
]
Save = Annotated[str | None, _value("--save", "FILE", "Where to keep the game; by default where saves finds it.")]
Record = Annotated[
    Path | None,
    _value("--record", "FILE", "Write the game, once it is over, as one JSON file that replay shows anywhere."),
]
File = Annotated[
    str | None,
    _argument(
        "FILE",
        "A record (play --record writes one, serve offers one), a game that play has kept (a file, or a name "
        "that saves shows), or - for standard input; by default the game that was played last.",
        completing.saved_games,
    ),
]
ReplaySeat = Annotated[
    int | None,
    _value(
        "--seat",
        "N",
        "From whose seat, counted from 1; by default from everybody's at once.",
        completing.seat_numbers,
        min=1,
    ),
]
Opinion = Annotated[
    bool, _switch("--opinion", "Say what a bot thinks of every choice; on the full screen the key h does.")
]
ReplayPlain = Annotated[bool, _switch("--plain", "Line by line, without a full screen: for screen readers and pipes.")]
Remove = Annotated[
    list[str] | None, _value("--remove", "NAME", "Remove a game. Can be given several times.", completing.saved_games)
]
Finished = Annotated[bool, _switch("--finished", "Remove all games that are finished.")]
Everything = Annotated[bool, _switch("--all", "Remove all games.")]
Yes = Annotated[bool, _switch("--yes -y", "Don't ask before games are removed.")]
Clear = Annotated[bool, _switch("--clear", "Remove all of it; what is needed is made again.")]
Limit = Annotated[
    int | None, _value("--limit", "MB", "Remove what was used longest ago, until no more than this is left.", min=0)
]
Cardsets = Annotated[
    list[str] | None,
    _argument(
        "[CARDSET...]",
        "The card sets that can be played: files, or ids of those that come with draftengine (all of those).",
        completing.card_sets,
    ),
]
Host = Annotated[str, _value("--host", "NAME", "The address to listen on.")]
Lan = Annotated[bool, _switch("--lan", "Let everybody in your network play.")]
Port = Annotated[int, _value("--port", "N", "0 takes any free one.", min=0, max=65535)]
Data = Annotated[
    Path | None, _value("--data", "FILE.sqlite", "Where tables are kept (usually beside your saved games).")
]
Database = Annotated[
    str | None,
    _value(
        "--database",
        "URL",
        "Keep tables in PostgreSQL instead, for several servers: postgresql+psycopg://user@host/name.",
        envvar="DRAFTENGINE_DATABASE",
        show_envvar=True,
    ),
]
Uploads = Annotated[bool, _switch("--uploads/--no-uploads", "Let people bring card sets of their own.")]
Workshop = Annotated[bool, _switch("--workshop", "Let people change card sets on a page; needs the extra lsp, too.")]
WorkshopFile = Annotated[Path, _argument("FILE", "The card set to write: my_game.yaml.", completing.card_sets)]
WorkshopExtends = Annotated[
    str, _value("--extends", "CARDSET", "The game that a new file changes.", completing.card_sets)
]
WorkshopPort = Annotated[int | None, _value("--port", "N", "The port (8010, or the next free one).", min=0, max=65535)]
Browser = Annotated[bool, _switch("--browser/--no-browser", "Open the page in a browser.")]
Public = Annotated[
    list[str] | None, _value("--public", "URL", "The address by which a proxy is asked: https://play.example.")
]
Pause = Annotated[float, _value("--pause", "S", "Seconds to take the last choice back.", min=0, max=60)]
Connections = Annotated[
    int, _value("--connections", "N", "Tables that one address may look at, each of its pages counted.", min=1)
]
KeepDays = Annotated[
    float, _value("--keep-days", "N", "Days after its last move for which a table without an end is kept.", min=0.01)
]
Check = Annotated[bool, _switch("--check", "Look for damage in what is kept, and serve nothing.")]
Clean = Annotated[bool, _switch("--clean", "Remove what has had its time, give its room back, and serve nothing.")]
Stdio = Annotated[bool, _switch("--stdio", "Speak on standard input and output, which is all it does.")]
PlayPaused = Annotated[
    bool, _switch("--play/--no-play", "Also play a few hundred games of what stands still for a moment.")
]

# ── Card sets: new, validate, explain, schema, test, lsp ──────────────────────────────────────────────────────────────

NewName = Annotated[str, _argument("NAME", "The id of the new card set, or the file: my_game, my_game.yaml.")]
Extends = Annotated[
    str,
    _value(
        "--extends",
        "CARDSET",
        "Change this game: an id that comes with draftengine, or a file in the same folder.",
        completing.card_sets,
    ),
]
Title = Annotated[str, _value("--title", "TEXT", "What the game is called.")]
NewPlayers = Annotated[str, _value("--players -p", "N-M", "For how many players a game of your own is.")]
Paths = Annotated[
    list[str], _argument("PATH...", "Card sets: files, ids, or - for standard input.", completing.card_sets)
]
FindingsForm = Annotated[FindingsFormat, _value("--format", None, "How the findings are written.")]
FormatJson = Annotated[bool, _switch("--json", "The same as --format json.")]
Fix = Annotated[bool, _switch("--fix", "Mend in the files what is certain, such as misspelt names, and then check.")]
UpgradedPaths = Annotated[
    list[str], _argument("PATH...", "Files of card sets, or - for standard input.", completing.card_sets)
]
UpgradeCheck = Annotated[bool, _switch("--check", "Write nothing; show what would change.")]
UpgradeStdout = Annotated[bool, _switch("--stdout", "Print the new text of the file, and leave the file as it is.")]
Watch = Annotated[bool, _switch("--watch", "Check again whenever a file is saved, and play what was changed.")]
PlayToo = Annotated[
    bool | None,
    _switch(
        "--play/--no-play",
        "Play a few hundred games to find what no check sees; by default if the answer is read on a terminal.",
    ),
]
Code = Annotated[str | None, _argument("CODE", "The code of a finding; without one, all are listed.", completing.codes)]
Kind = Annotated[FileKind, typer.Argument(help="Of which kind of file.")]
TestPaths = Annotated[
    list[str],
    _argument(
        "PATH...",
        "Scenario files, or card sets with worked examples (files or ids), or - for standard input.",
        completing.card_sets,
    ),
]
TestPlayers = Annotated[int | None, _value("--players -p", "N", "How many players, where a test says nothing.", min=1)]
Coverage = Annotated[
    bool, _switch("--coverage", "Say which rules, cards, conditions and variants no scenario reaches, and where.")
]
Played = Annotated[
    str,
    _value(
        "--record",
        "GAME",
        "First add a round of a game that was played to the scenario file: a game of saves, or a file of one.",
        completing.saved_games,
    ),
]
Number = Annotated[
    int | None, _value("--round", "N", "With --record: which round; by default the last finished one.", min=1)
]

# ── What a card set says: score, show, rules, cards, list, diff ───────────────────────────────────────────────────────

Tables = Annotated[
    str | None,
    _value(
        "--input -i",
        "FILE",
        "The tables, in YAML or JSON; - for standard input. Without it the scorekeeper asks for them.",
    ),
]
ScoreName = Annotated[
    list[str] | None,
    _value("--name", "NAME", "For the scorekeeper: what a player is called. Can be given for every player in turn."),
]
ScoreSave = Annotated[
    str | None,
    _value(
        "--save",
        "FILE",
        "For the scorekeeper: where the sheet is kept; one that is there already goes on. By default, at a "
        "terminal, in your folder for games.",
    ),
]
New = Annotated[bool, _switch("--new", "For the scorekeeper: begin a new sheet, instead of going on with the last.")]
ScorePlain = Annotated[bool, _switch("--plain", "For the scorekeeper: line by line, for screen readers and pipes.")]
Readings = Annotated[bool, _switch("--readings", "How open questions of the rulebook are read.")]
Graph = Annotated[bool, _switch("--graph", "A picture of the flow of the game.")]
TreeYaml = Annotated[bool, _switch("--yaml", "The card set with everything applied, as YAML.")]
TreeJson = Annotated[bool, _switch("--json", "The same as one JSON document.")]
Aid = Annotated[bool, _switch("--aid", "One page for players: a turn, what the cards score, who wins.")]
BookForm = Annotated[BookFormat | None, _value("--format -f", None, "How it is written; else what -o is called.")]
Output = Annotated[Path | None, _value("--output --out -o", "FILE", "Write it to a file: .txt, .md or .html.")]
CardsOutput = Annotated[Path, _value("--out --output -o", "FILE", "The file to write: .pdf, .svg or .html.")]
Size = Annotated[PaperSize, _value("--size", None, "The paper.", case_sensitive=False)]
OnlyNew = Annotated[
    bool, _switch("--only-new", "Only what a card set adds to the one that it extends, and what changes.")
]
OneEach = Annotated[bool, _switch("--one-each", "One copy of each card, to look at.")]
CardsAid = Annotated[bool, _switch("--aid", "With cards for each player that say what cards score and who wins.")]
Backs = Annotated[bool, _switch("--backs", "With a sheet of backs after each, for printing on both sides.")]
Font = Annotated[
    list[Path] | None,
    _value("--font", "FILE", "A font to try first in a PDF. Can be given several times.", exists=True, dir_okay=False),
]
Other = Annotated[str, _argument("OTHER", "The other one.", completing.card_sets)]
House = Annotated[bool, _switch("--house", "List the house rules instead of the games.")]

# ── Studies ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Games = Annotated[int, _value("-n --games", "N", "How many games.", min=1)]
Out = Annotated[Path | None, _value("--out", "FILE", "Write a row for every game: a .csv or .parquet file.")]
Choices = Annotated[
    Path | None, _value("--choices", "FILE", "Write a row for every choice of the first games: as for --out.")
]
Draft = Annotated[bool, _switch("--draft", "Say how cards are drafted: what is taken first, what comes back.")]
DraftGames = Annotated[int, _value("--draft-games", "N", "Look at drafts and choices in the first N games.", min=1)]
Regret = Annotated[bool, _switch("--regret", "With --draft: ask an adviser what choices lose (slow; on a sample).")]
Adviser = Annotated[str, _value("--adviser", "BOT", "Who is asked about choices.", completing.bots)]
First = Annotated[str, _argument("A", "A card set: a file or an id.", completing.card_sets)]
Second = Annotated[
    str | None, _argument("[B]", "The card set to compare it with; by default A itself.", completing.card_sets)
]
VariantA = Annotated[list[str] | None, _value("--variant-a", "NAME", "A variant of A alone.", completing.variants)]
VariantB = Annotated[list[str] | None, _value("--variant-b", "NAME", "A variant of B alone.", completing.variants)]
CompareGames = Annotated[int, _value("-n --games", "N", "At most so many games.", min=1)]
Precision = Annotated[
    float,
    _value(
        "--precision",
        "P",
        "Stop once every win rate is known to plus or minus so many percentage points.",
        min=0.001,
        max=50,
    ),
]
Parameter = Annotated[
    str,
    _value(
        "--parameter",
        "NAME|PATH",
        "What is tried: a parameter, or any number in the file by its path, such as cards.soup.count.",
        completing.numbers,
    ),
]
Target = Annotated[
    str,
    _value("--target", "FIGURE", 'Where a figure should lie, such as "score near 40" (see above).', completing.targets),
]
Values = Annotated[
    str,
    _value(
        "--values",
        "A-B|A,B,...",
        "The values to try, also in steps: 10-50/5. By default those of the parameter, or around what it is.",
    ),
]
TuneGames = Annotated[int, _value("-n --games", "N", "At most so many games with each value.", min=1)]
TuneResume = Annotated[
    bool, _switch("--resume", "Go on where the same question was left, by Ctrl-C or for want of games.")
]
ArenaBots = Annotated[
    str,
    _value(
        "--bots",
        "A,B,...",
        "Who takes part, written as for --seat (see bots). A bot named twice plays itself, too. A comma that "
        "belongs to a bot is written in quotation marks.",
        completing.bots,
    ),
]
Deals = Annotated[int, _value("-n --deals", "N", "How many deals (at most).", min=1)]
Sprt = Annotated[
    str | None,
    _value(
        "--sprt",
        "ELO0,ELO1",
        "Stop as soon as it is known whether the first of two bots leads by ELO1 or by ELO0 normalised Elo "
        "(0,10 if in doubt), with an error of 5 % either way.",
    ),
]
Mirror = Annotated[bool, _switch("--mirror", "Each bot plays itself, too: a control, which must come out even.")]
Quiet = Annotated[bool, _switch("--quiet -q", "No line of progress.")]
LearnPlayers = Annotated[str, _value("--players -p", "N-M", "For how many players; without it, for all.")]
Positions = Annotated[int, _value("--positions", "N", "How many choices are taught for each number.", min=1_000)]
LearnFolder = Annotated[Path | None, _value("--to", "FOLDER", "Where the network is put, instead of the cache.")]


def seed_from(text: str | None) -> int | str:
    """Return a seed as an integer if it is one, otherwise as text; without a seed, a new random one.

    The new seed has over 64 random bits. It is a word without look-alike letters, which begins with a letter, so that
    it is not read as an integer.
    """
    if text is None:
        from secrets import choice

        return choice(_LETTERS) + "".join(choice(_SIGNS) for _ in range(_LENGTH - 1))
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 4000 else text  # noqa: PLR2004 (int's limit)


_LETTERS = "abcdefghjkmnpqrstvwxyz"
_SIGNS = f"0123456789{_LETTERS}"
_LENGTH = 13
