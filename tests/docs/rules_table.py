"""Write ``docs/rules.md``: each statement of the rule documents, with its lines and cases.

The lines are those of card sets that cite the statement; the golden cases prove it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import yaml

try:
    from yaml import CSafeLoader as Loader
except ImportError:
    from yaml import SafeLoader as Loader

ROOT = Path(__file__).parents[2]
STATEMENTS = yaml.load((Path(__file__).parent / "statements.yaml").read_text(encoding="utf-8"), Loader=Loader)
CASES = yaml.load((ROOT / "tests" / "conformance" / "cases.yaml").read_text(encoding="utf-8"), Loader=Loader)["cases"]
EDITIONS = {
    "O": ("sushi_go", "Sushi Go! (2012)"),
    "S": ("sushi_go_summary", "Sushi Go!, the summary document"),
    "G": ("sushi_go_2014", "Sushi Go! (2014)"),
    "A": ("anniversary", "Sushi Go! 10th Anniversary Edition"),
    "D": ("sushi_draft", "Sushi Draft!"),
}
HEAD = """\
# Rules

Made by `make docs`: every statement of the rule documents by its number, the lines of the card sets that say it, and
the golden cases that prove it.
"""


def lines_of(cardset):
    """Return the line numbers of a card set that cite each statement, outside the list of statements."""
    found = {}
    inside = False
    for number, line in enumerate((ROOT / "cardsets" / f"{cardset}.yaml").read_text(encoding="utf-8").splitlines(), 1):
        if re.match(r"\w", line):
            inside = line.startswith("sources:")
        if not inside and "source" in line:
            for statement in re.findall(r"\b[OSGAD]-\d\d\b", line.partition("source")[2]):
                found.setdefault(statement, []).append(number)
    return found


def span(text):
    """Return the line numbers in a text such as ``11-33, 52``."""
    numbers = set()
    for part in re.findall(r"\d+(?:-\d+)?", str(text)):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def cases_for(statement):
    """Return the golden cases that come from the lines of a statement."""
    lines = span(STATEMENTS[statement]["lines"])
    return [case["id"] for case in CASES if case["edition"] == statement[0] and lines & span(case["source"]["lines"])]


def places_for(statement):
    """Return the places where card sets encode a statement, as file and line."""
    said = STATEMENTS[statement]
    cardset = EDITIONS[statement[0]][0]
    if "keys" in said:
        return [(cardset, key_line(cardset, key)) for key in said["keys"]]
    wanted = said.get("as", [statement])
    places = []
    for own in wanted:
        for name in dict.fromkeys([cardset, EDITIONS[own[0]][0]]):
            places += [(name, number) for number in lines_of(name).get(own, [])]
    return places


def key_line(cardset, key):
    text = (ROOT / "cardsets" / f"{cardset}.yaml").read_text(encoding="utf-8")
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(f"{key}:"))


def page():
    """Return the page of rules as Markdown."""
    parts = [HEAD]
    for letter, (_, title) in EDITIONS.items():
        parts.append(f"\n## {title}\n\n| | rule | said in | proved by |\n|---|---|---|---|\n")
        for statement, said in STATEMENTS.items():
            if statement[0] == letter:
                places = ", ".join(
                    f"[{name}:{number}](../cardsets/{name}.yaml#L{number})" for name, number in places_for(statement)
                )
                where = places or f"– ({said['no_rule']})"
                text = said["text"].replace("|", "\\|")
                proof = ", ".join(cases_for(statement)) or f"`{said['proved_by']}`"
                parts.append(f"| {statement} | {text} | {where} | {proof} |\n")
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
