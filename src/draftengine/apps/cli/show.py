"""Commands that print information.

``show`` prints a card set in sentences or its flow as a picture, and ``diff`` the differences of two. ``list`` prints
the card sets that come with draftengine, ``schema`` the JSON Schema of files, and ``explain`` the meaning of a code.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from draftengine.apps.cli import options
from draftengine.apps.cli.console import print_json, print_lines
from draftengine.apps.cli.errors import UsageError, in_my_language, phrase
from draftengine.apps.cli.options import FileKind
from draftengine.apps.play.terminal_style import MAX_COLUMNS, Style
from draftengine.support.locale.catalogue import plain
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.facts import Facts
    from draftengine.api.facts.differences import ChangedThing
    from draftengine.api.game import Ruleset
    from draftengine.apps.play.labels import Names
    from draftengine.model.verbs.verb import Step


def show(
    cardset: options.CardSet,
    players: options.Players = None,
    variant: options.Variants = None,
    language: options.Language = "en",
    readings: options.Readings = False,
    graph: options.Graph = False,
    as_yaml: options.TreeYaml = False,
    as_json: options.TreeJson = False,
) -> None:
    """Show the rules of a card set in sentences, with variants applied.

    \b
    Examples:
      draftengine show my_game.yaml
      draftengine show my_game.yaml --variant two_rounds --graph
      draftengine show my_game.yaml --json
    """
    from draftengine.api.facts import Facts
    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.apps.cli.opening import game_named
    from draftengine.apps.play.labels import Names
    from draftengine.model.selection import document_json

    game = game_named(cardset, variant, players)
    rules = game.ruleset
    if as_json:
        print_json(document_json(rules.tree), ascii_only=False)
        return
    if as_yaml:
        import yaml

        sys.stdout.write(yaml.safe_dump(document_json(rules.tree), sort_keys=False, allow_unicode=True, width=120))
        return
    style = Style.of(sys.stdout)
    counts = [*rules.possible_players] if players is None else [players]
    facts = Facts(rules, CardSetPhraser(rules.model, language, counts=counts))
    names = Names(game, ["?"] * game.players, style, language=language)
    if readings or graph:
        lines = []
        for question in facts.questions if readings else ():
            lines.append(style.bold(style.safe(f"{question.id}: {_cited(question.text, question.source)}")))
            for name, text in question.options:
                mark = "*" if name == question.chosen else " "
                lines += style.wrapped(style.safe(text), 6, f"  {mark} {name}: ")
            if question.reason:
                lines += style.wrapped(style.safe(phrase("command.show.why", text=question.reason)), 6, "    ")
            lines.append("")
        lines += [*(_assumptions(facts, style) if readings else ()), *(_picture(facts, style, "") if graph else ())]
    else:
        lines = [*_summary(names, facts), "", *_picture(facts, style, "  ")]
    print_lines(lines)


def _summary(names: Names, facts: Facts) -> Iterator[str]:
    from draftengine.apps.play import help_texts

    model, style = names.game.model, names.style
    yield style.headline(help_texts.title(names))
    yield from help_texts.about_game(names)
    yield f"  {', '.join(_numbers(names))}"
    if facts.maker:
        yield from style.wrapped(style.safe(facts.maker), 2, "  ")
    if model.active:
        yield from style.listed(help_texts.variant_titles(names), f"  {names.say('open.with')} ")
    yield from help_texts.cards_in_short(names, facts.things)
    yield from _section(names.say("h.box"), (("", text) for _, text in facts.pieces), style)
    rules = (
        (
            names.say("lies.with", card=fact.title, note=names.moment(fact.at).lower()),
            _cited(fact.plain, fact.source),
        )
        for fact in facts.scoring
    )
    yield from _section(names.say("h.scoring"), rules, style)
    starting = {counter.id for counter in facts.rules.model.counters if counter.start}
    counters = [fact for fact in facts.things.counters if fact.id in starting]
    labels = {fact.id: fact.title for fact in (*facts.things.modifiers, *facts.things.abilities)}
    special = [replace(fact, title=labels.get(fact.id, fact.title)) for fact in facts.special if not fact.written]
    for title, about in (
        (phrase("screen.counters"), [*counters, *facts.things.markers]),
        (facts.speech.phrase("h.special", count=len(special)), special),
        (facts.speech.phrase("h.events"), facts.events),
    ):
        yield from _section(title, ((fact.title, _cited(fact.plain, fact.source)) for fact in about), style)
    yield from _assumptions(facts, style)
    dishes = ((menu.id, names.style.comma.join(map(names.labels.variant, menu.variants))) for menu in facts.menus)
    yield from _section(names.say("h.menus"), dishes, style)
    chosen = [variant for variant in facts.variants if variant.id not in model.active]
    texts = ((variant.id, (variant.text or variant.title) + variant.span) for variant in chosen)
    yield from _section(names.say("h.variants"), texts, style)
    for text in facts.exclusions:
        yield from style.wrapped(style.safe(text), 6, "    ")


def _numbers(names: Names) -> Iterator[str]:
    """Yield texts such as “2–5 players”: numbers of players, rounds and cards, the minutes and the age."""
    model, players = names.game.model, names.game.players
    if model.max_players > model.min_players:
        yield phrase("command.show.players.range", fewest=model.min_players, most=model.max_players)
    else:
        yield phrase("command.show.players", count=model.max_players)
    yield phrase("command.show.rounds.open") if model.until else phrase("command.show.rounds", count=model.rounds)
    key = "command.show.cards.players" if any(card.counts for card in model.cards) else "command.show.cards"
    dice = sum(card.count for card in model.cards if card.is_die)
    if cards := sum(card.count for card in model.cards) - dice:
        yield phrase(key, count=cards, players=players)
    if dice:
        yield phrase("command.show.dice", count=dice)
    if model.about.minutes:
        yield phrase("command.show.minutes", count=model.about.minutes)
    if model.about.age:
        yield phrase("command.show.age", count=model.about.age)


def _section(title: str, rows: Iterable[tuple[str, str]], style: Style) -> Iterator[str]:
    """Yield a heading and rows of (subject, text) below it; nothing if there are no rows."""
    for number, (about, text) in enumerate(rows):
        if not number:
            yield from ("", f"  {style.bold(title)}")
        row = phrase("lies.labelled", label=about, text=text) if about else text
        yield from style.wrapped(style.safe(row), 6, "    ")


def _cited(text: str, source: Sequence[str]) -> str:
    return f"{text} [{', '.join(source)}]" if source else text


def _assumptions(facts: Facts, style: Style) -> Iterator[str]:
    """Yield lines about assumptions that no document confirms, each with the things that it is about."""
    rows = []
    for assumption in facts.assumed:
        things = facts.speech.join_list(assumption.about, "comma") if assumption.about else ""
        if assumption.variant:
            things = phrase("lies.with", card=things, note=assumption.variant)
        rows.append((things, assumption.text))
    yield from _section(phrase("command.show.assumed"), rows, style)


# ── The picture of the flow ───────────────────────────────────────────────────────────────────────────────────────────


def _picture(facts: Facts, style: Style, margin: str) -> Iterator[str]:
    """Yield a picture of the steps before, in and after each round, each step with its citations."""
    from draftengine.model.cardset.facts import steps_of_round

    model = facts.rules.model
    each = phrase("command.show.round" if model.rounds == 1 else "command.show.each", count=model.rounds)
    parts = (
        (phrase("command.show.first"), model.setup),
        (phrase("command.show.each.open") if model.until else each, steps_of_round(model)),
        (phrase("command.show.last"), model.finish),
    )
    for title, steps in parts:
        if steps:
            yield f"{margin}{title}"
            yield from _steps(steps, f"{margin}  ", facts, style)
    yield from style.wrapped(style.safe(plain(facts.wins)), len(margin), margin)


def _steps(steps: Sequence[Step], margin: str, facts: Facts, style: Style) -> Iterator[str]:
    from draftengine.model.verbs.verb import with_else

    for step in with_else(steps):
        text = style.safe(_cited(plain(facts.speech.step(step)), step.source))
        inner = facts.speech.listed(step)
        if not inner:
            yield from style.wrapped(text, len(margin) + 2, margin)
            continue
        first, *rest = style.wrapped(text, len(margin) + 2, margin + style.typed("┌ "))
        inside = margin + style.typed("│ ")
        yield first
        yield from (inside + line[len(margin) + 2 :] for line in rest)
        yield from _steps(inner, inside, facts, style)
        yield margin + style.typed("└")


def diff(
    cardset: options.CardSet,
    other: options.Other,
    variant: options.Variants = None,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> None:
    """Show the differences between two card sets, in the words of the game.

    A card that only has a new name is mentioned once, and a rule with the same meaning is no difference. `--variant`
    applies to both.

    \b
    Examples:
      draftengine diff my_game.yaml my_house_rule.yaml
      draftengine diff my_game.yaml my_house_rule.yaml --json
    """
    from draftengine.api.facts.differences import changes_between, in_parts
    from draftengine.apps.cli.opening import rules_of

    both = rules_of(cardset, variant), rules_of(other, variant)
    changes = changes_between(*both, language)
    if as_json:
        data = {
            "sets": [
                {"id": rules.model.id, "version": rules.model.version, "rules": rules.fingerprint} for rules in both
            ],
            "differences": [
                {"part": change.part, "about": change.about, "before": change.before, "after": change.after}
                for change in changes
            ],
        }
        print_json(data, ascii_only=False)
        return
    first, second = (f"{rules.labels_in(language).title} {rules.model.version}" for rules in both)
    if not changes:
        alike = both[0].fingerprint == both[1].fingerprint
        print_lines([phrase(f"command.diff.{'alike' if alike else 'not_alike'}", first=first, second=second)])
        return
    lines = [f"− {first}", f"+ {second}"]
    for title, things in in_parts(changes, language):
        lines += ("", title, *_told(things))
    print_lines(lines)


def _told(things: Iterable[ChangedThing]) -> Iterator[str]:

    style = Style(columns=MAX_COLUMNS)
    for thing in things:
        if [text for _, text in thing.lines] == [thing.about]:
            yield from style.wrapped(thing.about, 4, f"  {thing.lines[0][0]} ")
            continue
        yield f"  {thing.about}"
        for sign, text in thing.lines:
            if text:
                yield from style.wrapped(text, 6, f"    {sign} ")


def told(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Yield the differences between two versions of a card set, without headings of parts."""
    from draftengine.api.facts.differences import changes_between, in_parts

    for _, things in in_parts(changes_between(old, new)):
        yield from _told(things)


