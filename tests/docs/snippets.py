"""Excerpts of card sets for pages: the rules, without common keys and worked examples."""

from __future__ import annotations

import re

_LEFT_OUT = {"format", "id", "extends", "title", "version", "about", "examples"}


def parts_of(text):
    """Return the top-level keys of a file with their lines.

    Comments above a key belong to the previous key.
    """
    found = re.split(r"^(?=[a-z_]+:)", text, flags=re.MULTILINE)[1:]
    return {own.partition(":")[0]: own for own in found}


def shown(text):
    """Return the lines of a card set's rules."""
    return "".join(own for key, own in parts_of(text).items() if key not in _LEFT_OUT).strip() + "\n"


def examples_in(text):
    """Return the lines of a card set's worked examples."""
    return parts_of(text).get("examples", "").strip() + "\n"


def anchor(heading):
    """Return the anchor that Markdown sites give to a heading."""
    kept = "".join(own for own in heading.lower() if own.isalnum() or own in " -_")
    return kept.strip().replace(" ", "-")
