"""Tasks of the workshop for the processes of the pool: findings, answers, panes, and games.

A *draft* is a text that somebody is writing, with all files that it may extend. Nothing else is read except shipped
card sets. Each task is a function of a draft, and processes cache their results about the latest drafts.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache, partial
from hashlib import sha256
from textwrap import wrap
from time import process_time
from typing import TYPE_CHECKING, Any

from cattrs import BaseValidationError
from lsprotocol import types
from lsprotocol.converters import get_converter
from msgspec import Struct, structs
from pygls.exceptions import JsonRpcException

from draftengine.api.facts.differences import changes_between, in_parts
from draftengine.api.game import reopened
from draftengine.api.ruleset import rules_in
from draftengine.api.scenario.suite import check_first, check_opened, check_rules
from draftengine.apps.lsp.answers import ANSWERS, Answers
from draftengine.apps.lsp.texts import OpenDocuments
from draftengine.apps.web.catalogue import Source, reader_of
from draftengine.apps.web.messages import language_for, rules_shown, samples
from draftengine.bots.public import hints
from draftengine.model import limits
from draftengine.model.diagnostics import catalogue, diagnose, ordered
from draftengine.model.selection import NOTHING_SELECTED, numbers_of
from draftengine.model.selection.selection import places_of
from draftengine.model.shelf import NoSuchCardSetError
from draftengine.render.faces.elements import families
from draftengine.render.faces.small import Deck
from draftengine.render.rulebook import aid_of, book_of
from draftengine.render.rulebook.formats import as_html
from draftengine.render.sheets import sheets_of
from draftengine.render.sheets.layout import PAPERS, as_pictures
from draftengine.render.sheets.layout import as_html as sheets_as_html
from draftengine.studies.compare import SHARES_OF_ALL, PairTask, compare, relabelled
from draftengine.studies.compare.report import conclusions
from draftengine.studies.draft import DraftLayout
from draftengine.studies.draft import report as drafting
from draftengine.studies.draft.summary import DraftTask, play_drafts, summarise_draft
from draftengine.studies.report.statistics import rule_labels, summarise
from draftengine.studies.runner.playing import Task
from draftengine.studies.simulation.words import course_of
from draftengine.studies.tune.targets import CandidateError, games_with, number_named
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase, Text, decimal, in_language, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.api.game import Game, Ruleset
    from draftengine.apps.lsp.texts import Check, DocumentInfo
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.library import LibraryEntry
    from draftengine.render.rulebook import Book
    from draftengine.studies.report import Conclusion

_CACHED = 12
"""The number of drafts for which a process caches results."""
MOST_FILES = 64
"""The largest number of files in a text's folder that the text may extend or include."""
NO_FILES = (("", "shop.refused.files"),)
"""The reason to show why a text in a browser cannot extend files, only games of the server."""
_MOST_FACES = 80
_MOST_SAMPLES, _MOST_DIFFERENCES = 3, 40
"""The largest numbers of cards and of differences in the lobby's description of a house rule."""
_HUES = 8
"""The number of colours that a page has for families of cards."""
_LONGEST_ID, _WIDE = 40, 76
_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_HUNDREDTHS = re.compile(r"(?<![\d,])\d+\.\d\d(?!\d)")
_TENTH = 0.1
_SELDOM = 0.01
"""A rule is reported as hardly ever scoring if a smaller share of players get points from it."""
BOT = "greedy"
"""The bot in all seats of games that compare rules. It does not need to learn them."""
LEARNT = "table"
"""The bot whose choices show which cards are wanted. Bots without learning ignore what pays later."""
_DRAFTED = 60
"""The number of games that the bot `LEARNT` plays."""
_LONGEST_WATCHED = 4.0
"""The processor time in seconds after which the game that a page shows is not played further."""
_SEED = 1
_FULL_PRECISION = 0.001
"""A precision that is never reached, so that no comparison stops before all games are played."""
_PATHS = {("extends-name", "hint.same-folder"): "extends-unknown", ("include-unknown", ""): "include-unknown"}
"""For findings about paths, by code and id of the hint: the code that a name would have instead."""
REQUESTS = {
    types.TEXT_DOCUMENT_HOVER: types.HoverParams,
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionParams,
    types.TEXT_DOCUMENT_RENAME: types.RenameParams,
    types.TEXT_DOCUMENT_PREPARE_RENAME: types.PrepareRenameParams,
}
"""The requests of an editor that are answered, each with the class of its parameters."""


