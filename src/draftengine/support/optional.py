"""How to install what only some people need: the one place that knows the sentence."""

from __future__ import annotations

from pathlib import Path

_CHECKOUT = Path(__file__).parents[3]


def how_to_install(extra: str) -> str:
    """The command that installs an extra: from the checkout that this is, or for an installed package."""
    if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "src").is_dir():
        return f"pip install '.[{extra}]'"
    return f"pip install 'draftengine[{extra}]'"


def needed_for(what: str, extra: str, otherwise: str = "") -> str:
    """What to say where an extra is missing; `otherwise` is what can be done without it."""
    text = f"For {what}, install the extra {extra}: {how_to_install(extra)}"
    return f"{text} ({otherwise})" if otherwise else text
