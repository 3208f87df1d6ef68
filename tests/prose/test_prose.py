"""The linter of prose: the tree meets its baseline, and each rule finds its bad examples."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from prose.linter import BASELINE, HEAD, LISTED, MEND, ROOT, Change, complaints, main, measure, read_baseline
from prose.reading import FIRST_COMMIT, PACKAGE, ROOTS, root_of, unit_of
from prose.rules import RULES

FILE = f"{PACKAGE}/model/flow/planted.py"
UNIT = "model.flow"
LONG = RULES["long-sentence"].fails
GIT = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def test_numbers_are_those_of_the_baseline():
    """No number exceeds the baseline; for one that fell, the message names the command to lower it."""
    report = measure(ROOT)
    assert len(report.findings) > 0
    problems = list(complaints(report, report.changes(read_baseline(ROOT))))
    assert not problems, "\n" + "\n".join(problems)


@pytest.fixture
def plant(tmp_path):
    """Return a function that writes a file of a small tree, and returns (rule, line) of all findings."""

    def write(text, path=FILE):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return [(finding.rule, finding.line) for finding in measure(tmp_path).findings]

    return write


@pytest.fixture
def repository(tmp_path):
    """Return a function that makes a commit with a subject."""
    environment = os.environ | {
        **dict.fromkeys(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"], os.devnull),
        **dict.fromkeys(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"], "A"),
        **dict.fromkeys(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"], "a@example.org"),
    }

    def git(*arguments):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True, env=environment)

    git("init")
    return lambda subject: git("commit", "--allow-empty", "--message", subject)


# ── Rules ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES.values() if rule.name != "long-subject"], ids=lambda rule: rule.name
)
def test_a_rule_finds_its_example_and_nothing_else_does(rule, plant):
    assert [name for name, _ in plant(rule.fails)] == [rule.name]
    assert plant(rule.passes) == []


@GIT
def test_subjects_are_read_from_the_moves_on(repository, tmp_path):
    rule = RULES["long-subject"]
    repository(rule.fails)
    repository(f"Not the subject: {FIRST_COMMIT}")
    assert "commits" not in measure(tmp_path).roots
    repository(FIRST_COMMIT)
    repository(rule.passes)
    report = measure(tmp_path)
    assert "commits" in report.roots
    assert report.findings == []
    repository(rule.fails)
    assert measure(tmp_path).numbers == {(rule.name, "commits"): 1}


@pytest.mark.parametrize("word", ["Is it", "Are", "Does", "Do", "Can", "Has", "Have", "Was", "May", "What", "Where"])
def test_a_word_of_questions_is_one_finding(word, plant):
    assert plant(f'def over():\n    """{word} over."""\n') == [("question-word", 2)]


@pytest.mark.parametrize("word", ["Whether", "Who", "How", "So", "As many"])
def test_a_clause_is_no_summary(word, plant):
    assert plant(f'SIZE = 1\n"""{word} there are."""\n') == [("question-word", 2)]


@pytest.mark.parametrize("text", ["As soon as", "Sold", "Dozens"])
def test_other_words_may_begin_alike(text, plant):
    assert plant(f'SIZE = 1\n"""{text} cards."""\n') == []


@pytest.mark.parametrize("word", ["Returns", "return", "`seat`", "Number", "True"])
def test_a_function_begins_with_a_verb(word, plant):
    assert plant(f'def total():\n    """{word} it."""\n') == [("verb-first", 2)]


@pytest.mark.parametrize(
    "definition",
    [
        "@property\ndef total(self):",
        "@cached_property\ndef total(self):",
        "def test_total():",
        "@pytest.fixture\ndef total():",
        '@pytest.fixture(scope="module")\ndef total():',
        "class Total:",
    ],
)
def test_what_is_no_plain_function_may_be_described(definition, plant):
    assert plant(f'{definition}\n    """The sum of all."""\n') == []


@pytest.mark.parametrize("phrase", ["stands before", "stands behind", "stands beside", "Stands\n# behind"])
def test_a_phrase_is_found_in_any_form(phrase, plant):
    assert plant(f"\n# The name {phrase} it.\n") == [("stands-before", 2)]


def test_a_phrase_is_found_wherever_prose_is(plant):
    program = '"""A module.\n\nOne of which\n"""\n\nSIZE = 1  # of which\n"""Text.\n\nof\nwhich"""\n'
    plant(program + 'print(f"of which {SIZE}")\n')
    assert plant("Text.\n\n- an item\n- of which\n", "docs/page.md") == [
        *(("of-which", line) for line in [3, 6, 9, 11]),
        ("of-which", 4),
    ]


def test_strings_of_tests_are_no_messages(plant):
    assert plant('print("of which there are two")\n', "tests/test_planted.py") == []
    assert plant('print("of which there are two")\n') == [("of-which", 1)]


@pytest.mark.parametrize(
    "text",
    [
        'TEXT = """\n# of which\n"""\n',
        'TEXT = "# of which"\n',
        "SIZE = 1  # noqa: of which\n",
        '"""Text with `of which`.\n\n    of which\n\n>>> of which\n\n```\nof which\n```\n"""\n',
    ],
)
def test_code_is_no_prose(text, plant):
    assert plant(text, "tests/test_planted.py") == []


