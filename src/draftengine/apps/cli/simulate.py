"""``draftengine simulate``."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.apps.cli import options, preparing
from draftengine.apps.cli.console import print_study
from draftengine.apps.cli.errors import FINE, INTERRUPTED, UsageError, in_my_language, phrase
from draftengine.apps.cli.preparing import cells, conclusions, playing
from draftengine.support.locale.phrases import decimal, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.studies.draft.summary import DraftSummary, DraftTask
    from draftengine.studies.public import Simulation
    from draftengine.studies.runner.playing import Chunk, Task
    from draftengine.studies.simulation import Places, Played
    from draftengine.support.locale.phrases import Text


def simulate(
    cardset: options.CardSet,
    games: options.Games = 2_000,
    bots: options.Bots = options.DEFAULT_BOTS,
    players: options.Players = None,
    variant: options.Variants = None,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    out: options.Out = None,
    choices: options.Choices = None,
    report: options.Report = None,
    executor: options.Where = "",
    engine: options.Engine = "auto",
    draft: options.Draft = False,
    draft_games: options.DraftGames = 500,
    regret: options.Regret = False,
    adviser: options.Adviser = "search:iterations=200",
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """Play many games with bots, and report what decides them.

    The same seed gives the same games with any number of processes. Ctrl-C, or a signal to stop,
    keeps the finished games.

    \b
    Examples:
      draftengine simulate my_game.yaml
      draftengine simulate my_game.yaml -n 1000000 --players 4 --report report.html
      draftengine simulate my_game.yaml -n 5000 --bots greedy,random,random --json
      draftengine simulate my_game.yaml -n 100000 --out games.parquet --choices choices.parquet --seed 7
      draftengine simulate my_game.yaml --bots greedy --draft --regret --report report.html
    """
    from draftengine.apps.cli.opening import check_output, game_named
    from draftengine.bots.catalogue import wanted
    from draftengine.studies.draft.summary import DraftTask
    from draftengine.studies.public import Simulation
    from draftengine.studies.report.statistics import summarise
    from draftengine.studies.runner.playing import Task
    from draftengine.studies.simulation import Places, Worths

    game = game_named(cardset, variant, players)
    preparing.warn_of_failing_examples(cardset, game.ruleset)
    seats = preparing.bots_for(bots, game.players)
    own_seed = options.seed_from(seed)
    check_output(report)
    for file in filter(None, (out, choices)):
        check_output(file)
        if file.suffix not in {".csv", ".parquet"}:
            raise UsageError(phrase("command.simulate.table", name=file.name, first=".csv", second=".parquet"))
    (ready,) = preparing.each_ready(engine, (game,), seats, games, jobs)
    task = Task(
        game, seats, own_seed, 0, games, ready.engine,
        logged=report is not None, copies=report is not None, rows=out is not None, table=ready.table,
    )  # fmt: skip
    if regret:
        with playing():  # an unknown adviser is refused before the first game
            wanted(adviser)
    places, worths = Places(game.program), Worths(game.program) if report else None

    def keep(chunk: Chunk) -> None:
        if worths:
            places.add(chunk.first, chunk.rows)
            worths.add(chunk.first, chunk.rows)

    played = _play(task, ready.jobs, executor, keep, out, choices, draft_games)
    if not played.games:
        return preparing.nothing_finished()
    summary = summarise(game.program, seats, played.tally, played.margin_share, logged=task.logged, worths=worths)
    drafted, stopped = None, played.interrupted
    if (draft or regret) and not stopped:
        look = DraftTask(game, seats, own_seed, min(draft_games, games), adviser if regret else "")
        drafted, stopped = _draft(look, jobs, executor)
    simulation = Simulation(game, own_seed, ready.engine, played, summary, drafted)
    print_study(simulation, lambda: _lines(simulation, language), as_json=as_json)
    if report:
        _write_report(report, simulation, places, language)
    return INTERRUPTED if stopped else FINE


def _play(
    task: Task,
    jobs: int,
    executor: str,
    keep: Callable[[Chunk], None],
    out: Path | None,
    choices: Path | None,
    most: int,
) -> Played:
    """Play the games and write their rows to files.

    Each game has a row in `out`, and each choice of the first `most` games has one in `choices`. Raises `UsageError`.
    """
    from draftengine.studies.simulation import simulate as run
    from draftengine.studies.simulation.rows import (
        MissingExtraError,
        RowWriter,
        cells_of,
        columns_of,
        facts_of,
        write_choices,
    )

    game, columns = task.game, columns_of(task.game.program)

    def write(chunk: Chunk) -> None:
        if writer:
            writer.write(cells_of(game.program.seats, chunk.first, chunk.rows, len(columns)))
        keep(chunk)

    with (
        playing(MissingExtraError) as progress,
        RowWriter(out, columns, facts_of(game, task.bots, task.seed), ("winners",)) if out else nullcontext() as writer,
    ):
        played = run(task, jobs=jobs, executor=executor, tell=progress.show, keep=write)
        if out:
            progress.say(phrase("study.writing", file=out.name))
        if choices:
            progress.say(phrase("study.writing", file=choices.name))
            write_choices(choices, game, task.bots, task.seed, min(most, played.games))
    return played


def _draft(look: DraftTask, jobs: int | None, executor: str) -> tuple[DraftSummary | None, bool]:
    """Return the summary of draft games, ``None`` if none was finished, and True if a signal stopped them."""
    from draftengine.studies.draft import DraftLayout
    from draftengine.studies.draft.summary import draft, summarise_draft
    from draftengine.studies.runner.engines import to_judge

    program = look.game.program
    try:
        with playing() as progress:
            ready = to_judge(look, jobs, preparing.told())
            look = replace(look, table=ready.table)
            drafted = draft(look, jobs=ready.jobs, executor=executor, tell=progress.show)
    except KeyboardInterrupt:
        return None, True
    if not drafted.tally:
        return None, drafted.interrupted
    summary = summarise_draft(program, DraftLayout.of(program), drafted.tally, look.adviser)
    if look.adviser and summary.regret is None:
        sys.stderr.write(phrase("study.no-regret", bot=look.adviser) + "\n")
    return summary, drafted.interrupted


def _lines(simulation: Simulation, language: str) -> list[str]:
    from draftengine.studies.draft import report as drafting
    from draftengine.studies.report import figure, share, shares
    from draftengine.studies.report.statistics import relabelled
    from draftengine.studies.simulation.words import caveat, sentences

    game, played = simulation.game, simulation.played
    summary = relabelled(simulation.summary, game.program, language)

    def titles(*keys: str) -> list[Text]:
        return [said(f"study.column.{key}") if key[0] != "9" else key for key in keys]

    head = said(
        "study.head.stopped" if played.interrupted else "study.head",
        game=game.title_in(language),
        games=decimal(f"{played.games:,}"),
        count=played.games,
        players=game.players,
        seed=str(simulation.seed),
        speed=decimal(f"{played.per_second:,.0f}"),
    )
    seats, rules = (22, 9, 18, 8, 7), (22, 9, 10, 14, 17)
    lines = [in_my_language(head), "", cells(titles("seat", "win-rate", "95 %", "score", "sd"), seats)]
    for seat in summary.seats:
        mean, sd = decimal(f"{seat.mean:.2f}"), decimal(f"{seat.sd:.2f}")
        lines.append(cells((seat.named, share(seat.win_rate), shares(*seat.win_rate_ci95), mean, sd), seats))
    lines += ["", cells(titles("rule", "points", "scores-in", "of-margin", "95 %"), rules)]
    for rule in summary.rules.values():
        reach = shares(*rule.margin_share_ci95, 1) if rule.margin_share_ci95 else "–"
        scored, of_margin = share(rule.scored, 1), share(rule.margin_share, 1)
        lines.append(cells((rule.label[:22], decimal(figure(rule.mean)), scored, of_margin, reach), rules))
    lines += ["", *conclusions(sentences(summary, language))]
    if drafted := simulation.drafted:
        drafted = drafting.relabelled(drafted, game.program, language)
        rows = drafting.table_rows(drafted)
        lines += ["", *(cells(row, (22, *(12 for _ in row[1:]))) for row in rows)]
        if not caveat(seat.bot for seat in summary.seats if seat.bot):  # weak bots leave what pays later
            lines += ["", *conclusions(drafting.judgements(drafted))]
        lines += ["", *conclusions([said("draft.bids")])] if drafted.bids else []
        lines += ["", *conclusions(drafting.sentences(drafted.regret))] if drafted.regret else []
    return lines


def _write_report(path: Path, simulation: Simulation, places: Places, language: str) -> None:
    from draftengine.apps.cli.opening import write_out
    from draftengine.studies.draft.report import relabelled as drafts_in
    from draftengine.studies.draft.report import section
    from draftengine.studies.report.charts import worded, written_in
    from draftengine.studies.report.statistics import relabelled
    from draftengine.studies.simulation.report import report
    from draftengine.studies.simulation.words import course_of

    game, drafts = simulation.game, ""
    study = preparing.study_of(game, simulation.seed, game.title_in(language))
    summary = relabelled(simulation.summary, game.program, language)
    with written_in(language):
        if simulation.drafted:
            seats = [worded(seat.named) for seat in summary.seats]
            drafts = section(drafts_in(simulation.drafted, game.program, language), summary.games, seats)
        course = course_of(game, summary.seats[0].bot, simulation.seed)
        page = report(study, game.players, summary, places, drafts, course)
    write_out(path, page)
