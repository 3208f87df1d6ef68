"""Parts of the table as lines of an exact size: head, seats, coming hands, log, scores."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec.structs import replace
from rich.text import Text

from draftengine.apps.tui.styles import between, blank, column, cropped, fitted, joined, separated, wide, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.apps.tui.scene import Scene, Seat, Signs
    from draftengine.apps.tui.styles import Pen

GAP = 2
_TITLE = 9
"""The smallest number of columns for the name of a seat. Longer names get up to `_LONGEST_TITLE`."""
_LONGEST_TITLE = 16


def rule(title: Text, right: Text, columns: int, pen: Pen) -> Text:
    """Return a horizontal line across a pane, with a title on the left and a text on the right."""
    left = joined(pen.muted("─ "), title, pen.muted(" ")) if title.plain else pen.muted("")
    end = joined(pen.muted(" "), right, pen.muted(" ─")) if right.plain else pen.muted("")
    room = columns - wide(left) - wide(end)
    if room < 1:
        return fitted(left, columns)
    return joined(left, pen.muted("─" * room), end)


def head(scene: Scene, columns: int, pen: Pen) -> Text:
    """Return the line with round, turn and the direction of passing."""
    table, place = scene.table, []
    if table.rounds != 1:
        key = "screen.round" if table.rounds else "now.round.open"
        place.append(pen.bold(pen.say(key, number=table.round, rounds=table.rounds)))
    if table.turn:
        key = "screen.turn" if table.turns else "screen.turn.open"
        place.append(pen.bold(pen.say(key, number=table.turn, turns=table.turns)))
        if table.turn <= table.turns <= _MOST_BOXES:
            boxes = "■" * (table.turn - 1) + "▣" + "□" * (table.turns - table.turn)
            place[-1] = joined(place[-1], pen.accent(f" {boxes}"))
    if table.way:
        place.append(pen.plain(pen.say({1: "screen.left", -1: "screen.right", 2: "screen.swapped"}[table.way])))
    where = separated(place, pen.muted(" · "))
    title = pen.accent(scene.title)
    full = joined(pen.plain(" "), title, pen.plain("  "), where)
    line = full if wide(full) + 4 <= columns else joined(pen.plain(" "), where)
    return between(line, pen.focus(" ? "), columns)


_MOST_BOXES = 12


# ── seats ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def seats(scene: Scene, columns: int, height: int, pen: Pen, *, rich: bool = False, playing: bool = True) -> list[Text]:
    """Return all seats in `height` lines, with as much detail as fits.

    If there is room for details of one seat only, it is the viewer's seat. With `playing`, that seat is marked as
    “you”.
    """
    each = height // max(1, len(scene.seats))
    if rich and each >= _RICH:
        lines = [line for seat in scene.seats for line in _rich(seat, columns, each, pen, playing=playing)]
    elif each > 1:
        lines = [line for seat in scene.seats for line in _several(seat, scene, columns, each, pen)]
    else:
        doubled = height > len(scene.seats)
        lines = []
        for seat in scene.seats:
            if seat.own and doubled:
                lines += _several(seat, scene, columns, 2, pen)
                continue
            left = _left(seat, scene, columns, pen)
            room = columns - wide(left)
            for level in range(1, _LEVELS):  # cards, and after each group a caption as long as fits
                parts = [joined(icons(group, pen), pen.text(" "), caption(group, level, pen)) for group in seat.groups]
                parts += _belongings(seat, _LABELS[min(level, len(_LABELS) - 1)], pen)
                line = separated(parts, pen.text("  "))
                if wide(line) <= room:
                    break
            lines.append(joined(left, fitted(line, room)))
    return column(lines, columns, height)


_RICH = 4


def name(seat: Seat, pen: Pen) -> Text:
    """Return the name of a seat after its mark, in bold if it is the viewer's."""
    mark = pen.mark(seat.seat)
    return joined(pen.accent(f"{mark} "), pen.bold(seat.title) if seat.own else pen.plain(seat.title))


def _sum(seat: Seat, pen: Pen) -> Text:
    return joined(
        pen.bold(f"{seat.points:>3}"), pen.text(" "), pen.points(seat.standing) if seat.standing else pen.text("")
    )


