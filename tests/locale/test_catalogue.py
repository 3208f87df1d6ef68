"""The catalogues of messages: their files, agreement of languages, and filling in values."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from babel import Locale

from draftengine.api.phrasing.vocabulary import singular
from draftengine.support.locale import LANGUAGES, catalogue, spoken
from draftengine.support.locale.catalogue import Noun, Sort, plain, row

ROOT = Path(catalogue.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]
SORTS = {*get_args(Sort)}
FIELD = re.compile(r"\{\^?(\w+)(?:[.#|][^{}]*)?\}")
CHOICES = re.compile(r"\{\^?\w+\|([^{}]*)\}")
WORD = re.compile(r"[^\W\d_]{2,}")
OPTION = re.compile(r"--[\w-]+( human)?|draftengine \w+|ulimit -f")
QUOTED = re.compile(r"„[^„”]*”|「[^「」]*」")
"""Names, and parts of a card set as they are written there."""
IN_BOTH = {
    "ada", "argument", "bonferroni", "bot", "by", "carlo", "color", "csv", "ctrl", "do", "draftengine", "elo",
    "emoji", "enter", "esc", "folder", "format", "go", "hmm", "html", "https", "id", "javascript", "kib", "link",
    "list", "llr", "llvmlite", "luce", "menu", "minus", "model", "monte", "ms", "no", "noto", "on", "openskill",
    "parquet", "pdf", "pgdn", "plus", "postgresql", "program", "qr", "ranking", "salt", "same", "sd", "seed", "sha",
    "shift", "svg", "tab", "ten", "terminal", "terry", "to", "uct", "utf", "yaml", "zero",
}  # fmt: skip
"""Words that are the same in English and in another language."""


def subjects(language):
    """Return the messages of a language by subject, and all ids in the order of the files."""
    ids = []

    def noted(pairs):
        ids.extend(key for key, _ in pairs)
        return dict(pairs)

    files = [file for file in sorted((ROOT / language).glob("*.json")) if file.stem != "language"]
    by_subject = {file.stem: json.loads(file.read_text("utf-8"), object_pairs_hook=noted) for file in files}
    return by_subject, ids


def texts(message):
    """Return all texts of a message."""
    return [message] if isinstance(message, str) else list(message.values())


def every_text(language):
    """Yield every text of a language."""
    for message in spoken(language).patterns.values():
        yield from texts(message)


def words_of(text):
    """Return the words of a text outside its fields, and those that a number chooses."""
    chosen = " ".join(form.partition(":")[2] for forms in CHOICES.findall(text) for form in forms.split("|"))
    bare = QUOTED.sub(" ", FIELD.sub(" ", text))
    return {word.lower() for word in WORD.findall(OPTION.sub(" ", f"{bare} {chosen}"))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_id_is_one_message_on_one_line(language):
    """Check that ids are unique across files, one on each line, so changes of several people merge."""
    by_subject, ids = subjects(language)
    names = {key for messages in by_subject.values() for key in messages}
    assert [key for key, count in Counter(ids).items() if key in names and count > 1] == []
    for subject, messages in by_subject.items():
        lines = (ROOT / language / f"{subject}.json").read_text("utf-8").splitlines()
        assert [json.loads(f"{{{line.strip().rstrip(',')}}}") for line in lines[1:-1]] == [
            {key: text} for key, text in messages.items()
        ]


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_message(language):
    """Check that all languages have equal ids in files of equal names, except for forms by kind of noun."""

    def names(by_subject):
        return {
            subject: {key for key in messages if key.rpartition(".")[2] not in SORTS}
            for subject, messages in by_subject.items()
        }

    assert names(subjects(language)[0]) == names(subjects("en")[0])


@pytest.mark.parametrize("language", OTHERS)
def test_fields_are_the_same_in_every_language(language):
    """Check that a message uses only fields of the English one, except numbers that choose words."""
    english = spoken("en").patterns
    for key, message in spoken(language).patterns.items():
        base = english.get(key) or english[key.rpartition(".")[0]]
        fields, known = ({name for text in texts(each) for name in FIELD.findall(text)} for each in (message, base))
        assert fields - known <= {"points", "count", "capacity"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_cldr(language):
    """Check plural forms against Babel's, and that each choice has a text for every form of whole numbers."""
    words = spoken(language)
    rule = Locale.parse(language).plural_form
    assert [words.plural_form(number) for number in range(2000)] == [rule(number) for number in range(2000)]
    assert {rule(number) for number in range(200)} == {*words.forms}
    for key, message in words.patterns.items():
        assert not any("|other:" in CHOICES.sub("", text) for text in texts(message)), f"{key}: a field in a form"
        for forms in (forms for text in texts(message) for forms in CHOICES.findall(text)):
            names = {form.partition(":")[0] for form in forms.split("|")}
            assert names <= {*words.forms, "other"}, key
            assert "other" in names or names >= {*words.forms}, key


