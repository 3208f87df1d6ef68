"""Formulas: syntax, types, ranges, values and macros."""
