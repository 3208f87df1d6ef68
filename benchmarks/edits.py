"""Measure the time of the workshop's checks after an edit of each shipped game, by kind of edit.

Every edit gives a text that was not checked before, in a warm process. An edit is another number in a rule, another
label, a further rule, another count of a card or another step of the flow. The same edits are made in a house rule that
extends the game. Arguments are names of games; without any, all are measured. The table gives milliseconds of processor
time, as median and 95th percentile: until the first errors are known, and until all findings are known (both checks
together).
"""

import argparse
import gc
import re
import statistics
import sys
from time import process_time

from draftengine.apps.workshop.work import Draft, findings, first_errors
from draftengine.model.shelf import read_bytes, shelf
from draftengine.model.yaml.load import load
from draftengine.model.yaml.tree import Mapping, Scalar
from draftengine.support.source import Source

TIMES = 6
"""The number of edits of each kind."""
HOUSE = """format: 2
id: house
extends: {name}
title: House rule
version: 1.0.0
cards:
  seaweed: {{count: {count}, label: {label}}}
scoring:
  seaweed: {{each: seaweed, points: {number}}}
{rule}{flow}"""


def scalars(node, path=()):
    """Yield the paths and nodes of all values below a node."""
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Mapping):
        for entry in node.entries:
            yield from scalars(entry.value, (*path, entry.key.text))
    elif node is not None:
        for index, item in enumerate(node.items):
            yield from scalars(item, (*path, str(index)))


def spread(places):
    """Return up to `TIMES` of the places, spread over all of them."""
    return [places[index * len(places) // TIMES] for index in range(TIMES)] if places else []


def edits_of(text):
    """Return changed texts by kind of edit."""
    root, _ = load(Source("game.yaml", text))
    known = [*scalars(root)]

    def numbers(*sections):
        return [
            node.span
            for path, node in known
            if path[0] in sections and isinstance(node.value, int) and node.value is not True and node.value > 1
            if text[node.span.start : node.span.end].isdigit()
        ]

    def other(span, new):
        return text[: span.start] + new + text[span.end :]

    labels = [
        node.span
        for path, node in known
        if path[0] == "cards" and "label" in path
        if re.fullmatch(r"[\w ]+|\"[\w ]+\"", text[node.span.start : node.span.end])
    ]
    counts = [
        node.span for path, node in known if path[0] == "cards" and path[-1] == "count" and isinstance(node.value, int)
    ]
    card = root.get("cards").entries[0].key.text
    text += "" if "\nscoring:" in text else "\nscoring:\n"
    rules = text.index("\nscoring:") + len("\nscoring:")
    worth = [(at, int(text[at.start : at.end])) for at in spread(numbers("scoring"))]
    steps = [(at, int(text[at.start : at.end])) for at in spread(numbers("setup", "round", "rounds"))]
    copies = [(at, int(text[at.start : at.end])) for at in spread(counts)]
    return {
        "number": [other(at, str(old + 20 + n)) for n, (at, old) in enumerate(worth)],
        "label": [other(at, f'"New {n}"') for n, at in enumerate(spread(labels))],
        "rule": [
            f"{text[:rules]}\n  further_{n}: {{each: {card}, points: {n + 2}}}{text[rules:]}" for n in range(TIMES)
        ],
        "count": [other(at, str(old + n + 1)) for n, (at, old) in enumerate(copies)],
        "flow": [other(at, str(max(2, old - 1))) + "\n" * n for n, (at, old) in enumerate(steps)],
    }


def house_edits_of(name):
    """Return texts of a house rule on a game, by kind of edit."""
    usual = {"name": name, "count": 4, "label": "Seaweed", "number": 3, "rule": "", "flow": ""}

    def text(**changed):
        return HOUSE.format(**(usual | changed))

    return text(), {
        "house number": [text(number=n + 4) for n in range(TIMES)],
        "house label": [text(label=f"Kelp {n}") for n in range(TIMES)],
        "house rule": [text(rule=f"  further: {{each: seaweed, points: {n + 2}}}\n") for n in range(TIMES)],
        "house count": [text(count=n + 5) for n in range(TIMES)],
        "house flow": [text(flow=f"rounds: {n + 1}\n") for n in range(TIMES)],
    }


def measured(check, draft):
    began = process_time()
    check(draft, "en")
    return 1000 * (process_time() - began)


def figures(times):
    times = sorted(times)
    return f"{statistics.median(times):5.0f} {times[min(len(times) - 1, len(times) * 95 // 100)]:5.0f}"


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("names", nargs="*")
    given = asked.parse_args()
    gc.freeze()
    gc.disable()  # processes of the server search for garbage between tasks
    every = []
    print(f"{'game':20} {'edit':13} {'first':>5} {'p95':>5}   {'all':>5} {'p95':>5}   n")
    for name in given.names or shelf():
        text = read_bytes(name)[1].decode()
        house, of_house = house_edits_of(name)
        for start, kinds in ((text, edits_of(text)), (house, of_house)):
            for draft in (Draft("draft.yaml", start), Draft("draft.yaml", start + "\n")):
                first_errors(draft, "en")
                findings(draft, "en")
            for kind, texts in kinds.items():
                drafts = [Draft("draft.yaml", changed) for changed in texts]
                first, both = [], []
                for draft in drafts:
                    gc.collect(0)
                    first.append(measured(first_errors, draft))
                    both.append(first[-1] + measured(findings, draft))
                if drafts:
                    every += both
                    print(f"{name:20} {kind:13} {figures(first)}   {figures(both)}   {len(drafts)}", flush=True)
    print(f"{'all':34} {figures(every):>13}")


if __name__ == "__main__":
    sys.exit(main())
