"""Answers of the language server, asked for without a server: hover texts and completion."""

import asyncio
from functools import cache
from types import SimpleNamespace

import pytest
from lsprotocol.types import Position, Range

from draftengine.apps.lsp import server
from draftengine.apps.lsp.answers import hover, position, units
from draftengine.apps.lsp.completion import cursor, offers
from draftengine.apps.lsp.texts import OpenDocuments

HOUSE = """\
format: 1
id: house
extends: sushi_go
title: At home
version: 1.0.0
cards:
  matcha: {count: 6, label: Matcha, keep: true}
scoring:
  tempura: {points: 6}
  pairs: {kind: formula, points: "min(matcha, maki_icons)"}
"""
HOUSE_2 = """\
format: 2
id: house_2
extends: sushi_go
title: At home
version: 1.0.0
lists:
  colour: [red, blue]
cards:
  "{c}_tea": {for: {c: colour}, count: 6}
scoring:
  tea: {set: red_tea + blue_tea, size: 2, points: 3}
"""
RICE = HOUSE_2.replace("cards:\n", "cards:\n  rice:\n    icon: R\n    keep: true\n    count: 3\n")
RICE = RICE.replace("blue_tea,", "blue_tea + rice,")
CHANGES = "variants:\n  hot:\n    changes:\n      "
TESTS = "cardset: sushi_go\ntests:\n  - name: two\n    players: 2\n"


@cache
def opened_at_first(text, name):
    return OpenDocuments().put(name, text)


def opened(text, name="house.yaml", before=HOUSE):
    """Return what is known of a text that was another one before. Only this text is checked each time."""
    documents = OpenDocuments()
    documents.known[name] = opened_at_first(before, name)
    return documents.put(name, text)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("maki_icons", "**maki_icons** (counter): maki icons"),
        ("tempura", "**tempura** (scoring rule): Each set of 2 tempura scores 6 points."),
        ("tempura", "```yaml\nset: tempura\nsize: 2\n"),
        ("matcha,", "**matcha** (card): Matcha, 6 in the deck."),
        ("kind: f", "`kind`: each: points for each"),
    ],
)
def test_hover(part, says):
    """A hover text says what a name is, what it means and what stands there after `extends`."""
    assert says in hover(opened(HOUSE), HOUSE.index(part) + 1)[0]


def test_lengths_are_in_the_units_of_the_encoding():
    assert [units("🍣b", encoding) for encoding in ("utf-8", "utf-16", "utf-32")] == [5, 3, 2]


def test_a_fix_is_offered_up_to_the_edges_of_its_finding():
    answers = server.Answers(opened(HOUSE.replace("count", "cuont")), "utf-16", str, "en")
    (finding,) = [finding for finding in answers.diagnostics() if finding.code == "unknown-key"]
    start, end = finding.range.start, finding.range.end

    def offered(one, other):
        return [each for each in answers.actions(SimpleNamespace(range=Range(one, other))) if each.is_preferred]

    assert offered(start, start)
    assert offered(end, end)
    assert not offered(Position(end.line, end.character + 1), Position(end.line, end.character + 2))
    assert not offered(Position(start.line, 0), Position(start.line, start.character - 1))


def test_nothing_is_said_beside_the_text():
    assert hover(opened(f"# A comment\n{HOUSE}"), 1) == ("", None)


def test_a_function_is_explained_at_every_place_of_its_name():
    """Its name ends at the bracket; a name without one is no function."""
    known, start = opened(HOUSE), HOUSE.index("min(")
    for offset in range(start, start + len("min") + 1):
        assert "The smallest of the values." in hover(known, offset)[0]
    assert "The smallest" not in hover(known, start - 1)[0] + hover(known, start + len("min("))[0]


def test_a_key_is_explained_by_the_kind_of_its_rule():
    """Only rules of some kinds have the key, so that the kind has to be known."""
    text, _ = hover(opened(HOUSE_2, before=HOUSE_2), HOUSE_2.index("size") + 1)
    assert text.startswith("`size`: The number in one set")


def test_the_kind_of_a_rule_is_explained_as_a_kind():
    """The key that names a kind is what is counted, too, but not only that."""
    text, _ = hover(opened(HOUSE_2, before=HOUSE_2), HOUSE_2.index("set:") + 1)
    assert text.startswith("`set`: Points for every complete set")


