"""Report of a tuning: the answer, the figure at each value, and how reliable it is."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from draftengine.studies.report import charts
from draftengine.studies.report.charts import in_figures, language_of_page, say, worded
from draftengine.studies.report.conclusions import Conclusion
from draftengine.studies.simulation.words import who_played
from draftengine.studies.tune.conclusions import notes, sentences
from draftengine.studies.tune.conclusions import rows as cells
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.studies.public import Tuning
    from draftengine.studies.report.charts import State, Study
    from draftengine.studies.tune.tune import Tried, Verdict


_STATES: dict[Verdict, State] = {"reaches": "up", "misses": "down", "unknown": "none"}


def report(study: Study, tuning: Tuning) -> str:
    """Return the HTML page for the result of a tuning."""
    tuned, number, program = tuning.found, tuning.question.number, tuning.question.game.program
    figure = worded(tuned.target.figure.title(program, language_of_page()))
    title = say("tuned.by", figure=f"{figure[:1].upper()}{figure[1:]}", name=number.name)
    keys = ("value", "figure", "interval", "change", "games")
    head = [*(worded(said(f"study.column.{key}")) for key in keys), ""]
    numbers = charts.table(head, [[worded(cell) for cell in row] for row in cells(tuned)])
    points = [_point(tuning, candidate) for candidate in tuned.tried if not isinf(candidate.estimate.high)]
    drawn = charts.rows(points, charts.Axis(figure, tuned.target.aim), (number.name, head[1]))
    wanted, about = say("tuned.wanted", band=tuned.target.band), say("tuned.about", name=number.name)
    refused = [said("study.tuned.refused", value=it, why=why) for it, why in tuning.question.refused.items()]
    body = charts.part(title, charts.framed("values", wanted, about, drawn, numbers=numbers))
    body += charts.validity(
        say("tuned.tried"),
        rules=study.rules,
        games=say("tuned.games", games=in_figures(f"{tuned.games:,}"), seed=str(study.seed)),
        bots=who_played(tuning.bots, language_of_page()),
        holds_for=" ".join(map(worded, (*notes(tuned, program, tuning.bots), *refused))),
        again=study.again,
    )
    answers = sentences(tuned, number, program, language_of_page())
    known = tuned.best is not None or not tuned.unknown
    statements = [
        Conclusion("certain" if known and not place else "measured" if known else "unknown", text.rstrip(".。"))
        for place, text in enumerate(answers)
    ]
    bots = tuple(dict.fromkeys(tuning.bots))
    heads = [say("head.values", count=len(tuned.tried)), say("head.bots", bots=bots)]
    return charts.page(
        say("tuning"), study.title, heads, f"{charts.listed(say('tuned.which'), statements, body)}{body}"
    )


def _point(tuning: Tuning, candidate: Tried) -> charts.Point:
    """Return the line of a value: blue if it certainly reaches the target."""
    estimate, verdict = candidate.estimate, worded(said(f"study.verdict.{candidate.verdict}"))
    now = candidate.value == tuning.found.now
    label = worded(said("study.now", value=candidate.value)) if now else candidate.value
    return charts.Point(
        f"{label}, {verdict}", estimate.value, (estimate.low, estimate.high), _STATES[candidate.verdict]
    )
