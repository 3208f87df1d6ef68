"""Commands that write card sets: ``new`` begins one, ``upgrade`` rewrites one of an earlier format."""

from __future__ import annotations

import re
import sys
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from draftengine.apps.cli import options
from draftengine.apps.cli.console import print_json
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, phrase, show_findings
from draftengine.apps.cli.saves import command_line
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.selection.game import RewrittenFile


def new(
    name: options.NewName,
    extends: options.Extends = "",
    title: options.Title = "",
    players: options.NewPlayers = "2-5",
) -> None:
    """Begin a card set: a file with comments that is valid as it is, and a first scenario beside it.

    A schema is written beside both (cardset.schema.json), so that editors complete and explain what you type.
    With --extends the card set changes an existing game; without, it is a small whole game to build on. Existing files
    are never overwritten.

    \b
    Examples:
      draftengine new my_house_rule --extends my_game.yaml
      draftengine new orchard --title "The orchard" --players 2-4
      draftengine new games/orchard.yaml
    """
    from draftengine.api.scenario.suite import check_bytes
    from draftengine.model.diagnostics import has_errors

    path = Path(name if name.endswith((".yaml", ".yml")) else f"{name}.yaml")
    own_id = path.stem
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", own_id):
        plainer = re.sub(r"[^a-z0-9]+", "_", own_id.casefold()).strip("_")
        hint = said("hint.did-you-mean", meant=plainer) if re.fullmatch(r"[a-z][a-z0-9_]{0,39}", plainer) else ""
        raise UsageError(said("command.new.no_id", name=own_id, hint=hint))
    if not re.fullmatch(r"[1-9]\d?(-[1-9]\d?)?", players):
        raise UsageError(phrase("command.new.players", text=players))
    if own_id == extends:
        raise UsageError(said("extends-id.it", name=extends))
    full_title = title or own_id.replace("_", " ").capitalize()
    if extends:
        text, scenario = _extension(path, own_id, full_title, extends)
    else:
        least, _, most = players.partition("-")
        rest, zeros = ", []" * (int(least) - 1), ", 0" * (int(least) - 1)
        count = max(24, 4 * int(most or least))  # three rounds of four cards for each player, of three kinds
        text = _WHOLE.format(
            modeline=_MODELINE,
            id=own_id,
            title=_quoted(full_title),
            players=players,
            count=count,
            rest=rest,
            zeros=zeros,
        )
        scenario = _WHOLE_TESTS.format(id=own_id, players=least, rest=rest, zeros=zeros)
    tests = path.with_name(f"{own_id}_tests.yaml")
    for target in (path, tests):
        if target.exists():
            raise UsageError(phrase("command.new.there", path=target))
    # The file does not exist yet, so what it extends is searched from its folder.
    findings = check_bytes(str(path), str(path), text.encode())
    if has_errors(findings):
        error = next(finding for finding in findings if finding.severity == "error")
        raise UsageError(said("command.new.refused", text=error.text, hint=error.advice))
    _write(path, text)
    _write(tests, scenario)
    if not path.with_name(_SCHEMA).exists():
        from draftengine.model.schema import schema_text

        _write(path.with_name(_SCHEMA), schema_text())
    typer.echo(phrase("command.new.wrote", first=path, second=tests))
    for words in (("validate", str(path), "--watch"), ("test", str(tests)), ("play", str(path))):
        typer.echo(f"  {command_line(*words):<44} {phrase(f'command.new.{words[0]}')}")


def _write(path: Path, text: str) -> None:
    from draftengine.support.files import replacing

    try:
        with replacing(path, new=True) as file:
            file.write(text.encode())
    except FileExistsError:
        raise UsageError(phrase("command.new.there", path=path)) from None


def _quoted(text: str) -> str:
    """Return a text quoted so that YAML reads it as a string."""
    import json

    return json.dumps(text, ensure_ascii=False)