def test_a_key_in_a_list_that_is_longer_than_before_leads_to_itself():
    """The extended game has no item of this number, so the key is new."""
    steps = "- shuffle: deck\n" * 4
    text = HOUSE_2.replace("cards:\n", f"round:\n{steps}- score: round\ncards:\n")
    answers = server.Answers(opened(text, before=text), "utf-16", str, "en")
    place = position(answers.known.source, text.index("score:"), "utf-16")
    (target,) = answers.definition(SimpleNamespace(position=place))
    assert target.range.start == place


def test_a_text_is_checked_again_with_those_that_extend_it():
    """Other open texts are left alone."""
    documents = OpenDocuments()
    child = HOUSE.replace("id: house", "id: child").replace("sushi_go", "base.yaml")
    for name, text in (("base.yaml", HOUSE), ("child.yaml", child), ("other.yaml", HOUSE_2)):
        documents.put(name, text)
    assert [known.path for known in documents.others("base.yaml")] == ["child.yaml"]


def test_hover_over_what_stands_for_many():
    assert "`for`: It is there once for each" in hover(opened(HOUSE_2), HOUSE_2.index("for:") + 1)[0]


@pytest.mark.parametrize(
    ("old", "new", "offered", "not_offered"),
    [
        ("cards:\n", "w\ncards:\n", {"winner", "steps"}, {"cards", "scoring", "title"}),  # those below are there
        ("label: Matcha, keep: true", "keep: ", {"true", "false"}, {"matcha"}),
        ("label: Matcha, keep: true", "count: ", set(), {"true", "false"}),
        ("maki_icons)", "", {"matcha", "tempura"}, {"pairs"}),  # the text is cut off: names of the last whole one
    ],
)
def test_completion(old, new, offered, not_offered):
    """Completion offers what fits at a place, without what is there already."""
    before, _, after = HOUSE.partition(old)
    written = new.partition("\n")[0]
    labels = {item.text for item in offers(opened(before + new + after), len(before) + len(written))}
    assert offered <= labels
    assert not labels & not_offered


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("examples:\n  - name: a\n  - name: b\n    ", "examples 0"),
        ("examples:\n- name: a\n- name: b\n  ", "examples 0"),
        ("round:\n  - repeat:\n      do:\n        - score: a\n        - score: b\n        - ", "round 0 repeat do 0"),
    ],
)
def test_later_items_of_a_list_are_in_it_as_the_first_is(text, path):
    assert " ".join(cursor(text, len(text)).path) == path


@pytest.mark.parametrize(
    ("text", "old", "new", "offered", "not_offered"),
    [
        (HOUSE, "kind: formula, ", "kind: ", {"set", "majority"}, {"matcha"}),
        (HOUSE, "points: 6", "kind: set, ", {"of", "size"}, {"set", "for", "most"}),
        (HOUSE_2, "size: 2", "", {"size", "for"}, {"of", "kind", "set", "most", "tie"}),
        (HOUSE_2, "set: red_tea + blue_tea, size: 2, points: 3", "", {"set", "size", "tie"}, {"kind", "of"}),
        (HOUSE_2, "{for: {c: colour}", "{", {"for", "label"}, {"series", "each"}),
        (HOUSE_2, "c: colour", "c: ", {"colour", "any"}, {"red_tea", "players"}),
        (HOUSE_2, "scoring:", "counters:\n  marks: {per: ", {"seat", "card", "nigiri"}, {"abs", "red_tea"}),
        (HOUSE_2, "count: 6", "triggers: [{after: reveal, ", {"who", "do", "unless"}, {"after", "count"}),
        (HOUSE_2, "count: 6", "on_play: [{move: {from: ", {"hand", "left.", "right."}, {"matcha"}),
        (HOUSE_2, "count: 6", "on_play: [{shuffle: ", {"deck"}, {"left."}),
        (RICE, "icon: R", "co", {"label"}, {"keep", "count"}),  # what stands below is there
        (RICE, "\n    ic", "\n    co", {"label"}, {"keep", "count"}),  # also if the line goes on after the cursor
        (RICE, "  tea: {set", f"{CHANGES}scoring:\n        ", {"tempura", "tea"}, {"rice"}),
        (RICE, "  tea: {set", f"{CHANGES}cards:\n        ", {"rice", "tempura"}, {"pass_hands"}),
    ],
)
def test_every_format_is_completed_in_its_words(text, old, new, offered, not_offered):
    """Check the words of both formats, and `for` with what it may go through."""
    before, _, after = text.partition(old)
    known = opened(text)
    assert not known.findings
    labels = {item.text for item in offers(opened(before + new + after, before=text), len(before + new))}
    assert offered <= labels
    assert not labels & not_offered


