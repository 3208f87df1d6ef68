"""Write ``docs/findings.md`` from the catalogue.

``python tests/docs/findings_page.py > docs/findings.md``
"""

from __future__ import annotations

import sys

from draftengine.model.diagnostics import PHASES, catalogue, table

HEAD = """\
# Findings

Made by `make docs` from the catalogue that `draftengine explain CODE` prints. Every finding of `draftengine validate`
has a code, which stands in brackets behind `error` or `warning`; here is what each means, with a wrong and a right
example where one fits on a page. The tests run them all: the wrong one leads to this finding, the right one does not.
Most are the keys that matter; the rest of the game is left out.

`draftengine validate --fix` mends what is certain: a name that can only be a slip of the pen, a number in quotes, a
line that removes what is not there. What stands under *Playing* is found in some hundred games, which `validate` plays
where a person reads the answer, and otherwise with `--play`.
"""
PARTS = ("Reading a file", "Structure and overlays", "The game itself", "Formulas", "Worked examples", "Playing")
KINDS = {
    "error": "",
    "warning": " This is a warning: the game can be played.",
    "note": " This is a note: nothing has to be mended.",
}
ALSO = {
    "error": " Where it is certain, it is an error.",
    "warning": " Where the game may be played all the same, it is only a warning.",
    "note": " Where it may well be meant, or little depends on it, it is only a note.",
}


def page() -> str:
    """Return the page of findings as Markdown."""
    parts = [HEAD]
    for title, phase in zip(PARTS, PHASES, strict=True):
        listed = "\n".join(f"- [`{own.code}`](#{own.code}): {own.title}" for own in table(phase))
        parts.append(f"\n## {title}\n\n{listed}\n")
        parts += [_entry(own.code) for own in table(phase)]
    return "".join(parts)


def _entry(code: str) -> str:
    own = catalogue()[code]
    kind = KINDS[own.severity] + "".join(ALSO[each] for each in own.also if each not in str(own.explanation))
    text = f"\n### {code}\n\n**{own.title}.** {own.explanation}{kind}\n"
    for title, example in (("Wrong", own.bad), ("Right", own.good)):
        if example:
            text += f"\n{title}:\n\n```text\n{example.rstrip()}\n```\n"
    return text


if __name__ == "__main__":
    sys.stdout.write(page())
