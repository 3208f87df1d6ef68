"""Playtest of a card set: findings that no static check can make, such as rules that never score.

Findings are cached on the disk, by the texts of the card set and the version of the program.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from statistics import mean, pvariance
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from draftengine import __version__
from draftengine.api.game import Ruleset
from draftengine.engine.compilable import why_not_compiled
from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks import said_of
from draftengine.model.diagnostics import (
    Diagnostic,
    Related,
    diagnose,
    has_errors,
    ordered,
    with_sources,
    without_allowed,
)
from draftengine.model.selection.inherited_errors import place_key, relocate_to_author
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep
from draftengine.model.verbs.turns import ScoreStep
from draftengine.studies.playtest.counters import key_of_way
from draftengine.studies.playtest.games import always, play_all
from draftengine.studies.playtest.goals import Search, games_in, unreached
from draftengine.support import caches
from draftengine.support.files import write_whole
from draftengine.support.locale.phrases import said
from draftengine.support.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from draftengine.engine.program import Play, Program
    from draftengine.model.cardset.records import CardSet, Modifier
    from draftengine.model.selection import Document
    from draftengine.model.verbs.verb import Step
    from draftengine.studies.playtest.games import Played
    from draftengine.support.locale.phrases import Text
    from draftengine.support.source import Span


__all__ = ["playtest"]

AnyStep = TypeVar("AnyStep", bound="Step")

ENOUGH = 10
"""The smallest number of cases for a finding that says “always” or “on average”."""
MOST_RELATED = 5
"""The largest number of places that are named because too few games were played to judge them."""


def playtest(document: Document, known: Sequence[Diagnostic] = ()) -> tuple[Diagnostic, ...]:
    """Play a card set a few hundred times and return the findings that are not `known` already.

    A card set with errors is not played. The findings of an unchanged text are read from the disk.
    """
    if has_errors(known):
        return ()
    findings = cached(document)
    if findings is None:
        findings = tuple(shown_by_games(document))
        cache(document, findings)
    new = [finding for finding in findings if not any(says_already(other, finding) for other in known)]
    return ordered(without_allowed(ordered(new), document.files[0].source, by_playing=True))


def shown_by_games(document: Document) -> Iterator[Diagnostic]:
    """Play all games and yield their findings, each at a place in the author's own files."""
    selections = play_all(document)
    played = counted(selections)
    reasons: dict[Text, list[str]] = {}
    for table in selections[0].tables if selections else ():
        for reason in why_not_compiled(table.program):
            reasons.setdefault(reason, []).append(str(table.program.players))
    entry = document.root.entry("id")
    assert entry is not None, "a card set has an id"
    for reason, counts in reasons.items():
        yield diagnose("not-compiled", entry.key.span, "/id", players=tuple(counts), reason=reason)
    search = Search(selections)
    findings = [*_of_selections(played), *unreached(document, played, search)]
    if search.missed or any(len(each.steady) < len(each.tables) for each in selections):
        games = games_in(played)
        places: dict[str, Span] = {}
        for goal in search.missed:
            places.setdefault(goal.path, goal.span)
        related = tuple(Related(said("finding.not-judged"), place) for place in [*places.values()][:MOST_RELATED])
        say = "few-games" if games else "no-games"
        yield diagnose("not-all-checked", entry.key.span, "/id", say=say, severity="note", related=related, games=games)

    def of_base(document: Document) -> frozenset[object]:
        base = Ruleset(document).base
        return frozenset(map(place_key, _of_selections(counted(play_all(base.document))))) if base else frozenset()

    for finding in relocate_to_author(document, findings, of_base):
        if finding.span.source not in document.inherited_errors:
            yield replace(finding, related=())


def counted(selections: Sequence[Played]) -> list[Played]:
    """Return the selections with at least one game that was played to its end."""
    return [each for each in selections if each.counters.games]


def _of_selections(played: Sequence[Played]) -> Iterator[Diagnostic]:
    """Yield the findings of each selection, the base game first, each finding once."""
    reported = set()
    for each in played:
        for finding in findings_of(each):
            if place_key(finding) not in reported:
                reported.add(place_key(finding))
                yield said_of(each.model, played[0].model, finding)