def test_no_english_is_left_in_other_languages():
    """Check that no word of the English messages is in another language, except shared words."""
    english = set().union(*map(words_of, every_text("en")))
    for language in OTHERS:
        for key, message in spoken(language).patterns.items():
            left = {word for text in texts(message) for word in words_of(text)} & english - IN_BOTH
            assert not left, (language, key, left)


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 punkt"), (-1, "−1 punkt"), (2, "2 punkty"), (5, "5 punktów"), (12, "12 punktów"), (22, "22 punkty")],
)
def test_polish_plurals(number, text):
    """Check the Polish forms one, few and many; the teens are many."""
    assert plain(spoken("pl").phrase("formula.number", points=number)) == f"Dostajesz {text}."


def test_a_language_of_a_region_is_the_language():
    """Check that ``pl-PL`` is Polish, and a language without a catalogue is English."""
    assert spoken("pl-PL").language == "pl"
    assert spoken("xx").language == "en"


@pytest.mark.parametrize(
    ("language", "sort", "label", "given", "forms"),
    [
        ("en", "card", "Green tea", {}, ["green tea card", "green tea cards", "green tea"]),
        ("en", "card", "Bonus card", {}, ["bonus card", "bonus cards", "bonus card"]),
        ("en", "card", "Roll", {"one": "Roll", "other": "Rolls"}, ["roll", "rolls", "roll"]),
        ("en", "counter", "Icon", {}, ["icon", "icon", "icon"]),
        ("pl", "card", "Herbata", {}, ["karta „Herbata”", "kart „Herbata”", "„Herbata”"]),
        ("pl", "counter", "ikona", {"one": "ikona", "few": "ikony", "many": "ikon"}, ["ikona", "ikon", "ikony"]),
        ("ja", "card", "お茶", {}, ["「お茶」", "「お茶」", "「お茶」"]),
        ("ja", "counter", "皿", {}, ["皿", "皿", "皿"]),
    ],
)
def test_labels_become_nouns(language, sort, label, given, forms):
    """Check that labels become nouns by the patterns of a language, or in the author's forms."""
    noun = spoken(language).noun(sort, label, given)
    assert [noun.form(name) for name in ("one", "other", "name")] == forms


def test_a_missing_form_is_the_general_one():
    assert Noun("phrase", {"other": "tea"}).form("acc") == "tea"


@pytest.mark.parametrize("language", LANGUAGES)
def test_zones_have_the_forms_that_sentences_use(language):
    """Check that each form of a zone in a message exists for every zone."""
    used = {form for text in every_text(language) for form in re.findall(r"\{(?:zone|to|target)\.(\w+)\}", text)}
    zones = [message for key, message in spoken(language).patterns.items() if key == "zone" or key.startswith("zone.")]
    assert len(zones) == 9
    assert all(used <= {*message} for message in zones if used)


@pytest.mark.parametrize(("language", "text"), [("en", "−1,234.5"), ("pl", "−1\N{NO-BREAK SPACE}234,5")])
def test_numbers_have_the_signs_of_the_language(language, text):
    assert spoken(language).decimal("-1,234.5") == text


def test_rows_of_boxes_become_text():
    cells = row([("1", "**2**"), ("2", "**5**")])
    assert plain(f"So: {cells}") == "So: 1 → 2, 2 → 5."
    assert plain(f"得点：{cells}") == "得点：1 → 2、2 → 5。"


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_quote_keys_without_backticks(language):
    """Check that findings and remedies are plain text: pages and editors show them as they are."""
    by_subject, _ = subjects(language)
    texts_shown = {**by_subject["findings"], **by_subject["limits"]}
    assert [key for key, message in texts_shown.items() if "`" in str(message)] == []


@pytest.mark.parametrize(
    ("label", "one"),
    [
        ("Coins", "Coin"),
        ("Rubies", "Ruby"),
        ("Heroes", "Hero"),
        ("Boxes", "Box"),
        ("Shoes", "Shoe"),
        ("Glass", "Glass"),
        ("Cookies", "Cookie"),
        ("movies", "movie"),
        ("anchovies", "anchovy"),
        ("bonuses", "bonus"),
        ("Houses", "House"),
        ("canoes", "canoe"),
        ("News", "News"),
    ],
)
def test_a_plural_as_label_gets_its_singular(label, one):
    assert singular(label) == one
