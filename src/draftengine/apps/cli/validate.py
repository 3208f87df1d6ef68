"""``draftengine validate``: finds mistakes in card sets, makes certain fixes, and watches files.

While it watches files, it checks them at each save. After a change of rules, games show its effect.

Findings are cached, so that checking a card set again is instant. They depend on the text, on what it extends and
includes, and on draftengine itself. As long as none of these has changed, the findings are the same. A cache file that
is damaged, or that another version wrote, is ignored.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from draftengine import __version__
from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, phrase, show_findings
from draftengine.apps.cli.options import FindingsFormat
from draftengine.apps.cli.preparing import conclusions
from draftengine.model.diagnostics import Diagnostic, ordered, with_sources
from draftengine.model.shelf import NoSuchCardSetError, fetcher, read_bytes
from draftengine.model.yaml.fixes import certain_edits, edited
from draftengine.support import caches
from draftengine.support.locale.phrases import said
from draftengine.support.source import Source
from draftengine.support.text import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from draftengine.api.game import Ruleset

    Asked = dict[str, str]
    """By name, the files that a card set extends or includes, each with the hash of its text."""
    Checked = list[tuple[str, tuple[Diagnostic, ...]]]


def validate(
    paths: options.Paths,
    form: options.FindingsForm = FindingsFormat.TEXT,
    as_json: options.FormatJson = False,
    fix: options.Fix = False,
    watch: options.Watch = False,
    play: options.PlayToo = None,
) -> int:
    """Find what is wrong with card sets, where, and what to do about it.

    It checks the text, the structure, every name and formula, and the worked examples. It checks the game itself for
    every number of players, variant and reading, and at the extremes of its parameters. If a card set is too large for
    that, a warning says what was left out. The exit status is 1 if there are errors; warnings alone leave it 0.

    Then it plays a few hundred games, the same ones each time, and reports what never happened, what always happened,
    and rounds without cards. A note says if games are too long to play enough of them. That takes about a second, and
    programs have to ask for it with --play.

    With --fix, it mends in the file what has only one possible meaning: slips in names, values in needless quotes, and
    lines that remove nothing. With --watch, it checks every save at once, worked examples included, until you press
    Ctrl-C; after a change of the rules, a few hundred games show its effect.

    \b
    Examples:
      draftengine validate my_game.yaml
      draftengine validate my_game.yaml --fix
      draftengine validate my_game.yaml --watch
      draftengine validate cardsets/*.yaml --format sarif > findings.sarif
      cat my_game.yaml | draftengine validate - --json
    """
    wanted = FindingsFormat.JSON if as_json else form
    played = play if play is not None else watch or (wanted is FindingsFormat.TEXT and sys.stdout.isatty())
    for path in paths if fix or watch else ():
        if path == "-" or not Path(path).is_file():
            option = "--watch" if watch else "--fix"
            raise UsageError(phrase("command.validate.needs_file", option=option, path=path))
    if watch and wanted is not FindingsFormat.TEXT:
        raise UsageError(phrase("command.validate.watch"))
    for path in paths if fix else ():
        mend(path)

    def check() -> Checked:
        checked = []
        for path in paths:
            try:
                label, data = read_bytes(path)
                sound = is_sound(path, data, play=played)
                checked.append((path, () if sound else findings_in(path, label, data, play=played)))
            except NoSuchCardSetError as error:
                raise UsageError(error.reason) from None
        if wanted is FindingsFormat.JSON:
            from draftengine.model.diagnostics.render import json_text

            sys.stdout.write(json_text(checked))
        elif wanted is FindingsFormat.SARIF:
            from draftengine.model.diagnostics.render import sarif_text

            sys.stdout.write(sarif_text(checked, root=str(Path.cwd())))
        else:
            if all_findings := [finding for _, findings in checked for finding in findings]:
                show_findings(all_findings)
            for path, findings in checked:
                severities = [finding.severity for finding in findings]
                counts = {kind: severities.count(kind) for kind in ("error", "warning", "note")}
                parts = [phrase(f"findings.{kind}", count=count) for kind, count in counts.items() if count]
                summary = ", ".join(parts) or phrase("findings.none")
                sys.stdout.write(f"{'<stdin>' if path == '-' else escaped(path)}: {summary}\n")
        return checked

    checked = check()
    if watch:
        keep_watching(paths, check)
    return FAILED if any(finding.severity == "error" for _, findings in checked for finding in findings) else FINE


_ROUNDS = 20
"""The largest number of times that fixes are applied to a file, as one mistake can hide another."""

_MARK = "\ufeff"


def mend(name: str) -> None:
    """Apply all fixes that are certain to be right to a file, and list them on standard error.

    Raises `OSError` if the file cannot be written.
    """
    from draftengine.api.scenario.suite import check_bytes
    from draftengine.apps.cli.opening import in_words
    from draftengine.support.files import write_whole

    with in_words():
        label, data = read_bytes(name)
        done: list[str] = []
        for _ in range(_ROUNDS):
            edits = certain_edits(check_bytes(name, label, data), label)
            if not edits:
                break
            for edit in edits:
                place = edit.place
                line, column = place.position
                old = place.source.text[place.start : place.end].strip()
                new = " ".join(edit.new_text.split())
                key = f"command.mended.{'added' if not old else 'changed' if new else 'removed'}"
                done.append(f"{escaped(label)}:{line}:{column}: {escaped(phrase(key, old=old, new=new))}\n")
            mark = _MARK if data.startswith(_MARK.encode()) else ""
            data = (mark + edited(edits[0].place.source.text, edits)).encode()
    if done:
        write_whole(Path(name), data.decode())
        sys.stderr.write("".join(done))


PAUSE = 0.2
"""Seconds between two checks for changed files. Polling is cheap and works on every file system."""

GAMES = 200
BOT = "greedy"
SEED = 1


def keep_watching(paths: Iterable[str], check: Callable[[], object]) -> None:
    """Call `check` after each change of a YAML file in the folders of these files, until interrupted.

    When a card set without errors is changed, the differences from its previous version without errors are printed.
    Games of both versions are played with equal seeds, and their differences are printed, too.
    """
    names = list(paths)
    rules = {name: _rules(name) for name in names}
    seen = _stamps(names)
    sys.stdout.write(f"{phrase('command.validate.watching')}\n")
    sys.stdout.flush()
    while True:
        time.sleep(PAUSE)
        now = _stamps(names)
        if now == seen:
            continue
        seen = now
        sys.stdout.write(f"\n{time.strftime('%H:%M:%S')}\n")
        check()
        sys.stdout.flush()
        for name in names:
            fresh = _rules(name)
            old = rules[name]
            if fresh is not None and old is not None and fresh.fingerprint != old.fingerprint:
                for line in _effects(old, fresh):
                    sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            rules[name] = fresh or old


def _stamps(names: Iterable[str]) -> dict[Path, tuple[int, int]]:
    """Return the modification times and sizes of the YAML files in the folders of these files."""
    stamps = {}
    for folder in {Path(name).resolve().parent for name in names}:
        for path in folder.glob("*.y*ml"):
            try:
                stat = path.stat()
            except OSError:  # it was removed meanwhile
                continue
            stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def _rules(name: str) -> Ruleset | None:
    """Return the rules of a file; ``None`` if it has errors at the moment."""
    from draftengine.api.errors import SelectionError
    from draftengine.api.ruleset import rules_named
    from draftengine.model.library import CardSetError

    try:
        return rules_named(name)
    except (CardSetError, NoSuchCardSetError, SelectionError):
        return None


def _effects(old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Yield sentences about the changes of the rules, then about their effect in games with equal seeds.

    If there is no effect with the usual number of players, the fewest and the most are tried, because the change may
    concern only them.
    """
    from draftengine.api.errors import SelectionError
    from draftengine.apps.cli.show import told
    from draftengine.model.library import CardSetError
    from draftengine.studies.compare import PairTask, compare
    from draftengine.studies.compare.report import sentences
    from draftengine.studies.runner.playing import Task
    from draftengine.studies.simulation.words import caveat

    yield from told(old, new)
    for players in dict.fromkeys((new.usual_players, *new.players)):
        try:
            games = [rules.game(players) for rules in (old, new)]
        except (CardSetError, SelectionError):  # one of the versions excludes this number of players
            continue
        tasks = [Task(game, (BOT,) * players, SEED, 0, GAMES, "reference", logged=True, rows=True) for game in games]
        compared = compare(PairTask(*tasks), precision=0.001)
        if compared.interrupted:
            raise KeyboardInterrupt
        if any(effect.difference for effect in compared.effects) or players == new.players[1]:
            played = said("command.validate.played", games=compared.games, players=players, bot=BOT)
            effects = sentences(compared, *(phrase(f"command.validate.{which}") for which in ("old", "new")))
            yield from conclusions([played, *effects, caveat([BOT])])
            return


class Entry(TypedDict):
    """The cached findings about one text."""

    asked: Asked
    findings: str
    """Findings as JSON, without the texts of their files; empty if there are none."""


MOST = 200
"""The number of texts in the cache. The oldest ones are removed first."""
_PLAYED = " played"


def is_sound(name: str, data: bytes, *, play: bool = False) -> bool:
    """True if the cache knows that a card set with this text has no findings.

    The files that the card set extends or includes must be unchanged. With `play`, test games must not have found
    anything either.
    """
    known = _known(name, data, play=play)
    return known is not None and not known[0]


def findings_in(name: str, label: str, data: bytes, *, play: bool = False) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set, cached if possible. With `play`, test games add findings."""
    from msgspec import MsgspecError
    from msgspec.json import decode, encode

    from draftengine.model.yaml.load import read_source

    known = _known(name, data, play=play)
    if known is not None:
        texts = {label: data, **known[1]}
        sources = {file: read_source(text, file)[0] for file, text in texts.items()}
        with suppress(KeyError, MsgspecError):  # it is about another name of the file, or damaged
            findings = decode(known[0] or "[]", type=tuple[Diagnostic, ...])
            return tuple(with_sources(finding, sources.__getitem__) for finding in findings)

    from draftengine.api.scenario.suite import check_opened
    from draftengine.model.library import noted, open_text

    asked: dict[str, tuple[str, bytes] | None] = {}
    opened = open_text(label, data, noted(fetcher(name), asked))
    findings = check_opened(opened)
    if play and opened.document is not None:
        from draftengine.studies.playtest import playtest

        findings = ordered((*findings, *playtest(opened.document, findings)))
    small = encode([with_sources(finding, lambda file: Source(file, "")) for finding in findings]).decode()
    digests = {wanted: _digest_of(file) for wanted, file in asked.items()}
    from draftengine.support.files import write_whole

    program = caches.program_key(__version__)
    kept = {**_kept(program), _key(data, play=play): Entry(asked=digests, findings=small if findings else "")}
    sets = dict(list(kept.items())[-MOST:])
    with suppress(OSError):  # then the card set is checked again next time
        write_whole(_file(), json.dumps({"program": program, "check": _check_of(sets), "sets": sets}))
    return findings


def _known(name: str, data: bytes, *, play: bool) -> tuple[str, dict[str, bytes]] | None:
    """Return the cached findings about a text as JSON, and the texts of the files that it needs.

    The result is ``None`` if nothing is known or one of the files has changed.
    """
    entry = _kept(caches.program_key(__version__)).get(_key(data, play=play))
    if entry is None:
        return None
    fetch, texts = fetcher(name), {}
    for wanted, digest in entry["asked"].items():
        try:
            file = fetch(wanted)
        except NoSuchCardSetError:
            return None
        if _digest_of(file) != digest:
            return None
        if file is not None:
            texts[file[0]] = file[1]
    return entry["findings"], texts


def _digest_of(file: tuple[str, bytes] | None) -> str:
    return "" if file is None else _digest(file[1])


def _key(data: bytes, *, play: bool) -> str:
    return _digest(data) + _PLAYED * play


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file() -> Path:
    return caches.folder() / "checked-1.json"


def _kept(program: str) -> dict[str, Entry]:
    """Return the cached findings by key; empty if the file is missing, damaged or of another version."""
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        data = json.loads(_file().read_bytes())
        if data["program"] == program and data["check"] == _check_of(data["sets"]):
            sets: dict[str, Entry] = data["sets"]
            return sets
    return {}


def _check_of(sets: object) -> str:
    return _digest(json.dumps(sets).encode())
