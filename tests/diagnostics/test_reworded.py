"""With all texts reworded the checker finds equal findings, places and fixes."""

from __future__ import annotations

import zlib
from itertools import chain

import pytest

from conftest import NIGHTLY
from corpus.test_by_hand import DATA
from draftengine.api.scenario.suite import check_bytes
from draftengine.model.diagnostics import Diagnostic
from draftengine.model.yaml.fixes import certain_edits
from draftengine.support.locale.catalogue import Catalogue
from draftengine.support.locale.phrases import Phrase

CASES = DATA["cases"] if NIGHTLY else DATA["cases"][::100]

EXTENDING = (
    "rounds: 4",
    "players: 2-9",
    "cards: {pudding: null}",
    "cards: {wasabi: null, chopsticks: null}",
    "scoring: {maki: {most: [8, 6, 4, 2]}, pudding: null}",
    "scoring: {maki: null, pudding: {kind: each, of: puding, points: 2}}",
    "round: [{deal: {to: hand, cards: 5}}, {repeat: {times: 5, do: [{choose: {from: hand}}]}}, {score: round}]",
    "variants: {no_maki: {title: No maki, changes: {cards: {maki_1: null, maki_2: null, maki_3: null}}}}",
    "variants: {long: {title: Long, changes: {rounds: 9}}}",
    "variants: {calm: {title: Calm, changes: {scoring: {pudding: null}}}}",
    "define: {sweet: pudding + tea}\ncards: {tea: {count: 4}}",
    "scoring: {tempura: {kind: each, points: 2}}",
    "examples: [{name: odd, tables: [[tempurra], []], expect: {points: {tempura: [0, 0]}}}]",
    "examples: [{name: odd, players: 7, tables: [[], []], expect: {}}]",
    "examples: [{name: odd, variants: [pass_both_way], tables: [[], []], expect: {}}]",
)
"""Changes of a shipped game that lead to findings."""

HEAD = "format: 1\nid: changed\nextends: sushi_go\ntitle: Changed\nversion: 1.0.0\n"


def in_other_words(_words, key, /, **values):
    """Return a text without numbers that shares no word with a message; different messages stay different."""
    number = zlib.crc32(repr((key, values)).encode())
    return f"¤ {''.join(chr(ord('¤') + int(digit)) for digit in str(number))}"


@pytest.fixture
def _reworded(monkeypatch):
    """Replace every message of every language."""
    monkeypatch.setattr(Catalogue, "phrase", in_other_words)


def findings_of(text: str):
    return check_bytes("first.yaml", "first.yaml", text.encode())


def decided(findings):
    """Return everything but the wording of findings."""
    places = [
        (it.code, it.severity, it.span.position, it.path, it.missing, [note.span.position for note in it.related])
        for it in findings
    ]
    fixes = [it.fix and [(edit.place.position, edit.new_text) for edit in it.fix.edits] for it in findings]
    return places, fixes, [edit.new_text for edit in certain_edits(findings, "first.yaml")]


def wrong_texts():
    """Return texts with mistakes, some with several at once."""
    texts = [DATA["games"][case["game"]].replace(case["old"], case["new"], 1) for case in CASES]
    texts += [HEAD + change + "\n" for change in EXTENDING]
    pairs = zip(CASES[::2], CASES[1::2], strict=False)
    for one, other in pairs:
        if one["game"] == other["game"]:
            text = DATA["games"][one["game"]].replace(one["old"], one["new"], 1)
            texts.append(text.replace(other["old"], other["new"], 1))
    return texts


BEFORE = "# as it is\n"
AFTER = "# in other words\n"


def test_no_code_reads_its_own_messages(request, monkeypatch):
    """Check that findings are phrases, and that rewording changes none: no message is read meanwhile.

    A comment keeps caches from serving both texts.
    """
    as_it_is = [findings_of(text + BEFORE) for text in wrong_texts()]
    for finding in chain.from_iterable(as_it_is):
        parts = [finding.text, *filter(None, [finding.advice]), *(note.text for note in finding.related)]
        assert all(isinstance(part, Phrase) for part in parts), finding
    request.getfixturevalue("_reworded")

    def worded(*_):
        raise AssertionError("a check reads its own message")

    for name in ("message", "hint"):
        monkeypatch.setattr(Diagnostic, name, property(worded))
    monkeypatch.setattr(Diagnostic, "message_in", worded)
    for text, before in zip(wrong_texts(), as_it_is, strict=True):
        assert decided(findings_of(text + AFTER)) == decided(before), text
    assert sum(map(bool, as_it_is)) > len(CASES)


@pytest.mark.parametrize(
    "points",
    [
        "2 x maki",
        "min(maki)",
        "my(maki)",
        "maki // pudding",
        "puding",
        "cards(hand, maki)",
        "1 if maki else 0",
        "9" * 12,
    ],
)
def test_mistakes_in_formulas_are_phrases(points):
    """Check that no message about a formula is worded outside the catalogue."""
    text = f"{HEAD}scoring: {{maki: null, extra: {{kind: formula, points: '{points}'}}}}\n"
    findings = [it for it in check_bytes("first.yaml", "first.yaml", text.encode()) if it.path.startswith("/scoring")]
    assert findings
    assert all(isinstance(finding.text, Phrase) for finding in findings)


@pytest.mark.usefixtures("_reworded")
def test_the_texts_are_reworded():
    """Check that the replacement works: no English message is left."""
    for finding in check_bytes("first.yaml", "first.yaml", (HEAD + EXTENDING[5] + "\n# mutated\n").encode()):
        assert finding.message.startswith("¤")
        assert "puding" not in finding.message