def _extension(path: Path, own_id: str, title: str, extends: str) -> tuple[str, str]:
    from draftengine.api.ruleset import rules_named
    from draftengine.apps.cli.opening import in_words
    from draftengine.model.shelf import none_called, shipped

    near = path.parent / (extends if extends.endswith((".yaml", ".yml")) else f"{extends}.yaml")
    if Path(extends).name != extends:
        raise UsageError(phrase("command.new.path", path=extends))
    if extends not in shipped() and not near.is_file():
        raise UsageError(none_called(extends).reason)
    with in_words():
        rules = rules_named(str(near) if near.is_file() else extends)
    model = rules.model
    card = model.cards[0]
    rule = next((rule for rule in model.scoring), None)
    text = _EXTENSION.format(
        modeline=_MODELINE,
        id=own_id,
        title=_quoted(title),
        base=extends,
        card=card.id,
        more=card.count + 2,
        count=card.count,
        cards=_folded(each.id for each in model.cards),
        rules=_folded(each.id for each in model.scoring),
        rule=rule.id if rule else "my_rule",
        variants=_folded(variant.id for variant in model.variants) or "none",
    )
    players = rules.players[0]
    return text, _EXTENSION_TESTS.format(id=own_id, card=card.id, players=players, rest=", []" * (players - 1))


def _folded(names: Iterable[str]) -> str:
    """Return names separated by commas, cut to the length of one comment line."""
    text = ", ".join(names)
    return text if len(text) < 90 else text[:87].rpartition(", ")[0] + ", …"  # noqa: PLR2004 (a line)


_SCHEMA = "cardset.schema.json"
_MODELINE = f"# yaml-language-server: $schema={_SCHEMA}"
"""The first line of a new card set. It tells editors where the schema is that `new` writes."""

_WHOLE = """\
{modeline}
# A small whole game to build on: choose a card, pass the hand on, collect sets. Change one thing at a time and save;
# what is wrong is said with its place:  draftengine validate {id}.yaml --watch
format: 2
id: {id}
title: {title}
version: 0.1.0
players: {players}
rounds: 3

# What is in the box. A card can also have an icon, a family, and counters that it adds to.
cards:
  apple: {{count: {count}, icon: "🍎", text: Two make a pair worth 5 points.}}
  pear: {{count: {count}, icon: "🍐", text: "The more, the better: 1, 3, 6 or 10 points."}}
  plum: {{count: {count}, icon: "🟣", text: Whoever has most plums gets 6 points.}}

# Before the first round.
setup:
  - {{shuffle: deck}}

# Each round: deal, then choose and pass until the hands are empty, score, clear the tables.
round:
  - deal: {{to: hand, cards: 4}}
    id: deal_hands
  - repeat:
      until_empty: hand
      do:
        - choose: {{from: hand, to: tableau}}
        - pass: {{zone: hand, to: left}}
          id: pass_hands
  - {{score: round}}
  - {{clear: tableau}}

# What it is worth. Kinds of rules: each, set, table, majority, runs, collection; or points by a formula.
scoring:
  apples: {{set: apple, size: 2, points: 5}}
  pears: {{table: pear, points: [1, 3, 6, 10]}}
  plums: {{majority: plum, most: [6], tie: split, at_least: 1}}
  # variety: {{points: 4 if kinds(apple, pear, plum) == 3 else 0}}

winner: {{order: most}}

# Rules that a table may choose to play with.
variants:
  pass_both_ways:
    title: Pass both ways
    text: Pass to the left in rounds 1 and 3, to the right in round 2.
    changes:
      steps: {{pass_hands: {{pass: {{to: [left, right, left]}}}}}}

# Worked examples: validate runs them, so the file proves what it says.
examples:
  - name: two apples are a pair
    tables: [[apple, apple]{rest}]
    expect: {{points: {{apples: [5{zeros}]}}}}
"""

_WHOLE_TESTS = """\
# Scenarios: positions, moves and what must come of them. Run them with  draftengine test {id}_tests.yaml
cardset: {id}.yaml
tests:
  - name: three pears are worth six
    players: {players}
    tables: [[pear, pear, pear]{rest}]
    expect: {{points: {{pears: [6{zeros}]}}}}
"""