class Draft(Struct, frozen=True):
    """A text that somebody is writing."""

    name: str
    """The name of the file, without folders."""
    text: str
    sound: str = ""
    """The latest text without errors; empty if there was none."""
    files: Source = ()
    """The other card sets that the text may extend, besides shipped ones."""
    refused: tuple[tuple[str, str], ...] = ()
    """The names of files that the text may not extend, each with the id of the message with the reason.

    An empty name stands for all other files.
    """


def hash_of(text: str) -> str:
    """Return a hash that identifies a version of a text."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def measured(task: Callable[..., Any], *given: Any) -> tuple[float, Any]:
    """Run a task. Return the processor time in seconds that it took, and its result."""
    began = process_time()
    result = task(*given)
    return process_time() - began, result


def ready() -> None:
    """Make a process import everything for its later tasks."""


# ── The editor ────────────────────────────────────────────────────────────────────────────────────────────────────────


def first_errors(draft: Draft, language: str) -> dict[str, Any]:
    """Return the errors in the text and base game of a draft, which are found before all others."""
    return _shown(_checked(draft, check_first), language)


def findings(draft: Draft, language: str) -> dict[str, Any]:
    """Return the findings about the rules of a draft, with the line and message of the first error."""
    return _shown(_checked(draft, check_rules), language)


def all_findings(draft: Draft, language: str) -> dict[str, Any]:
    """Return all findings about a draft, including those from worked examples and test games."""
    known = _checked(draft, check_opened)
    return _shown(structs.replace(known, findings=ordered((*known.findings, *known.play()))), language)


def answer(draft: Draft, language: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request of the editor: a dictionary with ``result`` or ``error``."""
    converter = get_converter()
    try:
        given: Any = converter.structure(params, REQUESTS[method])
    except (BaseValidationError, KeyError, TypeError, ValueError):
        return {"error": {"code": -32602, "message": method}}
    try:
        result = ANSWERS[method](_answers(_glanced(draft), language), given)
    except JsonRpcException as error:
        return {"error": {"code": error.code, "message": error.message}}
    return {"result": converter.unstructure(result)}


def _shown(known: DocumentInfo, language: str) -> dict[str, Any]:
    """Return findings as data for an editor, each with its fixes and the explanation of its code."""
    converter, answers = get_converter(), _answers(known, language)
    whole = types.Range(types.Position(0, 0), types.Position(1 << 20, 0))
    asked = types.CodeActionParams(types.TextDocumentIdentifier(known.path), whole, types.CodeActionContext([]))
    actions = answers.actions(asked)
    diagnostics = []
    for diagnostic in answers.diagnostics():
        fixes = [action for action in actions if action.diagnostics and action.diagnostics[0] == diagnostic]
        plain = converter.unstructure(diagnostic)
        plain.pop("relatedInformation", None)
        entry = catalogue().get(str(diagnostic.code))
        plain["data"] = {
            "fixes": [{"title": fix.title, "edit": converter.unstructure(fix.edit)} for fix in fixes],
            "explanation": in_language(entry.explanation, spoken(language)) if entry else "",
        }
        diagnostics.append(plain)
    errors = (each for each in diagnostics if each["severity"] == types.DiagnosticSeverity.Error)
    line, message = next(((each["range"]["start"]["line"] + 1, each["message"]) for each in errors), (0, ""))
    return {"line": line, "message": message, "diagnostics": diagnostics}


