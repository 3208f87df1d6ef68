"""The bundle of the editor: it is what `make editor` made, it is small, and its licences are there."""

from __future__ import annotations

import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

from draftengine.apps.web.messages import STATIC

MADE_FROM = Path(__file__).parents[2] / "editor"
LARGEST = 250_000
"""The bytes of the page of the workshop, compressed."""


def test_the_bundle_is_the_one_that_was_made():
    bundle = (STATIC / "vendor" / "editor.js").read_bytes()
    assert sha256(bundle).hexdigest() == (MADE_FROM / "bundle.sha256").read_text().strip()


def test_every_package_of_the_bundle_has_its_licence():
    """Every package that `make editor` installs, except its bundler, is named with its version."""
    locked = json.loads((MADE_FROM / "package-lock.json").read_text("utf-8"))["packages"]
    packages = {path.removeprefix("node_modules/"): package for path, package in locked.items() if path}
    licences = (STATIC / "vendor" / "LICENCES.txt").read_text("utf-8")
    for name, package in packages.items():
        if "esbuild" in name:
            continue
        assert package["license"] == "MIT"
        assert re.search(rf"\b{re.escape(name.rpartition('/')[2])} {re.escape(package['version'])}", licences), name


def test_the_page_is_small():
    shared = [STATIC / name for name in ("style.css", "dom.js", "net.js", "phrases.js", "icon.svg")]
    files = [*(STATIC / "workshop").iterdir(), *(STATIC / "vendor").glob("*.js"), *shared]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < LARGEST
