"""Assignment of counters to bit fields of a packed word; only counters that are read get a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from draftengine.engine.program import CounterField
from draftengine.model.cardset.facts import seats
from draftengine.model.flow.counters import counters_of

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.flow.counters import CounterInfo


class Fields(Struct):
    """The fields assigned so far. Each is as wide as the proved bounds of its counter require."""

    infos: dict[str, CounterInfo]
    given: dict[str, CounterField] = field(default_factory=dict)
    used_bits: int = 0
    shared: dict[str, int] = field(default_factory=dict)
    """Number of seats that share each counter of the table."""

    @classmethod
    def of(cls, model: CardSet, players: int) -> Fields:
        infos = {info.id: info for info in counters_of(model, players, any_table=True)}
        count = seats(model, players)
        return cls(infos, shared={counter.id: count for counter in model.counters if counter.per == "table"})

    def field(self, name: str) -> CounterField:
        """Return the field of a counter, assigning it at the first call. Raises `KeyError` if unknown."""
        if name not in self.given:
            info = self.infos[name]
            bias = -min(info.low, 0)
            width = max((info.high + bias).bit_length(), 1)
            self.given[name] = CounterField(
                name, self.used_bits, (1 << width) - 1, bias, info.start, self.shared.get(name, 0)
            )
            self.used_bits += width
        return self.given[name]

    def pack(self, amounts: dict[str, int]) -> int:
        """Return the increment of a packed word for amounts by counter; counters without a field are left out."""
        return sum(amount << self.given[name].shift for name, amount in amounts.items() if name in self.given)

    def pack_mixed(self, amounts: dict[str, int]) -> int:
        """Return the increment for only those counters that survive clearing with their cards."""
        mixed = {field.name for field in self.kept("mixed")}
        return self.pack({name: amount for name, amount in amounts.items() if name in mixed})

    @property
    def start_word(self) -> int:
        return sum((field.start + field.offset) << field.shift for field in self.given.values())

    def kept(self, how: str) -> list[CounterField]:
        """Return the fields by what survives clearing: ``all``, ``none``, or ``mixed`` (with kept cards)."""
        return [field for name, field in self.given.items() if self.infos[name].keep == how]
