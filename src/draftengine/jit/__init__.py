"""Programs specialised to what is known of their arguments, and what is left of them compiled.

*Kernel source* is ordinary Python in a small dialect. It runs as it stands, in a debugger like any other program.
`specializer.py` carries out what is known beforehand and leaves a program of what is not; `python_backend.py` makes
Python functions of that, `llvm/module.py` and `llvm/machine.py` machine code. Nothing here knows a game or a card set.

The dialect
-----------

Kernel source consists of functions in modules. A parameter whose annotation is a `Record` is one; it is passed on by
its name and used by its fields only. Every other parameter is known or not, as its caller has it. `float` in an
annotation means a floating-point number; everything else that is not known is a whole number within 64 bits or a word,
see `primitives.py`.

- What is known can be anything: objects, dictionaries of functions, strings. Expressions of what is known are
  carried out, functions of other modules and decorated functions among them; those take nothing but what is known.
- `if` and `while`, assignments (also `a, b = b, a`, `x += …`, with annotations), `return`, `assert`, calls with
  keywords and defaults. `if` of what is known disappears; behind one that stays, a name has a value if it has one on
  both ways.
- `for … in` what is known is unrolled; `for … in dynamic_range(n)` stays a loop, as `while` does.
- `+ - * // % & | ^ << >> / ~`, comparisons and chains of them, `in` a known collection, `and`, `or`, `not`, `… if …
  else …`; `min`, `max`, `abs`; `sum`, `min`, `max`, `any`, `all` of a generator over what is known. All of them mean
  what they mean in Python, in its order.
- A place of a split field or a local `row` is known; one of cells, or of a known tuple or list of numbers, need not be.
- Nothing acts outside of the records.

There is no `break`, `continue`, `try`, `with`, `raise` of what is not known, no list that changes, no closure over a
record, and no record under two names. Whatever has no meaning here is refused with its place (`errors.py`).
"""
