"""Reading card sets: mistakes from the case files, values, places, limits, and texts that nobody would write."""

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
from draftengine.api.scenario.checks import check_bytes
from draftengine.model.diagnostics.catalog import catalogue, table
from draftengine.model.yaml import load as reading
from draftengine.model.yaml.builder import OF_SINGLE_THINGS
from draftengine.model.yaml.decode import FORBIDDEN
from draftengine.model.yaml.load import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_FINDINGS,
    MAX_SCALAR_BYTES,
    MAX_VALUES,
    load,
    read_source,
)
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
    """What a case is about."""
    return case["name"]


def data_of(case):
    """The bytes of a case."""
    return case["bytes"].encode("latin-1") if "bytes" in case else case["text"].encode()


def read(data):
    """Tree and findings of a file."""
    source, findings = read_source(data, "case.yaml")
    return (None, findings) if findings else load(source)


def tree_of(text):
    """The tree of a text without mistakes."""
    tree, findings = read(text.encode())
    assert findings == ()
    assert tree is not None
    return tree


def value_of(text):
    """The value that is written like this."""
    return tree_of(f"key: {text}\n").get("key")


def found(data):
    """Code and place of every finding, as in the case files."""
    return ["{} {}:{}".format(finding.code, *finding.span.position) for finding in read(data)[1]]


def codes(text):
    return [finding.code for finding in load(Source("case.yaml", text))[1]]


def with_both_parsers(text, monkeypatch):
    """What comes out with the fast parser and without it."""
    source = Source("case.yaml", text)
    fast = load(source)
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_FAST", None)
        return fast, load(source)


def nodes(node):
    """All values of a tree."""
    yield node
    inner = node.items if isinstance(node, Sequence) else ()
    inner = [entry.value for entry in node.entries] if isinstance(node, Mapping) else inner
    for child in inner:
        yield from nodes(child)


def keys(node):
    """All keys of a tree."""
    return [entry.key for each in nodes(node) if isinstance(each, Mapping) for entry in each.entries]


def written(span):
    return span.source.text[span.start : span.end]


# ── Mistakes ──


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_mistake_is_found_where_it_is(case):
    """Every finding of a case has the code, line and column that the case names."""
    assert found(data_of(case)) == case["finds"]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_file_with_mistakes_has_no_tree(case):
    """A tree with holes would bring follow-up findings; mistakes in single keys and values leave it whole."""
    tree, findings = read(data_of(case))
    if tree is not None:
        assert {own.code for own in findings} <= OF_SINGLE_THINGS


def test_a_mistake_in_a_value_hides_nothing_else(tmp_path):
    """What the schema has against other lines is found in the same run; of the same line nothing more is said."""
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
    """Messages are sentences, hints are there, and nothing is left of the parser's own words."""
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
    """A key in braces that has lost its value is something else."""
    hints = [read(f"tea: {{{text}}}\n".encode())[1][0].hint for text in ("points: 2 * min(soup, 3)", "points: 2, 3)")]
    assert ["quotes" in hint for hint in hints] == [True, True]
    assert "quotes" not in read(b"tea: {points: 2, keep}\n")[1][0].hint


def test_a_sentence_that_yaml_took_apart_needs_quotes():
    """The pieces of one text are one mistake; a key that has lost its value after something else is its own."""
    _, torn = read(b"tea: {text: Counts as one, another, or a third, count: 2}\nsoup: {text: One of, two}\n")
    assert [finding.span.position[0] for finding in torn] == [1, 2]
    assert all("quotes" in finding.hint for finding in torn)
    _, others = read(b"tea: {kind: set, keep, face}\n")
    assert ["quotes" in finding.hint for finding in others] == [False, False]


@pytest.mark.parametrize("case", [case for case in CASES if "text" in case], ids=name_of)
def test_both_parsers_find_the_same(case, monkeypatch):
    """Findings do not depend on whether the fast parser is there."""
    fast, precise = with_both_parsers(case["text"], monkeypatch)
    assert fast == precise


def test_there_are_many_cases():
    """The case files are read."""
    assert len(CASES) >= FEWEST_CASES


def test_a_doubled_key_points_to_the_first():
    """The related place is the first key of that name."""
    _, (finding,) = read(b"cards:\n  soup: 1\n  bread: 2\n  soup: 3\n")
    assert [(related.message, related.span.position) for related in finding.related] == [("first here", (2, 3))]
    assert finding.path == "/cards/soup"


