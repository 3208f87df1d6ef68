"""The context of checks: facts about a game with a number of players, and places in its text."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.facts import constant_scope, flow_scope, seat_scope, table_scope
from draftengine.model.flow import flow_bounds
from draftengine.model.flow.counters import CounterBounds
from draftengine.model.language.check import check
from draftengine.support.source import Span

if TYPE_CHECKING:
    from draftengine.model.cardset.facts import CounterInfo
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.flow import FlowBounds
    from draftengine.model.language.check import CheckResult
    from draftengine.model.language.environment import Scope
    from draftengine.model.records.values import Formula


class CheckContext(Struct, frozen=True, dict=True):
    """Facts about a game with a number of players. Each is computed when it is first used."""

    model: CardSet
    players: int

    def checked(self, formula: Formula) -> CheckResult:
        """Return the type and the range of a formula about one seat. Results are cached."""
        known = self._checked.get(id(formula))
        if known is None:
            known = self._checked[id(formula)] = check(formula.expr, self.seat)
        return known

    @cached_property
    def _checked(self) -> dict[int, CheckResult]:
        return {}

    @cached_property
    def plan(self) -> FlowBounds:
        return flow_bounds(self.model, self.players)

    @cached_property
    def counters(self) -> tuple[CounterInfo, ...]:
        return self.bounds.counters()

    @cached_property
    def bounds(self) -> CounterBounds:
        return CounterBounds(self.model, self.players, self.plan)

    @cached_property
    def most(self) -> dict[str, int]:
        """The highest value of each counter."""
        return {counter.id: counter.high for counter in self.counters}

    @cached_property
    def seat(self) -> Scope:
        return seat_scope(self.model, self.players, self.counters)

    @cached_property
    def whole(self) -> Scope:
        return table_scope(self.model, self.players, self.counters)

    @cached_property
    def flow(self) -> Scope:
        return flow_scope(self.model, self.players)

    @cached_property
    def constant(self) -> Scope:
        return constant_scope(self.model, self.players)


_REACH = 4000
"""A word is searched for in at most this many characters of a declaration."""


@lru_cache(1 << 12)
def word_in(span: Span, word: str) -> Span:
    """Return the place of `word` in the declaration that starts at `span`.

    If the word is not there, because an overlay wrote it, return `span` itself.
    """
    text = span.source.text
    whole = text.startswith("{", span.start)
    block, begin = (text[span.start : span.end], span.start) if whole else (_block(span), span.end)
    match = re.search(rf"(?<![\w@-]){re.escape(word)}(?![\w@])", block)
    if not word or match is None:
        return span
    start = begin + match.start()
    return Span(span.source, start, start + len(word))


def _block(span: Span) -> str:
    """Return the text after a key, up to the next line that is not indented deeper.

    Comments are replaced by spaces.
    """
    text = span.source.text
    line_start = text.rfind("\n", 0, span.start) + 1
    lead = text[line_start : span.start]
    indent = len(lead) - ("-" in lead) if not lead.strip(" -") else len(lead) - len(lead.lstrip(" "))
    lines = text[span.end : span.end + _REACH].split("\n")
    block = [lines[0]]
    for line in lines[1:]:
        if line.strip() and not line.lstrip().startswith("#") and (len(line) - len(line.lstrip(" "))) <= indent:
            break
        block.append(line)
    return "\n".join(re.sub(r" #.*", lambda comment: " " * len(comment[0]), line) for line in block)
