"""``draftengine show``."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.api.facts import Facts
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.terminal_style import Style


def show(
    cardset: options.CardSet,
    players: options.Players = None,
    variant: options.Variants = None,
    readings: Annotated[bool, typer.Option("--readings", help="How open questions of the rulebook are read.")] = False,
    graph: Annotated[bool, typer.Option("--graph", help="A picture of the flow of the game.")] = False,
    as_yaml: Annotated[bool, typer.Option("--yaml", help="The card set with everything applied, as YAML.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as one JSON document.")] = False,
) -> None:
    """Show a card set as it is played, variants applied.

    \b
    Examples:
      draftengine show my_game.yaml
      draftengine show my_game.yaml --variant two_rounds --graph
      draftengine show my_game.yaml --json
    """
    from draftengine.api.facts import facts_of
    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.apps.cli.flow_picture import picture
    from draftengine.apps.cli.opening import game_named
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.terminal_style import Style
    from draftengine.model.selection import document_json

    game = game_named(cardset, variant, players)
    root = game.ruleset.tree
    if as_json:
        sys.stdout.write(json.dumps(document_json(root), ensure_ascii=False) + "\n")
        return
    if as_yaml:
        import yaml

        sys.stdout.write(yaml.safe_dump(document_json(root), sort_keys=False, allow_unicode=True, width=120))
        return
    style = Style.of(sys.stdout)
    names = Names(game, ["?"] * game.players, style)
    rules = game.ruleset
    counts = [*rules.possible_players] if players is None else [players]
    facts = facts_of(rules, CardSetPhraser(rules.model, counts=counts))
    if readings or graph:
        lines = [*_open_questions(facts, style)] if readings else []
        lines += [style.safe(line) for line in picture(names, style.columns)] if graph else []
    else:
        lines = [*_summary(names, facts), "", *(f"  {style.safe(line)}" for line in picture(names, style.columns - 2))]
    sys.stdout.write("\n".join(lines) + "\n")


def _cards_said(names: Names) -> str:
    """Return the number of cards; with the number of players if it depends on that."""
    cards, players = names.game.model.cards, names.game.players
    text = f"{sum(card.count for card in cards)} cards"
    if not any(card.counts for card in cards):
        return text
    return f"{text} with {players} player{'s' if players > 1 else ''}"


def _summary(names: Names, facts: Facts) -> Iterator[str]:
    from draftengine.api.labels import of_rules
    from draftengine.apps.play import help_texts

    model, style = names.game.model, names.style
    yield style.headline(help_texts.title(names))
    yield from help_texts.about_game(names)
    about = model.about
    printed = [
        f"{model.min_players} to {model.max_players} players" if model.max_players > model.min_players
        else f"{model.max_players} players",
        "rounds until the game ends" if model.until else f"{model.rounds} round{'s' if model.rounds > 1 else ''}",
        _cards_said(names),
        *([f"{about.minutes} minutes"] if about.minutes else []),
        *([f"age {about.age} and up"] if about.age else []),
    ]  # fmt: skip
    yield f"  {', '.join(printed)}"
    if facts.maker:
        yield from style.wrapped(style.safe(facts.maker).split(), 2, "  ")
    if model.active:
        yield from style.listed(help_texts.variant_titles(names), "  With ")
    yield from help_texts.cards_in_short(names)
    yield ""
    yield f"  {style.bold('Scoring')}"
    for rule in of_rules(names.labels):
        cited = f" [{', '.join(rule.source)}]" if rule.source else ""
        first = f"    {names.reason(rule.id)} ({names.moment(rule.at).lower()}): "
        yield from style.wrapped(style.safe(f"{rule.text}{cited}").split(), 6, first)
    yield from _other_rules(names)
    yield from _assumptions(facts, style)
    yield from _menus(names)
    chosen = [variant for variant in facts.variants if variant.id not in model.active]
    if chosen:
        yield ""
        yield f"  {style.bold('Variants')}"
    for variant in chosen:
        words = style.safe((variant.text or variant.title) + variant.span).split()
        yield from style.wrapped(words, 6, f"    {variant.id}: ")
    for text in facts.exclusions:
        yield from style.wrapped(style.safe(text).split(), 6, "    ")


def _menus(names: Names) -> Iterator[str]:
    """Yield the menus with their variants."""
    style, menus = names.style, names.game.ruleset.menus
    if menus:
        yield ""
        yield f"  {style.bold('Menus')}"
    for menu, variants in menus.items():
        titles = ", ".join(map(names.labels.variant, variants))
        yield from style.wrapped(style.safe(titles).split(), 6, f"    {menu}: ")


_TITLES = {
    "counter": "Counters and markers",
    "marker": "Counters and markers",
    "modifier": "Modifiers",
    "ability": "Abilities",
    "trigger": "Triggers",
}


def _other_rules(names: Names) -> Iterator[str]:
    """Yield the sentences about counters, markers, modifiers, abilities and triggers."""
    from draftengine.api.labels import of_things

    style = names.style
    for title, things in groupby(of_things(names.labels, names.game.players), key=lambda thing: _TITLES[thing.kind]):
        yield ""
        yield f"  {style.bold(title)}"
        for thing in things:
            cited = f" [{', '.join(thing.source)}]" if thing.source else ""
            yield from style.wrapped(style.safe(f"{thing.text}{cited}").split(), 6, f"    {names.reason(thing.id)}: ")


def _assumptions(facts: Facts, style: Style) -> Iterator[str]:
    """Yield assumptions that no document confirms; one about several things appears once."""
    if facts.assumed:
        yield ""
        yield f"  {style.bold('Assumed')}"
    for assumption in facts.assumed:
        things = ", ".join(assumption.about)
        where = f" ({assumption.variant})" if assumption.variant else ""
        words = style.safe(f"{things}{where}: {assumption.text}" if things else assumption.text).split()
        yield from style.wrapped(words, 6, "    ")


def _open_questions(facts: Facts, style: Style) -> Iterator[str]:
    """Yield the readings with their options, then the assumptions."""
    for question in facts.questions:
        cited = f" [{', '.join(question.source)}]" if question.source else ""
        yield style.bold(style.safe(f"{question.id}: {question.text}{cited}"))
        for name, text in question.options:
            mark = "*" if name == question.chosen else " "
            yield from style.wrapped(style.safe(text).split(), 6, f"  {mark} {name}: ")
        if question.reason:
            yield from style.wrapped(style.safe(f"Why: {question.reason}").split(), 6, "    ")
        yield ""
    yield from _assumptions(facts, style)
