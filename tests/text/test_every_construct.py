"""Everything that the language has, played in every form of the kernel and written in every language.

The samples come from the tables of the language: the example of each function, and the cases of each verb, effect and
rule kind. What has no sample that can be played fails, so nothing new can lack a form or a sentence.
"""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml

from compiled import load_program
from draftengine.api.facts import Things
from draftengine.api.labels import Labels
from draftengine.engine.compilable import why_not_compiled
from draftengine.engine.kernel.formulas import FUNCTIONS, GATHERING, READINGS
from draftengine.model.cardset.facts import all_steps
from draftengine.model.language.builtins import BUILTINS
from draftengine.model.library import CardSetError
from draftengine.model.rules import RULE_KINDS
from draftengine.model.selection import NOTHING_SELECTED, open_document
from draftengine.model.verbs import EFFECTS, VERBS
from draftengine.studies.runner.playing import ReferencePlayer, player_of
from draftengine.support.locale import LANGUAGES
from draftengine.support.locale.catalogue import plain
from text.forms import as_it_stands, compiled, specialised
from text.test_text import counts_alike, policies_of
from written import cases_in

TESTS = Path(__file__).parents[1]
GAME = cases_in(Path(__file__).with_name("everything.yaml"))
FORMS = {"plain": as_it_stands, "CPython": specialised, "LLVM": compiled}


def in_scoring(game, rule):
    game["scoring"][f"rule_{len(game['scoring'])}"] = rule


def in_trigger(game, effect):
    game["triggers"][f"trigger_{len(game['triggers'])}"] = {"after": "reveal", "who": "icons > 0", "do": [effect]}


def on_card(game, effect):
    game["cards"]["soup"].setdefault("on_play", []).append(effect)


def before(anchor):
    """Return the function that puts a step before the step of the round that has this id."""

    def put(game, step):
        ids = [other.get("id") for other in game["round"]]
        game["round"].insert(ids.index(anchor), step)

    return put


def in_turn(game, step):
    next(other for other in game["round"] if other.get("id") == "turns")["repeat"]["do"].append(step)


def at_the_end(game, step):
    game["round"].append(step)


def in_setup(game, step):
    game["setup"].append(step)


STEPS = (at_the_end, in_turn, before("turns"), before("counting"), in_setup)
"""Places for a step, the safest first: at its end, an end of the round hides nothing else."""


def samples():
    """Return the samples of everything in the tables: ways to put each into the game, the likeliest first."""
    ways = {}
    for name in VERBS:
        places = (in_trigger, on_card) if name in EFFECTS else STEPS
        steps = [case["step"] for case in cases_in(TESTS / "verbs" / f"{name}.yaml") if "says" in case]
        ways[name] = [(put, step) for step in steps for put in places]
    for name in RULE_KINDS:
        ways[f"{name} rule"] = [(in_scoring, case["rule"]) for case in cases_in(TESTS / "rules" / f"{name}.yaml")]
    for name, builtin in BUILTINS.items():
        points = {"points": builtin.example.text}
        ways[f"{name}()"] = [(in_scoring, points), (on_card, points), (in_trigger, points)]
    return ways


def document_of(game):
    """Return the document of a game; ``None`` if it has errors."""
    text = yaml.safe_dump(game, sort_keys=False)
    return open_document(text.encode(), "everything.yaml", lambda _: None)[0]


def program_of(game):
    """Return the compiled game of two; ``None`` if it cannot be played."""
    document = document_of(game)
    try:
        return None if document is None else load_program(document, NOTHING_SELECTED, 2)
    except CardSetError:
        return None


@pytest.fixture(scope="module")
def everything():
    """Return the compiled game that has all samples together."""
    game, missing = GAME, samples()
    for name, ways in samples().items():
        for put, text in ways:
            changed = copy.deepcopy(game)
            put(changed, text)
            if program_of(changed) is not None:
                game = changed
                del missing[name]
                break
    assert not missing, "these have no sample that fits into the game of everything.yaml"
    return program_of(game)


@pytest.mark.parametrize("form", FORMS)
def test_every_construct_is_played_in_every_form(everything, form):
    """Check that games that use all of the language are equal in all forms, and score most of it."""
    names = policies_of("random" if form == "CPython" else "mixed", 2)
    player = FORMS[form](everything, names)
    counts_alike(player, everything, names, 3)
    rows = player.play(1, 0, 20, rows=True)[1]
    scored = [any(row[column] for row in rows) for column in range(len(rows[0]))]
    assert sum(scored) > 0.8 * len(scored)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_construct_is_written_in_every_language(everything, language):
    """Check that every rule, step, effect and card has a sentence of its own in each language."""
    english, texts = sentences(everything.model, "en"), sentences(everything.model, language)
    assert list(map(bool, texts)) == list(map(bool, english))
    assert sum(map(bool, texts)) > len(samples())
    assert language == "en" or not {text for text in set(english) & set(texts) if " " in text}


def sentences(model, language):
    """Return the sentences of all rules, steps, triggers and cards."""
    labels = Labels(model, language)
    things = Things(labels)
    steps = [plain(step.sentence(labels.speech)) for step in all_steps(model)]
    parts = [*steps, *(fact.plain for fact in (*things.rules, *things.triggers))]
    return [*parts, *(things.card(card).plain for card in model.cards)]


def test_what_the_kernel_lacks_is_played_without_it(everything, monkeypatch):
    """Check that a function without a compiled form is named, and that its games are played all the same."""
    names = ("random", "random")
    expected = ReferencePlayer(everything, names, logged=False).play(1, 0, 2, rows=True)
    monkeypatch.delitem(READINGS, "best_of")
    assert [*map(str, why_not_compiled(everything))] == ["“best_of” has no compiled form"]
    assert player_of(everything, names, "compiled", logged=False).play(1, 0, 2, rows=True) == expected


def test_what_cannot_be_specialised_is_played_with_a_warning(everything, monkeypatch):
    """Check that code outside the dialect gives a warning with its place, and that its game is played."""
    names = ("greedy", "greedy")
    expected = ReferencePlayer(everything, names, logged=False).play(1, 0, 2, rows=True)
    monkeypatch.setitem(GATHERING, "kinds", BUILTINS["kinds"].value)
    monkeypatch.delitem(FUNCTIONS, "kinds")
    with pytest.warns(UserWarning, match=r"everything plays without being compiled.*in plain"):
        player = player_of(everything, names, "compiled", logged=False)
    assert player.play(1, 0, 2, rows=True) == expected
