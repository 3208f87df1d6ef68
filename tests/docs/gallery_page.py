"""Write ``docs/gallery.md`` from the house rules and their figures.

``python tests/docs/gallery_page.py``

The figures are those of ``benchmarks/house_rules.py``, and are not measured again here.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import draftengine as de
from docs.snippets import anchor, examples_in, shown
from draftengine.api.facts import Things
from draftengine.api.facts.differences import differences
from draftengine.model.shelf import house_rules

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures" / "house"
HEAD = """\
# Gallery of house rules

Made by `make docs` from the files in `cardsets/house`, which come with draftengine: each can be played, simulated and
printed by its name, and changed by a file of your own that begins with `extends:` and that name.

```text
draftengine list --house
draftengine play two_by_two --players 4
draftengine rules lucky_cat -o lucky_cat.html
draftengine cards pickled_ginger --only-new -o ginger.html
```

Each entry says why somebody may want the rule, the lines that make it, what changes in the words of the game, and what
it does to the game. Those figures are from a comparison with the game that it extends: the same deals on both sides,
each played by bots that have learnt these very rules (`table`). How many games, and with which seed, stands above them.
A sentence is only as strong as its interval, and “not known yet” is said where that is the truth.
`python benchmarks/house_rules.py` measures again what has changed.
"""


def figures():
    """Return the measured figures by house rule."""
    return json.loads((ROOT / "tests" / "docs" / "gallery.json").read_text(encoding="utf-8"))


@cache
def opened(name):
    """Return the rules of a card set."""
    return de.open_rules(name)


def base_of(name):
    """Return the rules of the game that a house rule extends."""
    return opened(opened(name).document.files[1].asked)


def fingerprints(name):
    """Return the hashes of the rules on both sides of the comparison."""
    return [base_of(name).fingerprint, opened(name).fingerprint]


def page():
    """Return the gallery page as Markdown."""
    known = figures()
    rules = {name: opened(name) for name in house_rules()}
    contents = [
        f"- [{own.game().title}](#{anchor(own.game().title)}): {_first_sentence(own)}\n" for name, own in rules.items()
    ]
    return HEAD + "\n" + "".join(contents) + "".join(_entry(name, own, known[name]) for name, own in rules.items())


def _first_sentence(rules):
    text = _why(rules)
    return text[: text.index(".") + 1]


def _why(rules):
    return rules.model.about.text[0][1].strip()


def _entry(name, rules, found):
    path = house_rules()[name]
    text = path.read_text(encoding="utf-8")
    base = base_of(name)
    players, games = found["players"], f"{found['games']:,}"
    measured = f"{games} pairs of games with {players} players, played by `{found['bots']}`, seed {found['seed']}:"
    return (
        f"\n## {rules.game().title}\n\n"
        f"`{name}` changes `{base.model.id}`. {_why(rules)}\n\n"
        f"{_picture(name, rules)}"
        f"```yaml\n{shown(text)}```\n\n"
        f"In the words of the game:\n\n{''.join(_changes(base, rules))}\n"
        f"{measured}\n\n" + "".join(f"- {own}\n" for own in found["sentences"]) + "\n"
        f"Its worked examples:\n\n```yaml\n{examples_in(text)}```\n\n"
        f"[The whole file](../cardsets/house/{path.name})\n"
    )


def _picture(name, rules):
    if not (PICTURES / f"{name}.png").is_file():
        return ""
    return f"![The cards to print for {rules.game().title}](pictures/house/{name}.png)\n\n"


def _changes(base, rules):
    for own in differences(*(Things(each.labels_in("en")) for each in (base, rules))):
        if own.after:
            yield f"- {own.after}\n"
        else:
            yield f"- Gone: {own.before}\n"


if __name__ == "__main__":
    sys.stdout.write(page())
