"""A word of warning about a card set whose own worked examples fail, before anybody plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from draftengine.model.diagnostics.render.text import escaped

if TYPE_CHECKING:
    from draftengine.api.ruleset import Ruleset


def warn_of_failing_examples(name: str, rules: Ruleset) -> None:
    """Say in one line on standard error if worked examples fail, of as many as ``validate`` runs.

    Those of the card sets that come with the package are known to hold, and are not run.
    """
    from draftengine.api.ruleset import games_of
    from draftengine.api.scenario.files import failing_examples
    from draftengine.model.library.library import shipped

    if name in shipped():
        return
    failing = failing_examples(rules.document, games_of(rules.document))
    if not failing:
        return
    what = f"The worked example “{failing[0]}”" + (f" and {len(failing) - 1} more" if len(failing) > 1 else "")
    fails = "fails" if len(failing) == 1 else "fail"
    shows = f" draftengine test {name} shows why." if name != "-" else ""
    typer.echo(
        escaped(f"Careful: {what} of this card set {fails}: the rules may not be what you mean.{shows}"), err=True
    )
