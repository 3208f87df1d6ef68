"""Write ``docs/recipes.md`` from ``examples/recipes``.

``python tests/docs/recipes_page.py > docs/recipes.md``
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from docs.snippets import anchor, shown

ROOT = Path(__file__).parents[2]
RECIPES = tuple(sorted((ROOT / "examples" / "recipes").glob("[0-9]*.yaml")))
HEAD = """\
# Recipes: how do I say …?

Made by `make docs` from the files in [examples/recipes](../examples/recipes/diner.yaml), which the tests run.

What drafting games do, in forty-nine answers, each with the lines that say it. What the language cannot say yet is
marked, with the nearest thing that it can say. Every recipe is a small file that changes the same game,
[the diner](../examples/recipes/diner.yaml): six cards each, choose one, pass the rest to the left. The files also have
worked examples, which are left out here.

To try one: `draftengine play examples/recipes/01_pass_right_in_round_two.yaml`. What each key means is in
[the language reference](language.md) and in [the list of keys](keys.md).
"""


def page():
    """Return the page of recipes as Markdown."""
    found = [(path, path.read_text(encoding="utf-8")) for path in RECIPES]
    contents, recipes = [], []
    for number, (path, text) in enumerate(found, 1):
        data = yaml.safe_load(text)
        title, answer = data["title"], data["about"]["text"].strip()
        mark = " *(not yet)*" if answer.startswith("Not yet") else " *(in part)*" if "Not yet" in answer else ""
        contents.append(f"{number}. [{title}](#{number}-{anchor(title)}){mark}\n")
        recipes.append(
            f"\n## {number}. {title}\n\n{answer}\n\n```yaml\n{shown(text)}```\n\n"
            f"[The whole file](../examples/recipes/{path.name})\n"
        )
    return f"{HEAD}\n{''.join(contents)}{''.join(recipes)}"


if __name__ == "__main__":
    sys.stdout.write(page())