def test_a_name_is_changed_in_the_files_that_are_extended():
    """They are changed with the text itself, except the files of the program."""
    documents = OpenDocuments()
    documents.put("base.yaml", HOUSE)
    text = HOUSE.replace("id: house", "id: child").replace("sushi_go", "base.yaml").replace("label: Matcha, ", "")
    answers = server.Answers(documents.put("child.yaml", text), "utf-16", str, "en")
    place = SimpleNamespace(position=position(answers.known.source, text.index("matcha"), "utf-16"), new_name="tea")
    edits = answers.rename(place).changes
    assert {name: len(made) for name, made in edits.items()} == {"base.yaml": 2, "child.yaml": 2}


def test_scenarios_have_keys_of_their_own():
    """A file of scenarios is completed with their keys, not with those of card sets."""
    labels = {item.text for item in offers(opened(f"{TESTS}    ", "some.tests.yaml"), len(TESTS) + 4)}
    assert {"tables", "expect"} <= labels
    assert not labels & {"players", "kind", "cards"}


@pytest.mark.parametrize(
    ("findings", "is_current", "sent"),
    [((), True, 0), (("odd",), False, 0), (("odd",), True, 1)],
    ids=["nothing found", "text has changed", "found"],
)
def test_what_games_show_is_sent_for_the_present_text_only(monkeypatch, findings, is_current, sent):
    """Findings of played games are dropped if the text has changed; no findings are not sent."""
    monkeypatch.setattr(server, "PLAY_PAUSE", 0)
    monkeypatch.setattr(server, "ordered", list)
    known, published = SimpleNamespace(path="house.yaml", play=lambda: findings, findings=()), []
    texts = SimpleNamespace(known={"house.yaml": known if is_current else None})
    serving = SimpleNamespace(texts=texts, _publish=lambda *about: published.append(about))
    asyncio.run(server._Server.play_later(serving, "file:///house.yaml", known))
    assert len(published) == sent


def test_the_games_of_an_earlier_text_are_given_up():
    given_up = []
    games = SimpleNamespace(cancel=lambda: given_up.append("house.yaml"))
    serving = SimpleNamespace(playing={"house.yaml": games}, play=False, _publish=lambda *about: None)
    server._Server._send(serving, "house.yaml", None)
    assert given_up == ["house.yaml"]


def test_findings_are_in_the_language_of_the_editor():
    """Check that an editor that says its language gets findings in it."""
    session = server._Server(play=False)
    session.begun(SimpleNamespace(locale="pl"))
    known = opened(HOUSE.replace("maki_icons)", "maki_icon)"))
    (finding,) = server.Answers(known, "utf-16", str, session.language).diagnostics()
    assert "Czy chodziło o „maki_icons”?" in finding.message


@pytest.mark.parametrize("name", ["tea", "set"])
@pytest.mark.parametrize(("old", "starts"), [("size", "`size`: The number in one set"), ("of", "")])
def test_only_entries_of_sections_are_rules(name, old, starts):
    """Check that a rule may have the name of a kind, and that only kinds explain their keys."""
    text = HOUSE_2.replace("  tea: {set:", f"  {name}: {{set:")
    text = text if starts else text.replace("size: 2", "of: 2").replace("set: red_tea + blue_tea, ", "")
    text_shown = hover(opened(text, before=HOUSE_2), text.index(f"{old}: 2") + 1)[0]
    assert text_shown.startswith(starts) if starts else "size" not in text_shown


def test_symbols_are_sections_with_entries_or_fields():
    symbols = server.Answers(opened(HOUSE), "utf-16", str, "en").symbols(None)
    kinds = {symbol.name: symbol.kind.name for symbol in symbols}
    assert (kinds["id"], kinds["cards"], kinds["scoring"]) == ("Field", "Namespace", "Namespace")
    inner = {below.name: below.kind.name for symbol in symbols for below in symbol.children}
    assert inner == {"matcha": "Field", "tempura": "Field", "pairs": "Field"}
    assert [below.children for symbol in symbols for below in symbol.children] == [[], [], []]


@pytest.mark.parametrize(("agreed", "encoding"), [(None, "utf-16"), ("utf-8", "utf-8"), ("utf-32", "utf-32")])
def test_characters_are_counted_as_agreed(agreed, encoding):
    asked = SimpleNamespace(io=SimpleNamespace(workspace=SimpleNamespace(position_encoding=agreed)))
    assert server._Server.encoding.fget(asked) == encoding
