"""A specialiser for programs in a dialect of Python, and a compiler for its results.

*Kernel source* is ordinary Python in a small dialect. It also runs unspecialised, in a debugger like any other program.
`specializer.py` evaluates everything that is *static*, which means known beforehand. The rest is *dynamic*, and is left
as a *residual* program. `python_backend.py` turns that program into Python functions; `llvm/module.py` and
`llvm/machine.py` turn it into machine code. Nothing here knows a game or a card set.

The dialect -----------

Kernel source consists of functions in modules. A parameter whose annotation is a `Record` is a record: it is passed on
by its name, and only its fields are used. Whether any other parameter is static or dynamic depends on the call. Dynamic
values are numbers: floating-point where an annotation says `float`, otherwise integers within 64 bits or words (see
`primitives.py`).

- Static values can be anything: objects, dictionaries of functions, strings. Static expressions are evaluated at once.
  They may call functions of other modules and decorated functions, which take only static values.
- Statements are `if`, `while`, assignments (also `a, b = b, a`, `x += …`, with annotations), `return`, `assert`, and
  calls with keywords and defaults. A static `if` disappears. After a dynamic `if`, a name has a value only if both
  branches give it one.
- `for … in` a static collection is unrolled; `for … in dynamic_range(n)` stays a loop, as `while` does.
- Expressions are `+ - * // % & | ^ << >> / ~`, comparisons and chains of them, `in` a static collection, `and`, `or`,
  `not`, `… if … else …`, `min`, `max` and `abs`. `sum`, `min`, `max`, `any` and `all` also take a generator over a
  static collection. Their meaning and order of evaluation are those of Python.
- An index into a split field or a local `row` must be static. An index into cells, or into a static tuple or list of
  numbers, may be dynamic.
- Functions change nothing but records.

The dialect has no `break`, `continue`, `try`, `with` or `raise`, no list that changes, no closure over a record, and no
record with two names. Code outside the dialect is refused with its place (`SpecialisationError`).
"""