_EXTENSION = """\
{modeline}
# A house rule: this file says what differs from {base}; everything else stays as it is there.
# What is wrong is said with its place:  draftengine validate {id}.yaml --watch
format: 2
id: {id}
extends: {base}
title: {title}
version: 0.1.0

# Its cards: {cards}
# Its rules: {rules}
# Its variants: {variants}
# ("draftengine show {base} --yaml" prints them with all their values; a value of null removes a key.)

cards:
  {card}: {{count: {more}}}          # it was {count}
  # my_card: {{count: 6, label: My card, text: What it does.}}

# scoring:
#   my_rule: {{each: my_card, points: 2}}
#   {rule}: null                     # without this rule

# variants:
#   one_round:
#     title: One round
#     changes: {{rounds: 1}}
"""

_EXTENSION_TESTS = """\
# Scenarios: positions, moves and what must come of them. Run them with  draftengine test {id}_tests.yaml
cardset: {id}.yaml
tests:
  - name: a first position
    players: {players}
    tables: [[{card}]{rest}]
    expect: {{tables: [[{card}]{rest}]}}      # add points: {{RULE: [3, 0]}} for what your rule must give
"""


def upgrade(
    paths: options.UpgradedPaths,
    check: options.UpgradeCheck = False,
    to_stdout: options.UpgradeStdout = False,
    as_json: options.Json = False,
) -> int:
    """Rewrite card sets from an earlier format in the present one.

    The game, the comments and the layout stay as they are; only lines whose wording has changed are rewritten. Files
    that a card set includes are rewritten with it. A file in the present format is left alone. So is a file with
    errors: they are reported, and the exit status is 1.

    Earlier formats can always be read, so you never have to upgrade. With --check nothing is written: the changes are
    shown, and the exit status is 1 if there are any.

    \b
    Examples:
      draftengine upgrade my_game.yaml
      draftengine upgrade my_game.yaml --check
      draftengine upgrade my_game.yaml --stdout > new_game.yaml
      draftengine upgrade cardsets/*.yaml --json
    """
    from draftengine.model.shelf import read_bytes
    from draftengine.support.files import write_whole

    if to_stdout and len(paths) > 1:
        raise UsageError(phrase("command.upgrade.one"))
    for name in paths:
        if name == "-" and not (check or to_stdout):
            raise UsageError(phrase("command.upgrade.stdin"))
        if name != "-" and not Path(name).is_file():
            raise UsageError(phrase("command.upgrade.no_file", path=name))
    upgrades, sound = _rewritten(paths)
    if as_json:
        described = [{"path": file.source.name, "diff": _diff(file)} for file in upgrades]
        print_json({"files": described}, ascii_only=False)
    elif to_stdout:  # a file of the present format as it is
        text = next((file.text for file in upgrades), "")
        sys.stdout.write(text or read_bytes(paths[0])[1].decode("utf-8", "replace"))
    elif check:
        sys.stdout.writelines(map(_diff, upgrades))
    if not (check or to_stdout):
        for file in upgrades:
            path = Path(file.source.name)
            write_whole(path, file.text)
            if not as_json:
                sys.stdout.write(f"{path}: {phrase('command.upgrade.done')}\n")
        if not (upgrades or as_json):
            sys.stdout.write(f"{phrase('command.upgrade.nothing')}\n")
    return FINE if sound and not (check and upgrades) else FAILED


def _rewritten(paths: list[str]) -> tuple[list[RewrittenFile], bool]:
    """Return the files to rewrite, each once, and True if all could be read. Their errors are printed."""
    from draftengine.model.diagnostics import has_errors
    from draftengine.model.selection.game import rewritten_files
    from draftengine.model.shelf import NoSuchCardSetError, fetcher, read_bytes

    upgrades: dict[str, RewrittenFile] = {}
    sound = True
    for path in paths:
        try:
            label, data = read_bytes(path)
            files, findings = rewritten_files(data, label, fetcher(path))
        except NoSuchCardSetError as error:
            raise UsageError(error.reason) from None
        errors = [finding for finding in findings if finding.severity == "error"]
        if has_errors(findings):
            show_findings(errors)
            sound = False
        else:
            upgrades |= {file.source.name: file for file in files}
    return list(upgrades.values()), sound


def _diff(file: RewrittenFile) -> str:
    """Return the changes of a file in the format of ``diff``."""
    old, new = (text.splitlines(keepends=True) for text in (file.source.text, file.text))
    name = file.source.name
    return "".join(unified_diff(old, new, name, name))
