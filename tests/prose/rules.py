"""The rules of the linter: a small function or a list of phrases each, with good and bad examples.

A rule gets the sources of one package (`model`, `tests`, `docs`) and yields *findings*. Numbers and baselines are the
linter's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from prose.reading import COMMENT, COMMIT, DOCSTRINGS, FUNCTION, PAGE, Passage, Source, paragraphs, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Place = tuple[Source, int, str]
    Check = Callable[[Sequence[Source]], Iterator[Place]]

LONGEST_SUMMARY = 100
LONGEST_SENTENCE = 30
LONGEST_SUBJECT = 72

VERBS = frozenset((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split())
"""Verbs with which a function's docstring may begin."""

NO_FIRST_WORDS = frozenset(
    {"Is", "Are", "Does", "Do", "Can", "Has", "Have", "Was", "May", "What", "Where", "Whether", "Who", "How", "So"}
)
PUNCTUATION = ",;:.!?()*_\"'"
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs)\.")
SENTENCE_END = re.compile(r"[.!?…][\"”’»)\]*_]*\s+(?=[^a-z\s])")
WORD = re.compile(r"\S*\w\S*")


class Finding(NamedTuple):
    """A place that a rule wants to be rewritten."""

    rule: str
    source: Source
    line: int
    text: str

    def __str__(self) -> str:
        """Return the place, the rule, and the beginning of the text."""
        text = " ".join(self.text.split())
        return f"{self.source.path}:{self.line}: {self.rule}: {text if len(text) <= 100 else text[:99] + '…'}"


@dataclass(frozen=True)
class Rule:
    """A check, its advice, and a good and a bad example."""

    name: str
    wants: str
    check: Check
    fails: str
    passes: str
    per_thousand_lines: int = 0
    """The number of findings in 1,000 lines that is allowed."""

    def findings(self, sources: Sequence[Source]) -> Iterator[Finding]:
        """Yield the findings in the sources of one package."""
        for source, line, text in self.check(sources):
            yield Finding(self.name, source, line, text)


RULES: dict[str, Rule] = {}


def rule(name: str, *, wants: str, fails: str, passes: str, per_thousand_lines: int = 0) -> Callable[[Check], None]:
    """Register a function as the check of a rule."""

    def register(check: Check) -> None:
        RULES[name] = Rule(name, wants, check, fails, passes, per_thousand_lines)

    return register


def passages(sources: Sequence[Source], kinds: frozenset[str]) -> Iterator[tuple[Source, Passage]]:
    """Yield the passages of the given kinds, with their sources."""
    for source in sources:
        for passage in source.passages:
            if passage.kind in kinds:
                yield source, passage


# ── Docstrings ───────────────────────────────────────────────────────────────────────────────────────────────────────


