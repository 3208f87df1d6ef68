"""Opening files, selecting variants, and all configurations of a card set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import sample
from draftengine.model import limits
from draftengine.model.loading.steps import FLOW as STEPS
from draftengine.model.selection import (
    Selection,
    all_findings,
    allowed,
    combinations,
    document_json,
    numbers_of,
    open_document,
    parse_selection,
    resolve,
    resolve_tree,
    rules_hash,
    single_selections,
)
from draftengine.model.shelf import fetcher, shelf
from draftengine.model.yaml.tree import plain
from written import cases_in

SHIPPED = sorted(shelf().values())
HARBOUR = Path(__file__).with_name("harbour.yaml")
FLOW = set(STEPS)
GAME = cases_in(HARBOUR)


@pytest.fixture
def document(opened):
    """Return the test game."""
    game, findings = opened()
    assert findings == ()
    return game


def codes(findings):
    """Return the codes in order."""
    return [finding.code for finding in findings]


def underlined(finding):
    """Return the text that a finding marks, with its file."""
    return finding.span.source.name, finding.span.source.text[finding.span.start : finding.span.end]


# ── Opening ──


def test_a_document(document):
    """Check that a document knows its files, variants, readings and examples, and is immutable."""
    assert [(file.asked, file.source.name) for file in document.files] == [("", "game.yaml")]
    assert [variant.id for variant in document.variants] == list(GAME["variants"])
    assert [reading.id for reading in document.readings] == ["second_place"]
    assert [example["name"] for example in document.examples] == ["two sets", "a move"]
    assert document.players == (2, 5)
    assert all_findings(document) == ()
    with pytest.raises(AttributeError):
        document.root = None


@pytest.mark.parametrize("data", [b"", b"\xff", b"[", b"format: 1"])
def test_what_is_no_card_set(data):
    """Check that a text that is no card set gives findings and no document."""
    document, findings = open_document(data, "x.yaml", lambda _: None)
    assert document is None
    assert findings


def test_extending(opened):
    """Check that an extending file says only what differs, and that both files are kept for saves."""
    document, findings = opened("format: 2\nid: bay\nextends: harbour\ncards: {fish: {count: 9}}\n")
    assert findings == ()
    assert [(file.asked, file.source.name) for file in document.files] == [
        ("", "game.yaml"),
        ("harbour", "harbour.yaml"),
    ]
    model, findings = resolve(document)
    assert findings == ()
    assert (model.id, model.title, model.cards[0].count) == ("bay", (("en", "Harbour"), ("pl", "Port")), 9)
    assert document.root.get("extends") is None


def test_mistakes_in_what_is_extended(opened, harbour):
    """Check that mistakes in an extended file are shown there."""
    document, findings = opened(
        "format: 2\nid: bay\nextends: broken.yaml\n", broken=harbour(("rounds: 3", "rounds: x"))
    )
    assert document is None
    assert [underlined(finding) for finding in findings] == [("broken.yaml", "x")]


def test_a_file_with_the_id_of_what_it_extends(opened):
    """Check that a file with the id of the one it extends gets only the advice to choose another."""
    document, (finding,) = opened("format: 2\nid: harbour\nextends: harbour\nrounds: 1\n")
    assert document is not None
    assert (finding.code, finding.severity, finding.path) == ("extends-id", "warning", "/id")
    assert finding.message == "The game that this one extends already has the id “harbour”."


def test_mistakes_of_the_merged_game(opened):
    """Check that mistakes of the merged game are shown in the file that causes them, as changes."""
    text = "format: 2\nid: bay\nextends: harbour\ncards: {fsh: {keep: true}, spice: {count: null}}\n"
    _, findings = opened(text + "scoring: {fish: {table: fish, points: null}}\n")
    assert [(finding.code, *underlined(finding)) for finding in findings] == [
        ("required-key", "game.yaml", "fsh"),
        ("required-key", "game.yaml", "count"),
        ("required-key", "game.yaml", "fish"),
    ]
    assert findings[0].hint == "Did you mean “fish”?"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("abilities: {crane: {card: null}}", "required-key"),
        ("cards: {fish: {count: null}}", "required-key"),
        ("chips: {medals: {values: null}}", "required-key"),
    ],
)
def test_what_a_variant_takes_away(opened, change, code):
    """Check in every section that what a removal makes invalid is found with the variant, at its place."""
    document, found = opened(
        f"format: 2\nid: bay\nextends: harbour\nvariants: {{new: {{title: New, changes: {{{change}}}}}}}\n"
    )
    assert found == ()
    model, (finding,) = resolve(document, parse_selection(["new"]))
    assert (model, finding.code, underlined(finding)[0]) == (None, code, "game.yaml")
    assert change.endswith(f"{underlined(finding)[1]}: null}}}}")


@pytest.mark.parametrize(
    ("rule", "told_at"),
    [
        ("leaves: {each: leaves}", ("required-key", "“leaves” has no “points”.", "leaves")),
        ("fish: {table: fish}", ("required-key", "“fish” has no “points”.", "fish")),
        ("fish: {each: fish, points: [2], tie: split}", ("unknown-key", "“fish” can't have the key “tie”.", "tie")),
        ("dark: {set: dark, size: 2, pionts: 2}", ("unknown-key", "“dark” can't have the key “pionts”.", "pionts")),
        ("fish: {set: null, table: fish, points: 2}", ("wrong-type", "“points” must be a list, not 2.", "2")),
    ],
)
def test_mistakes_in_a_rule_that_becomes_another_kind(opened, rule, told_at):
    """Check that a rule that names another kind has to say all of it, and that mistakes are at the change."""
    _, findings = opened(f"format: 2\nid: bay\nextends: harbour\nscoring: {{{rule}}}\n")
    file, text = underlined(findings[-1])
    assert (findings[-1].code, findings[-1].message, text) == told_at
    assert file == "game.yaml"


@pytest.mark.parametrize(
    ("rule", "becomes"),
    [
        ("leaves: {each: leaves, points: 2}", {"each": "leaves", "points": 2}),
        ("fish: {table: fish, points: [1, 3]}", {"source": "H-1", "table": "fish", "points": [1, 3]}),
        ("fish: {set: null, points: 2 * fish}", {"source": "H-1", "points": "2 * fish"}),
        ("fish: {set: null, size: null, points: 2 * fish}", {"source": "H-1", "points": "2 * fish"}),
        ("dark: {set: dark, size: 2, points: 1}",
         {"at": "game", "when": "players > 2", "set": "dark", "size": 2, "points": 1}),
    ],
)  # fmt: skip
def test_a_rule_that_becomes_another_kind_keeps_what_all_kinds_have(opened, rule, becomes):
    """Check rules in a file and in a variant, with and without ``null`` for a key of the old kind."""
    changes = f"scoring: {{{rule}}}"
    for text, variants in ((changes, ()), (f"variants: {{new: {{title: New, changes: {{{changes}}}}}}}", ("new",))):
        document, findings = opened(f"format: 2\nid: bay\nextends: harbour\n{text}\n")
        assert findings == ()
        tree, _ = resolve_tree(document, parse_selection(variants))
        assert plain(tree.get("scoring").get(rule.partition(":")[0])) == becomes


def test_changes_that_change_nothing_of_what_is_extended(opened):
    """Check that removing what never existed is an error, and setting an equal value a warning."""
    head = "format: 2\nid: bay\nextends: "
    document, findings = opened(f"{head}harbour\ncards: {{fsh: null}}\nrounds: 3\n")
    assert document is None
    assert [(own.code, own.severity, *underlined(own)) for own in findings] == [
        ("overlay-patches-nothing", "error", "game.yaml", "fsh"),
        ("overlay-changes-nothing", "warning", "game.yaml", "3"),
    ]
    document, findings = opened(f"{head.replace('bay', 'creek')}cove\n", cove=f"{head}harbour\nrounds: 3\n")
    assert document is not None
    assert document.findings == findings
    assert [(own.code, own.severity, *underlined(own)) for own in findings] == [
        ("overlay-changes-nothing", "warning", "cove.yaml", "3"),
    ]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../harbour", "extends-name"),
        ("/etc/passwd", "extends-name"),
        ("https://example.org/a.yaml", "extends-name"),
        ("harbour.txt", "extends-name"),
        ("harbor", "extends-unknown"),
        ("itself", "extends-cycle"),
        ("ping", "extends-cycle"),
    ],
)
def test_what_cannot_be_extended(opened, name, code):
    """Check that paths, addresses, unknown names and circles cannot be extended."""
    head = "format: 2\nid: bay\nextends: "
    document, findings = opened(head + name, itself=f"{head}itself", ping=f"{head}pong", pong=f"{head}ping.yaml")
    assert document is None
    assert codes(findings) == [code]


def test_a_name_never_reaches_the_fetcher_unless_plain():
    """Check that only plain names reach the fetcher, so opening a card set opens no unexpected file."""
    asked = []
    open_document(b"format: 2\nid: bay\nextends: ../x\n", "x.yaml", asked.append)
    assert asked == []


def test_long_chains(opened):
    """Check that eight card sets may extend one another in a row."""
    files = {f"s{index}": f"format: 2\nid: bay\nextends: s{index + 1}\n" for index in range(20)}
    files[f"s{limits.BASES - 1}"] = "format: 2\nid: bay\nextends: harbour\n"
    document, _ = opened(files.pop("s0"), **files)
    assert document is not None
    del files[f"s{limits.BASES - 1}"]
    files[f"s{limits.BASES - 1}"] = f"format: 2\nid: bay\nextends: s{limits.BASES}\n"
    document, findings = opened("format: 2\nid: bay\nextends: s1\n", **files)
    assert (document, codes(findings)) == (None, ["extends-too-deep"])


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        (("requires: [calm]", "requires: [clam]"), "unknown-variant", "clam"),
        (("builds_on: [stars]", "builds_on: [star]"), "unknown-variant", "star"),
        (("default: no_leaves_no_place", "default: no_leaf"), "unknown-option", "no_leaf"),
        (("needs: players == 2", "needs: player == 2"), "unknown-name", "player"),
        (("needs: players == 2", "needs: players"), "wrong-type", "players"),
        (("needs: players == 2", "needs: players =="), "formula-syntax", None),
        (("default: 2, values: [1, 2, 3]", "default: 5, values: [1, 2, 3]"), "parameter-value", "5"),
        (("default: 7, values", "default: 5, values"), "parameter-value", "5"),
    ],
)
def test_mistakes_in_the_heads_of_overlays(opened, harbour, change, code, text):
    """Check that keys of variants and readings themselves are checked when the file is opened."""
    document, findings = opened(harbour(change))
    assert document is None
    assert codes(findings) == [code]
    assert text is None or underlined(findings[0])[1] == text


# ── Selecting ──


def test_parsing_selections():
    """Check names, parameters of variants, parameters and readings."""
    texts = ["calm", "storm:gusts=3", "second_place=anyone", "hand_size=8", " calm "]
    assert parse_selection(texts) == Selection(
        ("calm", "storm"), (("second_place", "anyone"),), (("gusts", 3), ("hand_size", 8))
    )
    assert parse_selection(["a:b=1,c=-2"]).parameters == (("b", 1), ("c", -2))
    assert parse_selection(["x=1", "x=2"]).parameters == (("x", 2),)
    assert parse_selection([]) == Selection()


@pytest.mark.parametrize("text", ["", "=", "a=", "=3", "a:", "a:b", "a:b=c", "a:=1"])
def test_texts_that_are_no_selections(text):
    """Check that malformed selections are refused with the expected form."""
    with pytest.raises(ValueError, match="“"):
        parse_selection([text])


def test_variants_change_the_game(document):
    """Check that variants apply in order, with their parameters and the chosen values."""
    model, findings = resolve(document, parse_selection(["storm:gusts=3", "stars", "hand_size=6"]), 3)
    assert findings == ()
    assert model.active == ("stars", "storm")
    assert [rule.id for rule in model.scoring] == ["fish", "leaves", "dark", "stars", "gusts"]
    assert model.scoring[0].spec.points.text == "4"
    assert [(own.id, own.default) for own in model.parameters] == [("hand_size", 6), ("gusts", 3)]


def test_any_number_is_changed_by_its_path(document):
    """Check that numbers change by path, last of all: in mappings, lists, steps with an id and variants."""
    texts = [
        "stars",
        "scoring.fish.points=9",
        "scoring.leaves.most.1=2",
        "cards.fish.count=21",
        "scoring.fish.points=8",
    ]
    model, findings = resolve(document, parse_selection([*texts, "steps.deal_hands.deal.cards.2=8"]), 3)
    assert findings == ()
    assert model.scoring[0].spec.points.text == "8"
    assert [own.text for own in model.scoring[1].spec.most] == ["6", "2"]
    assert model.cards[0].count == 21
    tree, _ = resolve_tree(document, parse_selection(["steps.deal_hands.deal.cards.2=8"]))
    assert plain(tree)["round"][0]["deal"]["cards"] == {"2": 8, "3": "hand_size"}
    assert plain(document.root)["round"][0]["deal"]["cards"]["2"] == 9, "the document stays as it was"


def test_numbers_are_those_of_the_rules(document):
    """Check that only numbers of the rules can be changed, not printed, checked or selected ones."""
    found = numbers_of(document.root)
    assert found["cards.green_tea.adds.leaves"] == 2
    assert found["zones.quay.layout.rows.1.cards"] == 3
    assert found["rounds"] == 3
    heads = {path.partition(".")[0] for path in found}
    assert heads <= {"rounds", "cards", "counters", "abilities", "zones", "markers", "chips", "steps", "scoring"} | FLOW
    assert not any(part in path for path in found for part in ("label", "about", "examples", "variants", "parameters"))
    for path, value in found.items():
        tree, findings = resolve_tree(document, Selection(parameters=((path, value),)))
        assert findings == ()
        assert plain(tree) == plain(document.root)


def test_readings_change_the_game(document):
    """Check that the chosen option of a reading applies, else the default."""
    model, _ = resolve(document, parse_selection(["second_place=anyone"]))
    assert model.scoring[1].spec.at_least.text == "0"
    assert model.readings[0].chosen == "anyone"
    assert resolve(document)[0].scoring[1].spec.at_least.text == "1"


@pytest.mark.parametrize(
    ("texts", "players", "code", "words"),
    [
        (["strom"], None, "unknown-variant", "Did you mean “storm”?"),
        (["xyz"], None, "unknown-variant", "Known: right_about"),
        (["duel"], None, "variant-needs", "needs the variant “calm”"),
        (["duel", "calm"], 3, "variant-needs", "“duel” is for 2 players, not 3"),
        (["calm", "storm"], None, "variant-conflict", "exclude each other"),
        (["right_about", "to_the_right"], None, "variant-conflict", "to the same group, “passing”"),
        (["secnd_place=anyone"], None, "unknown-reading", "Did you mean “second_place”?"),
        (["second_place=anyne"], None, "unknown-option", "Did you mean “anyone”?"),
        (["hand_sice=7"], None, "unknown-parameter", "Did you mean “hand_size”?"),
        (["gusts=1"], None, "unknown-parameter", "Known: hand_size"),
        (["hand_size=9"], None, "parameter-value", "Possible: 6, 7, 8."),
        (["storm:gusts=4"], None, "parameter-value", "Possible: 1, 2, 3."),
        (["scoring.fish.pionts=3"], None, "unknown-parameter", "Did you mean “scoring.fish.points”?"),
        (["scoring.fish.of=3"], None, "unknown-parameter", "There is no parameter “scoring.fish.of”."),
        (["scoring.stars.points=3"], None, "unknown-parameter", "There is no parameter “scoring.stars.points”."),
        (["scoring.fish.size=0"], None, "out-of-range", "“size” is 0; it must be at least 1."),
    ],
)
def test_selections_that_are_refused(document, texts, players, code, words):
    """Check that wrong selections are refused with the reason, and with the name if misspelt."""
    model, findings = resolve(document, parse_selection(texts), players)
    assert model is None
    assert codes(findings) == [code]
    assert words in f"{findings[0].message} {findings[0].hint}"


def test_writing_the_same_key(opened, harbour):
    """Check that two overlays that write one key exclude each other, unless one requires the other."""
    change = ("      scoring: {stars:", "      round: [{score: round}]\n      scoring: {stars:")
    document, _ = opened(harbour(change))
    (finding,) = allowed(document, ["right_about", "stars"])
    assert finding.code == "variant-conflict"
    assert "round > 2 > repeat > do > 2 > pass > to" in finding.message
    assert [underlined_text.span.source.name for underlined_text in finding.related] == ["game.yaml"] * 2
    built = ("    title: Right about", "    title: Right about\n    builds_on: [stars]")
    document, _ = opened(harbour(change, built))
    assert allowed(document, ["right_about", "stars"]) == ()
    assert codes(resolve(document, Selection(("right_about", "stars")))[1]) == ["overlay-patches-nothing"]


def test_readings_collide_too(opened, harbour):
    """Check that a variant and a chosen option may not write one key."""
    document, _ = opened(
        harbour(("{sack: {on_play: null}}", "{sack: {count: 1}}\n      scoring: {leaves: {at_least: 2}}"))
    )
    assert resolve(document, parse_selection(["calm"]))[0]
    model, findings = resolve(document, parse_selection(["calm", "second_place=anyone"]))
    assert (model, codes(findings)) == (None, ["variant-conflict"])


def test_the_order_of_application(opened, harbour):
    """Check that overlays apply as declared, after those that they require; circles end."""
    document, _ = opened(harbour(("    title: Stars", "    title: Stars\n    builds_on: [storm]")))
    assert resolve(document, Selection(("storm", "stars")))[0].active == ("storm", "stars")
    document, _ = opened()
    for names in (("stars", "storm", "right_about"), ("right_about", "storm", "stars")):
        assert resolve(document, Selection(names))[0].active == ("right_about", "stars", "storm")


def test_mistakes_within_overlays(opened, harbour):
    """Check that mistakes within unselected overlays are found, each once, at their places."""
    document, _ = opened(
        harbour(
            ("{pass: {to: [left, right, left]}}", "{move: {from: hand, to: hold}}"),
            ("{to: right}", "{to: left}"),
            ("{sack: {on_play: null}}", "{sak: {on_play: null}}"),
            ("{at_least: 0}", "{at_least: 0 +}"),
        )
    )
    findings = all_findings(document)
    assert [(finding.code, underlined(finding)[1]) for finding in findings[:4]] == [
        ("one-verb", "move"),
        ("overlay-changes-nothing", "left"),
        ("required-key", "sak"),
        ("overlay-patches-nothing", "on_play"),
    ]
    assert codes(findings[4:]) == ["formula-syntax"]
    line, _ = findings[4].span.position
    assert "{at_least: 0 +}" in findings[4].span.source.line(line)


def test_wrong_values_within_overlays(opened, harbour):
    """Check that values invalid in any game are found when the file is opened."""
    document, findings = opened(harbour(("{to: right}", "{pass: {to: up}}"), ("{at_least: 0}", "{at_last: 0}")))
    assert (document, codes(findings)) == (None, ["not-allowed-value", "unknown-key"])


# ── Every configuration ──


def test_combinations(document):
    """Check that combinations are exactly the sets of variants playable together by this number."""
    names = [variant.id for variant in document.variants]
    subsets = [tuple(name for bit, name in enumerate(names) if number >> bit & 1) for number in range(1 << len(names))]
    for players in (2, 3):
        found = [selection.variants for selection in combinations(document, players)]
        assert sorted(found) == sorted(own for own in subsets if not allowed(document, own, players))
        assert found == sorted(found, key=len)
        assert found[0] == ()
    assert len(combinations(document, 2, limit=3)) == 3


def test_single_selections(document):
    """Check the base game, each variant with those it requires, and each option besides the default."""
    assert single_selections(document) == (
        Selection(),
        *(Selection((name,)) for name in ("right_about", "to_the_right")),
        Selection(("duel", "calm")),
        *(Selection((name,)) for name in ("calm", "storm", "stars")),
        Selection(readings=(("second_place", "anyone"),)),
    )


@pytest.mark.parametrize("path", sample(SHIPPED, 8), ids=lambda path: path.stem)
def test_shipped_sets(path):
    """Check that all variant combinations of shipped sets resolve without findings."""
    document, findings = open_document(path.read_bytes(), path.name, fetcher(str(path)))
    assert findings == ()
    assert all_findings(document) == ()
    for players in range(document.players[0], document.players[1] + 1):
        for selection in combinations(document, players):
            model, findings = resolve(document, selection, players)
            assert model is not None
            assert findings == ()


# ── As data ──


def hash_of(opened, text, *selected):
    """Return the hash of a text under a selection."""
    document, findings = opened(text)
    assert document is not None, findings
    return rules_hash(resolve_tree(document, parse_selection(selected))[0])


def test_as_data(document):
    """Check that the resolved tree is ready for JSON."""
    data = document_json(resolve_tree(document, Selection(("to_the_right",)))[0])
    assert data["round"][2]["repeat"]["do"][2]["pass"]["to"] == "right"
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize(
    "change",
    [
        ("# A game for tests", "# Another comment"),
        ("text: Two make a set.", "text: Two are a set."),
        ("label: coins", "label: shells"),
        ("version: 1.2.0", "version: 1.2.1"),
        ("  - shuffle: deck", "  - {shuffle: deck, source: H-1}"),
        ("per: seat, seen_by: nobody", "seen_by: nobody, per: seat"),
        ("    title: Duel", "    title: Two alone"),
        ("players: 2-5", "assumed: The number of players.\nplayers: 2-5"),
        ("  spice: {count: 6}", "  spice: {count: 6, assumed: As we heard.}"),
    ],
)
def test_texts_do_not_matter_to_the_rules(opened, harbour, change):
    """Check that labels, texts, comments and layout do not change the hash."""
    assert hash_of(opened, harbour(change)) == hash_of(opened, harbour())


@pytest.mark.parametrize(
    "change",
    [
        ("count: 20", "count: 21"),
        ("to: left}\n          id", "to: right}\n          id"),
        ("points: 5", "points: 6"),
        ("default: 7", "default: 8"),
        ("  fish: {count", "  text: {count: 1}\n  fish: {count"),
    ],
)
def test_rules_matter(opened, harbour, change):
    """Check that all that changes the game changes the hash, even a card named like a key of ours."""
    assert hash_of(opened, harbour(change)) != hash_of(opened, harbour())


def test_the_hash_knows_what_is_in_force(opened, harbour):
    """Check that selected variants, readings and parameters change the hash, and so does card order."""
    hashes = {hash_of(opened, harbour(), *own) for own in ([], ["calm"], ["second_place=anyone"], ["hand_size=8"])}
    assert len(hashes) == 4
    spice, crane = "  spice: {count: 6}\n", "  crane: {count: 4}\n"
    assert hash_of(opened, harbour((spice + crane, crane + spice))) not in hashes
    assert hash_of(opened, harbour(), "hand_size=7") in hashes


# ── Anything at all ──


def places_in(value, path=()):
    """Yield the paths of all values within a value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, own in inner:
        yield from places_in(own, (*path, key))