def list_sets(house: options.House = False, language: options.Language = "en", as_json: options.Json = False) -> None:
    """List the card sets that come with draftengine.

    House rules are short files that change one of these games; they can be played by their name, too.

    \b
    Examples:
      draftengine list
      draftengine list --house
      draftengine show my_game.yaml
    """
    from draftengine.apps.cli.opening import rules_of
    from draftengine.model.cardset.records import text_in
    from draftengine.model.shelf import house_rules, shelf

    entries: list[dict[str, Any]] = []
    for name in house_rules() if house else shelf():
        rules = rules_of(name, ())
        model = rules.model
        entries.append(
            {
                "id": name,
                "title": text_in(model.title, "en" if as_json else language),
                "players": [model.min_players, model.max_players],
                "menus": list(rules.menus),
                "variants": [variant.id for variant in model.variants],
                "extends": next((file.asked for file in rules.document.files[1:]), None),
            }
        )
    if as_json:
        print_json(entries)
        return
    wide = max((len(entry["id"]) for entry in entries), default=0)
    for entry in entries:
        players, title = "-".join(dict.fromkeys(map(str, entry["players"]))), entry["title"]
        if house:
            line = phrase("command.list.house", title=title, game=entry["extends"], players=players)
        else:
            line = phrase("command.list.game", title=title, players=players)
            for part in ("menus", "variants"):
                line += phrase(f"command.list.{part}", names=", ".join(entry[part])) if entry[part] else ""
        sys.stdout.write(f"{entry['id']:<{wide}}  {line}\n")
    if not house:
        more = phrase("command.list.more", count=len(house_rules()), command="draftengine list --house")
        sys.stdout.write(f"{more}\n")