def test_a_mismatched_bracket_points_to_the_opening_one():
    """The related place is the bracket that should have been closed."""
    _, (finding,) = read(b"cards: {soup: 4]\n")
    assert [(related.message, related.span.position) for related in finding.related] == [("opened here", (1, 8))]


def test_paths_are_json_pointers():
    """Keys are joined by slashes, with slashes and tildes of their own escaped."""
    _, findings = read(b'cards:\n  "a/b~c": [1, {x: yes}]\n')
    assert [finding.path for finding in findings] == ["/cards/a~1b~0c/1/x"]


# ── The catalogue ──


def test_every_code_of_the_cases_is_in_the_catalogue():
    """Nobody meets a code that cannot be looked up."""
    cases = {code.split()[0] for case in CASES for code in case["finds"]}
    assert cases | {mistake.code for mistake in MISTAKES} <= catalogue().keys()


@pytest.mark.parametrize("entry", table("yaml"), ids=lambda entry: entry.code)
def test_the_examples_of_the_catalogue(entry):
    """The bad example has exactly this mistake, the good one has none."""
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
    """Formulas, versions, ranges and statement numbers need no quotes."""
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
    """Whole numbers, truth values and nothing; everything else is a text."""
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
    """Keys are texts; whole numbers become texts, because tables by player count have them."""
    assert [entry.key.text for entry in value_of(text).entries] == names


@pytest.mark.parametrize("text", ["{a: }", "{a: , b: 1}", '{"a":}'])
def test_an_empty_value_within_braces_is_nothing(text):
    """With a colon it is meant."""
    assert value_of(text).entries[0].value.value is None


@pytest.mark.parametrize("start", ["---\n", "# Soup\n---\n", "\n\n", "\ufeff"])
@pytest.mark.parametrize("end", ["", "...\n", "# Soup\n", "\n\n"])
def test_one_document_may_have_a_frame(start, end):
    """Marks of the document, comments and empty lines are no mistakes."""
    assert plain(tree_of(f"{start}format: 1\n{end}")) == {"format": 1}


