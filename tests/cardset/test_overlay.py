"""Overlays: what is merged, what is reported, and where things then come from."""

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
    """Base and change as texts; the result as plain data and the findings."""

    def merge_texts(change, base=BASE, **more):
        result = merge(tree(base, "base.yaml"), tree(change, "change.yaml"), **more)
        return plain(result.root), [(own.code, own.severity, own.path, own.hint) for own in result.findings]

    return merge_texts


def nodes(node):
    """All nodes of a tree."""
    yield node
    inner = node.items if isinstance(node, Sequence) else ()
    inner = [entry.value for entry in node.entries] if isinstance(node, Mapping) else inner
    for own in inner:
        yield from nodes(own)


def test_mappings_merge_the_rest_replaces(merged, tree):
    """New keys come last; lists and scalars are replaced as a whole."""
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
    """A key with null is gone."""
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
    """Wherever they are; the verb may be left out."""
    data, findings = merged(f"steps: {{pass_hands: {patch}}}")
    assert [code for code, *_ in findings] == (["step-lost"] if "pass: null" in patch else [])
    step = data["round"][1]["repeat"]["do"][1]
    if expected is None:
        assert (step["pass"]["to"], step["when"]) == (["left", "right"], "round > 1")
    else:
        assert step == expected


def test_steps_are_put_beside_others(merged):
    """Before and after one with an id, which may be changed as well; the steps keep their order."""
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
    """Behind what stands there; a list that was not there begins with it."""
    data, findings = merged("{round: {append: [{clear: tableau}]}, finish: {append: [{score: game}]}}")
    assert findings == []
    assert [next(iter(step)) for step in data["round"]] == ["deal", "repeat", "score", "clear"]
    assert data["finish"] == [{"score": "game"}]


def test_steps_can_be_removed(merged):
    """With null, as any key."""
    data, findings = merged("steps: {pass_hands: null, deal_hands: null}")
    assert [code for code, *_ in findings] == ["step-lost"]
    assert [list(step)[0] for step in data["round"]] == ["repeat", "score"]  # noqa: RUF015
    assert len(data["round"][0]["repeat"]["do"]) == 1


def test_steps_of_a_replaced_list_can_be_changed(merged):
    """Lists are replaced first, then steps are changed by their ids."""
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
]


@pytest.mark.parametrize(("change", "code", "path", "hint"), NOTHING, ids=[row[0] for row in NOTHING])
def test_changes_that_do_nothing(merged, tree, change, code, path, hint):
    """What isn't there can't be removed or changed; what is so already needn't be said."""
    severity = "warning" if code == "overlay-changes-nothing" else "error"
    data, findings = merged(change, prefix="/variants/x/changes")
    assert findings == [(code, severity, f"/variants/x/changes{path}", hint)]
    assert data["rounds"] == plain(tree(BASE))["rounds"]


def test_true_is_not_one(merged):
    """A truth value in place of a number is a change."""
    assert merged("{rounds: true}", base="rounds: 1")[1] == []


def test_a_file_may_say_again_what_it_is(merged):
    """`format`, `title` and the like, at the top only."""
    base = "{format: 1, title: A, cards: {a: {title: B}}}"
    assert merged("{format: 1, title: A}", base=base, restated=IDENTITY)[1] == []
    assert len(merged("{cards: {a: {title: B}}}", base=base, restated=IDENTITY)[1]) == 1
    assert len(merged("{title: {en: A}}", base="title: {en: A, de: B}", restated=IDENTITY)[1]) == 1


def test_null_in_changes_waits(merged):
    """Within the changes of a variant null is kept, unless it removes one of those changes."""
    change = "{variants: {other: {changes: {cards: {tea: {label: null, icon: null}}}}, new: {changes: {rounds: null}}}}"
    data, findings = merged(change)
    assert findings == []
    assert data["variants"]["other"]["changes"] == {"cards": {"tea": {"icon": None}}}
    assert data["variants"]["new"] == {"changes": {"rounds": None}}


def test_nodes_keep_their_places(tree):
    """Each value of the result points into the file that it comes from."""
    change = tree("{cards: {fish: {count: 8}}, steps: {pass_hands: {to: right}}}", "change.yaml")
    root = merge(tree(BASE, "base.yaml"), change).root
    changed = [plain(node) for node in nodes(root) if node.span.source.name == "change.yaml"]
    assert changed == [8, "right"]


def test_writes(tree):
    """Every key that is set or removed is known, steps by where they are."""
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
    """What is new is one write; in the changes of a variant, which are merged later, each part of it is one."""
    assert [write.path for write in merge(tree(BASE), tree(change)).writes] == [path]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("a", "a", True), ("ab", "a", True), ("a", "ab", True), ("ab", "ac", False), ("a", "b", False)],
)
def test_collisions(one, other, expected):
    """Two writes collide on the same key, or if one replaces what the other changes."""
    assert collide(tuple(one), tuple(other)) is expected


KEYS = st.sampled_from(["a", "b", "c", "d"])
DATA = st.recursive(
    st.integers(0, 3) | st.booleans() | st.sampled_from(["x", "y"]),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(KEYS, own, max_size=4),
    max_leaves=12,
)
GAMES = st.dictionaries(KEYS, DATA, max_size=4)


def simply_merged(base, change):
    """The meaning of a change without null, as plainly as possible."""
    if not (isinstance(base, dict) and isinstance(change, dict)):
        return change
    return {**base, **{key: simply_merged(base[key], own) if key in base else own for key, own in change.items()}}


@given(GAMES, GAMES)
def test_merging_is_what_it_says(tree, base, change):
    """The same as merging plain data."""
    result = merge(tree(json.dumps(base)), tree(json.dumps(change)))
    assert json.dumps(plain(result.root)) == json.dumps(simply_merged(base, change))


@given(GAMES)
def test_nothing_changes_nothing(tree, base):
    """An empty change is silent; the game itself as a change is reported value by value and changes nothing."""
    root = tree(json.dumps(base))
    assert merge(root, Mapping((), root.span)).root == root
    again = merge(root, root)
    assert same(again.root, root)
    assert {finding.code for finding in again.findings} <= {"overlay-changes-nothing"}


@given(GAMES, GAMES)
def test_a_change_applied_twice(tree, base, change):
    """Changes without null can be applied again without effect."""
    patch = tree(json.dumps(change))
    once = merge(tree(json.dumps(base)), patch).root
    assert same(merge(once, patch).root, once)


@given(GAMES, st.lists(KEYS, unique=True))
def test_removing(tree, base, names):
    """Null removes exactly the keys that are there; each of the others is a finding."""
    result = merge(tree(json.dumps(base)), tree(json.dumps(dict.fromkeys(names))))
    assert plain(result.root) == {key: own for key, own in base.items() if key not in names}
    assert len(result.findings) == len(set(names) - base.keys())