def says_already(known: Diagnostic, finding: Diagnostic) -> bool:
    """True if a known diagnostic says it already: it overlaps the finding, or is within the same rule.

    Notes do not count.
    """
    other = finding.span
    alike = (related.span for related in known.related if related.text == said("finding.and-this-rule"))
    overlap = any(
        one.source is other.source and one.start < other.end and other.start < one.end for one in (known.span, *alike)
    )
    return known.severity != "note" and (overlap or known.path.startswith(f"{finding.path}/"))


def cached(document: Document) -> tuple[Diagnostic, ...] | None:
    """Return the cached findings for the texts of a card set; ``None`` if this version has cached none."""
    path = _path(document)
    sources = {file.source.name: file.source for file in (*document.files, *document.parts)}
    with suppress(OSError, msgspec.MsgspecError, KeyError):
        findings = msgspec.json.decode(path.read_bytes(), type=tuple[Diagnostic, ...])
        caches.used(path)
        return tuple(with_sources(finding, sources.__getitem__) for finding in findings)
    return None


def cache(document: Document, findings: Sequence[Diagnostic]) -> None:
    """Cache findings. If the file cannot be written, the games are played again next time."""
    small = [with_sources(finding, lambda name: Source(name, "")) for finding in findings]
    with suppress(OSError):
        write_whole(_path(document), msgspec.json.encode(small).decode())


def _path(document: Document) -> Path:
    digest = hashlib.sha256(caches.program_key(__version__).encode())
    for file in (*document.files, *document.parts):
        named = f"\n{len(file.source.text)} {file.source.name}\n{file.source.text}"
        digest.update(named.encode("utf-8", "surrogatepass"))
    return caches.folder() / f"played-{digest.hexdigest()[:32]}.json"


# ── What games show of a selection ────────────────────────────────────────────────────────────────────────────────────


def findings_of(played: Played) -> Iterator[Diagnostic]:
    """Yield findings about what is odd in the games of one selection."""
    model, seen = played.model, played.counters
    if seen.games < ENOUGH:
        return
    yield from _scores(played)
    idle = [number for number, times in sorted(seen.idle.items()) if times == seen.rounds[number]]
    choices = _steps(model, ChooseStep)
    if idle and choices:  # rounds in which nobody ever chooses
        deals = [(path, step) for path, step in _steps(model, DealStep) if path.startswith("/setup")]
        path, step = (deals or choices)[0]
        numbers = (
            said("rounds.several", numbers=tuple(map(str, idle))) if idle[1:] else said("rounds.one", number=idle[0])
        )
        say = "once" if deals and 1 not in idle else "it"
        yield diagnose("idle-round", step.span, path, say=say, rounds=numbers, games=seen.games)
    counting = {zone.id for zone in model.zones if zone.counts}
    for path, step in choices:
        late = seen.acted[path] and seen.began[path] >= ENOUGH and not seen.began_with[path]
        if late and step.from_ not in counting:  # at first, nothing lies before anybody
            games, zone = seen.began[path], step.from_
            yield diagnose("idle-step", step.span, path, say="first", verb=step.verb, zone=zone, games=games)
    lasting = len({rule.at for rule in model.scoring}) > 1 and not any(card.keep for card in model.cards)
    if seen.stayed >= ENOUGH and not seen.left and not lasting:  # cards must last if both rounds and the end are scored
        path, score = _steps(model, ScoreStep)[0]
        yield diagnose("cards-stay", score.span, path, games=seen.games)
    plays = [(table.program, play) for table in played.tables for play in table.program.plays]
    for modifier in model.modifiers:
        times = seen.happened["modified"][modifier.id]
        if times and not any(changes(program, play, modifier) for program, play in plays):
            path = f"/modifiers/{modifier.id}"
            yield diagnose("modifier-no-effect", modifier.span, path, modifier=modifier.id, times=times)
    for rule in model.scoring:
        # Rules that reward the wrong seats.
        ranks = {place: values for place, values in seen.ranks[rule.id].items() if len(values) >= ENOUGH}
        gave = {place: mean(values) for place, values in ranks.items()}
        lists: dict[str, tuple[Span, str]] = {}
        first, second, fewest = gave.get("first", 0), gave.get("second", 0), gave.get("fewest", 0)
        for key in ("most", "fewest"):
            for place in getattr(rule.spec, key, ())[:1]:
                lists[key] = place.span, f"{rule.path}/{key}/0"
        if "most" in lists and first >= 0 and clearly_more(ranks.get("second", [0]), ranks.get("first", [0])):
            yield diagnose(
                "second-beats-first", *lists["most"], rule=rule.id, first=f"{first:.1f}", second=f"{second:.1f}"
            )
        lost = any(value < 0 for values in seen.ranks[rule.id].values() for value in values)
        paid = fewest >= 0.5 * gave.get("most", 0) > 0
        paid = paid and clearly_more(ranks.get("fewest", [0]), ranks.get("between", [0]))
        if "fewest" in lists and paid and not lost:
            yield diagnose("fewest-rewarded", *lists["fewest"], rule=rule.id, fewest=f"{fewest:.1f}")


