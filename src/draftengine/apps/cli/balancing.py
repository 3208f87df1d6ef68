"""Commands about rule changes: ``compare`` shows their effects, ``tune`` finds a value for a number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.apps.cli import options, preparing
from draftengine.apps.cli.console import print_study
from draftengine.apps.cli.errors import FINE, INTERRUPTED, UsageError, in_my_language, phrase
from draftengine.apps.cli.preparing import cells, conclusions
from draftengine.support.locale.phrases import Text, decimal, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.studies.public import Comparison, Tuning
    from draftengine.studies.runner import Progress
    from draftengine.studies.tune import Kept


def compare(
    first: options.First,
    second: options.Second = None,
    variant_a: options.VariantA = None,
    variant_b: options.VariantB = None,
    variant: options.Variants = None,
    players: options.Players = None,
    bots: options.Bots = options.DEFAULT_BOTS,
    games: options.CompareGames = 20_000,
    precision: options.Precision = 0.5,
    seed: options.Seed = None,
    jobs: options.Jobs = None,
    report: options.Report = None,
    executor: options.Where = "",
    engine: options.Engine = "auto",
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """Show what a change of the rules does to a game.

    Two card sets, or one card set with two choices of variants, play the same seeds. The command stops early once the
    win rates are as precise as you asked. If differences are still uncertain then, it says how many more games would
    settle them. Ctrl-C, or a signal to stop, keeps the finished games.

    \b
    Examples:
      draftengine compare my_game.yaml my_house_rule.yaml
      draftengine compare my_game.yaml --variant-b two_rounds --players 4
      draftengine compare my_game.yaml my_house_rule.yaml --precision 0.1 -n 5000000 --report change.html
    """
    from draftengine.apps.cli.opening import check_output, game_named
    from draftengine.studies.compare import PairTask, relabelled
    from draftengine.studies.compare import compare as run
    from draftengine.studies.public import Comparison, called
    from draftengine.studies.runner.playing import Task

    if precision != precision:  # noqa: PLR0124 (NaN passes every check of bounds)
        raise UsageError(phrase("command.compare.precision", example="0.5"))
    if second is None and not (variant_a or variant_b):
        raise UsageError(phrase("command.compare.nothing"))
    own_seed = options.seed_from(seed)
    game_a = game_named(first, [*(variant or ()), *(variant_a or ())], players)
    game_b = game_named(second or first, [*(variant or ()), *(variant_b or ())], game_a.players)
    names = called(game_a, game_b)
    seats = preparing.bots_for(bots, game_a.players)
    check_output(report)
    ready = preparing.each_ready(engine, (game_a, game_b), seats, 2 * games, jobs)
    tasks = [
        Task(game, seats, own_seed, 0, games, ways.engine, logged=True, rows=True, table=ways.table)
        for game, ways in zip((game_a, game_b), ready, strict=True)
    ]
    with preparing.playing() as progress:
        compared = run(
            PairTask(*tasks),
            precision=precision / 100,
            jobs=max(ways.jobs for ways in ready),
            executor=executor,
            tell=progress.show,
        )
    if not compared.games:
        return preparing.nothing_finished()
    comparison = Comparison(game_a, game_b, names, own_seed, seats, compared)
    worded = relabelled(compared, (game_a.program, game_b.program), language)
    labelled = replace(comparison, found=worded, names=called(game_a, game_b, language))
    print_study(comparison, lambda: _lines(labelled, precision, language), as_json=as_json)
    if report:
        _write_report(report, labelled, language)
    return INTERRUPTED if compared.interrupted else FINE


def _lines(comparison: Comparison, precision: float, language: str) -> list[str]:
    from draftengine.studies.compare.report import PARTS, about_marks, games_needed, precision_needed, row, sentences
    from draftengine.studies.report import rounded
    from draftengine.studies.simulation.words import caveat, players_of

    names, compared, bots = comparison.names, comparison.found, comparison.bots
    head = said(
        "study.pairs" if compared.precise else "study.pairs.unknown",
        one=names[0],
        two=names[1],
        games=decimal(f"{compared.games:,}"),
        count=compared.games,
        players=players_of(bots),
        seed=str(comparison.seed),
        precision=decimal(f"{precision:g}"),
    )
    lines, widths = [in_my_language(head)], (36, 9, 9, 9)
    for title, kinds in PARTS:
        effects = [effect for effect in compared.effects if effect.kind in kinds]
        if effects:
            lines += ["", f"{cells((said(title), 'A', 'B', 'B - A'), widths)}   95 %"]
        for effect in effects:
            label, *figures, interval = row(effect)
            line = cells((label[:36], *map(decimal, figures)), widths)
            lines.append(f"{line}   {in_my_language(interval)}{' *' if effect.certain else ''}")
    texts: list[Text] = [*about_marks(compared), "", *sentences(compared, *names, language)]
    if warning := caveat(bots):
        texts.append(said("list.sentence", text=warning))
    if games_needed(compared):
        finer = f" --precision {precision_needed(compared):g}" if precision > precision_needed(compared) else ""
        again = f"-n {rounded(games_needed(compared))}{finer}"
        texts.append(said("study.play-again", options=again))
    return [*lines, "", *conclusions(texts)]


def _write_report(path: Path, comparison: Comparison, language: str) -> None:
    from draftengine.api.facts import Things
    from draftengine.api.facts.differences import differences
    from draftengine.apps.cli.opening import write_out
    from draftengine.studies.compare.report import report
    from draftengine.studies.report.charts import Study, say, written_in

    games, names = (comparison.a, comparison.b), comparison.names
    changes = differences(*(Things(game.labels_in(language)) for game in games))
    rows = [
        (change.about, change.before, change.after)
        for change in changes
        if change.part not in {"variants", "questions"}
    ]
    rules = " ".join(f"{name}: {preparing.rules_named(game)}." for name, game in zip(names, games, strict=True))
    titles = [game.title_in(language) for game in games]
    one, two = names if titles[0] == titles[1] else titles
    with written_in(language):
        study = Study(say("compare.title", one=one, two=two), rules, comparison.seed, preparing.again())
        page = report(study, names, comparison.bots, rows, comparison.found)
    write_out(path, page)


def tune(
    cardset: options.CardSet,
    parameter: options.Parameter,
    target: options.Target,
    values: options.Values = "",
    players: options.Players = None,
    variant: options.Variants = None,
    bots: options.Bots = options.DEFAULT_BOTS,
    games: options.TuneGames = 100_000,
    seed: options.Seed = None,
    resume: options.TuneResume = False,
    jobs: options.Jobs = None,
    report: options.Report = None,
    executor: options.Where = "",
    engine: options.Engine = "auto",
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """Find a value for a number in the rules, so that a figure reaches a target.

    \b
    Figures:
      score                       the points of a player, on average
      score of player 1           the points of one player
      winning score               the points of the winner
      margin                      how far the winner is ahead, in games with one winner
      seat advantage              how far the wins of any seat are from an even share, in percentage points
      wins of player 1            how often a player wins, in percent
      shared victories            how often a victory is shared, in percent
      points of RULE              the points that a player gets from a rule
      share of RULE               the part of the winner's margin that comes from a rule, in percent
    Targets:
      near X     near X ± D     at least X     at most X     between X and Y

    Without ± D, points are near X within 5 % of it, and percentages within 2 points.

    Every value plays the same seeds, with all other rules unchanged, until it is clear whether it reaches the target.
    The intervals hold for all values together and at every moment (confidence sequences), so stopping early favours no
    answer. For values that are still open, the command says how many more games would settle them; --resume goes on
    from there.

    \b
    Examples:
      draftengine tune my_game.yaml --parameter scoring.soup.points --target "score near 40"
      draftengine tune my_game.yaml --parameter cards.soup.count --target "share of soup near 20 %" --values 8-20/2
      draftengine tune my_game.yaml --parameter scoring.first.points --target "seat advantage at most 2" --players 4
      draftengine tune my_game.yaml --parameter rounds --target "score between 30 and 50" --values 2,3,4 --json
      draftengine tune my_game.yaml --parameter scoring.soup.points --target "margin at most 6" --report soup.html
    """
    from draftengine.apps.cli.opening import check_output, game_named, write_out
    from draftengine.studies.public import Tuning
    from draftengine.studies.report.charts import written_in
    from draftengine.studies.tune import file_of
    from draftengine.studies.tune import report as tune_report
    from draftengine.studies.tune.targets import CandidateError, TargetError, question, values_in

    check_output(report)
    game = game_named(cardset, variant, players)
    seats = preparing.bots_for(bots, game.players)
    try:
        with preparing.of_option("--target", TargetError):
            asked = question(game, parameter, target, values_in(values) if values else ())
    except CandidateError as error:
        raise UsageError(error.reason) from None
    file = file_of(asked, seats)
    kept = _kept(file, len(asked.games), seed) if resume else None
    own_seed = kept.seed if kept else options.seed_from(seed)
    every = (game, *asked.games.values())
    ready = preparing.each_ready(engine, every, seats, len(every) * games, jobs)
    trials = asked.trials(seats, own_seed, ready)
    if kept:
        trials.games, trials.counts = kept.games, kept.counts
    with preparing.playing() as progress:

        def tell(so_far: Progress) -> None:
            progress.show(so_far, phrase("study.decided", count=trials.decided, of=len(asked.games)))

        jobs = max(ways.jobs for ways in ready)
        tuned = trials.play(games, jobs=jobs, executor=executor, tell=tell, file=file)
    if not tuned.tried:
        return preparing.nothing_finished()
    tuning = Tuning(asked, own_seed, seats, tuned)
    print_study(tuning, lambda: _tuned_lines(tuning, language), as_json=as_json)
    if report:
        study = preparing.study_of(game, own_seed, f"{game.title_in(language)}: {parameter}")
        with written_in(language):
            page = tune_report.report(study, tuning)
        write_out(report, page)
    return INTERRUPTED if tuned.interrupted else FINE


def _kept(file: Path, values: int, seed: str | None) -> Kept:
    """Return the saved state of the tuning that ``--resume`` continues. Raises `UsageError`."""
    from draftengine.studies.tune import read

    kept = read(file, values)
    if kept is None:
        raise UsageError(phrase("command.tune.nothing"))
    if seed is not None and options.seed_from(seed) != kept.seed:
        raise UsageError(phrase("command.tune.seed", seed=str(kept.seed)))
    return kept


def _tuned_lines(tuning: Tuning, language: str) -> Iterator[str]:
    from draftengine.studies.report import rounded
    from draftengine.studies.simulation.words import players_of
    from draftengine.studies.tune.report import notes, rows
    from draftengine.studies.tune.report import sentences as answers

    tuned, number, program = tuning.found, tuning.question.number, tuning.question.game.program
    name = number.name
    yield from conclusions(answers(tuned, number, program, language))
    yield ""
    games, players = decimal(f"{tuned.games:,}"), players_of(tuning.bots)
    yield from conclusions([said("study.tuned.head", name=name, games=games, players=players, seed=str(tuning.seed))])
    yield ""
    keys, widths = ("value", "figure", "interval", "change", "games"), (9, 9, 20, 16, 8)
    yield cells([said(f"study.column.{key}") for key in keys], widths)
    for *figures, verdict in rows(tuned):
        yield f"{cells(figures, widths)}  {in_my_language(verdict)}"
    for bad, text in tuning.question.refused.items():
        yield in_my_language(said("study.tuned.refused", value=bad, why=text))
    yield ""
    yield from conclusions(notes(tuned, program, tuning.bots))
    if tuned.best is not None and tuned.best.value != tuned.now:
        yield from conclusions([said("study.to-play", options=f"--variant {name}={tuned.best.value}")])
    if tuned.interrupted or (tuned.games_needed and not tuned.settled):
        more = f" -n {rounded(tuned.games_needed)}" if tuned.games_needed > tuned.games else ""
        yield from conclusions([said("study.to-go-on", options=f"--resume{more}")])