def test_line_ends_of_windows():
    """They are read like others."""
    assert plain(tree_of("a: 1\r\nb: |\r\n  c\r\n  d\r\n")) == {"a": 1, "b": "c\nd\n"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_card_sets(path, monkeypatch):
    """They load, alike with both parsers, and hold what any YAML program reads."""
    text = path.read_text("utf-8")
    fast, precise = with_both_parsers(text, monkeypatch)
    assert fast == precise
    assert fast[1] == ()
    assert json.loads(json.dumps(yaml.safe_load(text))) == plain(fast[0])


def test_the_language_reference():
    """The documented card set loads."""
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
    """Plain and quoted texts of one line without escapes stand in the file letter for letter."""
    scalar = value_of(text)
    assert scalar.text_at == (None if column is None else column - 1)


def test_places():
    """Keys with their quotes, values as they are written, lists and mappings from their first to their last word."""
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
    """Wide and combined characters before a place count as what they are."""
    assert found("{寿司🍣: e\u0301, x: 010}\n".encode()) == ["leading-zero 1:14"]


@pytest.mark.parametrize("text", TEXTS, ids=[path.stem for path in SHIPPED])
def test_places_in_shipped_card_sets(text):
    """Every key is what its span says, and every text is found where it begins."""
    tree = tree_of(text)
    assert all(written(key.span).strip("'\"") == key.text for key in keys(tree))
    scalars = [node for node in nodes(tree) if isinstance(node, Scalar) and node.text_at is not None]
    assert scalars
    assert all(text.startswith(str(scalar.value), scalar.text_at) for scalar in scalars)


# ── Limits ──


def nested(depth):
    """A text in which that many lists and mappings lie in each other."""
    return "a: " + "[" * (depth - 1) + "]" * (depth - 1) + "\n"


FEW_VALUES = MAX_VALUES if NIGHTLY else 1_000
"""By day as if no more were allowed: the slower parser takes seconds for so many as there may be."""


def texts_of(count):
    """A text with that many keys and values."""
    return "a: [" + "b, " * (count - 3) + "]\n"


@pytest.mark.parametrize(
    ("good", "bad", "code"),
    [
        ("a: 1\n" + "#" * (MAX_BYTES - 5), "a: 1\n" + "#" * (MAX_BYTES - 4), "file-too-large"),
        ("a: 1\n#" + "é" * (MAX_BYTES // 2 - 3), "a: 1\n#" + "é" * (MAX_BYTES // 2 - 2), "file-too-large"),
        (nested(MAX_DEPTH), nested(MAX_DEPTH + 1), "too-deep"),
        (texts_of(FEW_VALUES), texts_of(FEW_VALUES + 1), "too-many-values"),
        ("a: " + "b" * MAX_SCALAR_BYTES, "a: " + "b" * (MAX_SCALAR_BYTES + 1), "text-too-long"),
        ("a: " + "é" * (MAX_SCALAR_BYTES // 2), "a: é" + "é" * (MAX_SCALAR_BYTES // 2), "text-too-long"),
        ("? " + "b" * MAX_SCALAR_BYTES + "\n: 1", "? " + "b" * (MAX_SCALAR_BYTES + 1) + "\n: 1", "text-too-long"),
        ("a: 999999", "a: 1000000", "number-too-large"),
    ],
    ids=["bytes", "bytes of accents", "depth", "values", "text", "text of accents", "key", "digits"],
)
def test_limits(good, bad, code, monkeypatch):
    """What is at the limit is read, the next more is refused; with both parsers."""
    monkeypatch.setattr("draftengine.model.yaml.builder.MAX_VALUES", FEW_VALUES)
    for text, expected in ((good, []), (bad, [code])):
        fast, precise = with_both_parsers(text, monkeypatch)
        assert fast == precise
        assert [finding.code for finding in fast[1]] == expected


def test_the_list_of_findings_ends():
    """After a hundred there is one that says so."""
    assert codes("a: [" + "yes, " * MAX_FINDINGS + "]") == ["ambiguous-word"] * MAX_FINDINGS
    more = codes("a: [" + "yes, " * 10 * MAX_FINDINGS + "]")
    assert more == ["ambiguous-word"] * MAX_FINDINGS + ["too-many-findings"]


BOMB_SECONDS = 5.0
"""Of a processor. The slowest takes half a second, and a busy machine may double that; nine levels of laughs, unfolded,
take more than ten.
"""


def laughs(levels):
    """Nine names, each for ten of the one before."""
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
    """Texts made to break a loader are refused by their first events, in little time, and not read again for more."""
    began = time.process_time()
    found = set(codes(text))
    check_bytes("-", "bomb.yaml", text.encode())
    assert time.process_time() - began < BOMB_SECONDS
    assert found
    assert found <= codes_expected


def test_memory_of_bombs(tmp_path):
    """All of them together add less than 50 MB to what a small file needs."""
    before, most = memory_of([text for text, _ in BOMBS], tmp_path)
    assert most - before < 50_000_000


# ── Whatever comes in ──

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
    """A few lines of a shipped card set with something wrong in them, most often."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    first = draw(st.integers(0, len(lines) - 1))
    text = "\n".join(lines[first : first + draw(st.integers(1, 12))])
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(SNIPPETS)) + text[at + draw(st.integers(0, 2)) :]
    return text


def check(tree, findings, text):
    """What holds for every text: a tree or errors, in order, with places inside the text, and codes that are known."""
    assert findings or tree is not None
    assert tree is None or {own.code for own in findings} <= OF_SINGLE_THINGS
    assert list(findings) == sorted(findings, key=lambda finding: finding.sort_key)
    assert all(finding.code in catalogue() for finding in findings)
    spans = [finding.span for finding in findings]
    assert all(0 <= span.start <= span.end <= len(text) for span in spans)


@given(st.binary(max_size=200))
def test_any_bytes(data):
    """Nothing is raised, whatever the bytes."""
    source, findings = read_source(data, "noise")
    if not findings:
        check(*load(source), source.text)


@given(st.text(max_size=200))
def test_any_text(text):
    """A text need not come from a file, so it is checked again."""
    check(*load(Source("noise", text)), text)


@given(st.text(alphabet="ab:-?[]{},#&*!|>'\"%@` \n\t0.~<\\", max_size=40))
def test_any_punctuation(text):
    """Texts of what means something in YAML."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        fast, precise = with_both_parsers(text, monkeypatch)
    assert fast == precise
    check(*fast, text)


@given(mutated())
def test_any_mistake(text):
    """Broken card sets give findings, and the same ones with both parsers."""
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
    """What JSON can say is read as JSON means it."""
    assert plain(tree_of(json.dumps(document, indent=indent, ensure_ascii=False))) == document


@given(mutated())
def test_the_place_of_every_text(text):
    """Where a text says it begins, it stands."""
    tree, _ = load(Source("noise", text))
    for node in nodes(tree) if tree else ():
        if isinstance(node, Scalar) and node.text_at is not None:
            assert text.startswith(str(node.value), node.text_at)
