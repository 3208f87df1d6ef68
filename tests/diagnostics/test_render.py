"""Findings as text, JSON and SARIF; suggestions; the catalogue."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from draftengine.model.diagnostics import (
    PHASES,
    Diagnostic,
    Edit,
    Entry,
    Fix,
    Related,
    catalogue,
    merged,
    ordered,
    table,
)
from draftengine.model.diagnostics import render as text
from draftengine.model.diagnostics.render import json_text, sarif_text
from draftengine.model.diagnostics.suggest import closest, did_you_mean
from draftengine.support.source import Source, Span

NAMES = ["soup", "bread", "soup_count", "Points", "tie_breakers", "until_empty"]


# ── helpers ──


def finding(content, marked, **changes):
    """Return a finding about the first occurrence of `marked` in a text."""
    source = Source(changes.pop("name", "two.yaml"), content)
    start = content.index(marked)
    given_values = {"code": "some-code", "severity": "error", "text": "Something is wrong."} | changes
    return Diagnostic(span=Span(source, start, start + len(marked)), **given_values)


def snippet(content, marked):
    """Return the source line and the line of its mark."""
    return text.render([finding(content, marked)]).split("\n")[2:4]


def columns(line):
    """Return the number of columns in a terminal."""
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in line)


def log_of(findings, **options):
    return json.loads(sarif_text([("two.yaml", findings)], **options))["runs"][0]


# ── Text ──


def test_a_finding_as_text():
    """Check place, code, message, numbered line, mark, related places and hint."""
    content = "cards:\n  soup: 1\n  bread: 2\n  soup: 3\n"
    source = Source("two.yaml", content)
    shown = Diagnostic(
        "duplicate-key",
        "error",
        "The key “soup” occurs here a second time.",
        Span(source, 30, 34),
        "/cards/soup",
        "Rename it.",
        (Related("first here", Span(source, 9, 13)),),
    )
    assert text.render([shown]).split("\n") == [
        "two.yaml:4:3: error[duplicate-key]: The key “soup” occurs here a second time.",
        "  |",
        "4 |   soup: 3",
        "  |   ^^^^",
        "  = two.yaml:2:3: first here",
        "  |",
        "2 |   soup: 1",
        "  |   ^^^^",
        "  = hint: Rename it.",
        "",
    ]


def test_several_findings():
    """Check that findings keep their order, with empty lines between; warnings are called so."""
    first = finding("a: 1\n", "a")
    shown = text.render([first, finding("a: 1\n", "1", severity="warning")])
    assert [line for line in shown.split("\n") if "two" in line or not line] == [
        "two.yaml:1:1: error[some-code]: Something is wrong.",
        "",
        "two.yaml:1:4: warning[some-code]: Something is wrong.",
        "",
    ]


def test_no_findings():
    """Check that no findings give no text."""
    assert text.render([]) == ""


def test_line_numbers_are_aligned():
    """Check that the margin is as wide as the widest line number."""
    content = "a: 1\n" * 99 + "b: 2\n"
    source = Source("two.yaml", content)
    last = Span(source, 495, 496)
    shown = Diagnostic("some-code", "error", "Something.", last, related=(Related("here", Span(source, 0, 1)),))
    lines = text.render([shown]).split("\n")
    assert lines[1:4] == ["    |", "100 | b: 2", "    | ^"]
    assert lines[5:8] == ["    |", "  1 | a: 1", "    | ^"]


@pytest.mark.parametrize(
    ("content", "marked", "mark"),
    [
        ("soup: 1", "soup", "^^^^"),
        ("寿司: soup", "soup", "      ^^^^"),
        ("a: 寿司", "寿司", "   ^^^^"),
        ("🍜🍜 x", "x", "     ^"),
        ("cafe\u0301: x", "x", "      ^"),
        ("e\u0301e\u0301", "e\u0301", "^"),
        ("\uff46\uff55 x", "x", "     ^"),
        ("a\tb", "b", "   ^"),
        ("a\tb", "\t", " ^^"),
        ("\x1b[31m x", "x", "         ^"),
        ("\u202ea b", "b", "        ^"),
        ("a: [\n1]", "[\n1]", "   ^"),
        ("a: ", "", "^"),
    ],
)
def test_the_mark_stands_under_its_words(content, marked, mark):
    """Check marks under wide characters (two columns), combining ones (none) and escaped codes."""
    assert snippet(content, marked)[1] == f"  | {mark}"


def test_the_mark_at_the_end_of_a_line_and_of_the_file():
    """Check that one column is marked where no text is left."""
    source = Source("two.yaml", "a:\nb")
    for place, line, mark in ((2, "a:", "  ^"), (4, "b", " ^")):
        shown = text.render([Diagnostic("some-code", "error", "Something.", Span(source, place, place))])
        assert shown.split("\n")[2].endswith(f"| {line}")
        assert shown.split("\n")[3].endswith(f"| {mark}")


def test_an_empty_file_has_no_line():
    """Check that an empty file shows no line."""
    shown = text.render([Diagnostic("empty-file", "error", "Empty.", Span(Source("two.yaml", ""), 0, 0))])
    assert shown == "two.yaml:1:1: error[empty-file]: Empty.\n"


@pytest.mark.parametrize("lead", [0, 30, 90, 5000])
@pytest.mark.parametrize("char", ["x", "寿", "\x1b", "\u202e"])
@pytest.mark.parametrize("tail", [0, 30, 5000])
def test_long_lines_are_cut_around_the_mark(lead, char, tail):
    """Check that any long line is cut to the width with the mark under its words."""
    line, mark = snippet(char * lead + "SOUP" + char * tail, "SOUP")
    assert columns(line) <= text.MAX_WIDTH + len("1 | ……")
    at = columns(line[: line.index("SOUP")])
    assert mark == f"  |{' ' * (at - 3)}^^^^"


def test_a_long_mark_is_cut():
    """Check that a mark of a thousand columns is drawn like one of a hundred."""
    line, mark = snippet("a: " + "x" * 1000, "x" * 1000)
    assert columns(line) <= text.MAX_WIDTH + len("1 | ……")
    assert len(mark) == len(line)


@given(st.text(max_size=120), st.data())
def test_nothing_steers_the_terminal(content, data):
    """Check that control and direction characters of any part are not printed."""
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))
    span = Span(Source(content, content), start, end)
    shown = Diagnostic(content, "error", content, span, content, content, (Related(content, span),))
    kinds = {unicodedata.category(char) for char in text.render([shown]) if char not in "\n\u200d"}
    assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert all(char <= "\x7f" and char.isprintable() for char in json_text([(content, [shown])]).replace("\n", ""))


def test_colour():
    """Check that colour only adds codes, and is switched off at the end."""
    findings = [finding("a: 寿\n", "寿", advice="Try soup."), finding("a: 1\n", "1", severity="warning")]
    coloured = text.render(findings, color=True)
    assert "\x1b[1;31merror[some-code]\x1b[0m" in coloured
    assert "\x1b[1;33mwarning[some-code]\x1b[0m" in coloured
    parts = coloured.split("\x1b[")
    assert "".join([parts[0], *(part.split("m", 1)[1] for part in parts[1:])]) == text.render(findings)
    assert [part.startswith("0m") for part in parts[1:]] == [False, True] * (len(parts) // 2)


# ── JSON ──


def test_findings_as_json():
    """Check lines and columns from 1, columns in code points, exclusive ends, and validity by file."""
    bad = finding("🍜: 1\nb: 寿司", "寿司", path="/b", advice="Try soup.")
    related = Related("see here", Span(bad.span.source, 0, 1))
    bad = Diagnostic(bad.code, bad.severity, bad.text, bad.span, bad.path, bad.advice, (related,))
    odd = finding("a: 1", "a", severity="warning")
    assert json.loads(json_text([("two.yaml", [bad]), ("ok.yaml", [odd]), ("no.yaml", [])])) == {
        "files": [
            {
                "path": "two.yaml",
                "valid": False,
                "diagnostics": [
                    {
                        "code": "some-code",
                        "severity": "error",
                        "message": "Something is wrong.",
                        "line": 2,
                        "column": 4,
                        "end_line": 2,
                        "end_column": 6,
                        "path": "/b",
                        "hint": "Try soup.",
                        "related": [
                            {
                                "message": "see here",
                                "file": "two.yaml",
                                "line": 1,
                                "column": 1,
                                "end_line": 1,
                                "end_column": 2,
                            }
                        ],
                        "fix": None,
                    }
                ],
            },
            {
                "path": "ok.yaml",
                "valid": True,
                "diagnostics": [
                    {
                        "code": "some-code",
                        "severity": "warning",
                        "message": "Something is wrong.",
                        "line": 1,
                        "column": 1,
                        "end_line": 1,
                        "end_column": 2,
                        "path": "",
                        "hint": "",
                        "related": [],
                        "fix": None,
                    }
                ],
            },
            {"path": "no.yaml", "valid": True, "diagnostics": []},
        ]
    }


# ── SARIF ──


def test_findings_as_sarif():
    """Check one run, with a rule for each code and a result for each finding."""
    source = Source("cardsets/two.yaml", "a: 1\na: 2\n")
    related = (Related("first here", Span(source, 0, 1)),)
    shown = Diagnostic("duplicate-key", "error", "Twice.", Span(source, 5, 6), "/a", "Rename it.", related)
    log = json.loads(sarif_text([("cardsets/two.yaml", [shown]), ("other.yaml", [])]))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "duplicate-key"
    assert rule["fullDescription"]["text"] == str(catalogue()["duplicate-key"].explanation)
    artifact = {"uri": "cardsets/two.yaml", "uriBaseId": "%SRCROOT%"}
    region = {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 2}
    first = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2}
    assert run["results"] == [
        {
            "ruleId": "duplicate-key",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": "Twice. Rename it."},
            "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
            "relatedLocations": [
                {
                    "physicalLocation": {"artifactLocation": artifact, "region": first},
                    "message": {"text": "first here"},
                }
            ],
        }
    ]


def with_fix():
    """Return a finding whose fix replaces a word in its file and inserts one in another."""
    bad = finding("a: 1\nb: old", "old")
    other = Source("base.yaml", "c: 2\n")
    fix = Fix((Edit(bad.span, "new"), Edit(Span(other, 5, 5), "d: 3\n")), certain=True)
    return replace(bad, fix=fix)


def test_a_fix_as_json():
    """Check the edits with files and places; an insertion has an empty place."""
    (shown,) = json.loads(json_text([("two.yaml", [with_fix()])]))["files"][0]["diagnostics"]
    own = {"file": "two.yaml", "line": 2, "column": 4, "end_line": 2, "end_column": 7, "new_text": "new"}
    its = {"file": "base.yaml", "line": 2, "column": 1, "end_line": 2, "end_column": 1, "new_text": "d: 3\n"}
    assert shown["fix"] == {"certain": True, "edits": [own, its]}


def test_a_fix_as_sarif():
    """Check one change for each file, with a replacement for each edit."""
    (result,) = log_of([with_fix()])["results"]
    (fix,) = result["fixes"]
    first, second = fix["artifactChanges"]
    assert first == {
        "artifactLocation": {"uri": "two.yaml", "uriBaseId": "%SRCROOT%"},
        "replacements": [
            {
                "deletedRegion": {"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 7},
                "insertedContent": {"text": "new"},
            }
        ],
    }
    assert second["artifactLocation"]["uri"] == "base.yaml"
    assert second["replacements"][0]["insertedContent"] == {"text": "d: 3\n"}


def test_codes_without_an_entry_are_rules_too():
    """Check that a log is valid even if the catalogue lacks a code."""
    run = log_of([finding("a: 1", "a", severity="warning")])
    assert run["tool"]["driver"]["rules"] == [{"id": "some-code"}]
    assert run["results"][0]["level"] == "warning"


@pytest.mark.parametrize(
    ("name", "root", "uri"),
    [
        ("two.yaml", "", "two.yaml"),
        ("./sets/two.yaml", "", "sets/two.yaml"),
        ("/home/cook/sets/two.yaml", "/home/cook", "sets/two.yaml"),
        ("/home/cook/sets/two.yaml", "/home/cook/", "sets/two.yaml"),
        ("/home/cook/two.yaml", "/home/baker", "file:///home/cook/two.yaml"),
        ("sets\\two.yaml", "", "sets/two.yaml"),
        ("C:\\sets\\two.yaml", "C:\\sets", "two.yaml"),
        ("C:\\sets\\two.yaml", "", "file:///C%3A/sets/two.yaml"),
        ("zwei gänge.yaml", "", "zwei%20g%C3%A4nge.yaml"),
        ("<stdin>", "", "%3Cstdin%3E"),
        ("", "", "."),
    ],
)
def test_paths_in_sarif_are_relative_and_stable(name, root, uri):
    """Check relative paths with slashes and percent signs, without the user's folder."""
    run = log_of([finding("a: 1", "a", name=name)], root=root)
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_the_same_findings_give_the_same_bytes():
    """Check that rules are sorted regardless of the order of findings."""
    findings = [finding("a: 1", "a", code=code) for code in ("tab", "alias", "tab")]
    run = log_of(findings)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["alias", "tab"]
    assert [result["ruleIndex"] for result in run["results"]] == [1, 0, 1]