def _answers(known: DocumentInfo, language: str) -> Answers:
    return Answers(known, "utf-16", lambda name: "workshop:/" + name.replace("\\", "/").rpartition("/")[2], language)


def _checked(draft: Draft, check: Check) -> DocumentInfo:
    """Return what is known about a draft, with the findings of the function `check`."""
    known = _opened(draft)
    findings = check(known.opened) if known.opened else ()
    seen = []
    for finding in findings:
        # Where no file is read, a path is refused for that reason, like a name.
        code = _PATHS.get((finding.code, getattr(finding.advice, "id", "")))
        if code is not None and draft.refused == NO_FILES:
            name = finding.span.source.text[finding.span.start : finding.span.end].strip("'\"")
            reason = _reason(draft, "")
            seen.append(diagnose(code, finding.span, finding.path, say="refused", name=name, reason=reason))
        else:
            seen.append(finding)
    return structs.replace(known, findings=tuple(seen))


def _reason(draft: Draft, name: str) -> Text:
    """Return the reason why the draft may not extend a file; empty if it may."""
    reasons = dict(draft.refused)
    reason = reasons.get(name) or reasons.get("")
    return said(reason, most=limits.UPLOAD >> 10, files=MOST_FILES) if reason else ""


def _opened(draft: Draft) -> DocumentInfo:
    """Return what is known about a draft's text by itself. All tasks for one text share the result."""
    return _glanced(structs.replace(draft, sound=""))


@lru_cache(_CACHED)
def _glanced(draft: Draft) -> DocumentInfo:
    """Return what is known about a draft without a check, partly from its latest text without errors."""
    fetch, refused = reader_of(draft.files), dict(draft.refused)

    def read(_: str, wanted: str) -> tuple[str, bytes] | None:
        """Return (name, content) of a file. Raises `NoSuchCardSetError` if the text may not extend it."""
        name = wanted.removesuffix(".yaml").removesuffix(".yml")
        file = None if name in refused else fetch(wanted)
        if file is None and (reason := _reason(draft, name)):
            raise NoSuchCardSetError(reason)
        return file

    texts = OpenDocuments(read)
    if draft.sound:
        texts.put(draft.name, draft.sound, _unchecked)
    return texts.put(draft.name, draft.text, _unchecked)


def _unchecked(_: LibraryEntry) -> tuple[Diagnostic, ...]:
    return ()


# ── The panes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def changes(draft: Draft, language: str) -> dict[str, Any]:
    """Return the title and players of a draft, and its differences from the game that it extends."""
    rules = _rules(draft)
    base, title = rules.base, rules.labels_in(language).title
    hues = {card: family % _HUES for card, family in families(rules.model).items()}
    numbers = {parameter.id: parameter.default for parameter in rules.model.parameters} | numbers_of(rules.tree)
    players = {"players": list(rules.possible_players), "usual": rules.usual_players}
    called = {path: _called(rules, path, language) for path in numbers}
    head = {"title": title, **players, "hues": hues, "numbers": numbers, "called": called}
    if base is None:
        return {**head, "base": "", "parts": []}
    parts = [
        {"title": part, "things": [{"about": thing.about, "lines": thing.lines} for thing in things]}
        for part, things in in_parts(changes_between(base, rules, language), language)
    ]
    return {**head, "base": base.labels_in(language).title, "parts": parts}


