"""Takes the README's pictures of the terminal: ``PYTHONPATH=tests python -m tui.pictures FOLDER``.

If this machine has no emoji font, name a second folder with emoji fonts as WOFF2.
"""

from __future__ import annotations

import re
import sys
import tempfile
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import sync_playwright

import draftengine as de
from draftengine.apps.play.score_book import Scorebook
from serve.needed import chromium
from tui.harness import keeping, recorded, run, sitting, watching

SHOTS = (
    ("terminal-small", "sushi_go", 4, (80, 24), (*["1", "enter", "2", "enter", "3", "enter"], "4")),
    ("terminal", "sushi_go", 4, (120, 36), ("2", "enter", "4", "enter", "3", "enter", "1", "enter", "2")),
    ("terminal-large", "anniversary", 5, (160, 45), ("1", "enter", "2", "enter", "1", "enter")),
    ("terminal-sheet", "sushi_go", 4, (100, 30), (*["1", "enter"] * 8, "down", "space")),
)
"""Name, card set, players, columns and lines, and the keys before the picture."""


LATER = (("terminal-replay", (120, 36)), ("terminal-scorekeeper", (100, 30)))
"""Name, columns and lines of the pictures of a replay and of the scorekeeper."""


async def seen_again(name, size):
    """Return a replay or the scorekeeper as SVG."""
    if name == "terminal-scorekeeper":
        book = Scorebook(de.load("sushi_go", players=3), ["Ada", "Ben", "Chloé"])
        async with keeping(book, size) as table:
            await table.press("1", "1", "0", "9", "2", "tab", "4", "4", "6", "b", "tab", "3", "3", "3", "a", "8", "tab")
            return table.app.export_screenshot(title="draftengine score sushi_go")
    async with watching(recorded("sushi_go", 4), size=size) as film:
        await film.press(*["right"] * 11)
        return film.app.export_screenshot(title="draftengine replay")


async def drawn(cardset, players, size, keys):
    """Return the screen as SVG; the seed is fixed."""
    game = de.load(cardset, players=players)
    async with sitting(game, size=size, people=("Ada",)) as table:
        await table.press(*keys)
        return table.app.export_screenshot(title="draftengine play")


def inlined(path):
    """Return a font as a data URL, since pages load no fonts from files."""
    return f"data:font/woff2;base64,{b64encode(path.read_bytes()).decode()}"


def dressed(svg, fonts):
    """Return a drawing with fonts of this machine and the given emoji fonts."""
    faces = {f"emoji{number}": path for number, path in enumerate(fonts)}
    rules = "".join(f"@font-face {{ font-family: {name}; src: url({inlined(path)}); }}" for name, path in faces.items())
    families = ", ".join(["monospace", *faces])
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return svg.replace("<style>", f"<style>{rules}").replace("Fira Code, monospace", families)


def main(folder, *more):
    """Take all pictures, and save them into a folder."""
    fonts = [path.resolve() for own in more for path in sorted(own.glob("*.woff2"))]
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {name: run(drawn(cardset, players, size, keys)) for name, cardset, players, size, keys in SHOTS}
    pictures |= {name: run(seen_again(name, size)) for name, size in LATER}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, drawing in pictures.items():
            svg = dressed(drawing, fonts)
            path = Path(place) / f"{name}.svg"
            path.write_text(svg, encoding="utf-8")
            width, height = (round(float(own)) for own in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(path.as_uri())
            page.evaluate("document.fonts.ready")
            page.screenshot(path=str(folder / f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