def _scores(played: Played) -> Iterator[Diagnostic]:
    """Yield findings if all games end without points or in a tie, or if choices do not matter."""
    model, seen = played.model, played.counters
    ways = {key_of_way(step, way.id) for _, step in _steps(model, ChooseStep) for way in step.as_}
    laid = seen.happened["laid"].total()
    if model.wins is not None or not model.scoring or (not laid and not ways <= seen.ways.keys()):
        return  # a way that nobody could take is a finding of its own, and explains empty tables
    labels = {rule.at for rule in model.scoring} - {rule.at for rule in model.scoring if seen.told_apart[rule.id]}
    keeps = any(card.keep for card in model.cards)  # then some may lie in other games
    in_vain = [
        (path, step)
        for path, step in _steps(model, ScoreStep)
        if step.label in labels and seen.empty[step.label] and not (seen.cleared[step.label] and keeps)
        if always(played, lambda seen, label=step.label: not seen.lying[label])  # type: ignore[misc]
    ]
    blank = always(played, lambda seen: seen.blank == seen.games)
    for path, step in in_vain:
        code = "every-game-blank" if blank else "scores-nothing"
        say = "cleared" if seen.cleared[step.label] else "early" if laid else "bare"
        yield diagnose(code, step.span, path, say=say, label=step.label, games=seen.games)
    first, choices = model.scoring[0], _steps(model, ChooseStep)
    if in_vain:
        return
    if blank:
        yield diagnose("every-game-blank", first.span, first.path, games=seen.games)
    elif model.winner.order == "most" and always(played, lambda seen: seen.lost == seen.games):
        yield diagnose("every-game-lost", first.span, first.path, games=seen.games)
    elif always(played, lambda seen: seen.level == seen.games):
        yield diagnose("every-game-level", first.span, first.path, games=seen.games)
    elif seen.replayed >= ENOUGH and choices and always(played, lambda seen: seen.same == seen.replayed):
        yield diagnose("choices-do-not-matter", choices[0][1].span, choices[0][0], games=seen.replayed)


def changes(program: Program, play: Play, modifier: Modifier) -> bool:
    """True if a card adds something different with a modifier than without."""
    for index, bits in enumerate(play.modifiers):
        if program.modifier_of[bits] is modifier:
            one = next(field.one for field in program.fields if field.field_mask == bits)
            return play.increments[1 << index] + one != play.increment
    return False


def clearly_more(some: Sequence[int], others: Sequence[int]) -> bool:
    """True if the mean of `some` is larger than the mean of `others` by at least two standard errors."""
    error = (pvariance(some) / len(some) + pvariance(others) / len(others)) ** 0.5
    return bool(mean(some) - mean(others) > 2 * error)


def _steps(model: CardSet, kind: type[AnyStep]) -> list[tuple[str, AnyStep]]:
    return [(path, step) for path, step in steps_of(model) if isinstance(step, kind)]
