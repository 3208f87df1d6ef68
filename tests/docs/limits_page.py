"""Write ``docs/limits.md`` from the table of limits.

``python tests/docs/limits_page.py > docs/limits.md``
"""

from __future__ import annotations

import sys
from itertools import groupby

from draftengine.model.limits import TABLE

HEAD = """\
# Limits

Made by `make docs` from the table that the checker uses. Limits keep a file from costing more time and memory than a
game can need, and find slips such as a quote that is never closed. The error about a larger file names the limit and
what to do.

A file of the greatest size is still checked in seconds. Of very many variants a warning says which were not checked.
They are checked before somebody plays them.
"""


def page() -> str:
    """Return the page of limits as Markdown."""
    parts = [HEAD]
    for section, limits in groupby(TABLE, key=lambda limit: limit.section):
        rows = [f"| {limit.most:,} | {limit.what} | {limit.remedy} |" for limit in limits]
        parts += [f"\n## {section}\n\n", "\n".join(["| at most | of | what helps |", "|--:|---|---|", *rows]), "\n"]
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