def house_rule(source: Source, language: str) -> dict[str, Any]:
    """Return the base of a house rule, the differences from it, and new cards, for the lobby."""
    rules = reopened(tuple((asked, file, text.encode()) for asked, file, text in source), NOTHING_SELECTED)
    base = rules.base
    if base is None:
        return {}
    game, known = rules.game(), {card.id for card in base.model.cards}
    drawn = rules_shown(game, language_for(game, language))["drawn"]
    new = [card.id for card in rules.model.cards if card.id not in known and card.count]
    cards = list(dict.fromkeys((*new, *samples(rules.model))))[:_MOST_SAMPLES]
    differs = [
        f"{sign} {text if text == thing.about else f'{thing.about}: {text}'}"
        for _, things in in_parts(changes_between(base, rules, language), language)
        for thing in things
        for sign, text in thing.lines
    ]
    text, before = (each.labels_in(language).text(each.model.about.text) for each in (rules, base))
    return {
        "base": base.labels_in(language).title,
        "text": "" if text == before else text,
        "differs": differs[:_MOST_DIFFERENCES],
        "drawn": {card: drawn[card] for card in cards},
    }


def _called(rules: Ruleset, path: str, language: str) -> str:
    """Return a name for a number in the rules: the label of its card or rule, and the keys below it."""
    labels, place = rules.labels_in(language), places_of(rules.tree).get(path)
    section, *words = path.split(".")
    # In a list of the text, the first item has the number 0, and for people 1.
    for back, key in enumerate(reversed(place.path if place else ()), 1):
        if isinstance(key, int) and back <= len(words) and words[-back] == str(key):
            words[-back] = str(key + 1)
    label_of = {"cards": labels.card, "scoring": labels.rule}.get(section)
    if label_of is None or not words:
        return " ".join((section, *words)).replace("_", " ")
    return f"{label_of(words[0])}: {' '.join(words[1:]).replace('_', ' ')}"


def faces(draft: Draft, language: str) -> dict[str, Any]:
    """Return pictures of the new and changed cards, or of all cards if the draft extends nothing."""
    rules = _rules(draft)
    base = rules.base
    known = {card.id for card in base.model.cards} if base else set()
    sheets = sheets_of(rules, PAPERS["a4"], language, over=base, one_each=True)
    counts = {card.id: card.count for card in rules.model.cards}
    pictures = [(name, picture) for name, picture in as_pictures(sheets) if name in counts]
    return {
        "cards": [
            {
                "name": sheets.called[name],
                "count": counts[name],
                "new": base is not None and name not in known,
                "svg": svg,
            }
            for name, svg in pictures[:_MOST_FACES]
        ]
    }


def book(draft: Draft, language: str, players: int) -> str:
    """Return the rulebook as HTML, for a number of players."""
    return _page(_rules(draft), book_of, language, players)


def aid(draft: Draft, language: str, players: int) -> str:
    """Return the player aid as HTML, for a number of players."""
    return _page(_rules(draft), aid_of, language, players)


def cards_to_print(draft: Draft, language: str, players: int, paper: str = "a4") -> str:
    """Return sheets of the new and changed cards as HTML, or of all cards if the draft extends nothing."""
    rules = _rules(draft)
    sheets = sheets_of(rules, PAPERS[paper], language, _number(rules, players), over=rules.base)
    return sheets_as_html(sheets) if sheets.sheets else ""


def _page(rules: Ruleset, make: Callable[..., Book], language: str, players: int) -> str:
    made = make(rules, language, _number(rules, players))
    return as_html(made, Deck(rules.model, dict(made.names)))


def _number(rules: Ruleset, players: int) -> int:
    """Return `players` if the rules allow it, otherwise their usual number. A page begins with 0."""
    return players if players in rules.possible_players else rules.usual_players


@lru_cache(_CACHED)
def _rules(draft: Draft) -> Ruleset:
    document = _opened(draft).document
    assert document is not None, "panes are made of drafts without errors"
    return rules_in(document)


# ── Games ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def balance(draft: Draft, language: str, players: int, games: int) -> dict[str, Any]:
    """Return the results of games with a draft, compared with games of its base with the same seeds."""
    rules = _rules(draft)
    base = rules.base or rules
    players = _number(rules, players)
    both = (base.game(min(max(players, base.players[0]), base.players[1])), rules.game(players))
    names = tuple(each.labels_in(language).title for each in (base, rules))
    return _compared(both, names, language, games)


