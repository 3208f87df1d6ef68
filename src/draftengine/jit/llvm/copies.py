"""The length of a module of LLVM: which functions are merged, and which calls are inlined.

A long program does the same for each player, zone and card of a kind, so that many functions differ only in constants.
Once merged, they get these constants as arguments. LLVM then reads a fraction of the text. Where it inlines a call, the
arguments are constants again.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from draftengine.jit.llvm import FEW_COPIES, Inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LENGTHS = (1000, 640, 400, 250, 160, 120, 90, 70, 50, 40, 30)
"""The lengths, in lines, up to which long modules may inline functions at any call.

A module uses the first of them that keeps it short enough. LLVM takes less time with functions of the last length
inlined than with calls, and the code is two to three times as fast.
"""
LONGEST_ONCE = 200
"""The largest functions, in lines, that long modules always inline at their only call."""
MOST_LINES, MOST_GROWTH = 23_000, 3
"""The number of lines up to which this may lengthen a module, and the factor for the last length.

LLVM optimises this number of lines in one to three seconds.
"""
MOST_ARGUMENTS = 6
"""The most arguments that a merged function gets. Processors pass six numbers in registers."""
SHORTEST = 4
"""The shortest functions, in lines, that are merged."""
DEFINED = re.compile(r"define .*?@(\w+)\(")
CALLED = re.compile(r"( call \w+ @)(\w+)\(([^)]*)\)")
_CONSTANT = re.compile(
    r"(?<=[ (]i64 )(?P<typed>-?\d+)(?=[,)\n])"
    r"|^  %\S+ = (?:add|sub|mul|and|or|xor|shl|lshr|ashr|sdiv|srem|icmp \w+)(?: nsw| nuw)* i64 %\S+, (?P<second>-?\d+)$"
    r"|(?P<table>@table__t\d+)",
    re.MULTILINE,
)
"""A constant that can be an argument: a number of one word, or a table."""


# ── merging ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Copy:
    """A function of a module, taken apart at its constants."""

    name: str
    head: str
    """Its first line, without its name."""
    pieces: tuple[str, ...]
    """The texts between the constants of its body."""
    constants: tuple[str, ...]

    @classmethod
    def of(cls, name: str, text: str) -> Copy:
        head, _, body = text.partition("\n")
        pieces, constants, end = [], [], 0
        for match in _CONSTANT.finditer(body):
            group = match.lastgroup or ""
            pieces.append(body[end : match.start(group)])
            constants.append(match[group])
            end = match.end(group)
        return cls(name, head.replace(f"@{name}(", "@("), (*pieces, body[end:]), tuple(constants))

    def text(self) -> str:
        *pieces, last = self.pieces
        body = "".join(piece + constant for piece, constant in zip(pieces, self.constants, strict=True))
        return f"{self.head.replace('@(', f'@{self.name}(', 1)}\n{body}{last}"


def merged(functions: Sequence[str]) -> list[str]:
    """Return the functions of a module, with only one function for those that differ in constants."""
    texts = _by_name(functions)
    heights, recursive = _heights(_calls(texts))
    instead: dict[str, tuple[str, tuple[str, ...]]] = {}
    """For each merged function: the function that is called instead, and the further arguments."""

    def call(written: re.Match[str]) -> str:
        before, called, given = written.groups()
        name, more = instead.get(called, (called, ()))
        return f"{before}{name}({', '.join(filter(None, (given, *more)))})"

    out: list[str] = []
    for height in sorted(set(heights.values())):
        alike: dict[object, list[Copy]] = {}
        for name in (name for name in texts if heights[name] == height):
            copy = Copy.of(name, CALLED.sub(call, texts[name]))
            alone = name in recursive or not copy.head.startswith("define internal")
            alike.setdefault((alone and name, copy.head, copy.pieces), []).append(copy)
        for copies in alike.values():
            out += _together(copies, instead)
    return out


def _heights(called: Mapping[str, Sequence[str]]) -> tuple[dict[str, int], set[str]]:
    """Return the height of each function in the tree of calls, and the functions that call themselves.

    The height is the length of the longest chain of calls below. In each cycle of calls, only one function is among
    those that call themselves, and its height does not count.
    """
    heights: dict[str, int] = {}
    recursive: set[str] = set()

    def measure(name: str) -> None:
        heights[name] = -1
        for other in called[name]:
            if other not in heights:
                measure(other)
            elif heights[other] < 0:
                recursive.add(other)
        heights[name] = 1 + max((heights[other] for other in called[name]), default=-1)

    for name in called:
        if name not in heights:
            measure(name)
    return heights, recursive


def _together(copies: Sequence[Copy], instead: dict[str, tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """Yield one function for all copies, or every copy if there would be too many arguments."""
    first = copies[0]
    columns = list(zip(*(copy.constants for copy in copies), strict=True))
    different = list(dict.fromkeys(column for column in columns if len(set(column)) > 1))
    lines = sum(piece.count("\n") for piece in first.pieces)
    if len(copies) == 1 or len(different) > MOST_ARGUMENTS or lines < SHORTEST:
        yield from (copy.text() for copy in copies)
        return
    kinds = ["ptr" if column[0].startswith("@") else "i64" for column in different]
    for number, copy in enumerate(copies):
        more = (f"{kind} {column[number]}" for kind, column in zip(kinds, different, strict=True))
        instead[copy.name] = first.name, tuple(more)
    constants = (f"%.constant{different.index(column)}" if column in different else column[0] for column in columns)
    parameters, _, attributes = first.head.rpartition(")")
    added = "".join(f", {kind} %.constant{number}" for number, kind in enumerate(kinds))
    yield Copy(first.name, f"{parameters}{added}){attributes}", first.pieces, tuple(constants)).text()


# ── inlining ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def with_few_copies(functions: Sequence[str]) -> list[str]:
    """Return the functions, with `FEW_COPIES` as attributes of those that long modules inline."""
    texts = _by_name(functions)
    called = _calls(texts)
    for longest in LENGTHS:
        inlined, lines = _inlined(texts, called, longest)
        if lines <= MOST_LINES:
            break
    if lines > max(MOST_LINES, MOST_GROWTH * sum(text.count("\n") for text in texts.values())):
        return list(functions)
    return [
        function.replace(f" {Inline.ALWAYS.value} {{", f" {FEW_COPIES} {{", 1)
        if (defined := DEFINED.match(function)) and defined[1] in inlined
        else function
        for function in functions
    ]


def _inlined(texts: Mapping[str, str], called: Mapping[str, Sequence[str]], longest: int) -> tuple[set[str], int]:
    """Return the functions of at most `longest` lines, which are inlined, and the length of the others."""
    calls = Counter(other for names in called.values() for other in names)
    sizes: dict[str, int] = {}
    inlined: set[str] = set()

    def measure(name: str) -> None:
        sizes[name] = max(longest, LONGEST_ONCE) + 1  # a recursive call is not inlined
        for other in called[name]:
            if other not in sizes:
                measure(other)
        size = texts[name].count("\n") + sum(sizes[other] for other in called[name] if other in inlined)
        sizes[name] = size
        if _is_inlined(texts[name]) and size <= (max(longest, LONGEST_ONCE) if calls[name] == 1 else longest):
            inlined.add(name)

    for name in texts:
        if name not in sizes:
            measure(name)
    return inlined, sum(sizes[name] for name in texts if name not in inlined)


def unfolded(functions: Iterable[str]) -> int:
    """Return the total number of lines after inlining all functions that are always inlined."""
    texts = _by_name(functions)
    called = _calls(texts)
    in_place = {name for name, text in texts.items() if _is_inlined(text)}
    sizes: dict[str, int] = {}

    def unfold(name: str) -> int:
        if name not in sizes:
            sizes[name] = 0  # a recursive call adds no lines
            below = sum(unfold(other) for other in called[name] if other in in_place)
            sizes[name] = texts[name].count("\n") + below
        return sizes[name]

    return sum(unfold(name) for name in texts.keys() - in_place)


def _by_name(functions: Iterable[str]) -> dict[str, str]:
    return {defined[1]: function for function in functions if (defined := DEFINED.match(function))}


def _calls(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the functions of the module that each function calls, with repetitions."""
    return {name: [call[2] for call in CALLED.finditer(text) if call[2] in texts] for name, text in texts.items()}


def _is_inlined(function: str) -> bool:
    head = function.partition("\n")[0]
    return head.endswith((f" {Inline.ALWAYS.value} {{", f" {FEW_COPIES} {{"))
