"""Rules and games: a card set with a selection, and the game for one number of players."""

from __future__ import annotations

from functools import cached_property, lru_cache, reduce
from pathlib import PurePath
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api import groups
from draftengine.api import turns as flow
from draftengine.api.errors import SelectionError, checked_count, checked_name, checked_position, checked_seed
from draftengine.api.labels import Labels
from draftengine.api.moves import pairs
from draftengine.api.state import State
from draftengine.engine.compile import compile_game
from draftengine.engine.game import start
from draftengine.engine.position import labels, lay_out, set_up
from draftengine.engine.program import RankedRule
from draftengine.model.cardset.facts import all_steps
from draftengine.model.checks import run as run_checks
from draftengine.model.checks.context import uses_of
from draftengine.model.diagnostics import has_errors
from draftengine.model.language.evaluate import references
from draftengine.model.language.macros import PLAYERS
from draftengine.model.library import CardSetError
from draftengine.model.records.reader import is_whole
from draftengine.model.selection import (
    NOTHING_SELECTED,
    Selection,
    allowances_in,
    allowed,
    fingerprint,
    menus_in,
    open_document,
    resolved,
    with_menus,
)
from draftengine.model.verbs.choose import ChooseStep
from draftengine.support.locale.catalogue import plain
from draftengine.support.locale.phrases import Phrase, said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.api.moves import Written
    from draftengine.engine.compile.formulas import Heard
    from draftengine.engine.position import Position
    from draftengine.engine.program import Program
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.selection import Document
    from draftengine.model.yaml.tree import Mapping as Tree