@rule(
    "long-summary",
    wants=f"The first line of a docstring has at most {LONGEST_SUMMARY} characters.",
    fails=f'"""{"A" * 101}\nB."""\n',
    passes=f'"""{"A" * 100}\nB."""\n',
)
def long_summaries(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield docstrings with a long first line."""
    for source, passage in passages(sources, DOCSTRINGS):
        summary = passage.text.partition("\n")[0]
        if len(summary) > LONGEST_SUMMARY:
            yield source, passage.line, summary


@rule(
    "question-word",
    wants="A docstring says what something is or does: no question, no clause instead of a noun ('True if ...').",
    fails='def is_over(state):\n    """Is the game over?"""\n',
    passes='def is_over(state):\n    """True if the game is over."""\n',
)
def question_words(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield docstrings that begin with a question word or a conjunction."""
    for source, passage in passages(sources, DOCSTRINGS):
        if begins_like_question(passage.text):
            yield source, passage.line, passage.text


def begins_like_question(text: str) -> bool:
    """True if the first word begins a question or a clause."""
    words = text.split(None, 2)
    return bool(words) and (words[0].strip(PUNCTUATION) in NO_FIRST_WORDS or words[:2] == ["As", "many"])


@rule(
    "verb-first",
    wants="A function's docstring begins with a verb of the list in the imperative, or with 'True if'.",
    fails='def total(scores):\n    """The sum of all scores."""\n',
    passes='def total(scores):\n    """Return the sum of all scores."""\n',
)
def verbs_first(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield function docstrings that do not begin with a verb, except those of tests and properties."""
    for source, passage in passages(sources, frozenset({FUNCTION})):
        words = passage.text.split(None, 2)
        first = words[0].strip(PUNCTUATION) if words else ""
        is_verb = first.istitle() and first.lower() in VERBS
        # One docstring is one finding: question words have a rule of their own.
        if not is_verb and words[:2] != ["True", "if"] and not begins_like_question(passage.text):
            yield source, passage.line, passage.text


@rule(
    "same-docstring",
    wants="A docstring says what another one of the package does not say already.",
    fails='class Hand:\n    """Cards of a seat."""\n\n\nclass Tableau:\n    """Cards of a seat."""\n',
    passes='class Hand:\n    """Cards in a hand."""\n\n\nclass Tableau:\n    """Cards in a tableau."""\n',
)
def same_docstrings(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield docstrings that occur earlier in the package, with the first place."""
    places: dict[str, str] = {}
    for source, passage in passages(sources, DOCSTRINGS):
        place = f"{source.path}:{passage.line}"
        first = places.setdefault(passage.text, place)
        if first is not place:
            yield source, passage.line, f"as in {first}: {passage.text}"


# ── Sentences and phrases ────────────────────────────────────────────────────────────────────────────────────────────


@rule(
    "long-sentence",
    wants=f"A sentence of docstrings, comments and pages has at most {LONGEST_SENTENCE} words.",
    fails=f"# Seats draw a card{', and another card' * 9}.\n",
    passes=f"# Draw a card{', and another card' * 9}.\n",
)
def long_sentences(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield long sentences."""
    for source, passage in passages(sources, DOCSTRINGS | {COMMENT, PAGE}):
        # Splitting a passage costs more than this test, and most passages are short.
        if len(passage.text.split()) <= LONGEST_SENTENCE:
            continue
        for first_line, paragraph in paragraphs_of(passage):
            for line, sentence in sentences(paragraph):
                if len(WORD.findall(sentence)) > LONGEST_SENTENCE:
                    yield source, first_line + line, sentence


def paragraphs_of(passage: Passage) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of each paragraph, without code; only docstrings have several."""
    if passage.kind not in DOCSTRINGS:
        yield passage.line, plain(passage.text)
        return
    for line, paragraph in paragraphs(passage.text):
        yield passage.line + line - 1, plain(paragraph)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, sentence) of a paragraph. Lines count from 0."""
    text = ABBREVIATION.sub(lambda match: match[0].replace(".", "·"), text)
    start = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(text)), len(text)]:
        yield text.count("\n", 0, start), text[start:end]
        start = end


def forbid(name: str, phrases: Sequence[str], *, instead: str, fails: str, passes: str) -> None:
    """Register a rule against phrases in all prose, and in the program's messages."""
    pattern = re.compile(r"\b(?:" + "|".join(phrases).replace(" ", r"\s+") + r")\b", re.IGNORECASE)

    @rule(name, wants=f"Not '{phrases[0]}': {instead}", fails=fails, passes=passes)
    def check(sources: Sequence[Source]) -> Iterator[Place]:
        for source in sources:
            if not any(phrase in source.folded for phrase in phrases):
                continue
            for passage in source.passages:
                for first_line, text in paragraphs_of(passage):
                    for match in pattern.finditer(text):
                        line = text.count("\n", 0, match.start())
                        yield source, first_line + line, text[max(0, match.start() - 40) : match.end() + 40]


forbid(
    "goes-it",
    ["goes it"],
    instead="name the action and its object.",
    fails="# Every card goes it.\n",
    passes="# Every card can take this action.\n",
)
forbid(
    "as-what",
    ["as what"],
    instead="name the role.",
    fails="# The form says as what a card counts.\n",
    passes="# The form says which card it counts for.\n",
)
forbid(
    "in-what",
    ["in what"],
    instead="'in the order in which', or name the thing.",
    fails="# It depends on in what order they choose.\n",
    passes="# It depends on the order of their choices.\n",
)
forbid(
    "whoever",
    ["whoever"],
    instead="'the seat that', 'each player who'.",
    fails='raise ValueError("whoever leads must draw")\n',
    passes='raise ValueError("the leader must draw")\n',
)
forbid(
    "whatever",
    ["whatever"],
    instead="'regardless of', 'any', 'all that'.",
    fails="# It counts, whatever the\n# flow does.\n",
    passes="# It counts, regardless of the\n# flow.\n",
)
forbid(
    "so-many",
    ["so many"],
    instead="'the number of', or 'that many'.",
    fails="# Draw so many cards.\n",
    passes="# Draw this number of cards.\n",
)
forbid(
    "is-told",
    ["is told"],
    instead="'gets', 'learns', 'knows'.",
    fails="# The seat is\n# told the card.\n",
    passes="# The seat learns the card.\n",
)
forbid(
    "is-said",
    ["is said"],
    instead="say who says what, or what holds.",
    fails="# Nothing is said about ties.\n",
    passes="# The card set has no rule for ties.\n",
)
forbid(
    "stands-before",
    ["stands before", "stands behind", "stands beside"],
    instead="'precedes', 'follows', 'is in the same folder as'.",
    fails="# The name stands behind the number.\n",
    passes="# The name follows the number.\n",
)
forbid(
    "of-which",
    ["of which"],
    instead="'whose', or two sentences.",
    fails="# Three cards, two of which stay.\n",
    passes="# Three cards; two stay. In code, `of which` may be said.\n",
)


# ── Names, functions and commits ─────────────────────────────────────────────────────────────────────────────────────


@rule(
    "vague-name",
    wants="A variable says what it holds: not own, found, told, said, shown or g.",
    fails="def sizes(zones):\n    return [len(own) for own in zones]\n",
    passes="class Lengths:\n    own: int\n\n\ndef sizes(zones):\n    return [len(zone) for zone in zones]\n",
)
def vague_names(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield variables with a vague name: assigned, passed, or bound by a loop or pattern."""
    for source in sources:
        for line, name in source.vague:
            yield source, line, name


@rule(
    "small-function",
    wants="A private function of at most 8 lines that is used once belongs where it is used.",
    fails="def double(number):\n    return _sum(number, number)\n\n\ndef _sum(one, two):\n    return one + two\n",
    passes="def double(number):\n    return _twice(_twice(number)) // 2\n\n\ndef _twice(one):\n    return one + one\n",
    per_thousand_lines=5,
)
def small_functions(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield small private functions that the module uses once."""
    for source in sources:
        for line, name in source.functions:
            yield source, line, name


@rule(
    "long-subject",
    wants=f"The subject of a commit has at most {LONGEST_SUBJECT} characters.",
    fails="A" * 73,
    passes="A" * 72,
)
def long_subjects(sources: Sequence[Source]) -> Iterator[Place]:
    """Yield commits with long subjects."""
    for source, passage in passages(sources, frozenset({COMMIT})):
        if len(passage.text) > LONGEST_SUBJECT:
            yield source, passage.line, passage.text
