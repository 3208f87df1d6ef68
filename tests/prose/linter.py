"""The linter of prose and names: ``PYTHONPATH=tests python -m prose`` lists what its rules find.

Old code breaks many rules, so every rule has a number for each *unit*. A unit is a package of `src` down to its second
level, a folder of `tests`, the pages, or the scripts. These numbers are the *baseline*, in a file of this folder. The
tests compare them with today's numbers: none may rise. When a number falls, ``--write`` lowers it in the baseline.
"""

from __future__ import annotations

import argparse
import math
import sys
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from prose.reading import present_roots, read_tree, root_of
from prose.rules import RULES, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prose.reading import Source

ROOT = Path(__file__).parents[2]
BASELINE = "tests/prose/baseline.toml"
HEAD = """\
# Findings of the linter of prose and names by rule and unit. A number may fall, never rise.
# `make prose` lists the findings, `make prose ARGS=--write` lowers the numbers.
"""
MEND = "make prose ARGS=--write"
LISTED = 20
"""The number of findings that a report shows for a number that rose."""

Numbers = dict[tuple[str, str], int]
"""Findings by rule and unit."""


class Change(NamedTuple):
    """A number that differs from the baseline."""

    rule: str
    unit: str
    before: int
    now: int

    def __str__(self) -> str:
        """Return the rule, the unit and both numbers."""
        return f"{self.rule} in {self.unit}: {self.before} → {self.now}"


@dataclass
class Report:
    """All findings of a tree, and the baseline for its units."""

    root: Path
    findings: list[Finding]
    numbers: Numbers
    roots: set[str]
    """Roots that could be read: numbers of other roots are not compared."""

    def changes(self, baseline: Mapping[tuple[str, str], int]) -> list[Change]:
        """Return the numbers that rose or fell since the baseline was written, by rule and unit."""
        return [
            Change(*key, baseline.get(key, 0), self.numbers.get(key, 0))
            for key in sorted({*baseline, *self.numbers})
            if baseline.get(key, 0) != self.numbers.get(key, 0) and root_of(key[1]) in self.roots
        ]

    def of(self, change: Change) -> list[Finding]:
        """Return the findings behind a changed number, the most recently written file first."""
        findings = [finding for finding in self.findings if (finding.rule, finding.source.unit) == change[:2]]
        return sorted(findings, key=lambda finding: self.written_at(finding.source.path), reverse=True)

    def written_at(self, path: str) -> float:
        """Return the time of the last change of a file; 0 for a commit."""
        file = self.root / path
        return file.stat().st_mtime if file.exists() else 0


def measure(root: Path) -> Report:
    """Return the report of the rules on a tree."""
    groups = defaultdict(list)
    lines: Counter[str] = Counter()
    for source in read_tree(root):
        groups[source.group].append(source)
        lines[source.unit] += source.lines
    findings = [finding for sources in groups.values() for rule in RULES.values() for finding in rule.findings(sources)]
    counts = Counter((finding.rule, finding.source.unit) for finding in findings)
    numbers = {
        (rule, unit): count
        for (rule, unit), count in counts.items()
        if count > math.ceil(RULES[rule].per_thousand_lines * lines[unit] / 1000)
    }
    return Report(root, findings, numbers, present_roots(root))


def read_baseline(root: Path) -> Numbers:
    """Return the baseline; empty if there is no such file."""
    file = root / BASELINE
    document = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {(rule, unit): number for rule, units in document.items() for unit, number in units.items()}


def write_baseline(root: Path, numbers: Numbers) -> None:
    """Write the baseline, with a number on each line so that branches can be merged."""
    parts = [HEAD]
    for rule in sorted({rule for rule, _ in numbers}):
        units = sorted(unit for name, unit in numbers if name == rule)
        parts.append("".join([f"\n[{rule}]\n", *(f'"{unit}" = {numbers[rule, unit]}\n' for unit in units)]))
    (root / BASELINE).write_text("".join(parts), encoding="utf-8")


def complaints(report: Report, changes: Sequence[Change]) -> Iterator[str]:
    """Yield the complaints about changed numbers, with remedies."""
    for change in changes:
        if change.now > change.before:
            findings = report.of(change)
            yield f"{change} (may not rise). {RULES[change.rule].wants}"
            yield from (f"  {finding}" for finding in findings[:LISTED])
            if len(findings) > LISTED:
                yield f"  … and {len(findings) - LISTED} more: make prose ARGS='--rule {change.rule} {change.unit}'"
    fallen = [change for change in changes if change.now < change.before]
    if fallen:
        yield f"There is less to find than the baseline says; lower it with: {MEND}"
        yield from (f"  {change}" for change in fallen)


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """List findings or write the baseline; return 1 if a number is above the baseline."""
    parser = argparse.ArgumentParser(prog="prose", description="List what the linter of prose and names finds.")
    parser.add_argument("places", nargs="*", help="beginnings of paths, or units such as model.flow (all if none)")
    parser.add_argument("--rule", choices=sorted(RULES), help="list the findings of one rule")
    parser.add_argument("--write", action="store_true", help="lower the numbers of the baseline that fell")
    parser.add_argument("--force", action="store_true", help="with --write: also raise those that rose")
    options = parser.parse_args(arguments)
    if options.force and not options.write:
        parser.error("--force goes with --write")
    report = measure(root)
    baseline = read_baseline(root)
    changes = report.changes(baseline)
    risen = [change for change in changes if change.now > change.before]
    if options.write:
        written = [change for change in changes if options.force or change.now < change.before]
        baseline |= {(change.rule, change.unit): change.now for change in written}
        write_baseline(root, {key: number for key, number in baseline.items() if number})
        risen = [change for change in risen if change not in written]
        lines = [f"Wrote {BASELINE}, in which {len(written)} numbers changed.", *complaints(report, risen)]
    else:
        listed = [finding for finding in report.findings if options.rule in {None, finding.rule}]
        if options.places:
            listed = [finding for finding in listed if is_in(finding.source, options.places)]
        counts = Counter(finding.rule for finding in listed)
        totals = [f"{counts[rule.name]:6} {rule.name:15} {rule.wants}" for rule in RULES.values()]
        lines = [*map(str, listed), "", *totals, *complaints(report, changes)]
    sys.stdout.write("\n".join([*lines, ""]))
    return 1 if risen else 0


def is_in(source: Source, places: Sequence[str]) -> bool:
    """True if a source belongs to one of the units, or its path begins with one of the paths."""
    return source.unit in places or source.path.startswith(tuple(places))