def test_a_page_is_read_without_code_tables_and_headings(plant):
    text = "# Of which\n\n| of which |\n|---|\n\n```yaml\nof which\n```\n\n    of which\n\n[A link](of-which.md)\n"
    assert plant(text, "docs/page.md") == []


def test_a_block_of_a_help_text_is_read_as_an_example(plant):
    assert plant('"""Help.\n\n\b\ndraftengine of which\n\nof which\n"""\n') == [("of-which", 6)]


def test_an_indented_paragraph_of_a_list_is_prose(plant):
    assert plant("Text.\n\n1. An item.\n\n    Of which.\n\nText.\n\n    of which\n", "docs/page.md") == [
        ("of-which", 5)
    ]


def test_generated_pages_are_left_out(plant):
    """Pages that the Makefile generates, and expected texts of tests, are not read."""
    makefile = ROOT / "Makefile"
    if makefile.exists():
        pages = makefile.read_text(encoding="utf-8").partition("PAGES := $(foreach page,")[2].partition(",")[0].split()
    else:
        pages = ["cli"]
    for page in pages:
        assert plant("Cards, of which two stay.\n", f"docs/{page}.md") == []
    assert plant("Cards, of which two stay.\n", "tests/rulebook/expected.md") == []
    assert plant("Cards, of which two stay.\n", "docs/other.md") == [("of-which", 1)]


def test_a_sentence_ends_where_the_next_one_begins(plant):
    half = "# The seat draws a card, then a second card, then a third card and a fourth one"
    assert plant(f"{half}.\n{half}.\n{half}!\n") == []
    assert plant(f"\n# Draw.\n{half}, e.g.\n{half}.\n") == [("long-sentence", 3)]
    assert plant(f"{half}\n\n{half}\n#\n{half}\n#\n# - {half[2:]}\n# - {half[2:]}\n") == []


@pytest.mark.parametrize(
    "statement",
    [
        "own = 1",
        "told: int = 1",
        "for said in []: pass",
        "shown = [g for _ in []]",
        "total = [1 for found in []]",
        "def total(g): pass",
        "def total(*, own=1): pass",
        "total = lambda g: 1",
        "if (told := 1): pass",
        "with open(total) as said: pass",
        "try: pass\nexcept OSError as found: pass",
        "match 1:\n    case int() as own: pass",
        "a, (b, *own) = c",
    ],
)
def test_a_vague_name_is_found_where_it_is_bound(statement, plant):
    assert [rule for rule, _ in plant(statement + "\n")] == ["vague-name"]


@pytest.mark.parametrize(
    "statement", ["print(own)", "self.own = 1", "class A:\n    own: int\n    told = 1", "print(g=1)"]
)
def test_attributes_and_uses_are_no_variables(statement, plant):
    assert plant(statement + "\n") == []


def small_functions(count, lines, size=2):
    """Return a module of private functions, each used once and padded to `lines` lines."""
    body = "    pass\n" * (size - 1)
    text = "".join(f"def _f{number}():\n{body}_f{number}()\n" for number in range(count))
    return text + "\n" * (lines - text.count("\n"))


def test_a_small_function_has_at_most_8_lines(plant):
    assert plant(small_functions(1, 20, size=8)) == [("small-function", 1)]
    assert plant(small_functions(1, 20, size=9)) == []


@pytest.mark.parametrize(
    ("count", "lines", "number"), [(5, 1000, 0), (6, 1000, 6), (6, 1001, 0), (1, 10, 0), (2, 10, 2)]
)
def test_some_small_functions_are_no_fault(count, lines, number, plant, tmp_path):
    assert len(plant(small_functions(count, lines))) == count
    assert measure(tmp_path).numbers.get(("small-function", UNIT), 0) == number


def test_equal_docstrings_are_found_in_a_package_and_not_beyond(plant):
    text = 'class Hand:\n    """Cards of a seat."""\n'
    assert plant(text) == []
    assert plant(text, f"{PACKAGE}/engine/planted.py") == []
    assert plant(text, f"{PACKAGE}/model/yaml/planted.py") == [("same-docstring", 2)]


# ── The baseline ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def numbers(plant, tmp_path):
    """Return a function that writes a baseline, runs a command, and returns status and new baseline."""
    (tmp_path / BASELINE).parent.mkdir(parents=True)

    def run(text, *arguments):
        (tmp_path / BASELINE).write_text(HEAD + text, encoding="utf-8")
        status = main(arguments, tmp_path)
        return status, (tmp_path / BASELINE).read_text(encoding="utf-8").removeprefix(HEAD)

    return run


