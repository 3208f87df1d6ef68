"""Overlays: the merged tree, the findings, and where each value comes from."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draftengine.model.loading.overlay import IDENTITY, collide, merge, same
from draftengine.model.yaml.tree import Mapping, Sequence, plain

BASE = """
rounds: 3
cards:
  fish: {count: 20, label: Fish}
  tea: {count: 10}
round:
  - {deal: {to: hand, cards: 7}, id: deal_hands}
  - repeat:
      until_empty: hand
      do:
        - {choose: {from: hand}, id: choose_card}
        - {pass: {zone: hand, to: left}, id: pass_hands, source: H-1}
  - {score: round, id: score_round}
variants:
  other: {title: Other, changes: {cards: {tea: {label: Tea}}}}
"""


@pytest.fixture
def merged(tree):
    """Merge a change into a base, both texts; return plain data and findings."""

    def merge_texts(change, base=BASE, **more):
        result = merge(tree(base, "base.yaml"), tree(change, "change.yaml"), **more)
        return plain(result.root), [(own.code, own.severity, own.path, own.hint) for own in result.findings]

    return merge_texts


def nodes(node):
    """Yield all nodes of a tree."""
    yield node
    inner = node.items if isinstance(node, Sequence) else ()
    inner = [entry.value for entry in node.entries] if isinstance(node, Mapping) else inner
    for own in inner:
        yield from nodes(own)


def test_mappings_merge_the_rest_replaces(merged, tree):
    """Check that mappings merge, with new keys last, while lists and scalars are replaced as a whole."""
    data, findings = merged("{cards: {fish: {count: 8}, salt: {count: 2}}, round: [{score: round}], rounds: 2}")
    assert findings == []
    assert data == {
        **plain(tree(BASE)),
        "rounds": 2,
        "cards": {"fish": {"count": 8, "label": "Fish"}, "tea": {"count": 10}, "salt": {"count": 2}},
        "round": [{"score": "round"}],
    }
    assert list(data["cards"]) == ["fish", "tea", "salt"]


def test_null_removes(merged):
    """Check that null removes a key."""
    data, findings = merged("{cards: {tea: null, fish: {label: null}}}")
    assert findings == []
    assert data["cards"] == {"fish": {"count": 20}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ("{pass: {to: right}}", {"pass": {"zone": "hand", "to": "right"}, "id": "pass_hands", "source": "H-1"}),
        ("{to: right}", {"pass": {"zone": "hand", "to": "right"}, "id": "pass_hands", "source": "H-1"}),
        ("{to: right, source: H-2}", {"pass": {"zone": "hand", "to": "right"}, "id": "pass_hands", "source": "H-2"}),
        ("{to: [left, right], when: round > 1}", None),
        ("{pass: null, score: turn, source: null}", {"id": "pass_hands", "score": "turn"}),
    ],
)
def test_steps_are_changed_by_id(merged, patch, expected):
    """Check that steps are changed by id wherever they are, with or without the verb."""
    data, findings = merged(f"steps: {{pass_hands: {patch}}}")
    assert [code for code, *_ in findings] == (["step-lost"] if "pass: null" in patch else [])
    step = data["round"][1]["repeat"]["do"][1]
    if expected is None:
        assert (step["pass"]["to"], step["when"]) == (["left", "right"], "round > 1")
    else:
        assert step == expected


def test_steps_are_put_beside_others(merged):
    """Check that steps are inserted before and after one with an id, in order, and with a change of it."""
    text = "{before: [{shuffle: deck}, {score: round}], to: right, after: [{clear: tableau}]}"
    data, findings = merged(f"steps: {{pass_hands: {text}}}")
    assert findings == []
    assert data["round"][1]["repeat"]["do"][1:] == [
        {"shuffle": "deck"},
        {"score": "round"},
        {"pass": {"zone": "hand", "to": "right"}, "id": "pass_hands", "source": "H-1"},
        {"clear": "tableau"},
    ]


def test_lists_are_added_to(merged):
    """Check that items are appended to a list, which is made if it does not exist."""
    data, findings = merged("{round: {append: [{clear: tableau}]}, finish: {append: [{score: game}]}}")
    assert findings == []
    assert [next(iter(step)) for step in data["round"]] == ["deal", "repeat", "score", "clear"]
    assert data["finish"] == [{"score": "game"}]


def test_steps_can_be_removed(merged):
    """Check that null removes a step."""
    data, findings = merged("steps: {pass_hands: null, deal_hands: null}")
    assert [code for code, *_ in findings] == ["step-lost"]
    assert [list(step)[0] for step in data["round"]] == ["repeat", "score"]  # noqa: RUF015
    assert len(data["round"][0]["repeat"]["do"]) == 1


def test_steps_of_a_replaced_list_can_be_changed(merged):
    """Check that lists are replaced first, and then steps are changed by id."""
    data, findings = merged("{round: [{score: round, id: new}], steps: {new: {score: game}}}")
    assert findings == []
    assert data["round"] == [{"score": "game", "id": "new"}]


NOTHING = [
    ("{cards: {fsh: null}}", "overlay-patches-nothing", "/cards/fsh", "Did you mean “fish”?"),
    ("{cards: {fish: {x: null}}}", "overlay-patches-nothing", "/cards/fish/x", "Delete this line."),
    ("{cards: {salt: {count: 2, label: null}}}", "overlay-patches-nothing", "/cards/salt/label", "Delete this line."),
    ("{markers: null}", "overlay-patches-nothing", "/markers", "Delete this line."),
    ("{variants: {other: {text: null}}}", "overlay-patches-nothing", "/variants/other/text", "Delete this line."),
    ("{cards: {fish: {changes: null}}}", "overlay-patches-nothing", "/cards/fish/changes", "Delete this line."),
    ("{steps: {pass_hand: {to: left}}}", "overlay-patches-nothing", "/steps/pass_hand", "Did you mean “pass_hands”?"),
    ("{steps: {pass_hands: {when: null}}}", "overlay-patches-nothing", "/steps/pass_hands/when", "Delete this line."),
    ("{rounds: 3}", "overlay-changes-nothing", "/rounds", "Delete it."),
    ("{cards: {fish: {}}}", "overlay-changes-nothing", "/cards/fish", "Delete it."),
    ("{cards: {fish: {label: Fish}}}", "overlay-changes-nothing", "/cards/fish/label", "Delete it."),
    ("{steps: {pass_hands: {to: left}}}", "overlay-changes-nothing", "/steps/pass_hands/pass/to", "Delete it."),
    ("{steps: {pass_hands: {to: [left]}}}", "overlay-changes-nothing", "/steps/pass_hands/pass/to", "Delete it."),
    ("{steps: {pass_hands: {to: [left, left]}}}", "overlay-changes-nothing", "/steps/pass_hands/pass/to", "Delete it."),
]


@pytest.mark.parametrize(("change", "code", "path", "hint"), NOTHING, ids=[row[0] for row in NOTHING])
def test_changes_that_do_nothing(merged, tree, change, code, path, hint):
    """Check the findings for removing or changing what is not there, and for setting an equal value."""
    severity = "warning" if code == "overlay-changes-nothing" else "error"
    data, findings = merged(change, prefix="/variants/x/changes")
    assert findings == [(code, severity, f"/variants/x/changes{path}", hint)]
    assert data["rounds"] == plain(tree(BASE))["rounds"]


def test_true_is_not_one(merged):
    """Check that a truth value in place of a number is a change."""
    assert merged("{rounds: true}", base="rounds: 1")[1] == []


def test_a_file_may_say_again_what_it_is(merged):
    """Check that `format`, `title` and similar keys may repeat at the top level only."""
    base = "{format: 1, title: A, cards: {a: {title: B}}}"
    assert merged("{format: 1, title: A}", base=base, restated=IDENTITY)[1] == []
    assert len(merged("{cards: {a: {title: B}}}", base=base, restated=IDENTITY)[1]) == 1
    assert len(merged("{title: {en: A}}", base="title: {en: A, de: B}", restated=IDENTITY)[1]) == 1


def test_null_in_changes_waits(merged):
    """Check that the changes of a variant keep null, unless it removes one of those changes."""
    change = "{variants: {other: {changes: {cards: {tea: {label: null, icon: null}}}}, new: {changes: {rounds: null}}}}"
    data, findings = merged(change)
    assert findings == []
    assert data["variants"]["other"]["changes"] == {"cards": {"tea": {"icon": None}}}
    assert data["variants"]["new"] == {"changes": {"rounds": None}}


def test_nodes_keep_their_places(tree):
    """Check that each value of the result has its place in the file that it comes from."""
    change = tree("{cards: {fish: {count: 8}}, steps: {pass_hands: {to: right}}}", "change.yaml")
    root = merge(tree(BASE, "base.yaml"), change).root
    changed = [plain(node) for node in nodes(root) if node.span.source.name == "change.yaml"]
    assert changed == [8, "right"]


def test_writes(tree):
    """Check that every write is listed with its path; steps are listed by their place."""
    change = tree("{rounds: 2, cards: {tea: null}, steps: {pass_hands: {to: right, when: turn > 1}}}")
    step = ("round", "1", "repeat", "do", "1")
    assert {(write.path, write.removes) for write in merge(tree(BASE), change).writes} == {
        (("rounds",), False),
        (("cards", "tea"), True),
        ((*step, "pass", "to"), False),
        ((*step, "when"), False),
    }


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ("{cards: {salt: {count: 2}}}", ("cards", "salt")),
        (
            "{variants: {other: {changes: {cards: {salt: {count: 2}}}}}}",
            ("variants", "other", "changes", "cards", "salt", "count"),
        ),
        (
            "{variants: {other: {changes: {steps: {pass_hands: {to: right}}}}}}",
            ("variants", "other", "changes", "steps", "pass_hands", "to"),
        ),
    ],
    ids=["game", "overlay", "steps of an overlay"],
)
def test_writes_of_what_is_new(tree, change, path):
    """Check that a new mapping is one write, but in a variant's changes each of its parts is one."""
    assert [write.path for write in merge(tree(BASE), tree(change)).writes] == [path]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("a", "a", True), ("ab", "a", True), ("a", "ab", True), ("ab", "ac", False), ("a", "b", False)],
)
def test_collisions(one, other, expected):
    """Check that writes collide on one key, or if one replaces what the other changes."""
    assert collide(tuple(one), tuple(other)) is expected


