"""Commands about bots: ``bots`` lists them, ``arena`` measures and ``learn`` teaches them."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import typer

from draftengine.apps.cli import options, preparing
from draftengine.apps.cli.console import print_json, print_study
from draftengine.apps.cli.errors import FINE, INTERRUPTED, UsageError, heed_interrupts, in_my_language, needing, phrase
from draftengine.apps.cli.preparing import bar, conclusions, span
from draftengine.support.locale.phrases import decimal, said

if TYPE_CHECKING:
    from draftengine.api.game import Game
    from draftengine.studies.arena import Entrants
    from draftengine.studies.arena.estimates import Findings
    from draftengine.studies.arena.sprt import Sequential


def bots(
    cardset: options.AnyCardSet = "",
    players: options.Players = None,
    variant: options.Variants = None,
    as_json: options.Json = False,
) -> None:
    """List the bots that can take a seat; with a card set, say how the levels play it.

    Levels have strengths from 1 to 7. With two players, a level wins about 77 % of the games against the one below.
    In a game with little room for skill, the upper levels are the same player. A strength is a bot, too: --level 4.

    \b
    Examples:
      draftengine bots
      draftengine bots my_game.yaml --players 2
      draftengine play my_game.yaml --seat human --seat greedy
    """
    from draftengine.bots.catalogue import BUILT_IN, described

    if cardset:
        from draftengine.apps.cli.opening import game_named
        from draftengine.bots.net.kept import opinion_of

        game = game_named(cardset, variant, players)
        levels = _levels_of(game)
        if as_json:
            print_json({"cardset": game.id, "players": game.players, "levels": levels})
            return
        for level in levels:
            sys.stdout.write(f"{level['strength']}  {level['name']:<6}  {level['description']}\n")
        opinion = opinion_of(game.program)
        if opinion is not None and not opinion.kept.fits(game.program):
            sys.stdout.write(phrase("command.bots.borrowed", game=opinion.kept.cardset) + "\n")
        if players is None:
            sys.stdout.write(phrase("command.bots.players", players=game.players) + "\n")
        return
    descriptions = described()
    if as_json:
        listed = [
            {"name": name, "description": text, "options": defaults} for name, (text, defaults) in descriptions.items()
        ]
        print_json(listed)
        return
    wide = max(map(len, descriptions))
    for name, (text, defaults) in descriptions.items():
        sys.stdout.write(f"{name:<{wide}}  {phrase(f'bot.is.{name}') if name in BUILT_IN else text}\n")
        for option, default in defaults.items():
            sys.stdout.write(f"{'':<{wide}}    {name}:{option}={default}\n")


def _levels_of(game: Game) -> list[dict[str, Any]]:
    """Return what plays at each level of a game, and for equal players the lowest of their levels."""
    from draftengine.bots.levels import NAMED, STRENGTHS, setting_of
    from draftengine.bots.net.kept import opinion_of

    opinion = opinion_of(game.program)
    by_table = "" if opinion is not None and opinion.guides_search else ".table"
    settings = [setting_of(game.program, strength) for strength in range(1, STRENGTHS)]
    named = {strength: name for name, strength in NAMED.items()}
    levels: list[dict[str, Any]] = []
    for strength, setting in enumerate([*settings, None], 1):
        noise = iterations = like = None
        if setting is not None and setting in settings[: strength - 1]:
            like = settings.index(setting) + 1
        elif setting is None and strength not in named:
            like = strength - 1
        if like is not None:
            text = phrase("command.bots.like", strength=like)
        elif strength == STRENGTHS:
            text = phrase(f"command.bots.expert{by_table}")
        elif setting is None:
            text = phrase(f"command.bots.{named[strength]}")
        elif setting.iterations:
            iterations = setting.iterations
            text = phrase(f"command.bots.ahead{by_table}", iterations=iterations)
        else:
            noise = setting.noise
            text = phrase("command.bots.network", noise=in_my_language(decimal(f"{noise:g}")))
        levels.append(
            {
                "strength": strength,
                "name": named.get(strength, ""),
                "noise": noise,
                "iterations": iterations,
                "like": like,
                "description": text,
            }
        )
    return levels


def arena(
    cardset: options.CardSet,
    bots: options.ArenaBots,
    players: options.Players = None,
    variant: options.Variants = None,
    deals: options.Deals = 200,
    seed: options.Seed = None,
    sprt: options.Sprt = None,
    mirror: options.Mirror = False,
    jobs: options.Jobs = None,
    report: options.Report = None,
    executor: options.Where = "",
    quiet: options.Quiet = False,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """Measure how strong bots are against each other.

    Each bot plays against copies of each other bot on the same deals. Every deal is played once from each seat: the
    challenger sits there, and the cards stay the same. Intervals count deals, not games. Ratings need the extra
    "rating". The same seed gives the same games with any number of processes, unless bots think by the clock.
    Ctrl-C, or a signal to stop, keeps the finished games.

    \b
    Examples:
      draftengine arena my_game.yaml --bots search:iterations=200,table,greedy
      draftengine arena my_game.yaml --bots greedy,random --players 4 -n 1000 --mirror --report bots.html
      draftengine arena my_game.yaml --bots greedy,random --players 2 --sprt 0,10 -n 20000
      draftengine arena my_game.yaml --bots "medium,cmd:python agent.py" --players 2
      draftengine arena my_game.yaml --bots "medium,'cmd:python agent.py --sizes 1,2'" --players 2
    """
    from draftengine.apps.cli.opening import check_output, game_named, write_out
    from draftengine.bots.protocol import BotError
    from draftengine.studies.arena import FEWEST, ArenaError, Entrants, Match, Pairing, hold
    from draftengine.studies.arena.estimates import findings_of
    from draftengine.studies.arena.report import report as drawn
    from draftengine.studies.public import Tournament
    from draftengine.studies.report.charts import written_in
    from draftengine.studies.runner.engines import to_meet

    game = game_named(cardset, variant, players, at_least=FEWEST)
    with preparing.of_option(f"--bots {bots}", BotError, ArenaError):
        who = Entrants.of(bots, game.players, mirror=mirror)
    test = _test(sprt, who, game.players)
    own_seed = options.seed_from(seed)
    check_output(report)
    # A sequential test needs only the first bot among copies of the second.
    units = (Pairing(0, 1),) if test else who.pairings(game.players)
    ready = to_meet(game, who.names, deals * len(units) * game.players, jobs, preparing.told(quiet=quiet))
    match = Match(game, who.names, units, own_seed, 0, deals * len(units), ready.table)
    with preparing.playing(ArenaError, quiet=quiet) as progress:
        held = hold(match, jobs=ready.jobs, executor=executor, test=test, tell=progress.show)
        if held.units:
            progress.say(phrase("study.rating"))
            findings = findings_of(held, own_seed, test)
    if not held.units:
        return preparing.nothing_finished()
    tournament = Tournament(game, own_seed, findings)
    print_study(tournament, lambda: _lines(game, own_seed, findings, language), as_json=as_json)
    if report:
        with written_in(language):
            page = drawn(preparing.study_of(game, own_seed, game.title_in(language)), findings)
        write_out(report, page)
    return INTERRUPTED if findings.interrupted else FINE


def _test(text: str | None, who: Entrants, players: int) -> Sequential | None:
    """Return the sequential test that ``--sprt`` asks for, or ``None`` without it. Raises `UsageError`."""
    from draftengine.studies.arena.sprt import Sequential

    if text is None:
        return None
    if len(who.names) != 2 or who.mirrors:  # noqa: PLR2004 (one and the other)
        raise UsageError(phrase("command.arena.two"))
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise UsageError(phrase("command.arena.numbers", text=text)) from None
    if not -1000 <= elo0 < elo1 <= 1000:  # noqa: PLR2004 (three standard deviations of a game)
        raise UsageError(phrase("command.arena.bounds"))
    return Sequential(elo0, elo1, players)


def _lines(game: Game, seed: int | str, findings: Findings, language: str) -> list[str]:
    from draftengine.studies.arena.report import sentences, tables

    texts = [*sentences(findings, language), *filter(None, [findings.why_no_ratings])]
    head = said(
        "study.arena.stopped" if findings.interrupted else "study.arena",
        game=game.title_in(language),
        deals=decimal(f"{findings.deals:,}"),
        games=decimal(f"{findings.games:,}"),
        dealt=findings.deals,
        count=findings.games,
        players=game.players,
        seed=str(seed),
        speed=decimal(f"{findings.games_per_second:,.0f}"),
    )
    return [in_my_language(head), "", *tables(findings, language), "", *conclusions(texts)]


_ROOM = 1 << 20
"""The bytes on the disk that a network may need. No shipped one takes more than half of it."""


def learn(
    cardset: options.CardSet,
    players: options.LearnPlayers = "",
    variant: options.Variants = None,
    positions: options.Positions = 60_000,
    to: options.LearnFolder = None,
    quiet: options.Quiet = False,
) -> int:
    """Teach bots a card set: a network learns how the search rates moves.

    It makes the bots medium, hard and expert stronger. The search plays against itself for some minutes, the network
    learns from these games, and games between the levels show how strong each is. Needs NumPy. The same card set always
    gives the same network. It is kept in the cache, and bots find it there by the rules of the game and the number of
    players. After Ctrl-C, the same command goes on from what was taught so far.

    \b
    Examples:
      draftengine learn my_game.yaml --players 2
      draftengine learn my_game.yaml --players 2-5 --variant high_stakes --positions 40000
    """
    from draftengine.apps.cli.opening import in_words, rules_of
    from draftengine.support.caches import lasting, temporary
    from draftengine.support.files import about

    with needing("learn", "fast"):
        from draftengine.studies.distilling import distil, is_begun
    rules = rules_of(cardset, variant)
    fewest, most = rules.players
    first, _, last = players.partition("-")
    wanted = range(0)
    with suppress(ValueError):
        wanted = range(int(first or fewest), int(last or first or most) + 1)
    if not wanted:
        raise UsageError(phrase("command.learn.number", players=players))
    with in_words():
        numbers = [number for number in rules.possible_players if number in wanted]
        games = [rules.game(number) for number in numbers or wanted[:1]]  # a number that cannot play says why
    line, began = preparing.ProgressLine(quiet=quiet), time.monotonic()

    def tell(what: str, share: float) -> None:
        key = "command.learn.levels" if what == "levels" else "command.learn.players"
        line.say(f"{bar(share)} {share:4.0%}  {phrase(key, players=what)}  {span(time.monotonic() - began)}")

    target = to or lasting() or temporary()
    with about(target), TemporaryFile(dir=target) as file:  # not only after minutes
        file.write(bytes(_ROOM))
        file.flush()
    if not (to or lasting()):
        typer.echo(phrase("command.learn.temporary", path=target), err=True)
    heed_interrupts()
    if is_begun(games, positions) and not quiet:
        typer.echo(phrase("command.learn.goes_on"), err=True)
    try:
        kept = distil(games, target, positions, tell)
    except KeyboardInterrupt:
        line.clear()
        typer.echo(phrase("command.learn.kept" if is_begun(games, positions) else "command.learn.nothing"), err=True)
        raise
    line.clear()
    for number in kept.players:
        sys.stdout.write(f"{phrase('command.learn.done', players=number, count=len(kept.levels[number]))}\n")
    return FINE
