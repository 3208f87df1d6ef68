"""Programs specialised to what is known of their arguments, and what is left of them compiled.

A *text* is ordinary Python in a small dialect: functions over records and whole numbers (`record.py`, `primitives.py`).
It runs as it stands. `specialise.py` carries out what is known beforehand and leaves functions of what is not;
`to_python.py` makes Python functions of these, `to_llvm.py` machine code.

Nothing here knows a game or a card set.
"""