class Game:
    """A card set with a selection, for one number of players. Immutable; made by `draftengine.load`."""

    def __init__(self, ruleset: Ruleset, program: Program) -> None:
        self.ruleset = ruleset
        self.program = program
        """The compiled game, for use by the engine."""

    def __reduce__(self) -> tuple[Any, ...]:
        return self.ruleset.game, (self.players,)

    def __repr__(self) -> str:
        variants = f", variants={list(self.variants)}" if self.variants else ""
        return f"<Game {self.id}, players={self.players}{variants}>"

    @property
    def id(self) -> str:
        return self.model.id

    @property
    def title(self) -> str:
        """The title in English or, if it is missing, in another language of the card set."""
        return self.labels.title

    @cached_property
    def labels(self) -> Labels:
        """Labels in English. Texts without English come from another language of the card set."""
        return self.labels_in("en")

    def labels_in(self, language: str) -> Labels:
        """Return the labels in a language. Texts missing in it come from another language of the card set."""
        return Labels(self.model, language, [self.players])

    def rules_about(self, card: str, labels: Labels | None = None) -> tuple[tuple[str, str], ...]:
        """Return (label, text) for each ability and scoring rule that refers to a card.

        Raises `NotInGameError` for a card that the game does not have.
        """
        name = checked_name("card", card, {entry.id: entry for entry in self.model.cards})
        labels, index = labels or self.labels, self.program.card_index(name)
        abilities = ((one.id, labels.text(one.text)) for one in self.model.abilities if one.card == name)
        texts = [(labels.thing(ability), text) for ability, text in abilities if text]
        for rule, plays in zip(self.model.scoring, self.program.plays_read_by_rule, strict=True):
            if any(self.program.plays[play].card == index for play in plays):
                texts.append((labels.rule(rule.id), plain(labels.rule_said(rule))))
        return tuple(texts)

    @cached_property
    def chip_rules(self) -> frozenset[str]:
        """Ids of the scoring rules that award chips instead of points."""
        return frozenset(
            rule.model.id for rule in self.program.rules if isinstance(rule, RankedRule) and rule.chip >= 0
        )

    @cached_property
    def turn_markers(self) -> frozenset[str]:
        """Markers that only show which seat chooses alone. No formula or tie-breaker reads them."""
        asked = {name for use in uses_of(self.model) for kind, name in references(use.formula.expr) if kind == "holds"}
        return flow.choosers(self.program) - asked

    @cached_property
    def deciding(self) -> frozenset[tuple[str, str]]:
        """Everything that formulas for points, the winner or ties read, as pairs of a kind and a name.

        The pairs are those that `references` returns.
        """
        places = ["/winner/", "/wins", *(rule.path for rule in self.model.scoring)]
        places += (f"{trigger.path}/" for trigger in self.model.triggers if trigger.after in self.moments)
        uses = (use for use in uses_of(self.model) if use.path.startswith(tuple(places)))
        return frozenset().union(*(references(use.formula.expr) for use in uses))

    @property
    def deciding_zones(self) -> list[str]:
        """The zones other than tableaus whose cards affect points or the winner, in the card set's order."""
        read = {name for kind, name in self.deciding if kind in {"cards", "among"}}
        return [zone.id for zone in self.model.zones if zone.id in read and not zone.counts]

    @cached_property
    def helpers(self) -> frozenset[str]:
        """Counters that nobody sees, because the card set only uses them in its rules."""
        return frozenset(counter.id for counter in self.model.counters if counter.seen_by == "nobody")

    @cached_property
    def players_named(self) -> dict[str, int]:
        """The actions that name a player, each with the distance of that player to the left, in seats."""
        namings = (step for step in all_steps(self.model) if isinstance(step, ChooseStep) and step.named_of in PLAYERS)
        ways = {way.id for step in namings for way in step.as_}
        return {f"left_{distance}": distance for distance in range(self.players) if f"left_{distance}" in ways}

    @cached_property
    def notes(self) -> frozenset[str]:
        """Counters that only control play. Points, the winner, tie-breakers and prices do not depend on these."""
        paths = (use.path.split("/") for use in uses_of(self.model))
        deciding = {name for _, name in self.deciding} | {name for *_, part, name in paths if part == "pay"}
        return frozenset(counter.id for counter in self.model.counters) - deciding

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The number printed on each card. Screens sort cards by this number.

        Empty unless every card has exactly one number, all numbers have the same name, and no card has a face.
        """
        cards = [card for card in self.model.cards if card.count or card.side_of]
        kinds = {name for card in cards for name, _ in card.has}
        if len(kinds) != 1 or not all(card.has and card.face is None for card in cards):
            return {}
        return {card.id: number for card in cards for _, number in card.has}

    @cached_property
    def aims(self) -> dict[str, str]:
        """For each action without cards, by id, the open pile to which it leads, such as the prize of a bid."""
        return flow.target_piles(self.model, self.players)

    @cached_property
    def bids(self) -> frozenset[str]:
        """Counters that only record a bid. Their values mean nothing after the bid is settled."""
        return flow.bids(self.model, self.aims) & self.notes

    @cached_property
    def full_title(self) -> str:
        """The title of the game, followed by the titles of the variants in force."""
        return self.title_in("en")

    def title_in(self, language: str) -> str:
        """Return `full_title` in a language."""
        labels = self.labels_in(language)
        return ", ".join([labels.title, *map(labels.variant, self.variants)])

    @property
    def model(self) -> CardSet:
        """The content of the card set: cards, zones, steps, rules, texts."""
        return self.program.model

    @property
    def players(self) -> int:
        return self.program.players

    @property
    def seats(self) -> int:
        """The number of players and extra seats. Extra seats come last."""
        return self.program.seats

    @property
    def moments(self) -> tuple[str, ...]:
        """The moments at which rules score, in order: ``round``, ``game``, or the label of a step."""
        return labels(self.program)

    @property
    def moments_of_rounds(self) -> frozenset[str]:
        """The moments that occur in every round. All other moments follow the last round."""
        return groups.scored_in_rounds(self.program)

    @property
    def sources_of_points(self) -> tuple[str, ...]:
        """Names of everything that gives points: first rules, then triggers, then cards with effects."""
        return self.program.sources_of_points

    @property
    def variants(self) -> tuple[str, ...]:
        """Variants in force, in the order in which they apply."""
        return self.model.active

    @property
    def fingerprint(self) -> str:
        """The hash of the rules. Records of games and learnt tables use it to identify the rules."""
        return self.program.rules_hash

    def start(self, seed: int | str, game: int = 0) -> State:
        """Return the state at the first decision of game number `game` with this seed.

        Equal arguments deal equal games on every machine. Raises `WrongArgumentError` for a seed that is neither a
        whole number nor a text, or for a negative `game`.
        """
        turned = start(self.program, checked_seed(seed), game=checked_count("the number of the game", game, 0))
        return State(self, turned.state, turned.events, seed=seed, number=game)

    def set_up(self, position: Position, seed: int | str = 0, *, to: str = "") -> State:
        """Return the state at the first decision of a turn that begins with the cards of `position`.

        With `to`, play stops just before the step with that id, unless a seat has to choose earlier. Raises
        `WrongPositionError` for an impossible position, and `NotInGameError` for an unknown step.
        """
        end = to and checked_name("step", to, self.program.steps)
        turned = set_up(self.program, checked_position(position, self.seats), seed=checked_seed(seed), to=end)
        return State(self, turned.state, turned.events, seed=seed, number=0)

    def lay_out(self, position: Position, seed: int | str = 0) -> State:
        """Return a state with the cards of `position`, for scoring. No seat can choose in it.

        Raises `WrongPositionError` if the game does not allow the position.
        """
        laid_out = lay_out(self.program, checked_position(position, self.seats), seed=checked_seed(seed))
        return State(self, laid_out, (), seed=seed, number=0)

    def replay(self, seed: int | str, moves: Iterable[tuple[int, Written]], game: int = 0) -> State:
        """Return the state after `moves`, which are all (seat, move) pairs since the start of the game.

        Raises `IllegalMove` for the first move that the rules do not allow.
        """
        state = self.start(seed, game)
        for seat, move in pairs(moves):
            state = state.commit(seat, move)
        return state


USUAL_PLAYERS = 3
"""The default number of players: enough for passing hands around, and few enough for one screen."""

Files = tuple[tuple[str, str, bytes], ...]
"""A card set and the files that it extends, each as (name used to load it, name to show, content).

