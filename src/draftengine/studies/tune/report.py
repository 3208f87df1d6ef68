"""Report of a tuning: the answer, the figure at each value, and how far to trust it."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from draftengine.studies.report.charts import Axis, Point, framed, listed, page, part, rows, table, validity
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
    figure = str(tuned.target.figure.title(program))
    keys = ("value", "figure", "interval", "change", "games")
    head = [*(str(said(f"study.column.{key}")) for key in keys), ""]
    numbers = table(head, [[str(cell) for cell in row] for row in cells(tuned)])
    title = f"{figure[:1].upper()}{figure[1:]}"
    about = (
        f"Each line is a value of {number.name}, with an interval that holds for all of them together. Blue: certainly "
        "reaches the target; orange: certainly misses it; grey: more games would tell."
    )
    points = [_point(tuning, candidate) for candidate in tuned.tried if not isinf(candidate.estimate.high)]
    drawn = rows(points, Axis(figure, tuned.target.aim), (number.name, str(said("study.column.figure"))))
    drawing = framed("values", f"Wanted: {tuned.target.band}", about, drawn, numbers=numbers)
    body = part(f"{title} by {number.name}", drawing)
    refused = [str(said("study.tuned.refused", value=it, why=why)) for it, why in tuning.question.refused.items()]
    body += validity(
        "What was tried, and what that is worth",
        rules=study.rules,
        games=f"Up to {tuned.games:,} with each value, all with the same seeds. Seed {study.seed}.",
        bots=who_played(tuning.bots),
        holds_for=" ".join([*map(str, notes(tuned, program, tuning.bots)), *refused]),
        again=study.again,
    )
    answers = sentences(tuned, number, program)
    known = tuned.best is not None or not tuned.unknown
    statements = [
        Conclusion("certain" if known and not place else "measured" if known else "unknown", text.removesuffix("."))
        for place, text in enumerate(answers)
    ]
    heads = [f"*{len(tuned.tried)}* values", f"*{', '.join(dict.fromkeys(tuning.bots))}* in the seats"]
    return page("Tuning", study.title, heads, f"{listed('Which value', statements, body)}{body}")


def _point(tuning: Tuning, candidate: Tried) -> Point:
    """Return the line of a value: blue if it certainly reaches the target."""
    estimate, verdict = candidate.estimate, said(f"study.verdict.{candidate.verdict}")
    label = str(said("study.now", value=candidate.value)) if candidate.value == tuning.found.now else candidate.value
    return Point(f"{label}, {verdict}", estimate.value, (estimate.low, estimate.high), _STATES[candidate.verdict])