# ── Suggestions ──


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("soop", "soup"),
        ("SOUP", "soup"),
        ("soup-count", "soup_count"),
        ("soup count", "soup_count"),
        ("points", "Points"),
        ("tiebreakers", "tie_breakers"),
        ("untilempty", "until_empty"),
        ("xyz", None),
        ("", None),
        ("soup" * 1000, None),
    ],
)
def test_the_closest_name(name, meant):
    """Check that case and separators count little, and that unlike names get no suggestion."""
    assert closest(name, NAMES) == meant
    assert str(did_you_mean(name, NAMES)) == (f"Did you mean “{meant}”?" if meant else "")


def test_the_name_itself_is_no_suggestion():
    """Check that a name is not suggested for itself."""
    assert closest("soup", ["soup"]) is None
    assert closest("soup", iter(["soup", "Soup", "soups"])) == "Soup"


def test_suggestions_do_not_depend_on_the_order():
    """Check that the suggestion does not depend on the order of names."""
    assert closest("soup_3", ["soup_1", "soup_2"]) == closest("soup_3", ["soup_2", "soup_1"])


# ── The catalogue ──


def test_no_code_stands_twice():
    """Check that the code tables of all phases have no code in common."""
    assert len(catalogue()) == sum(len(table(phase)) for phase in PHASES)


def test_a_code_that_stands_twice_is_noticed():
    """Check that a doubled code fails the test above."""
    entry = Entry("some-code")
    with pytest.raises(ValueError, match="some-code"):
        merged([[entry], [entry]])


@pytest.mark.parametrize("entry", catalogue().values(), ids=lambda entry: entry.code)
def test_entries(entry):
    """Check that codes are words, titles have no full stop, and explanations are sentences.

    Examples come in pairs.
    """
    assert all(word.isalnum() and word.islower() for word in entry.code.replace("8", "a").split("-"))
    assert not str(entry.title).endswith(".")
    assert str(entry.explanation).endswith(".")
    assert bool(entry.bad) == bool(entry.good)


def test_order():
    """Check that findings are sorted by place, each once."""
    first, second = finding("a: 1", "a"), finding("a: 1", "1")
    assert ordered([second, first, second]) == (first, second)
