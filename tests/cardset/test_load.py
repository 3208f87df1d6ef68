"""Reading card sets: mistakes of the case files, values, places, limits, and malicious texts."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import draftengine as de
from cardset.measuring import memory_of
from conftest import NIGHTLY
from draftengine.api.scenario.suite import check_bytes
from draftengine.model import limits
from draftengine.model.diagnostics import catalogue, table
from draftengine.model.yaml import load as reading
from draftengine.model.yaml.checks import MAX_FINDINGS
from draftengine.model.yaml.load import OF_SINGLE_THINGS, load, read_source
from draftengine.model.yaml.scalars import FORBIDDEN
from draftengine.model.yaml.syntax_errors import MISTAKES
from draftengine.model.yaml.tree import Mapping, Scalar, Sequence, plain
from draftengine.support.source import Source
from written import cases_in

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "cardsets").glob("*.yaml"))
TEXTS = [path.read_text("utf-8") for path in SHIPPED]
CASES = [case for path in sorted((ROOT / "tests/diagnostics/yaml").glob("*.yaml")) for case in cases_in(path)]
FEWEST_CASES = 60
WITHOUT_EXAMPLE = {
    "control-character",
    "file-too-large",
    "text-too-long",
    "too-many-findings",
    "too-many-values",
    "wrong-encoding",
}


# ── helpers ──


def name_of(case):
    """Return the name of a case."""
    return case["name"]


def data_of(case):
    """Return the bytes of a case."""
    return case["bytes"].encode("latin-1") if "bytes" in case else case["text"].encode()


def read(data):
    """Return tree and findings of a file."""
    source, findings = read_source(data, "case.yaml")
    return (None, findings) if findings else load(source)


def tree_of(text):
    """Return the tree of a text without mistakes."""
    tree, findings = read(text.encode())
    assert findings == ()
    assert tree is not None
    return tree


def value_of(text):
    """Return the value that is written so."""
    return tree_of(f"key: {text}\n").get("key")


def found(data):
    """Return code and place of every finding, as in the case files."""
    return ["{} {}:{}".format(finding.code, *finding.span.position) for finding in read(data)[1]]


def codes(text):
    return [finding.code for finding in load(Source("case.yaml", text))[1]]


def with_both_parsers(text, monkeypatch):
    """Return the results of the fast parser and of the slow one."""
    source = Source("case.yaml", text)
    fast = load(source)
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_fast", lambda: None)
        return fast, load(source)


def nodes(node):
    """Yield all values of a tree."""
    yield node
    inner = node.items if isinstance(node, Sequence) else ()
    inner = [entry.value for entry in node.entries] if isinstance(node, Mapping) else inner
    for child in inner:
        yield from nodes(child)


def keys(node):
    """Yield all keys of a tree."""
    return [entry.key for each in nodes(node) if isinstance(each, Mapping) for entry in each.entries]


def written(span):
    return span.source.text[span.start : span.end]


# ── Mistakes ──


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_mistake_is_found_where_it_is(case):
    """Check that the findings of a case have the expected codes, lines and columns."""
    assert found(data_of(case)) == case["finds"]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_file_with_mistakes_has_no_tree(case):
    """Check that wrong YAML gives no tree; mistakes in single keys and values leave it whole."""
    tree, findings = read(data_of(case))
    if tree is not None:
        assert {own.code for own in findings} <= OF_SINGLE_THINGS


def test_a_mistake_in_a_value_hides_nothing_else(tmp_path):
    """Check that schema findings of other lines come too, but none of the line with the YAML mistake."""
    path = tmp_path / "several.yaml"
    path.write_text(
        "format: 1\nid: several\ntitle: Several\nversion: 1.0.0\nplayers: 2-4\nrounds: 010\n"
        "cards:\n  soup: {count: 1_0, oops: 1}\n  soup: {count: 3}\n"
        "round: [{del: {to: hand, cards: 5}}]\nscoring: {}\nwinner: {order: most}\n"
    )
    assert [(own.code, own.span.position[0]) for own in de.check(path)] == [
        ("leading-zero", 6), ("underscored-number", 8), ("duplicate-key", 9), ("unknown-key", 10),
    ]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_finding_says_what_to_do(case):
    """Check that messages are sentences with hints, without any words of the parser."""
    for finding in read(data_of(case))[1]:
        assert finding.message.endswith((".", "!"))
        assert finding.hint.endswith(".")
        assert not any(word in finding.message + finding.hint for word in ("expected", "token", "<block", "<stream"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("version: 0.1", "Write 0.1.0: a version has three numbers."),
        ("version: 1.0", "Write 1.0.0: a version has three numbers."),
        ("size: 0.1", 'Write a whole number, or "0.1" in quotes if it is a text.'),
        ("about: {version: 0.1}", 'Write a whole number, or "0.1" in quotes if it is a text.'),
        ("version: 1e3", 'Write a whole number, or "1e3" in quotes if it is a text.'),
    ],
)
def test_a_version_has_three_numbers(text, hint):
    assert [finding.hint for finding in read(f"{text}\n".encode())[1]] == [hint]


def test_a_function_that_yaml_took_apart_needs_quotes():
    """Check the advice to quote a function split by YAML; other keys in braces without value differ."""
    hints = [read(f"tea: {{{text}}}\n".encode())[1][0].hint for text in ("points: 2 * min(soup, 3)", "points: 2, 3)")]
    assert ["quotes" in hint for hint in hints] == [True, True]
    assert "quotes" not in read(b"tea: {points: 2, keep}\n")[1][0].hint


def test_a_sentence_that_yaml_took_apart_needs_quotes():
    """Check that all pieces of one split text are one finding, separate from other keys without value."""
    _, torn = read(b"tea: {text: Counts as one, another, or a third, count: 2}\nsoup: {text: One of, two}\n")
    assert [finding.span.position[0] for finding in torn] == [1, 2]
    assert all("quotes" in finding.hint for finding in torn)
    _, others = read(b"tea: {kind: set, keep, face}\n")
    assert ["quotes" in finding.hint for finding in others] == [False, False]


@pytest.mark.parametrize("case", [case for case in CASES if "text" in case], ids=name_of)
def test_both_parsers_find_the_same(case, monkeypatch):
    """Check that findings do not depend on the fast parser."""
    fast, precise = with_both_parsers(case["text"], monkeypatch)
    assert fast == precise


def test_there_are_many_cases():
    """Check that the case files are read."""
    assert len(CASES) >= FEWEST_CASES


def test_a_doubled_key_points_to_the_first():
    """Check that the related place of a doubled key is the first key of that name."""
    _, (finding,) = read(b"cards:\n  soup: 1\n  bread: 2\n  soup: 3\n")
    assert [(related.message, related.span.position) for related in finding.related] == [("first here", (2, 3))]
    assert finding.path == "/cards/soup"


def test_a_mismatched_bracket_points_to_the_opening_one():
    """Check that the related place of a mismatched bracket is the opening one."""
    _, (finding,) = read(b"cards: {soup: 4]\n")
    assert [(related.message, related.span.position) for related in finding.related] == [("opened here", (1, 8))]


def test_paths_are_json_pointers():
    """Check that paths are JSON Pointers, with slashes and tildes in keys escaped."""
    _, findings = read(b'cards:\n  "a/b~c": [1, {x: yes}]\n')
    assert [finding.path for finding in findings] == ["/cards/a~1b~0c/1/x"]


# ── The catalogue ──


def test_every_code_of_the_cases_is_in_the_catalogue():
    """Check that every code of the cases is in the catalogue."""
    cases = {code.split()[0] for case in CASES for code in case["finds"]}
    assert cases | {mistake.code for mistake in MISTAKES} <= catalogue().keys()


@pytest.mark.parametrize("entry", table("yaml"), ids=lambda entry: entry.code)
def test_the_examples_of_the_catalogue(entry):
    """Check that a bad example has exactly its mistake, and a good one none."""
    if entry.code in WITHOUT_EXAMPLE:
        assert entry.bad == entry.good == ""
    else:
        assert codes(entry.bad) == [entry.code]
        assert codes(entry.good) == []


# ── Values ──


@pytest.mark.parametrize(
    "text",
    [
        *("2-5", "1.0.0", "O-09", "3 * amount", "-6 if players > 2 else 0", "symbols == most(symbols)", "a:b", "1:99"),
        *("^[a-z]+$", "-a", "--5", "5-", "1 2", "0.1.2", "v1", "1st", "1e", "0x", "0b2", "0o8", "yesterday", "nobody"),
        *("Null and void", "=", "x << 2", ".", "..", "1_a", "_1", "2024-1", "12:60:00", "http://soup.example", "a#b"),
        *("Really?", "truely", "~/soup", "+", "+a", "1,000", "½", "١٢", "🍜", "of", "yes no"),
    ],
)
def test_texts_stay_texts(text):
    """Check that formulas, versions, ranges and statement numbers are texts without quotes."""
    assert value_of(text).value == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("true", True), ("false", False), ("null", None), ("~", None), ("", None)],
        *[("0", 0), ("7", 7), ("-7", -7), ("-0", 0), ("999999", 999_999), ("-999999", -999_999)],
        *[("'yes'", "yes"), ('"010"', "010"), ("'1.0'", "1.0"), ('""', ""), ("'null'", "null"), ('"7"', "7")],
        *[('"a\\tb\\n"', "a\tb\n"), ("'it''s'", "it's"), ('"caf\\u00e9"', "café"), ('"\\U0001f35c"', "🍜")],
        *[("|\n  a\n  b", "a\nb\n"), (">-\n  a\n  b", "a b"), ("a\n  b", "a b"), ('"a\n  b"', "a b")],
    ],
)
def test_values(text, value):
    """Check that whole numbers, truth values and null are values; all else is a text."""
    got = value_of(text).value
    assert (type(got), got) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{2: a, 10: b}", ["2", "10"]),
        ("{-1: a}", ["-1"]),
        ("{'no': a, \"1.5\": b}", ["no", "1.5"]),
        ("{O-09: a, 1.0.0: b}", ["O-09", "1.0.0"]),
        ("{? a : 1}", ["a"]),
        ('{"a":1}', ["a"]),
    ],
)
def test_keys(text, names):
    """Check that keys are texts, also whole numbers, as in tables by number of players."""
    assert [entry.key.text for entry in value_of(text).entries] == names


@pytest.mark.parametrize("text", ["{a: }", "{a: , b: 1}", '{"a":}'])
def test_an_empty_value_within_braces_is_nothing(text):
    """Check that a key with a colon and no value within braces is null."""
    assert value_of(text).entries[0].value.value is None


@pytest.mark.parametrize("start", ["---\n", "# Soup\n---\n", "\n\n", "\ufeff"])
@pytest.mark.parametrize("end", ["", "...\n", "# Soup\n", "\n\n"])
def test_one_document_may_have_a_frame(start, end):
    """Check that document marks, comments and empty lines are accepted."""
    assert plain(tree_of(f"{start}format: 1\n{end}")) == {"format": 1}


def test_line_ends_of_windows():
    """Check that line ends of Windows are read like others."""
    assert plain(tree_of("a: 1\r\nb: |\r\n  c\r\n  d\r\n")) == {"a": 1, "b": "c\nd\n"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_card_sets(path, monkeypatch):
    """Check that shipped card sets load equally with both parsers and with PyYAML."""
    text = path.read_text("utf-8")
    fast, precise = with_both_parsers(text, monkeypatch)
    assert fast == precise
    assert fast[1] == ()
    assert json.loads(json.dumps(yaml.safe_load(text))) == plain(fast[0])


def test_the_language_reference():
    """Check that the documented card set loads."""
    page = (ROOT / "docs/language.md").read_text("utf-8")
    blocks = [block.split("```")[0] for block in page.split("```yaml\n")[1:]]
    assert blocks
    assert [codes(block) for block in blocks] == [[] for _ in blocks]


# ── Places ──


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("3 * amount", 6),
        ("'3 * amount'", 7),
        ('"3 * amount"', 7),
        ("'寿司 > 2'", 7),
        ("42", 6),
        ('"a\\u0062"', None),
        ("'it''s'", None),
        ('"a\n  b"', None),
        ("a\n  b", None),
        ("|\n  a", None),
        ("true", None),
        ("~", None),
        ('""', 7),
        ("-0", None),
    ],
)
def test_where_the_characters_of_a_text_begin(text, column):
    """Check the offset of plain and quoted texts that are in the file letter for letter."""
    scalar = value_of(text)
    assert scalar.text_at == (None if column is None else column - 1)


def test_places():
    """Check the spans of keys with their quotes, of scalars, and of lists and mappings."""
    tree = tree_of('a: {b: [1, "c"], d: }\n"e f":\n  - g: 1\n    h: |\n      i\n      j\n\n  - k\nl:\n- m\no: \'\'\n')
    assert [written(key.span) for key in keys(tree)] == ["a", '"e f"', "l", "o", "b", "d", "g", "h"]
    first = tree.get("a")
    assert written(first.span) == '{b: [1, "c"], d: }'
    assert written(first.get("b").span) == '[1, "c"]'
    assert (written(first.get("d").span), first.get("d").span.position) == ("", (1, 20))
    second = tree.get("e f")
    assert written(second.span) == "- g: 1\n    h: |\n      i\n      j\n\n  - k"
    assert written(second.items[0].span) == "g: 1\n    h: |\n      i\n      j"
    assert written(second.items[0].get("h").span) == "|\n      i\n      j"
    assert written(tree.get("l").span) == "- m"
    assert written(tree.get("o").span) == "''"
    assert tree.span.start == 0


def test_columns_count_code_points():
    """Check that a column counts code points, also with wide and combining characters."""
    assert found("{寿司🍣: e\u0301, x: 010}\n".encode()) == ["leading-zero 1:14"]


@pytest.mark.parametrize("text", TEXTS, ids=[path.stem for path in SHIPPED])
def test_places_in_shipped_card_sets(text):
    """Check in shipped card sets that each span of a key is the key, and each text is where it begins."""
    tree = tree_of(text)
    assert all(written(key.span).strip("'\"") == key.text for key in keys(tree))
    scalars = [node for node in nodes(tree) if isinstance(node, Scalar) and node.text_at is not None]
    assert scalars
    assert all(text.startswith(str(scalar.value), scalar.text_at) for scalar in scalars)


# ── Limits ──


def nested(depth):
    """Return a text of lists and mappings nested this deep."""
    return "a: " + "[" * (depth - 1) + "]" * (depth - 1) + "\n"


FEW_VALUES = limits.VALUES if NIGHTLY else 1_000
"""Limit of values; lower by day, because the slower parser takes seconds to reach the real one."""


def texts_of(count):
    """Return a text with this number of keys and values."""
    return "a: [" + "b, " * (count - 3) + "]\n"


@pytest.mark.parametrize(
    ("good", "bad", "code"),
    [
        ("a: 1\n" + "#" * (limits.FILE_BYTES - 5), "a: 1\n" + "#" * (limits.FILE_BYTES - 4), "file-too-large"),
        (
            "a: 1\n#" + "é" * (limits.FILE_BYTES // 2 - 3),
            "a: 1\n#" + "é" * (limits.FILE_BYTES // 2 - 2),
            "file-too-large",
        ),
        (nested(limits.NESTING), nested(limits.NESTING + 1), "too-deep"),
        (texts_of(FEW_VALUES), texts_of(FEW_VALUES + 1), "too-many-values"),
        ("a: " + "b" * limits.TEXT_BYTES, "a: " + "b" * (limits.TEXT_BYTES + 1), "text-too-long"),
        ("a: " + "é" * (limits.TEXT_BYTES // 2), "a: é" + "é" * (limits.TEXT_BYTES // 2), "text-too-long"),
        ("? " + "b" * limits.TEXT_BYTES + "\n: 1", "? " + "b" * (limits.TEXT_BYTES + 1) + "\n: 1", "text-too-long"),
        ("a: 9999999", "a: 10000000", "number-too-large"),
    ],
    ids=["bytes", "bytes of accents", "depth", "values", "text", "text of accents", "key", "digits"],
)
def test_limits(good, bad, code, monkeypatch):
    """Check that a text at the limit is read, and one above is refused, by both parsers."""
    monkeypatch.setattr(limits, "VALUES", FEW_VALUES)
    for text, expected in ((good, []), (bad, [code])):
        fast, precise = with_both_parsers(text, monkeypatch)
        assert fast == precise
        assert [finding.code for finding in fast[1]] == expected


def test_the_list_of_findings_ends():
    """Check that a hundred findings are followed by one that says there are more."""
    assert codes("a: [" + "yes, " * MAX_FINDINGS + "]") == ["ambiguous-word"] * MAX_FINDINGS
    more = codes("a: [" + "yes, " * 10 * MAX_FINDINGS + "]")
    assert more == ["ambiguous-word"] * MAX_FINDINGS + ["too-many-findings"]


BOMB_SECONDS = 5.0
"""Processor seconds. The slowest case takes half a second, and a busy machine may double that.