def other_number(draft: Draft, language: str, players: int, games: int, name: str, value: int) -> dict[str, Any]:
    """Return the results of games with one number of a draft changed, compared with the draft itself.

    ``text`` in the result is the draft with the changed number; empty if the number cannot be written into it.
    """
    rules, asked = _rules(draft), {"name": name, "value": value}
    game = rules.game(_number(rules, players))
    try:
        number = number_named(rules, name)
        other = games_with(game, number, (value,))[0][value]
    except CandidateError as error:
        return {**asked, "refused": in_language(error.reason, spoken(language))}
    names = tuple(f"{_called(rules, name, language)} = {each}" for each in (number.now, value))
    compared = _compared((game, other), names, language, games)
    # The text with the number changed, in place or in a new entry; empty if neither is possible.
    root, text = _rules(draft).tree, draft.text
    place = places_of(root).get(number.name)
    if place is None:
        return {**asked, **compared, "text": ""}
    span, (section, *keys) = place.node.span, map(str, place.path)
    entry = f"{': {'.join(keys)}: {value}{'}' * (len(keys) - 1)}"
    head = re.search(rf"^{section}:[ ]*(?:#.*)?\n(?P<indent> *)", text, re.MULTILINE)
    if span.source.text == text:
        written = f"{text[: span.start]}{value}{text[span.end :]}"
    elif not keys:
        written = f"{text.rstrip()}\n{section}: {value}\n"
    elif head:
        written = f"{text[: head.end()]}{entry}\n{head['indent']}{text[head.end() :]}"
    else:
        written = f"{text.rstrip()}\n{section}:\n  {entry}\n"
    document = _opened(structs.replace(draft, text=written)).document
    wanted = numbers_of(root) | {number.name: value}
    works = document is not None and numbers_of(rules_in(document).tree) == wanted
    return {**asked, **compared, "text": written if works else ""}


def _compared(both: tuple[Game, Game], names: tuple[str, ...], language: str, games: int) -> dict[str, Any]:
    """Return the differences between two games, which sentences call by `names`."""
    tasks = [Task(game, (BOT,) * game.players, _SEED, 0, games, "compiled", logged=True, rows=True) for game in both]
    compared = compare(PairTask(*tasks), precision=_FULL_PRECISION)
    compared = relabelled(compared, (game.program for game in both), language)
    rules = summarise(both[1].program, tasks[1].bots, compared.tally_b, logged=True).rules
    labels = rule_labels(both[1].program, language)
    effects = []
    for effect in compared.effects:
        figures = {name: getattr(effect, name) for name in ("a", "b", "difference")}
        if effect.kind not in SHARES_OF_ALL:  # numbers of points, rounded like those of sentences
            rounded = {name: _in_tenths(decimal(f"{value:.2f}")) for name, value in figures.items()}
            figures = {name: float(value["number"]) for name, value in rounded.items()}
        low, high = effect.ci95
        described = {"kind": effect.kind, "label": effect.label, **figures}
        effects.append({**described, "low": low, "high": high, "certain": effect.certain})
    return {
        "games": compared.games,
        "seldom": [
            {"label": labels[name], "share": rule.scored} for name, rule in rules.items() if rule.scored < _SELDOM
        ],
        "sentences": _sentences(conclusions(compared, *names), language),
        "effects": effects,
    }


def _in_tenths(value: Any) -> Any:
    """Return a value for a sentence with its decimals rounded to tenths, unless they are below a tenth."""

    def tenths(number: re.Match[str]) -> str:
        return number[0] if 0 < float(number[0]) < _TENTH else f"{float(number[0]):.1f}"

    if isinstance(value, tuple):
        return tuple(map(_in_tenths, value))
    if not isinstance(value, Phrase):
        return value
    if value.id == "decimal":
        return decimal(_HUNDREDTHS.sub(tenths, str(value["number"])))
    return structs.replace(value, given=tuple((name, _in_tenths(item)) for name, item in value.given))


