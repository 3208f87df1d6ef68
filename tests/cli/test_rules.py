"""``draftengine rules``: formats, languages, and errors."""

from __future__ import annotations

import pytest

from commands import processes


def run(*arguments, **more):
    """Run ``draftengine rules`` as a process."""
    return processes.run("rules", *arguments, encoding="utf-8", **more)


def test_files_are_written_in_the_format_of_their_name(tmp_path):
    """Check that the file name chooses page, Markdown or text, unless ``--format`` is given."""
    for name, begins in (("r.html", "<!doctype html>"), ("r.md", "# Sushi Go!"), ("r.txt", "Sushi Go!\n====")):
        process = run("sushi_go", "-o", tmp_path / name)
        assert (process.returncode, process.stdout) == (0, "")
        assert (tmp_path / name).read_text("utf-8").startswith(begins)
    process = run("sushi_go", "--language", "pl", "--format", "md", "-v", "pass_both_ways")
    assert process.returncode == 0
    assert "w lewo w rundach 1 i 3, w prawo w rundzie 2" in process.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["sushi_go", "--language", "xx"], 2, "pl (polski)"),
        (["sushi_go", "--players", "9"], 2, "2 to 5 players, not 9"),
        (["sushi_go", "-v", "pass_both_wais"], 2, "pass_both_ways"),
        (["sushi_goo"], 2, "sushi_go"),
        (["sushi_go", "-o", "no/such/folder/r.html"], 2, "There is no folder"),
        (["anniversary", "-v", "sushi_battle", "-p", "4"], 2, "players"),
        (["sushi_go", "-o", "rules.pdf"], 2, "ends in .txt, .md or .html"),
    ],
)
def test_what_cannot_be_written_is_said(arguments, status, said):
    """Check that a wrong argument gives a sentence and a status, never a traceback."""
    process = run(*arguments)
    assert process.returncode == status
    assert said in process.stderr
    assert "Traceback" not in process.stderr