Nine levels of aliases would take more than ten if they were unfolded.
"""


def laughs(levels):
    """Return this number of anchors, each with ten aliases of the one before."""
    lines = ["a0: &a0 [lol]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels))]
    return "\n".join(lines)


BOMBS = [
    ("[" * 100_000, {"too-deep"}),
    ("{a: " * 50_000, {"too-deep"}),
    ("[{" * 50_000, {"complex-key", "too-deep"}),
    ("- " * 100_000, {"too-deep"}),
    ("? " * 100_000, {"complex-key", "too-deep"}),
    ("a: " * 50_000, {"colon-in-text"}),
    ("\n".join(" " * n + "a:" for n in range(500)), {"too-deep"}),
    ("[" * 1_000_000, {"file-too-large"}),
    ("a: '" + "x" * 200_000, {"unclosed-quote"}),
    ("a: " + "x" * 200_000 + ":", {"colon-in-text", "text-too-long"}),
    ("a: [" + "x," * 100_000, {"too-many-values"}),
    ("%" + "x" * 200_000, {"directive"}),
    ("%YAML 1." + "9" * 5000 + "\n---\na: 1", {"directive"}),
    ("a: !" + "x" * 200_000, {"tag"}),
    ("a: &" + "x" * 200_000, {"anchor"}),
    ("a: *" + "x" * 200_000, {"alias"}),
    (laughs(9), {"alias", "anchor"}),
    ("a: &a [*a, *a]", {"alias", "anchor"}),
    ("a: !!python/object/apply:eval ['1']", {"tag"}),
    ("a: !!python/name:builtins.eval ''", {"tag"}),
    ("a: !!binary aGVsbG8=", {"tag"}),
]


@pytest.mark.parametrize(("text", "codes_expected"), BOMBS, ids=range(len(BOMBS)))
def test_bombs(text, codes_expected):
    """Check that malicious texts are refused early and in little time, without a second reading."""
    began = time.process_time()
    found = set(codes(text))
    check_bytes("-", "bomb.yaml", text.encode())
    assert time.process_time() - began < BOMB_SECONDS
    assert found
    assert found <= codes_expected


def test_memory_of_bombs(tmp_path):
    """Check that malicious texts, by day the large ones, take less than 50 MB more than a small file."""
    before, most = memory_of([text for text, _ in BOMBS if NIGHTLY or len(text) > 50_000], tmp_path)
    assert most - before < 50_000_000


# ── Any input ──

SNIPPETS = [
    *("\t", "{", "}", "[", "]", ":", ": ", '"', "'", "\n", "  ", "- ", "#", " #", "&a ", "*a", "!t ", "? ", "|", ">"),
    *(
        "%",
        "@",
        "`",
        ",",
        "\\",
        "---\n",
        "<<: ",
        "...\n",
        "1",
        "-",
        "?",
        "!",
        "\n\t",
        "é",
        "\r\n",
        "~",
        ",,",
        "{,",
        "0x1",
    ),
    *(
        '"\\U00110000"',
        "%YAML 1.1\n---\n",
        "x:y",
        "!!",
        "!<",
        "%TAG ! tag:x\n",
        ">#",
        "|2",
        '"\\ud800"',
        "\x1b",
        "\u202e",
    ),
]


@st.composite
def mutated(draw):
    """Return some lines of a shipped card set, mostly with a mistake in them."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    first = draw(st.integers(0, len(lines) - 1))
    text = "\n".join(lines[first : first + draw(st.integers(1, 12))])
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(SNIPPETS)) + text[at + draw(st.integers(0, 2)) :]
    return text


