"""Legal moves by enumerating every sequence of cards, which is slow but obviously right."""

from __future__ import annotations

from draftengine.engine.moves import choice_of, items_by, items_of, open_ways, own_count, uses_of


def listed(state, seat):
    """Return all legal moves of a seat, sorted and distinct."""
    if seat not in state.pending:
        return ()
    choice = choice_of(state)
    if choice.actions:
        return tuple(sorted(set(_by_ways(state, choice, seat))))
    stock = tuple(sorted(choice.open_places(state) if choice.layout else choice.cards_of(state, seat)))
    return tuple(sorted(set(_moves(state, choice, seat, stock))))


def _by_ways(state, choice, seat):
    for way, count in open_ways(state, choice, seat):
        if count:
            yield from _going(state, choice, seat, way, tuple(choice.cards_of(state, seat)), count)
        else:
            yield (choice.cardless_item(way),)


def _going(state, choice, seat, way, stock, count):
    if not count:
        yield ()
        return
    for index, card in enumerate(stock):
        for item in items_by(state, choice, seat, card, way):
            for more in _going(state, choice, seat, way, stock[:index] + stock[index + 1 :], count - 1):
                yield (item, *more)


def _moves(state, choice, seat, stock):
    for own, rest in _sequences(state, choice, seat, stock, min(own_count(state, choice, seat), len(stock)), 0):
        for more, left in _with_abilities(state, choice, seat, own, rest):
            yield from _for_others(state, choice, list(choice.parts_for_others(state, seat)), own + more, left)


def _sequences(state, choice, seat, stock, count, base):
    if not count:
        yield (), stock
        return
    for index, card in enumerate(stock):
        rest = stock[:index] + stock[index + 1 :]
        for item in items_of(state, choice, seat, card):
            for more, left in _sequences(state, choice, seat, rest, count - 1, base):
                yield (base + item, *more), left


def _with_abilities(state, choice, seat, own, stock):
    yield (), stock
    for ability in choice.abilities:
        taken = state.program.abilities[ability].model.take
        for uses in range(1, uses_of(state, choice, ability, seat) + 1):
            if uses * taken <= choice.left_for_ability(state, seat, stock, own):
                wider, base = choice.uncovered(state, stock, own), (1 + ability) * state.program.width
                yield from _sequences(state, choice, seat, wider, uses * taken, base)


def _for_others(state, choice, parts, begun, stock):
    if not parts:
        yield begun
        return
    (channel, seat, cards), *more = parts
    base = channel * state.program.width
    for own, left in _sequences(state, choice, seat, stock, min(cards, len(stock)), base):
        yield from _for_others(state, choice, more, begun + own, left)