The name used to load the card set itself is ``""``.
"""


class Checked(Struct, frozen=True):
    """Rules that were read and checked before, and their game for a number of players."""

    tree: Tree
    model: CardSet
    program: Program


class Ruleset:
    """A card set with a selection, for any number of players. Each game is compiled once, on demand.

    The constructor raises `SelectionError` if the selection cannot be played, and `CardSetError` if the resulting rules
    have errors.
    """

    def __init__(
        self, document: Document, selection: Selection = NOTHING_SELECTED, checked: Checked | None = None
    ) -> None:
        self.document = document
        self.selection = selection = with_menus(document, selection)
        self._games: dict[int, Game] = {}
        self._labels: dict[str, Labels] = {}
        self.tree: Tree
        """The YAML tree with all overlays of the selection applied."""
        self.model: CardSet
        """The card set that was read from the tree, without errors."""
        if checked is not None:
            self.tree, self.model = checked.tree, checked.model
            self._games[checked.program.players] = Game(self, checked.program)
            return
        tree, model, findings = resolved(document, selection)
        _refuse(findings)
        assert tree is not None, "without errors there is a tree"
        assert model is not None, "without errors there is a model"
        self.tree, self.model = tree, model

    def __reduce__(self) -> tuple[Any, ...]:
        return reopened, (self.files, self.selection)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the rules: of everything that affects play, without labels."""
        return fingerprint(self.document, self.selection, self.tree)

    @property
    def players(self) -> tuple[int, int]:
        """The lowest and the highest number of players."""
        return self.model.min_players, self.model.max_players

    @property
    def usual_players(self) -> int:
        """The possible number of players that is nearest to `USUAL_PLAYERS`."""
        fewest, most = self.players
        counts = sorted(range(fewest, most + 1), key=lambda count: (abs(count - USUAL_PLAYERS), count))
        return next((count for count in counts if not self._objections(count)), counts[0])

    @cached_property
    def possible_players(self) -> tuple[int, ...]:
        """The numbers of players that can play the selection."""
        fewest, most = self.players
        return tuple(count for count in range(fewest, most + 1) if not self.objections(self.selection.variants, count))

    @property
    def menus(self) -> dict[str, tuple[str, ...]]:
        """The variants of each menu that has a name."""
        return menus_in(self.document.root)

    @property
    def allowances(self) -> dict[str, int]:
        """For each group of variants with a limit, the number of its variants that may be played together."""
        return allowances_in(self.document.root)

    def _objections(self, players: int) -> tuple[Diagnostic, ...]:
        return tuple(allowed(self.document, self.selection.variants, players, self.selection))

    def objections(self, variants: Iterable[str], players: int, language: str = "en") -> tuple[str, ...]:
        """Return sentences that tell players why this number of players cannot use these variants."""
        findings = allowed(self.document, tuple(variants), players, self.selection)
        labels, sentences = self.labels_in(language), []
        for refusal in (finding.text for finding in findings if finding.severity == "error"):
            key = f"objection.{refusal.id}" if isinstance(refusal, Phrase) else ""
            if isinstance(refusal, str) or not labels.speech.has(key):
                sentences.append(labels.speech.phrase("objection.other", players=players))
                continue
            given = dict(refusal.given)
            titles = {
                name: labels.variant(str(value))
                for name, value in given.items()
                if name in {"one", "other", "variant", "name"}
            }
            if "group" in given:
                titles["group"] = str(given["group"]).replace("_", " ")
            sentences.append(labels.speech.phrase(key, **{**given, **titles}))
        return tuple(sentences)

    def labels_in(self, language: str) -> Labels:
        """Return the labels of all things in a language."""
        if language not in self._labels:
            self._labels[language] = Labels(self.model, language)
        return self._labels[language]

    def game(self, players: int | None = None) -> Game:
        """Return the game for a number of players, by default `usual_players`.

        Raises `SelectionError` if the game cannot be played with that number, `CardSetError` if its rules have errors
        with it.
        """
        count = self.usual_players if players is None else players
        if not is_whole(count):
            raise SelectionError(f"players is a whole number, such as {self.usual_players}, not {brief(count)}.")
        if count not in self._games:
            self._games[count] = Game(self, self._compiled(count))
        return self._games[count]

    def heard(self, players: int, heard: Heard) -> Game:
        """Return a new game that calls `heard` with every condition that it evaluates.

        Raises the same errors as `game`.
        """
        return Game(self, self._compiled(players, heard))

    def _compiled(self, players: int, heard: Heard | None = None) -> Program:
        fewest, most = self.players
        if not fewest <= players <= most:
            span = f"{fewest}" if fewest == most else said("range.to", low=fewest, high=most)
            raise SelectionError(said("selection.players", range=span, players=players), "players")
        _refuse(self._objections(players))
        _refuse(run_checks(self.model, (players,)))
        return compile_game(self.model, players, self.fingerprint, heard)

    @property
    def plain(self) -> Ruleset | None:
        """The same card set without any selected variant or option; ``None`` if nothing is selected."""
        return Ruleset(self.document) if self.selection != NOTHING_SELECTED else None

    @property
    def base(self) -> Ruleset | None:
        """The extended card set, if this card set is a file that extends one; otherwise ``None``."""
        files = self.files[1:] if self.document.extends is not None else ()
        return reopened((("", *files[0][1:]), *files[1:]), NOTHING_SELECTED) if files else None

    @property
    def files(self) -> Files:
        """The texts of the files from which the rules were read."""
        read = (*self.document.files, *self.document.parts)
        return tuple((file.asked, file.source.name, file.source.text.encode()) for file in read)

    def to_json(self) -> dict[str, Any]:
        """Return the rules as plain data: the texts of their files, and the selection.

        Directories are left out, so the data says nothing about the machine. `rules_in_json` reads the data.
        """
        return {
            "cardset": [
                {"asked": asked, "name": PurePath(name).name, "text": text.decode()} for asked, name, text in self.files
            ],
            "variants": list(self.selection.variants),
            "readings": dict(self.selection.readings),
            "parameters": dict(self.selection.parameters),
        }


def _refuse(findings: Iterable[Diagnostic]) -> None:
    """Raise an error if any of the findings is an error.

    The error is `SelectionError` if a finding is about the selection, else `CardSetError`.
    """
    problems = tuple(findings)
    if not has_errors(problems):
        return
    refusals = [
        finding for finding in problems if finding.span.source.name == "selection" and finding.severity == "error"
    ]
    if refusals:
        names = [name for finding in refusals for name in finding.names]
        parts = (part for finding in refusals for part in (finding.text, finding.advice) if part)
        reason = reduce(lambda first, second: said("hint.both", first=first, second=second), parts)
        raise SelectionError(reason, *names)
    raise CardSetError(problems)


@lru_cache(32)
def reopened(files: Files, selection: Selection) -> Ruleset:
    """Return the rules made from `Ruleset.files` and a selection, in another process or for a saved game.

    Raises the same errors as the constructor of `Ruleset`.
    """
    by_name = {asked: (name, text) for asked, name, text in files}
    name, text = by_name[""]
    document, findings = open_document(text, name, by_name.get)
    if document is None:
        raise CardSetError(findings)
    return Ruleset(document, selection)
