"""The language of formulas: syntax, types, ranges of values, evaluation and macros."""
