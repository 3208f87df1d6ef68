"""``draftengine compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import INTERRUPTED, UsageError, in_my_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.game import Game
    from draftengine.studies.compare.compare import ComparisonResult


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
    """Say what a change of the rules does to a game.

    Two card sets, or one with other variants, are played game by game with the same seeds. It stops early once the win
    rates are known as precisely as asked; what is not known by then is said, with how many more games would tell.
    Ctrl-C, or a signal to stop, keeps what is finished.

    \b
    Examples:
      draftengine compare my_game.yaml my_house_rule.yaml
      draftengine compare my_game.yaml --variant-b two_rounds --players 4
      draftengine compare my_game.yaml my_house_rule.yaml --precision 0.1 -n 5000000 --report change.html
    """
    from draftengine.apps.cli.console import print_json, print_lines
    from draftengine.apps.cli.opening import check_output, game_named
    from draftengine.apps.cli.preparing import bots_for, each_ready, nothing_finished, playing
    from draftengine.studies.compare.compare import PairTask, relabelled
    from draftengine.studies.compare.compare import compare as run
    from draftengine.studies.public import Comparison, called
    from draftengine.studies.runner.playing import Task

    if precision != precision:  # noqa: PLR0124 (NaN passes every check of bounds)
        raise UsageError("--precision is a number of percentage points, such as 0.5.")
    if second is None and not (variant_a or variant_b):
        raise UsageError("There is nothing to compare: name a second card set, or a variant with --variant-b.")
    own_seed = options.seed_from(seed)
    game_a = game_named(first, [*(variant or ()), *(variant_a or ())], players)
    game_b = game_named(second or first, [*(variant or ()), *(variant_b or ())], game_a.players)
    names = called(game_a, game_b)
    seats = bots_for(bots, game_a.players)
    check_output(report)
    ready = each_ready(engine, (game_a, game_b), seats, 2 * games, jobs)
    tasks = [
        Task(game, seats, own_seed, 0, games, ways.engine, logged=True, rows=True, table=ways.table)
        for game, ways in zip((game_a, game_b), ready, strict=True)
    ]
    with playing() as progress:
        compared = run(
            PairTask(*tasks),
            precision=precision / 100,
            jobs=max(ways.jobs for ways in ready),
            executor=executor,
            tell=progress.show,
        )
    if not compared.games:
        return nothing_finished()
    if as_json:
        print_json(Comparison(game_a, game_b, names, own_seed, seats, compared).to_dict())
    else:
        labelled = relabelled(compared, (game_a.program, game_b.program), language)
        print_lines(_lines(names, labelled, precision, own_seed, seats, language))
    if report:
        _write_report(report, names, (game_a, game_b), compared, own_seed, seats)
    return INTERRUPTED if compared.interrupted else 0


def _lines(
    names: tuple[str, str],
    compared: ComparisonResult,
    precision: float,
    seed: int | str,
    bots: Sequence[str],
    language: str,
) -> list[str]:
    from draftengine.apps.cli.preparing import cells, conclusions
    from draftengine.studies.compare.report import (
        PARTS,
        about_marks,
        games_needed,
        precision_needed,
        row,
        sentences,
    )
    from draftengine.studies.report.conclusions import rounded
    from draftengine.studies.simulation.words import caveat, players_of
    from draftengine.support.locale.phrases import Text, decimal, said

    head = said(
        "study.pairs" if compared.precise else "study.pairs.unknown",
        one=names[0],
        two=names[1],
        games=decimal(f"{compared.games:,}"),
        players=players_of(bots),
        seed=str(seed),
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


def _write_report(
    path: Path,
    names: tuple[str, str],
    games: tuple[Game, Game],
    compared: ComparisonResult,
    seed: int | str,
    bots: Sequence[str],
) -> None:
    from draftengine.api.facts.differences import differences
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.apps.cli.opening import write_out
    from draftengine.apps.cli.preparing import again, rules_named
    from draftengine.studies.compare.report import Pairing, report

    counts = [games[0].players]
    changes = differences(*(CardSetPhraser(game.model, "en", counts) for game in games))
    rows = tuple(
        (change.about, change.before, change.after)
        for change in changes
        if change.part not in {"variants", "questions"}
    )
    rules = " ".join(f"{name}: {rules_named(game)}." for name, game in zip(names, games, strict=True))
    titles = (games[0].title, games[1].title) if games[0].title != games[1].title else names
    title = f"{titles[1]} against {titles[0]}"
    write_out(path, report(Pairing(title, names, rules, seed, tuple(bots), again(), rows), compared))
