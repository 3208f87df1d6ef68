"""Takes the README's pictures of reports: ``PYTHONPATH=tests python -m simulation.pictures FOLDER``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from serve.needed import chromium

HOUSE = Path(__file__).parents[1] / "cardsheets" / "sunday.yaml"
REPORTS = {
    "report": ("simulate", "sushi_go", "-p", "4", "-n", "20000", "--seed", "3"),
    "comparison": ("compare", "sushi_go", str(HOUSE), "-p", "4", "-n", "20000", "--seed", "3"),
    "arena": ("arena", "sushi_go", "-p", "3", "-n", "60", "--bots", "table,greedy,random", "--seed", "1"),
}
SHOTS = (
    ("report", "report", (1160, 1520), "light"),
    ("report-dark", "report", (1160, 1520), "dark"),
    ("report-phone", "report", (390, 1700), "light"),
    ("report-comparison", "comparison", (1160, 1700), "light"),
    ("report-arena", "arena", (1160, 1250), "light"),
)
"""Name, report, size and colours of each screenshot."""


def main(folder):
    """Take all screenshots: the top of each report."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        for name, arguments in REPORTS.items():
            command = [sys.executable, "-m", "draftengine", *arguments, "--report", f"{name}.html"]
            subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, report, (width, height), colours in SHOTS:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
            page.goto((Path(place) / f"{report}.html").as_uri())
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
