"""What the pages show of a card-set file: its rules, without what every file has and without its worked examples."""

from __future__ import annotations

import re

_LEFT_OUT = {"format", "id", "extends", "title", "version", "about", "examples"}


def parts_of(text):
    """The top-level keys of a file, each with its lines; comments above a key belong to what stands before it."""
    found = re.split(r"^(?=[a-z_]+:)", text, flags=re.MULTILINE)[1:]
    return {own.partition(":")[0]: own for own in found}


def shown(text):
    """The lines of its rules."""
    return "".join(own for key, own in parts_of(text).items() if key not in _LEFT_OUT).strip() + "\n"


def examples_in(text):
    """The lines of its worked examples."""
    return parts_of(text).get("examples", "").strip() + "\n"


def anchor(heading):
    """How sites that show Markdown call a heading."""
    kept = "".join(own for own in heading.lower() if own.isalnum() or own in " -_")
    return kept.strip().replace(" ", "-")
