"""Random legal games, and which findings about them are false.

``PYTHONPATH=tests python -m playtest.legal 200`` reports on 200 games, and a second number draws others.
A finding is confirmed if more games with other luck show it again. What they do not confirm is false.
"""

import sys
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, seed, settings

from draftengine.api.scenario.suite import check_opened
from draftengine.engine.chance import root_of
from draftengine.model.diagnostics import has_errors
from draftengine.model.library import open_text
from draftengine.model.selection.inherited_errors import place_key
from draftengine.studies.playtest import counters, games, goals, shown_by_games
from engine.drawn import card_sets


def legal_games(count, first=7):
    """Return `count` random games without errors. Each has its own seed, so none is like another."""
    legal, number = [], first
    while len(legal) < count:
        text, number = drawn(number), number + 1
        opened = open_text("drawn.yaml", text.encode(), lambda _: None)
        if opened.document is not None and not has_errors(check_opened(opened)):
            legal.append(opened.document)
    return legal


def drawn(number):
    """Return the random game with this number. The first that a seed draws is always the simplest one."""
    texts = []

    @seed(number)
    @settings(max_examples=2, phases=[Phase.generate], database=None, suppress_health_check=[*HealthCheck])
    @given(card_sets())
    def draw(text):
        texts.append(text)

    draw()
    return texts[-1]


def false_findings(document, more):
    """Return all findings about a game, and those that `more` times as many games do not confirm."""
    findings = [finding for finding in shown_by_games(document) if finding.severity != "note"]
    if not findings:
        return [], []
    limits = [(games, "KIND"), (games, "ALL"), (goals, "COLLECTING"), (goals, "HOPING"), (goals, "TRIES")]
    limits += [(goals, "LOOKS"), (counters, "MOST_WORK"), (games, "MOST_WORK")]
    changes = [patch.object(module, name, more * getattr(module, name)) for module, name in limits]
    limits = ("WORK", "TOGETHER")  # where games are too long to tell, nothing is confirmed
    changes += [patch.object(goals, limit, 100 * getattr(goals, limit)) for limit in limits]
    changes += [patch.object(games, "BASE", [more * number for number in games.BASE])]
    changes += [patch.object(counters, "_ROOT", root_of("other luck"))]
    for change in changes:
        change.start()
    confirmed = set(map(place_key, shown_by_games(document)))
    for change in changes:
        change.stop()
    return findings, [finding for finding in findings if place_key(finding) not in confirmed]


def main(count, first=7):
    """Write which findings about `count` games are false, with the games."""
    findings = unconfirmed = 0
    for number, document in enumerate(legal_games(count, first)):
        reported, false = false_findings(document, 5)
        findings, unconfirmed = findings + len(reported), unconfirmed + len(false)
        for finding in false:
            sys.stdout.write(f"{number}: {finding.message}\n{document.files[0].source.text}\n")
    sys.stdout.write(f"{unconfirmed} of {findings} findings about {count} games were not confirmed.\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