def _left(seat: Seat, scene: Scene, columns: int, pen: Pen) -> Text:
    """Return the beginning of a seat's line.

    It has the seat's mark, name, points, the points that a scoring would give now, and whether the seat has chosen.
    """
    longest = max((wide(seat.title) for seat in scene.seats), default=0) + 2
    titles = max(_TITLE, min(longest, _LONGEST_TITLE, columns // 4))
    sums = fitted(_sum(seat, pen), max(7, *(wide(_sum(other, pen)) for other in scene.seats)))
    state = pen.text(" ") if seat.chosen is None else pen.good("✓") if seat.chosen else pen.muted("…")
    gap = pen.text(" ")
    return joined(gap, fitted(name(seat, pen), titles), gap, sums, gap, state, gap)


def _several(seat: Seat, scene: Scene, columns: int, height: int, pen: Pen) -> list[Text]:
    """Return a seat in two or three lines: its cards, captions below them, and its other items."""
    left = _left(seat, scene, columns, pen)
    first, *rest = _groups(seat, columns - wide(left), height, pen)
    return column([joined(left, first), *(joined(blank(wide(left)), line) for line in rest)], columns, min(height, 3))


def is_crowded(seat: Seat, columns: int) -> bool:
    """True if a seat's markers, counters, dice, chips and piles need a line of their own."""
    return sum(wide(f"{label}{text}") + GAP for label, text in seat.seat_items) > columns // 2


def _groups(seat: Seat, columns: int, height: int, pen: Pen) -> list[Text]:
    """Return a line with a seat's groups of cards and one with their captions.

    The seat's other items are beside them, or in a third line if they do not fit and `height` allows it. Long captions
    and labels are shortened first.
    """
    boxes, fits = _boxes(seat, columns, pen, _LABELS[0])
    third: list[Text] = []
    if not fits and seat.seat_items and height > 2:  # noqa: PLR2004 (lines)
        apart = [separated(_belongings(seat, longest, pen), pen.text("  ")) for longest in _LABELS]
        third = [fitted(next((line for line in apart if wide(line) <= columns), apart[-1]), columns)]
        boxes, _ = _boxes(replace(seat, seat_items=()), columns, pen, 0)
    elif not fits:
        tried = [_boxes(seat, columns, pen, longest) for longest in _LABELS]
        boxes = next((boxes for boxes, fits in tried if fits), tried[-1][0])
    if not boxes:
        return [fitted(pen.muted("–"), columns), blank(columns), *third]
    rows = [joined(*(fitted(pair[row], room) for pair, room in boxes)) for row in (0, 1)]
    return [*(fitted(row, columns) for row in rows), *third]


def _boxes(seat: Seat, columns: int, pen: Pen, longest: int) -> tuple[list[tuple[tuple[Text, Text], int]], bool]:
    """Return groups and other items as boxes of two lines with their widths, and True if all boxes fit.

    Labels of other items have at most `longest` letters.
    """
    tops = [icons(group, pen) for group in seat.groups]
    ways = [[caption(group, level, pen) for level in range(_LEVELS)] for group in seat.groups]
    levels = [0] * len(ways)
    # Other belongings are side by side, or in pairs if that takes over half the width.
    texts = _belongings(seat, longest, pen)
    belongings = [(empty(), text) for text in texts]
    if sum(wide(text) + GAP for text in texts) > columns // 2:
        belongings = list(zip_longest(texts[::2], texts[1::2], fillvalue=empty()))
    while True:
        pairs = [*zip(tops, [way[level] for way, level in zip(ways, levels, strict=True)], strict=True), *belongings]
        boxes = [max(wide(top), wide(below)) + GAP for top, below in pairs]
        longer = [index for index in range(len(tops)) if wide(pairs[index][1]) > wide(tops[index])]
        if sum(boxes) - GAP <= columns or not longer:
            break
        levels[max(longer, key=boxes.__getitem__)] += 1
    if boxes:
        boxes[-1] -= GAP
    return list(zip(pairs, boxes, strict=True)), sum(boxes) <= columns


_LABELS = (40, 20, 14, 10, 7)
"""Lengths for the labels of a seat's items, in letters. The first with which all of them fit is used."""


def _belongings(seat: Seat, longest: int, pen: Pen) -> list[Text]:
    """Return texts for a seat's items other than cards, with labels cut to `longest` letters.

    If labels are the same after that, their beginnings are cut instead.
    """
    cut = [label if len(label) <= longest else f"{label[: longest - 1].rstrip()}…" for label, _ in seat.seat_items]
    ends = [
        short if cut.count(short) == 1 or len(label) <= longest else f"…{label[1 - longest :].lstrip()}"
        for short, (label, _) in zip(cut, seat.seat_items, strict=True)
    ]
    return [pen.muted(f"{label}{text}") for label, (_, text) in zip(ends, seat.seat_items, strict=True)]


_LEVELS = 5
"""The number of lengths that `caption` can give a caption, from full to empty."""


def icons(group: Signs, pen: Pen) -> Text:
    """Return the signs of a group's cards, the new ones highlighted, and squares for missing cards."""
    parts = [
        pen.text(f"{sign}", f"bold reverse {pen.palette.accent}" if fresh else pen.palette.text)
        for sign, fresh in group.cards
    ]
    if not pen.style.pictures:
        parts = [joined(part, pen.text(" ")) for part in parts]
    parts += [pen.muted("▫" * group.missing)] if group.missing else []
    if group.waits:
        change = group.waits if group.waits != "open" else ""
        parts.append(pen.accent(f"[{change}]" if change else "[ ]"))
    return joined(*parts)


def caption(group: Signs, level: int, pen: Pen) -> Text:
    """Return a group's caption in one of five lengths.

    `level` is 0 for the full caption, 1 for a shorter one, 2 without ranks, 3 without the name, 4 for none.
    """
    mark = pen.accent("▸") if group.fresh else pen.text("")
    if group.waits:
        short = pen.say("screen.open")
        full = pen.say("lies.group_open", cards=group.label.lower())
        return joined(mark, pen.accent((full, short, short, short, "")[level]))
    label, count = cut_word(group.label), group.count
    full, ranked = f"{group.label.lower()} {group.progress}", f"{label} {count} {group.rank}"
    text = (full, ranked, f"{cut_word(label, _SHORTEST)} {count}", count, "")[level].strip()
    return joined(mark, pen.muted(text), worth(group, pen) if level < _LEVELS - 1 else pen.text(""))


def worth(group: Signs, pen: Pen) -> Text:
    """Return the points that a group gives now; empty if it gives none."""
    if not group.points:
        return pen.text("")
    return joined(pen.text(" "), (pen.bad if group.points.startswith("-") else pen.good)(f"→{group.points}"))


def cut_word(label: str, most: int = 7) -> str:
    """Cut a label to `most` letters."""
    return label.lower() if len(label) <= most else f"{label.lower()[: most - 1].rstrip(' .')}."


_SHORTEST = 5
"""The number of letters to which labels are cut in short captions."""


def _rich(seat: Seat, columns: int, height: int, pen: Pen, *, playing: bool) -> list[Text]:
    """Return a seat with its own line for the title, as on large screens."""
    now = pen.muted(f" {pen.say('screen.now')}")
    would = joined(pen.text(" "), pen.points(seat.standing), now) if seat.standing else pen.text("")
    chosen = "" if seat.chosen is None else pen.say("screen.chosen" if seat.chosen else "screen.choosing")
    state = (pen.good if seat.chosen else pen.muted)(chosen)
    is_named = playing and seat.own and seat.title != pen.say("seat.you")
    title = joined(name(seat, pen), pen.muted(f" · {pen.say('screen.you')}" if is_named else ""))
    top = rule(title, joined(state, pen.text("  " if chosen else ""), pen.bold(str(seat.points)), would), columns, pen)
    lines = [top, *(joined(blank(3), line) for line in _groups(seat, columns - 3, height - 1, pen))]
    return column(lines, columns, height)


# ── what is on its way ──────────────────────────────────────────────────────────────────────────────────────────────


def coming_line(scene: Scene, columns: int, pen: Pen) -> Text:
    """Return the hands that will come, in one line."""
    parts = []
    for coming in scene.coming:
        key = "screen.next" if coming.turns == 1 else "screen.in_turns"
        when = pen.say(key, turns=coming.turns, giver=coming.giver)
        known = len(coming.cards)
        count = "" if known == coming.size else f"{pen.say('screen.known', known=known, size=coming.size)}: "
        parts.append(joined(pen.plain(f"{when}: "), pen.muted(count), pen.plain(" ".join(coming.cards))))
    if not parts:
        return blank(columns)
    line = joined(pen.text(" "), separated(parts, pen.muted(" · ")))
    return between(line, pen.muted(f" o {pen.say('screen.more')} "), columns)


def coming_lines(scene: Scene, columns: int, pen: Pen) -> list[Text]:
    """Return the hands that will come, as several lines for each."""
    lines: list[Text] = []
    for coming in scene.coming:
        key = "screen.next.from" if coming.turns == 1 else "screen.in_turns.from"
        parts = [pen.say(key, turns=coming.turns, giver=coming.giver)]
        if len(coming.cards) < coming.size:
            parts.append(pen.say("screen.known.from", known=len(coming.cards), size=coming.size))
        lines.append(pen.muted(f" {': '.join(parts)}"))
        lines += [joined(pen.text("  "), line) for line in wrapped(pen.plain(" ".join(coming.cards)), columns - 3)]
    return lines or [pen.muted(f" {pen.say('screen.unknown')}")]


def piles(scene: Scene, columns: int) -> list[str]:
    """Return lines with the zones of the table and their cards, side by side if they fit."""
    lines: list[str] = []
    for pile in scene.piles:
        if lines and wide(f"{lines[-1]}   {pile}") <= columns:
            lines[-1] += f"   {pile}"
        else:
            lines += (line.plain for line in wrapped(Text(f" {pile}"), columns, 3))
    return lines


# ── scores and log ──────────────────────────────────────────────────────────────────────────────────────────────────


_SCORE_HEADS = (("screen.so_far", 7), ("screen.now.column", 5), ("screen.would", 7))
"""The titles and widths of the columns of points."""


def scores(scene: Scene, columns: int, pen: Pen) -> list[Text]:
    """Return a line for each seat, best first: points so far, points that scoring now would add, and sum."""
    first = max(10, columns - 20)
    heads = [pen.muted(pen.say(key)) for key, _ in _SCORE_HEADS]
    gaps = [blank(room - wide(text)) for text, (_, room) in zip(heads, _SCORE_HEADS, strict=True)]
    lines = [joined(blank(first), *(part for pair in zip(gaps, heads, strict=True) for part in pair))]
    for seat in sorted(scene.seats, key=lambda seat: (-seat.points - seat.standing, seat.seat)):
        total = seat.points + seat.standing
        amount = pen.points(seat.standing) if seat.standing else pen.muted("·")
        title, points = fitted(joined(pen.text(" "), name(seat, pen)), first), pen.plain(f"{seat.points:>7}")
        lines.append(joined(title, points, blank(5 - wide(amount)), amount, pen.bold(f"{total:>7}")))
    return lines


def log(entries: Sequence[Text], columns: int, height: int) -> list[Text]:
    """Return the newest entries of the log in `height` lines, newest first."""
    lines: list[Text] = []
    for entry in reversed(entries):
        if len(lines) >= height:
            break
        lines += wrapped(entry, columns, 4)
    return column(lines, columns, height)


def side(
    scene: Scene, entries: Sequence[Text], columns: int, height: int, pen: Pen, title: str = "screen.log"
) -> list[Text]:
    """Return the side pane of large screens: scores, coming hands, piles, log."""
    lines = [pen.accent(f" {pen.say('screen.scores').upper()}"), *scores(scene, columns - 2, pen), blank()]
    if scene.coming:
        lines += [pen.accent(f" {pen.say('screen.coming').upper()}"), *coming_lines(scene, columns, pen), blank()]
    lines += [*map(pen.muted, piles(scene, columns - 2)), blank()] if scene.piles else []
    room = height - len(lines) - 1
    if room > 0:
        lines += [
            pen.accent(f" {pen.say(title).upper()}"),
            *(log([joined(pen.text(" "), entry) for entry in entries], columns - 2, room)),
        ]
    return [joined(pen.muted("│"), line) for line in column(lines, columns - 1, height)]


def centred(lines: Sequence[Text], columns: int, height: int) -> list[Text]:
    """Pad lines so that they are in the middle of the screen, and return them."""
    above = max(0, (height - len(lines)) // 2)
    rows = [blank()] * above
    for line in lines:
        cut = cropped(line, columns)
        rows.append(joined(blank(max(0, (columns - wide(cut)) // 2)), cut))
    return column(rows, columns, height)


def empty() -> Text:
    return Text("", end="")