def schema(kind: options.Kind = FileKind.CARDSET) -> None:
    """Print the JSON Schema of card sets, for editors.

    Or the schema of scenario files, of tables to score, or of records of games.

    \b
    Examples:
      draftengine schema > cardset.schema.json
      draftengine schema scenarios > scenarios.schema.json
    """
    from draftengine.api.replay import schema as game
    from draftengine.api.scenario import scenario_file, score_sheet
    from draftengine.model.schema import schema_text

    if kind is FileKind.CARDSET:
        sys.stdout.write(schema_text())
        return
    shapes = {FileKind.SCENARIOS: scenario_file, FileKind.TABLES: score_sheet, FileKind.GAME: game}
    sys.stdout.write(json.dumps(shapes[kind](), indent=2, ensure_ascii=False) + "\n")


def explain(code: options.Code = None, as_json: options.Json = False) -> None:
    """Explain a code that `validate` reports, with examples.

    \b
    Examples:
      draftengine explain unknown-key
      draftengine explain --json
    """
    from draftengine.model.diagnostics import catalogue
    from draftengine.model.diagnostics.suggest import did_you_mean

    if code is not None and code not in catalogue():
        hint = did_you_mean(code, catalogue()) or said("explain.all", command="draftengine explain")
        raise UsageError(said("explain.none", code=code, hint=hint))
    if as_json:
        print_json(_explained(code) if code else {"codes": [_explained(name) for name in catalogue()]})
    elif code is None:
        wide = max(map(len, catalogue()))
        for name, entry in catalogue().items():
            sys.stdout.write(f"{name:<{wide}}  {in_my_language(entry.title)}\n")
    else:
        entry = catalogue()[code]
        title, explanation = in_my_language(entry.title), in_my_language(entry.explanation)
        sys.stdout.write(f"{phrase(f'severity.{entry.severity}')}[{code}]: {title}\n\n{explanation}\n")
        for title, text in ((phrase("explain.wrong"), entry.bad), (phrase("explain.right"), entry.good)):
            if text:
                indented = "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n"))
                sys.stdout.write(f"\n{title}:\n\n{indented}")


def _explained(code: str) -> dict[str, str]:
    """Return the explanation of a code as JSON data."""
    from draftengine.model.diagnostics import catalogue

    entry = catalogue()[code]
    return {
        "code": code,
        "severity": entry.severity,
        "title": str(entry.title),
        "explanation": str(entry.explanation),
        "wrong": entry.bad,
        "right": entry.good,
    }
