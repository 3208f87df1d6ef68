"""Records as objects and in memory, compared with each other."""

from draftengine.jit.struct_layout import signed


def write_into(memory, made):
    """Write an object's fields into memory, borrowed ones excepted."""
    for name, own in memory.layout.positions.items():
        if not own.field.borrowed:
            memory.set(name, getattr(made, name))


def differences(memory, made):
    """The fields in which an object is not equal, with its value and the memory's; words may be larger in Python."""
    pairs = {name: (getattr(made, name), memory.get(name)) for name in memory.layout.positions}
    words = {name: own.words for name, own in memory.layout.positions.items()}
    return {
        name: both for name, both in pairs.items() if canonical(both[0], words[name]) != canonical(both[1], words[name])
    }


def canonical(value, words):
    values = value if isinstance(value, list) else [value]
    return [signed(one, words) if isinstance(one, int) else one for one in values]