@pytest.mark.parametrize(
    ("path", "unit", "root"),
    [
        ("src/draftengine/__main__.py", "draftengine", PACKAGE),
        ("src/draftengine/jit/forms.py", "jit", PACKAGE),
        (FILE, UNIT, PACKAGE),
        ("src/draftengine/model/diagnostics/flow.py", "model.diagnostics", PACKAGE),
        ("tests/conftest.py", "tests", "tests"),
        ("tests/serve/storage/test_one.py", "tests.serve", "tests"),
        ("docs/conf.py", "docs", "docs"),
        ("benchmarks/bots.py", "benchmarks", "benchmarks"),
        ("README.md", "README.md", "README.md"),
    ],
)
def test_every_file_belongs_to_a_unit(path, unit, root):
    assert unit_of(path) == unit
    assert root_of(unit) == root


def test_a_number_that_rises_is_listed_with_its_places(plant, numbers, tmp_path, capsys):
    plant(LONG)
    assert numbers("")[0] == 1
    output = capsys.readouterr().out
    assert output.startswith(f"{FILE}:1: long-sentence: Seats draw a card, and")
    assert f"long-sentence in {UNIT}: 0 → 1 (may not rise). {RULES['long-sentence'].wants}\n  {FILE}:1: " in output


def test_a_long_list_is_cut(plant, tmp_path):
    plant((LONG + "\n") * (LISTED + 5))
    report = measure(tmp_path)
    (change,) = report.changes({})
    assert change == Change("long-sentence", UNIT, 0, LISTED + 5)
    *_, last = lines = list(complaints(report, [change]))
    assert len(lines) == LISTED + 2
    assert last == f"  … and 5 more: make prose ARGS='--rule long-sentence {UNIT}'"


def test_a_number_that_fell_is_lowered_by_a_command(plant, numbers, tmp_path, capsys):
    """The command lowers numbers that fell, and removes those whose rule or unit is gone."""
    plant(LONG)
    text = f'\n[gone]\n"{UNIT}" = 1\n\n[long-sentence]\n"{UNIT}" = 2\n"model.gone" = 1\n'
    assert numbers(text) == (0, text)
    assert (
        f"lower it with: {MEND}\n  gone in {UNIT}: 1 → 0\n  long-sentence in {UNIT}: 2 → 1" in capsys.readouterr().out
    )
    assert numbers(text, "--write") == (0, f'\n[long-sentence]\n"{UNIT}" = 1\n')
    assert measure(tmp_path).changes(read_baseline(tmp_path)) == []


def test_writing_raises_no_number_unless_it_is_forced(plant, numbers, capsys):
    plant(LONG)
    plant("# of which\n", "tests/test_planted.py")
    text = '\n[of-which]\n"tests" = 2\n'
    lowered = '\n[of-which]\n"tests" = 1\n'
    assert numbers(text, "--write") == (1, lowered)
    assert f"long-sentence in {UNIT}: 0 → 1 (may not rise)" in capsys.readouterr().out
    assert numbers(text, "--write", "--force") == (0, f'\n[long-sentence]\n"{UNIT}" = 1\n{lowered}')


def test_numbers_of_what_is_not_there_stay(plant, numbers):
    """Numbers of missing folders stay: an archive of the source has no benchmarks and no history."""
    plant("", "tests/test_planted.py")
    text = '\n[of-which]\n"benchmarks" = 2\n"commits" = 1\n"engine" = 1\n'
    assert numbers(text, "--write", "--force") == (0, text)


def test_places_and_a_rule_can_be_chosen(plant, numbers, capsys):
    plant(LONG)
    plant(LONG + "\n# of which\n", "docs/conf.py")
    for arguments, lines in [
        (["docs"], ["docs/conf.py:1", "docs/conf.py:3"]),
        ([UNIT], [f"{FILE}:1"]),
        ([f"{PACKAGE}/model"], [f"{FILE}:1"]),
        (["--rule", "of-which"], ["docs/conf.py:3"]),
        (["--rule", "of-which", UNIT], []),
    ]:
        numbers("", *arguments)
        listed = capsys.readouterr().out.partition("\n\n")[0].splitlines() if lines else []
        assert [line.partition(": ")[0] for line in listed] == lines


def test_force_alone_is_refused(numbers):
    with pytest.raises(SystemExit):
        numbers("", "--force")


def test_all_roots_of_a_checkout_are_there():
    """All roots exist in a checkout; a renamed folder would go unread unnoticed."""
    if not (ROOT / ".git").exists():
        pytest.skip("an archive of the source holds some roots only")
    assert [name for name in ROOTS if not (ROOT / name).exists()] == []
