"""Fixes: certain only if nothing else can be meant, and exact in their edits."""

from __future__ import annotations

import pytest

from draftengine.model.diagnostics import Diagnostic, Edit, Fix
from draftengine.model.diagnostics.suggest import is_slip
from draftengine.model.yaml.fixes import (
    as_item,
    at_the_margin,
    certain_edits,
    edited,
    renamed,
    with_entry,
    without_line,
)
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping
from draftengine.support.source import Source, Span


@pytest.mark.parametrize(
    ("name", "meant", "others", "certain"),
    [
        ("tempra", "tempura", (), True),
        ("tempuar", "tempura", (), True),
        ("Tempura", "tempura", (), True),
        ("green-tea", "green_tea", (), True),
        ("saahsmi", "sashimi", (), False),
        ("maki_4", "maki_3", ("maki_2",), False),
        ("maki_4", "maki_3", (), False),
        ("soop", "soup", ("stop",), False),
        ("soop", "soup", ("bread",), True),
        ("of", "or", (), False),
        ("dumplnig", "dumpling", (), True),
    ],
)
def test_slips_of_the_pen(name, meant, others, certain):
    assert is_slip(name, meant, (meant, *others)) is certain


def stretch(source, text):
    start = source.text.index(text)
    return Span(source, start, start + len(text))


@pytest.mark.parametrize(
    ("text", "key", "value", "after"),
    [
        ("a: 1\nb: null # old\nc: 3\n", "b", "null", "a: 1\nc: 3\n"),
        ("{a: 1, b: 2, c: 3}", "b", "2", "{a: 1, c: 3}"),
        ("{a: 1, b: 2}", "b", "2", "{a: 1}"),
        ("{b: 2}", "b", "2", "{}"),
        ("b: 2", "b", "2", ""),
    ],
)
def test_an_entry_goes_with_its_line_or_its_comma(text, key, value, after):
    source = Source("a.yaml", text)
    fix = without_line(stretch(source, key), stretch(source, value))
    assert edited(text, fix.edits) == after
    assert not fix.certain


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a:\n  b:\n    c: 1\n\n    d: 2\ne: 3\n", "a:\nb:\n  c: 1\n\n  d: 2\ne: 3\n"),
        ("a:\n  b:\n  c: 1\n", "a:\nb:\n  c: 1\n"),
        ("a: {b: 1}\n", None),
    ],
)
def test_an_entry_goes_to_the_margin_with_all_its_lines(text, after):
    root, _ = load(Source("a.yaml", text))
    fix = at_the_margin(root.entries[0].value.entries[0])
    assert (fix and edited(text, fix.edits)) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a:\n  b:\n    c: 1\n    d: 2\n  e: 3\n", "a:\n  - b:\n      c: 1\n      d: 2\n    e: 3\n"),
        ("a: {b: 1, e: 3}\n", None),
    ],
)
def test_entries_become_an_item_of_a_list(text, after):
    root, _ = load(Source("a.yaml", text))
    fix = as_item(root.entries[0].value.entries)
    assert (fix and edited(text, fix.edits)) == after


def test_an_entry_is_added_only_where_the_first_one_stands():
    """Check that an entry is added only beside the first one, not where a change brought it in."""
    text = "a: {b: 1}\nc: {d: 1}\n"
    root, _ = load(Source("a.yaml", text))
    other, _ = load(Source("b.yaml", text))
    one, two = (own.value for own in root.entries)
    assert edited(text, with_entry(one, "e", "2").edits) == "a: {e: 2, b: 1}\nc: {d: 1}\n"
    for entries in (two.entries, other.entries[0].value.entries, ()):
        assert with_entry(Mapping(entries, one.span), "e", "2") is None


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a:\n  b {c: 1, d: 2}\n", "a:\n  b: {c: 1, d: 2}\n"),
        ("a: 1\nb\n  c: 1\n", "a: 1\nb:\n  c: 1\n"),
        ("a:\n  b c\n  d: 2\n", "a:\n  b: c\n  d: 2\n"),
        ("a: 1\nb, and c\nd: 2\n", None),
    ],
)
def test_a_missing_colon_is_one_mistake_and_is_added(text, after):
    """Without it, the next colon on the line only seems to be within a text."""
    _, (finding,) = load(Source("a.yaml", text))
    assert (finding.fix and edited(text, finding.fix.edits)) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("rounds: 3\nrounds: []\n", "rounds: 3\nround: []\n"),
        ("rounds: []\nrounds: 3\n", "round: []\nrounds: 3\n"),
        ("round: 3\nround: []\n", "rounds: 3\nround: []\n"),
        ("round: []\nround: 3\n", "round: []\nrounds: 3\n"),
    ],
)
def test_of_two_alike_the_one_that_holds_no_steps_says_how_many(text, after):
    _, (finding,) = load(Source("a.yaml", text))
    assert edited(text, finding.fix.edits) == after


def test_only_what_stands_there_is_renamed():
    source = Source("a.yaml", 'of: "tempra"')
    whole = stretch(source, '"tempra"')
    assert edited(source.text, renamed(whole, "tempra", ["tempura"]).edits) == 'of: "tempura"'
    assert renamed(stretch(source, "of"), "tempra", ["tempura"]) is None
    assert renamed(whole, "tempra", ["bread"]) is None


def test_edits_of_one_file_that_do_not_overlap():
    """Check that the second of two overlapping fixes waits, and fixes of other files are left alone."""
    here, there = Source("a.yaml", "abcdef"), Source("b.yaml", "abcdef")

    def finding(source, start, end, *, certain=True):
        span = Span(source, start, end)
        return Diagnostic("unknown-key", "error", "?", span, fix=Fix((Edit(span, "X"),), certain))

    findings = [finding(here, 4, 6), finding(here, 0, 2), finding(here, 1, 3), finding(there, 3, 4)]
    findings.append(finding(here, 3, 4, certain=False))
    assert edited("abcdef", certain_edits(findings, "a.yaml")) == "XcdX"
