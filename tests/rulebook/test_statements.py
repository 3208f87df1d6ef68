"""Every listed statement of a shipped set is printed in its rulebook, in each of its languages."""

from pathlib import Path

import pytest

from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from written import cases_in

HERE = Path(__file__).parent
TABLE = cases_in(HERE / "statements.yaml")
SAME = TABLE.pop("same")
LEDGER = cases_in(HERE.parent / "docs" / "statements.yaml")
OWN = {"like", "variants", "lacks"}
SECTIONS = {key: words for entry in TABLE.values() for key, words in entry.items() if key not in OWN}


def printed(name, language, variants=()):
    """Return the rulebook as one line; rows of tables are appended, since their cells may be broken."""
    book = book_of(rules_named(HERE.parents[1] / "cardsets" / f"{name}.yaml", variants), language)
    text = " ".join(as_text(book).split())
    rows = [" ".join(row) for part in book.parts for block in part.blocks for row in getattr(block, "rows", ())]
    return " ".join([text, *rows])


def cases():
    """Yield each set in each of its languages, without variants and with each listed variant."""
    for name, entry in TABLE.items():
        sections = [SECTIONS[section] for section in entry.get("like", ())]
        sections += [words for section, words in entry.items() if section not in OWN]
        base = {key: words for section in sections for key, words in section.items()}
        for language in next(iter(base.values())):
            yield pytest.param(name, language, (), base, entry.get("lacks", {}), id=f"{name}-{language}")
            for variant, statements in entry.get("variants", {}).items():
                yield pytest.param(name, language, (variant,), statements, {}, id=f"{name}-{variant}-{language}")


def test_every_statement_has_words():
    """Every statement of the five documents that is a rule is in the table, or is the same as one that is."""
    sections = [words for entry in TABLE.values() for key, words in entry.items() if key not in OWN]
    sections += [words for entry in TABLE.values() for words in entry.get("variants", {}).values()]
    listed = {"-".join(key.split("-")[:2]) for words in sections for key in words}
    assert SAME.keys() & listed == set()
    wanted = {key for key, statement in LEDGER.items() if "no_rule" not in statement}
    assert {key for key in wanted if SAME.get(key, key) not in listed} == set()


@pytest.mark.parametrize(("name", "language", "variants", "statements", "lacks"), list(cases()))
def test_every_statement_is_printed(name, language, variants, statements, lacks):
    text = printed(name, language, variants)
    if language == "ja":
        text = text.replace(" ", "")
    missing = {key: words[language] for key, words in statements.items() if words[language] not in text}
    assert missing == {}
    assert {key: words[language] for key, words in lacks.items() if words[language] in text} == {}
