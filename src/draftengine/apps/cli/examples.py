"""Warning about card sets whose own worked examples fail, before they are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from draftengine.model.diagnostics.render.text import escaped

if TYPE_CHECKING:
    from draftengine.api.ruleset import Ruleset


def warn_of_failing_examples(name: str, rules: Ruleset) -> None:
    """Warn on standard error if worked examples fail, among those that ``validate`` runs.

    Card sets of the package are known to be right and are skipped.
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
