"""Commands that print what there is: ``list``, ``schema`` and ``explain``."""

from __future__ import annotations

import json
import sys
from typing import Any

from draftengine.apps.cli import options
from draftengine.apps.cli.console import print_json
from draftengine.apps.cli.errors import UsageError, in_my_language, phrase
from draftengine.apps.cli.options import FileKind
from draftengine.support.locale.phrases import said


def list_sets(house: options.House = False, language: options.Language = "en", as_json: options.Json = False) -> None:
    """List the card sets that come with draftengine.

    House rules are short files that change one of these games; they can be played by their name, too.

    \b
    Examples:
      draftengine list
      draftengine list --house
      draftengine show my_game.yaml
    """
    from draftengine.model.library.library import house_rules, shelf

    entries = [_entry(name, "en" if as_json else language) for name in (house_rules() if house else shelf())]
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


def _entry(name: str, language: str) -> dict[str, Any]:
    from draftengine.apps.cli.opening import rules_of
    from draftengine.model.cardset.records import text_in

    rules = rules_of(name, ())
    model = rules.model
    return {
        "id": name,
        "title": text_in(model.title, language),
        "players": [model.min_players, model.max_players],
        "menus": list(rules.menus),
        "variants": [variant.id for variant in model.variants],
        "extends": next((file.asked for file in rules.document.files[1:]), None),
    }


def schema(kind: options.Kind = FileKind.CARDSET) -> None:
    """Print the JSON Schema of card sets, for editors.

    Or the schema of scenario files, of tables to score, or of records of games.

    \b
    Examples:
      draftengine schema > cardset.schema.json
      draftengine schema scenarios > scenarios.schema.json
    """
    from draftengine.api.replay import schema as game
    from draftengine.api.scenario.scenario import scenario_file, score_sheet
    from draftengine.model.schema.document import schema_text

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
    from draftengine.model.diagnostics.catalog import catalogue
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
    """Return an entry of the catalogue as JSON data."""
    from draftengine.model.diagnostics.catalog import catalogue

    entry = catalogue()[code]
    return {
        "code": code,
        "severity": entry.severity,
        "title": str(entry.title),
        "explanation": str(entry.explanation),
        "wrong": entry.bad,
        "right": entry.good,
    }