def check(tree, findings, text):
    """Check any text: it gives a tree or errors, sorted, inside the text, and with known codes."""
    assert findings or tree is not None
    assert tree is None or {own.code for own in findings} <= OF_SINGLE_THINGS
    assert list(findings) == sorted(findings, key=lambda finding: finding.sort_key)
    assert all(finding.code in catalogue() for finding in findings)
    spans = [finding.span for finding in findings]
    assert all(0 <= span.start <= span.end <= len(text) for span in spans)


@given(st.binary(max_size=200))
def test_any_bytes(data):
    """Check that no bytes raise an exception."""
    source, findings = read_source(data, "noise")
    if not findings:
        check(*load(source), source.text)


@given(st.text(max_size=200))
def test_any_text(text):
    """Check any text, which need not come from a file."""
    check(*load(Source("noise", text)), text)


@given(st.text(alphabet="ab:-?[]{},#&*!|>'\"%@` \n\t0.~<\\", max_size=40))
def test_any_punctuation(text):
    """Check texts made of characters with a meaning in YAML."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        fast, precise = with_both_parsers(text, monkeypatch)
    assert fast == precise
    check(*fast, text)


@given(mutated())
def test_any_mistake(text):
    """Check that broken card sets give findings, equal for both parsers."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        fast, precise = with_both_parsers(text, monkeypatch)
    assert fast == precise
    check(*fast, text)


WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs")).filter(lambda char: not FORBIDDEN.match(char)), max_size=20
)
LEAVES = st.none() | st.booleans() | st.integers(-999_999, 999_999) | WORDS
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner), max_leaves=20)


@settings(max_examples=5000 if NIGHTLY else 8)
@given(st.dictionaries(WORDS, VALUES, min_size=1), st.sampled_from([None, 2]))
def test_json_is_yaml(document, indent):
    """Check that JSON is read as JSON defines it."""
    assert plain(tree_of(json.dumps(document, indent=indent, ensure_ascii=False))) == document


@given(mutated())
def test_the_place_of_every_text(text):
    """Check that every text is found where its offset says."""
    tree, _ = load(Source("noise", text))
    for node in nodes(tree) if tree else ():
        if isinstance(node, Scalar) and node.text_at is not None:
            assert text.startswith(str(node.value), node.text_at)