def wanted(draft: Draft, language: str, players: int) -> dict[str, Any]:
    """Return how often bots that have learnt the rules of a draft prefer each card to an average one."""
    rules = _rules(draft)
    game = rules.game(_number(rules, players))
    task = DraftTask(game, (LEARNT,) * game.players, _SEED, _DRAFTED, last=_DRAFTED)
    counted = summarise_draft(game.program, DraftLayout.of(game.program), play_drafts(task).tally)
    counted = drafting.relabelled(counted, game.program, language)
    return {
        "games": counted.games,
        "sentences": [phrase.within(spoken(language)) for phrase in drafting.judgements(counted)],
        "cards": [{"label": card.label, "before": card.preferred} for card in counted.cards.values()],
    }


def watch(draft: Draft, language: str, players: int) -> dict[str, Any]:
    """Return a game of bots that look ahead, turn by turn, with the reason of each choice.

    If choices take long, only the first turns are played.
    """
    rules = _rules(draft)
    game = rules.game(_number(rules, players))
    labels, named = game.labels_in(language), partial(spoken(language).phrase, "seat.player")
    state, until = game.start(str(_SEED)), process_time() + _LONGEST_WATCHED
    turns: dict[tuple[int, int], list[dict[str, str]]] = {}
    while not state.over and process_time() < until:
        best = {seat: hints(state.view(seat), (), labels)[0] for seat in state.waiting}
        said_now = [{"who": named(number=seat + 1), "text": hint.sentence} for seat, hint in best.items()]
        turns.setdefault((state.round, state.turn), []).extend(said_now)
        for seat, hint in best.items():
            state = state.commit(seat, hint.move)
    return {
        "turns": [{"round": number, "turn": turn, "choices": each} for (number, turn), each in turns.items()],
        "totals": [f"{named(number=seat + 1)} {state.totals[seat]}" for seat in range(game.players)],
        "over": state.over,
    }


def course(draft: Draft, language: str, players: int) -> dict[str, Any]:
    """Return sentences on how long games with a draft last, and on how much it helps to learn its rules."""
    rules = _rules(draft)
    return {"sentences": _sentences(course_of(rules.game(_number(rules, players)), LEARNT, _SEED), language)}


def _sentences(conclusions: Iterable[Conclusion], language: str) -> list[dict[str, str]]:
    """Return conclusions as sentences for the page, each with its certainty."""
    rounded = [structs.replace(each, head=_in_tenths(each.head), text=_in_tenths(each.text)) for each in conclusions]
    return [{"sure": each.sure, "text": each.sentence(spoken(language))} for each in rounded]


# ── Beginnings ────────────────────────────────────────────────────────────────────────────────────────────────────────


def beginning(name: str, source: Source, language: str, wanted: str = "") -> str:
    """Return a first text for a card set that changes the card set `name`. Its id is `wanted`, if valid."""
    rules = reopened(tuple((asked, file, text.encode()) for asked, file, text in source), NOTHING_SELECTED)
    title = rules.labels_in(language).title
    phrase = partial(spoken(language).phrase, title=title)
    lines = [
        f"# {phrase('shop.begin')}",
        "format: 2",
        f"id: {wanted if _ID.fullmatch(wanted) else f'my_{name}'[:_LONGEST_ID]}",
        f"extends: {name}",
        f"title: {json.dumps(phrase('shop.title'), ensure_ascii=False)}",
        "version: 0.1.0",
        "",
        *_listed(phrase("shop.cards"), (card.id for card in rules.model.cards)),
        *_listed(phrase("shop.rules"), (rule.id for rule in rules.model.scoring)),
    ]
    return "\n".join(lines) + "\n"


def _listed(lead: str, names: Iterable[str]) -> list[str]:
    """Return the lines of a comment that lists names after the text `lead`."""
    return wrap(
        f"{lead} {', '.join(names)}", _WIDE, initial_indent="# ", subsequent_indent="#   ", break_long_words=False
    )