KEYS = st.sampled_from(["a", "b", "c", "d"])
DATA = st.recursive(
    st.integers(0, 3) | st.booleans() | st.sampled_from(["x", "y"]),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(KEYS, own, max_size=4),
    max_leaves=12,
)
GAMES = st.dictionaries(KEYS, DATA, max_size=4)


def simply_merged(base, change):
    """Merge a change without null into plain data, as simply as possible."""
    if not (isinstance(base, dict) and isinstance(change, dict)):
        return change
    return {**base, **{key: simply_merged(base[key], own) if key in base else own for key, own in change.items()}}


@given(GAMES, GAMES)
def test_merging_is_what_it_says(tree, base, change):
    """Check merging of trees against merging of plain data."""
    result = merge(tree(json.dumps(base)), tree(json.dumps(change)))
    assert json.dumps(plain(result.root)) == json.dumps(simply_merged(base, change))


@given(GAMES)
def test_nothing_changes_nothing(tree, base):
    """Check that an empty change has no findings, and the game as its own change one for each value."""
    root = tree(json.dumps(base))
    assert merge(root, Mapping((), root.span)).root == root
    again = merge(root, root)
    assert same(again.root, root)
    assert {finding.code for finding in again.findings} <= {"overlay-changes-nothing"}


@given(GAMES, GAMES)
def test_a_change_applied_twice(tree, base, change):
    """Check that applying changes without null twice equals applying them once."""
    patch = tree(json.dumps(change))
    once = merge(tree(json.dumps(base)), patch).root
    assert same(merge(once, patch).root, once)


@given(GAMES, st.lists(KEYS, unique=True))
def test_removing(tree, base, names):
    """Check that null removes the existing keys, and gives a finding for every other."""
    result = merge(tree(json.dumps(base)), tree(json.dumps(dict.fromkeys(names))))
    assert plain(result.root) == {key: own for key, own in base.items() if key not in names}
    assert len(result.findings) == len(set(names) - base.keys())
