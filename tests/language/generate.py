"""Random formulas: mostly valid, sometimes with a part of the wrong type or an unknown name."""

from __future__ import annotations

from random import Random
from typing import Any

from draftengine.model.language.tree import (
    Binary,
    BooleanLiteral,
    Call,
    Comparison,
    Conditional,
    Expr,
    LogicalOp,
    Name,
    Number,
    Unary,
)
from language.world import NAMES

_COUNTERS = [name for name, info in NAMES.items() if info.kind == "counter"]
_VALUES = [name for name, info in NAMES.items() if info.kind not in {"zone", "marker", "scores"}]
_NUMBERS = (0, 1, 2, 3, 5, 10, 100, 65_536, 2**31 - 1)


def random_from(seed: int) -> Random:
    """Return a random generator with this seed."""
    return Random(seed)


class Generator:
    """A generator of formulas up to a depth; `wrong` is the probability of a part being invalid."""

    def __init__(self, random: Random, wrong: float = 0.003) -> None:
        self.random = random
        self.wrong = wrong

    def formula(self, depth: int) -> Expr:
        return self.number(depth) if self.random.random() < 0.7 else self.truth(depth)

    def number(self, depth: int) -> Expr:
        if self.random.random() < self.wrong:
            return self.random.choice([BooleanLiteral(value=True), Name("unknown"), Name("hand"), Call("max", ())])
        if depth <= 1 or self.random.random() < 0.06:
            return self._small_number()
        makers = [self._divided, self._plain, self._aggregate, self._minus, self._choice]
        return self.random.choice([*makers, *[self._binary] * 3])(depth - 1)

    def truth(self, depth: int) -> Expr:
        if self.random.random() < self.wrong:
            return Number(1)
        if depth <= 2 or self.random.random() < 0.06:
            return self.random.choice(
                [BooleanLiteral(value=True), BooleanLiteral(value=False), Call("holds", (Name("trophy"),))]
            )
        return self.random.choice([self._compare, self._compare, self._logic, self._not, self._truth_choice])(depth - 1)

    def _small_number(self) -> Expr:
        kind = self.random.random()
        if kind < 0.3:
            return Number(self.random.choice(_NUMBERS[:6] if kind < 0.25 else _NUMBERS))
        if kind < 0.8:
            return Name(self.random.choice(_VALUES))
        if kind < 0.9:
            return Call("gained", (Name(self.random.choice(_COUNTERS)),))
        if kind < 0.92:
            return Call("best_of", (Name("cards"),))
        return Call("cards", (Name(self.random.choice(["hand", "deck"])),))

    def _binary(self, depth: int) -> Expr:
        op: Any = self.random.choice(["+", "-", "*"])
        return Binary(op, self.number(depth), self.number(depth))

    def _divided(self, depth: int) -> Expr:
        op: Any = self.random.choice(["//", "%"])
        divisor = self.random.choice([Number(2), Number(7), Name("die"), Unary("-", Name("die")), self.number(depth)])
        if self.random.random() < 0.3:
            divisor = Call("max", (Number(1), self.number(depth)))
        return Binary(op, self.number(depth), divisor)

    def _plain(self, depth: int) -> Expr:
        function = self.random.choice(["min", "max", "abs", "kinds", "top"])
        count = 1 if function == "abs" else self.random.randint(2, 3)
        if function == "top":
            count += 1
        return Call(function, tuple(self.number(depth) for _ in range(count)))

    def _aggregate(self, depth: int) -> Expr:
        function = self.random.choice(["most", "fewest", "total", "seats_with"])
        argument = self.truth(depth) if function == "seats_with" else self.number(depth)
        if self.random.random() < 0.3:
            where = self.random.choice(["left", "right", "of", "my"])
            if where == "my":
                return Call(f"others_{self.random.choice(['most', 'total'])}", (Call("my", (self.number(depth),)),))
            other = self.number(depth)
            return Call(where, (Name("trophy"), other) if where == "of" else (other,))
        if self.random.random() < 0.5:
            function = {"seats_with": "others_with"}.get(function, f"others_{function}")
        return Call(function, (argument,))

    def _minus(self, depth: int) -> Expr:
        return Unary("-", self.number(depth))

    def _choice(self, depth: int) -> Expr:
        return Conditional(self.number(depth), self.truth(depth), self.number(depth))

    def _compare(self, depth: int) -> Expr:
        op: Any = self.random.choice(["==", "!=", "<", "<=", ">", ">="])
        return Comparison(op, self.number(depth), self.number(depth))

    def _logic(self, depth: int) -> Expr:
        op: Any = self.random.choice(["and", "or"])
        return LogicalOp(op, self.truth(depth), self.truth(depth))

    def _not(self, depth: int) -> Expr:
        return Unary("not", self.truth(depth))

    def _truth_choice(self, depth: int) -> Expr:
        return Conditional(self.truth(depth), self.truth(depth), self.truth(depth))


def position(random: Random, seats: int) -> dict[str, tuple[int, ...]]:
    """Return a state in which every name lies within its bounds."""
    state: dict[str, tuple[int, ...]] = {}
    for name, info in NAMES.items():
        count = seats if info.per_seat else 1
        values = tuple(random.choice([info.low, info.high, random.randint(info.low, info.high)]) for _ in range(count))
        if info.kind == "counter":
            before = [random.randint(info.low, info.high) for _ in values]
            state[f"gained({name})"] = tuple(now - then for now, then in zip(values, before, strict=True))
        if info.kind == "marker":
            holder = random.randrange(-1, seats)
            state[f"holds({name})"] = tuple(int(seat == holder) for seat in range(seats))
        readings = {"zone": f"cards({name})", "scores": f"best_of({name})"}
        state[readings.get(info.kind, name)] = values
    return state
