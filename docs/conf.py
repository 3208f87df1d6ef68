"""The documentation site: ``make docs-site``. The same Markdown files are read where the code is hosted."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import draftengine

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "draftengine"
author = "draftengine contributors"
version = release = draftengine.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = "draftengine"
html_copy_source = False
html_show_sourcelink = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"

_LINK = re.compile(r"^- \[[^\]]+\]\((\w+)\.md\)", re.MULTILINE)


def _contents(text: str) -> str:
    """A hidden table of contents from the lists of links: each heading of the front page is a part of the site."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    trees = [
        "```{toctree}\n:hidden:\n:caption: " + title + "\n\n" + "\n".join(_LINK.findall(body)) + "\n```\n"
        for title, body in zip(parts[1::2], parts[2::2], strict=True)
    ]
    return text + "\n" + "\n".join(trees)


def _reference() -> str:
    """What is public, as the code documents it."""
    entries = []
    for name in draftengine.__all__:
        own = getattr(draftengine, name)
        kind = "exception" if isinstance(own, type) and issubclass(own, Exception) else "class"
        if not isinstance(own, type):
            kind = "function" if callable(own) else "data"
        if isinstance(own, type):
            _name_types(own)
        members = "\n   :members:" if kind == "class" else ""
        entries.append(f".. auto{kind}:: draftengine.{name}{members}\n   :no-index-entry:\n")
    return "\n## Reference\n\n```{eval-rst}\n" + "\n".join(entries) + "```\n"


def _name_types(kind: type) -> None:
    """Import what a module imports for its types alone, so that signatures can show them."""
    module = sys.modules[kind.__module__]
    for own in ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8")).body:
        if isinstance(own, ast.If) and isinstance(own.test, ast.Name) and own.test.id == "TYPE_CHECKING":
            exec(compile(ast.Module(own.body, []), module.__name__, "exec"), module.__dict__)  # noqa: S102 - our own


def _outside(text: str) -> str:
    """Files that are no pages of the site can be downloaded; of other links to the outside the words stay."""
    text = re.sub(r"\[([^\]]+)\]\((\.\./[^)#]+\.(?:json|yaml))\)", r"{download}`\1 <\2>`", text)
    return re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", text)


def _read(_app: Sphinx, name: str, text: list[str]) -> None:
    own = _outside(text[0])
    if name == "index":
        own = _contents(own)
    if name == "python":
        own += _reference()
    text[0] = own


def setup(app: Sphinx) -> None:
    app.connect("source-read", _read)
