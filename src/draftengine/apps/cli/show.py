"""``draftengine show``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.terminal_style import Style
    from draftengine.model.cardset.records import CardSet


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
    if readings or graph:
        lines = [*_open_questions(game.model, style)] if readings else []
        lines += [style.safe(line) for line in picture(names, style.columns)] if graph else []
    else:
        lines = [*_summary(names), "", *(f"  {style.safe(line)}" for line in picture(names, style.columns - 2))]
    sys.stdout.write("\n".join(lines) + "\n")


def _cards_said(names: Names) -> str:
    """How many cards there are; if that depends on how many play, with so many."""
    cards, players = names.game.model.cards, names.game.players
    text = f"{sum(card.count for card in cards)} cards"
    if not any(card.counts for card in cards):
        return text
    return f"{text} with {players} player{'s' if players > 1 else ''}"


def _summary(names: Names) -> Iterator[str]:
    from draftengine.api.phrasing.sentences import of_rules
    from draftengine.apps.play import help_texts
    from draftengine.model.cardset.records import text_in

    model, style = names.game.model, names.style
    yield style.headline(help_texts.title(names))
    yield from help_texts.about_game(names)
    about = model.about
    facts = [
        f"{model.min_players} to {model.max_players} players" if model.max_players > model.min_players
        else f"{model.max_players} players",
        f"{model.rounds} round{'s' if model.rounds > 1 else ''}",
        _cards_said(names),
        *([f"{about.minutes} minutes"] if about.minutes else []),
        *([f"age {about.age} and up"] if about.age else []),
    ]  # fmt: skip
    yield f"  {', '.join(facts)}"
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
    yield from _assumptions(model, style)
    yield from _menus(names)
    chosen = [variant for variant in model.variants if variant.id not in model.active]
    if chosen:
        yield ""
        yield f"  {style.bold('Variants')}"
        for variant in chosen:
            text = text_in(variant.text) or text_in(variant.title)
            yield from style.wrapped(style.safe(text).split(), 6, f"    {variant.id}: ")


def _menus(names: Names) -> Iterator[str]:
    """What the named menus consist of."""
    style, menus = names.style, names.game.ruleset.menus
    if menus:
        yield ""
        yield f"  {style.bold('Menus')}"
    for menu, variants in menus.items():
        titles = ", ".join(map(names.labels.variant, variants))
        yield from style.wrapped(style.safe(titles).split(), 6, f"    {menu}: ")


def _other_rules(names: Names) -> Iterator[str]:
    """What cards do besides counting for points, part by part."""
    from draftengine.api.phrasing import sentences

    model, style = names.game.model, names.style
    begins = [
        (counter.id, counter.source, sentences.of_counter(counter, names.labels, names.game.players))
        for counter in model.counters
        if counter.start
    ]
    begins += [(marker.id, marker.source, sentences.of_marker(marker, names.labels)) for marker in model.markers]
    parts = (
        ("Counters and markers", begins),
        (
            "Modifiers",
            [
                (modifier.id, modifier.source, sentences.of_modifier(modifier, names.labels))
                for modifier in model.modifiers
            ],
        ),
        (
            "Abilities",
            [(ability.id, ability.source, sentences.of_ability(ability, names.labels)) for ability in model.abilities],
        ),
        (
            "Triggers",
            [(trigger.id, trigger.source, sentences.of_trigger(trigger, names.labels)) for trigger in model.triggers],
        ),
    )
    for title, rows in parts:
        if rows:
            yield ""
            yield f"  {style.bold(title)}"
        for name, source, sentence in rows:
            cited = f" [{', '.join(source)}]" if source else ""
            yield from style.wrapped(style.safe(f"{sentence}{cited}").split(), 6, f"    {names.reason(name)}: ")


def _assumptions(model: CardSet, style: Style) -> Iterator[str]:
    """What no document at hand confirms; what is assumed of several things alike stands there once."""
    from draftengine.model.cardset.records import text_in

    about: dict[tuple[str, str], list[str]] = {}
    for assumption in model.assumptions:
        about.setdefault((assumption.variant, text_in(assumption.text)), []).append(text_in(assumption.of))
    if about:
        yield ""
        yield f"  {style.bold('Assumed')}"
    for (variant, text), things in about.items():
        what = ", ".join(thing for thing in things if thing)
        where = f" ({variant})" if variant else ""
        words = style.safe(f"{what}{where}: {text}" if what else text).split()
        yield from style.wrapped(words, 6, "    ")


def _open_questions(model: CardSet, style: Style) -> Iterator[str]:
    """The readings, and what is assumed."""
    from draftengine.model.cardset.records import text_in

    for reading in model.readings:
        cited = f" [{', '.join(reading.source)}]" if reading.source else ""
        yield style.bold(style.safe(f"{reading.id}: {text_in(reading.question)}{cited}"))
        for option in reading.options:
            mark = "*" if option.id == reading.chosen else " "
            yield from style.wrapped(style.safe(text_in(option.text)).split(), 6, f"  {mark} {option.id}: ")
        if text_in(reading.reason):
            yield from style.wrapped(style.safe(f"Why: {text_in(reading.reason)}").split(), 6, "    ")
        yield ""
    yield from _assumptions(model, style)