def without(value, path):
    """Return a copy without the value at a path."""
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = without(copy[path[0]], path[1:])
    return copy


def replaced(value, path, new):
    """Return a copy with another value at a path."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


def value_at(value, path):
    """Return the value at a path."""
    for key in path:
        value = value[key]
    return value


PLACES = list(places_in(GAME))[1:]


@given(
    st.lists(st.sampled_from(PLACES), min_size=1, max_size=2), st.sampled_from(PLACES), st.sampled_from(["cut", "swap"])
)
def test_any_mutation(opened, places, other, how):
    """Check that any mutation gives findings, never an exception; an accepted one resolves or is refused."""
    data = GAME
    for path in places:
        try:
            new = value_at(GAME, other)
            data = without(data, path) if how == "cut" else replaced(data, path, new)
        except (KeyError, IndexError, TypeError):  # the first change removed the place of the second
            continue
    document, findings = opened(json.dumps(data, ensure_ascii=False))
    assert (document is None) == any(finding.severity == "error" for finding in findings)
    if document is not None:
        all_findings(document)
        for selection in combinations(document, document.players[0], limit=4):
            model, findings = resolve(document, selection, document.players[0])
            assert model is not None or findings


@given(st.text(max_size=30))
def test_any_selection(opened, text):
    """Check that any text is a selection or refused, and any selection resolves or is refused."""
    try:
        selection = parse_selection([text])
    except ValueError:
        return
    model, findings = resolve(opened()[0], selection)
    assert model is not None or findings


def test_plain_data_of_examples(document):
    """Check that examples are given as written."""
    assert document.examples == plain(document.root)["examples"]
