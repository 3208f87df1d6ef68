"""Compares records as objects with records in memory."""

from draftengine.jit.records import signed


def write_into(memory, made):
    """Write an object's fields into memory, except borrowed ones."""
    for name, own in memory.layout.positions.items():
        if not own.field.borrowed:
            memory.set(name, getattr(made, name))


def differences(memory, made):
    """Return unequal fields as {name: (object, memory)}, with words compared as signed numbers."""
    pairs = {name: (getattr(made, name), memory.get(name)) for name in memory.layout.positions}
    words = {name: own.words for name, own in memory.layout.positions.items()}
    return {
        name: both for name, both in pairs.items() if canonical(both[0], words[name]) != canonical(both[1], words[name])
    }


def canonical(value, words):
    values = value if isinstance(value, list) else [value]
    return [signed(one, words) if isinstance(one, int) else one for one in values]
