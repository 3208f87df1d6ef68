"""The language server as an editor uses it: a process that speaks the protocol."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from commands import processes
from draftengine.apps.lsp.answers import _SHORT as SHORT
from draftengine.apps.lsp.answers import _flow as flow_of
from draftengine.apps.lsp.texts import declared, names_in
from draftengine.model.yaml.load import load
from draftengine.support.source import Source

SOURCE = Path(__file__).parents[2] / "src"

HOUSE = """\
format: 2
id: house
extends: sushi_go
title: At home
version: 1.0.0
cards:
  chopsticks: {count: 8}
  matcha: {count: 6, label: Matcha}
scoring:
  tempura: {points: 6}
  matcha: {each: matcha, points: 2}
  pairs: {points: "min(matcha, tempura)"}
variants:
  strong_tea:
    title: Strong tea
    changes: {scoring: {matcha: {points: 3}}}
"""


class Editor:
    """A client of a server, which reads every answer completely."""

    def __init__(self, folder):
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"}
        self.folder = folder
        self.process = processes.start(
            "lsp",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
        )
        self.count = 0
        self.versions = {}
        self.findings = {}
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})

    def uri(self, name):
        return (self.folder / name).as_uri()

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.findings.setdefault(message["params"]["uri"], []).append(message["params"]["diagnostics"])
        return message

    def ask(self, method, params):
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self.count and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def refused(self, method, params):
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self.count and "method" not in message:
                return message["error"]["message"]

    def tell(self, method, params):
        self._send({"method": method, "params": params})

    def open(self, name, text):
        document = {"uri": self.uri(name), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        self.versions[name] = 1
        return self.next_findings(name)

    def change(self, name, text):
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self.next_findings(name)

    def next_findings(self, name):
        before = len(self.findings.get(self.uri(name), []))
        while len(self.findings.get(self.uri(name), [])) == before:
            self._read()
        return self.findings[self.uri(name)][-1]

    def at(self, name, text, part, behind=False, **more):
        """Return the parameters of a request about the place of a part of a text."""
        before = text[: text.index(part) + (len(part) if behind else 1)]
        place = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        return {"textDocument": {"uri": self.uri(name)}, "position": place, **more}

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        _, complaints = self.process.communicate(timeout=60)
        return self.process.returncode, complaints.decode()


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    """Start one server for all requests; at the end it must shut down without errors."""
    editor = Editor(tmp_path_factory.mktemp("games").resolve())
    try:
        yield editor
        status, complaints = editor.close()
        assert status == 0, complaints
        assert "Traceback" not in complaints
    finally:
        editor.process.kill()
        editor.process.wait()
        for pipe in (editor.process.stdin, editor.process.stdout, editor.process.stderr):
            pipe.close()


@pytest.fixture(scope="module")
def house(editor):
    assert editor.open("house.yaml", HOUSE) == []
    return editor


def test_findings_follow_the_text(editor):
    """Check that findings appear at places counted as editors count, and disappear when mended."""
    text = HOUSE.replace("title: At home", 'title: "🍵"').replace("each: matcha", "each: mathca")
    (found,) = editor.open("live.yaml", text)
    assert (found["code"], found["severity"], found["source"]) == ("unknown-name", 1, "draftengine")
    assert "Did you mean “matcha”?" in found["message"]
    line = next(index for index, own in enumerate(text.splitlines()) if "mathca" in own)
    assert found["range"]["start"] == {"line": line, "character": text.splitlines()[line].index("mathca")}
    assert editor.change("live.yaml", text.replace("mathca", "matcha")) == []
    torn = editor.change("live.yaml", text.replace("{each:", "{each: ["))
    assert torn[0]["severity"] == 1


def test_what_games_show_follows(editor):
    """Check that findings of played games come after the checks, only while the text is unchanged."""
    text = HOUSE.replace("min(matcha, tempura)", "5 if matcha * tempura > 40 else 0")
    assert editor.open("odd.yaml", text) == []
    (finding,) = editor.next_findings("odd.yaml")
    assert (finding["code"], finding["severity"]) == ("condition-always-false", 2)


def test_characters_are_counted_in_utf_16(editor):
    text = 'format: 1\nid: tea\nextends: sushi_go\ntitle: {en: "🍵🍵", xx: 1}\n'
    (found,) = editor.open("units.yaml", text)
    line = text.splitlines()[3]
    column = line.index("xx: 1") + len("xx: ") + 2
    assert found["range"]["start"]["character"] == column, found


def test_a_text_is_checked_with_the_one_that_it_extends(editor):
    """Check that a change of an extended file shows in the other, while both are open and unsaved."""
    base = HOUSE.replace("id: house", "id: base")
    child = "format: 1\nid: child\nextends: base.yaml\ntitle: Child\nversion: 1.0.0\nscoring:\n  matcha: {points: 5}\n"
    editor.open("base.yaml", base)
    assert editor.open("child.yaml", child) == []
    editor.change("base.yaml", base.replace("points: 2}", "points: 5}"))
    if editor.findings[editor.uri("child.yaml")][-1] == []:
        editor.next_findings("child.yaml")
    assert [own["code"] for own in editor.findings[editor.uri("child.yaml")][-1]] == ["overlay-changes-nothing"]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("tempura: {points", "Each set of 2 tempura scores 6 points"),
        ("tempura: {points", "From sushi_go.yaml"),
        ("points: 6", "There it is `5`"),
        ("min(matcha", "The smallest of the values."),
        ("matcha, tempura", "Matcha, 6 in the deck."),
        ("count: 8", "The number of copies in the deck"),
        ("count: 8", "There it is `4`"),
        ("pairs: {points", "scoring rule"),
    ],
)
def test_hover(house, part, said):
    answer = house.ask("textDocument/hover", house.at("house.yaml", HOUSE, part))
    assert said in answer["contents"]["value"]
    assert answer["range"]["start"]["line"] == HOUSE[: HOUSE.index(part)].count("\n")


@pytest.mark.parametrize(
    ("written", "offered", "not_offered"),
    [
        ("  soup: {cou", {"count", "label", "keep"}, {"kind", "cards"}),
        ("scoring:\n  tempura: {set: tem", {"tempura", "matcha", "min", "players", "maki_icons"}, {"count"}),
        ("scoring:\n  tea: {majority: tea, ", {"most", "fewest", "tie"}, {"size"}),
        ("scoring:\n  tea: {majority: tea, tie: ", {"split"}, {"tempura"}),
        ("scoring:\n  tea:\n    ", {"set", "runs", "points"}, {"tempura"}),
        ("scoring:\n  tea:\n    set: tea\n    si", {"size", "points"}, {"most"}),
        ("scoring:\n  tea: {points: min(ma", {"matcha", "kinds", "max"}, set()),
        ("cards:\n  tem", {"tempura", "wasabi"}, {"scoring"}),
        ("modifiers:\n  wasabi: {card: ", {"tempura", "matcha"}, {"maki_icons", "min"}),
        ("variants:\n  hot: {excludes: [", {"pass_both_ways", "strong_tea"}, {"tempura"}),
        ("steps:\n  ", {"pass_hands", "deal_hands"}, {"tempura"}),
        ("extends: ", {"sushi_go", "anniversary"}, set()),
        ("re", {"readings", "winner"}, {"format", "scoring"}),
        ("examples:\n  - name: a\n    expect: {points: {", {"tempura", "pairs"}, {"wasabi", "chopsticks"}),
        ("examples:\n  - name: a\n    tables: [[", {"matcha", "wasabi"}, {"pairs"}),
        ("variants:\n  a:\n    changes:\n      scoring:\n        matcha: {", {"points"}, {"count"}),
    ],
)
def test_completion(house, written, offered, not_offered):
    """Check completion of keys, values and names in an otherwise unchanged text."""
    text = HOUSE + written if not written.startswith("  soup") else HOUSE.replace("cards:\n", f"cards:\n{written}\n")
    if "write.yaml" in house.versions:
        house.change("write.yaml", text)
    else:
        house.open("write.yaml", HOUSE)
        house.change("write.yaml", text)
    place = house.at("write.yaml", text, written.rpartition("\n")[2], behind=True)
    if not written.startswith("  soup"):
        place["position"] = {"line": text.count("\n"), "character": len(text.rpartition("\n")[2])}
    found = house.ask("textDocument/completion", place)
    labels = {own["label"] for own in found["items"]}
    assert offered <= labels, labels
    assert not labels & not_offered


def test_definition(house):
    """Check definitions in the extended file, of keys and names, and in the file itself."""
    for part, file, line_says in (
        ("sushi_go", "sushi_go.yaml", "yaml-language-server"),
        ("tempura: {points", "sushi_go.yaml", "tempura: {set"),
        ("count: 8", "sushi_go.yaml", "count: 4"),
        ("tempura)", "sushi_go.yaml", "tempura:"),
        ("matcha, tempura", "house.yaml", "matcha: {count"),
        ("matcha: {points: 3", "house.yaml", "matcha: {each"),
    ):
        (found,) = house.ask("textDocument/definition", house.at("house.yaml", HOUSE, part))
        assert found["uri"].endswith(file), part
        path = Path(found["uri"].removeprefix("file://"))
        text = HOUSE if file == "house.yaml" else path.read_text(encoding="utf-8")
        assert line_says in text.splitlines()[found["range"]["start"]["line"]], part


def edited(text, edits):
    lines = text.splitlines(keepends=True)
    for own in sorted(edits, key=lambda own: (own["range"]["start"]["line"], own["range"]["start"]["character"]))[::-1]:
        start, end = own["range"]["start"], own["range"]["end"]
        assert start["line"] == end["line"] or not own["newText"]
        first = sum(len(line) for line in lines[: start["line"]]) + start["character"]
        last = sum(len(line) for line in lines[: end["line"]]) + end["character"]
        text = "".join(lines)
        lines = (text[:first] + own["newText"] + text[last:]).splitlines(keepends=True)
    return "".join(lines)


def test_rename(house):
    """Check that a card is renamed at its declaration and in all formulas, unlike the rule of that name."""
    place = house.at("house.yaml", HOUSE, "matcha, tempura", newName="sencha")
    found = house.ask("textDocument/rename", place)["changes"][house.uri("house.yaml")]
    assert edited(HOUSE, found) == HOUSE.replace("matcha: {count", "sencha: {count").replace(
        "each: matcha", "each: sencha"
    ).replace("min(matcha", "min(sencha")
    rule = house.ask("textDocument/rename", house.at("house.yaml", HOUSE, "matcha: {each", newName="tea"))
    assert edited(HOUSE, rule["changes"][house.uri("house.yaml")]) == HOUSE.replace(
        "matcha: {each", "tea: {each"
    ).replace("matcha: {points: 3", "tea: {points: 3")
    assert "comes with" in house.refused("textDocument/rename", {**place, **house.at("house.yaml", HOUSE, "tempura)")})
    assert "already" in house.refused("textDocument/rename", {**place, "newName": "wasabi"})
    assert "not a name" in house.refused("textDocument/rename", {**place, "newName": "Green Tea"})


def test_symbols(house):
    found = house.ask("textDocument/documentSymbol", {"textDocument": {"uri": house.uri("house.yaml")}})
    below = {own["name"]: [inner["name"] for inner in own["children"]] for own in found}
    assert below["cards"] == ["chopsticks", "matcha"]
    assert below["scoring"] == ["tempura", "matcha", "pairs"]


def test_references(house):
    found = house.ask(
        "textDocument/references",
        house.at("house.yaml", HOUSE, "matcha, tempura", context={"includeDeclaration": True}),
    )
    assert len(found) == 3


def test_quick_fixes(editor):
    """Check that a suggestion offers its replacement, and that all certain fixes can be applied at once."""
    text = HOUSE.replace("each: matcha", "each: mathca").replace("{points: 6}", "{pionts: 6}")
    found = editor.open("fix.yaml", text)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    asked = {"textDocument": {"uri": editor.uri("fix.yaml")}, "range": everything, "context": {"diagnostics": found}}
    *each, everything = editor.ask("textDocument/codeAction", asked)
    assert [own["title"] for own in each] == [
        "Write “points” instead of “pionts”",
        "Write “matcha” instead of “mathca”",
    ]
    assert all(own["isPreferred"] for own in each)
    assert edited(text, everything["edit"]["changes"][editor.uri("fix.yaml")]) == HOUSE


def test_scenario_files(editor):
    """Check that a file of scenarios is run, and completes names of its card set."""
    editor.open("table.yaml", HOUSE.replace("id: house", "id: table"))
    (editor.folder / "table.yaml").write_text(HOUSE.replace("id: house", "id: table"), encoding="utf-8")
    text = (
        "cardset: table.yaml\ntests:\n  - name: tea\n    players: 2\n    tables: [[matcha], []]\n"
        "    expect: {points: {matcha: [3, 0]}}\n"
    )
    (found,) = editor.open("table_tests.yaml", text)
    assert found["code"] == "example-fails"
    assert editor.change("table_tests.yaml", text.replace("[3, 0]", "[2, 0]")) == []


def test_names_in_an_example():
    """Check what the names of an example are: rules in its points, cards in its tables, none in itself."""
    text = (
        "examples:\n  - name: one\n    tables: [{tea: 2}]\n    expect: {points: {pairs: [3]}, counters: {pot: [1]}}\n"
    )
    tree, _ = load(Source("house.yaml", text))
    assert [(name.text, name.space) for name in names_in(tree)] == [
        ("tea", "shared"), ("pairs", "rule"), ("pot", "shared")
    ]  # fmt: skip


def test_a_removed_name_is_not_declared():
    tree, _ = load(Source("house.yaml", "cards:\n  tea: null\n  rice: {count: 1}\n"))
    assert [*declared(tree)] == [("shared", "rice")]


def test_counters_are_declared_by_the_cards_that_add_to_them():
    """Effects only refer to counters, and other keys of a card are no names."""
    tree, _ = load(Source("house.yaml", "cards:\n  tea: {adds: {pot: 1}, on_play: [{add: {leaves: 1}}]}\n"))
    assert [(name.text, name.declares) for name in names_in(tree)] == [
        ("tea", "cards"), ("pot", "adds"), ("leaves", "")
    ]  # fmt: skip


@pytest.mark.parametrize(("length", "cut"), [(SHORT, False), (SHORT + 1, True)])
def test_long_values_are_cut(length, cut):
    """Check that a value is shown as far as there is room for it, and no shorter."""
    tree, _ = load(Source("house.yaml", f"text: {'x' * length}\n"))
    assert flow_of(tree.get("text")) == "x" * SHORT + "…" * cut
