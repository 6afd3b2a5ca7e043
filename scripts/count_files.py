"""Weigh the repository: ``python -m scripts.count_files`` prints the lines of the site by subject.

It fails above the budget in ``pyproject.toml``, and for a folder with so many files that nobody
finds anything. The site's Python is that of ``games/`` and ``boardsite/`` without the folders of
the games and the migrations. Its table of subjects names words: the subject of a file is that of
the innermost part of its path that is in the table.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from scripts.sources import ROOT, sources

MOST = 30
"""Files of a folder, without those of its folders."""
COLLECTIONS = {"migrations", "pictures", "data", "words", "locale", "vendor"}
"""Folders of files of one kind, which are found by their names."""
SITE = {"games", "boardsite"}
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


class Weight(NamedTuple):
    """The files, their lines, and the lines among them that are code: neither empty nor comment,
    docstring or import."""

    files: int = 0
    lines: int = 0
    code: int = 0

    def plus(self, other: Weight) -> Weight:
        """Return the sums of both."""
        return Weight(*(ours + theirs for ours, theirs in zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """The share of code in the lines."""
        return self.code / self.lines if self.lines else 0.0


def crowded(paths: list[Path]) -> dict[Path, int]:
    """Return the number of files of each folder that has too many."""
    counts = Counter(path.parent for path in paths if COLLECTIONS.isdisjoint(path.parts))
    return {folder: count for folder, count in sorted(counts.items()) if count > MOST}


def weigh(source: str) -> Weight:
    """Return the weight of a file of Python."""
    without: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (
            is_text or isinstance(node, ast.Import | ast.ImportFrom)
        ):
            without.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    return Weight(1, len(source.splitlines()), len(code - without))


def subject_of(path: Path, subjects: Mapping[str, str]) -> str:
    """Return the subject of a file. Raises KeyError if no part of its path has one."""
    parts = (path.stem, *reversed(path.parts[:-1]))
    return subjects[next((part for part in parts if part in subjects), str(path))]


def kind_of(path: Path, games: Collection[str]) -> str:
    """Return the kind of a file: the site's Python, one beside it, or '' for neither."""
    folder = path.parts[1] if len(path.parts) > 1 else ""
    if path.suffix == ".py" and path.parts[0] in SITE and folder != "migrations":
        return "games" if folder in games else "site"
    if path.suffix in {".html", ".jinja"}:
        return "templates"
    own = path.suffix in {".js", ".css"} and "static" in path.parts and "vendor" not in path.parts
    return "scripts and style sheets" if own else ""


def weights(
    paths: list[Path], subjects: Mapping[str, str], games: Collection[str]
) -> tuple[dict[str, Weight], dict[str, Weight]]:
    """Return the weight of the site by subject, and of the files beside it by kind."""
    site: defaultdict[str, Weight] = defaultdict(Weight)
    others: defaultdict[str, Weight] = defaultdict(Weight)
    for path in paths:
        if (kind := kind_of(path, games)) == "site":
            subject = subject_of(path, subjects)
            site[subject] = site[subject].plus(weigh((ROOT / path).read_text("utf-8")))
        elif kind:
            lines = len((ROOT / path).read_text("utf-8").splitlines())
            others[kind] = others[kind].plus(Weight(1, lines))
    return site, others


def over_budget(site: Weight, budget: Mapping[str, float]) -> Iterator[str]:
    """Yield a sentence for each limit of the budget that the site is beyond."""
    if site.lines > budget["lines"]:
        yield f"The site's Python has {site.lines} lines ({budget['lines']} at most)"
    if site.files > budget["files"]:
        yield f"The site's Python has {site.files} files ({budget['files']} at most)"
    if site.share < budget["code"]:
        yield f"{site.share:.1%} of the lines are code ({budget['code']:.0%} at least)"


def main() -> int:
    """Print the weights and the faults, and return the number of these."""
    paths = list(sources())
    budget = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["budget"]
    games = {path.parts[1] for path in paths if path.match("games/*/rules.py")}
    subjects = {word: name for name, words in budget["subjects"].items() for word in words}
    site, others = weights(paths, subjects, games)
    total = reduce(Weight.plus, site.values(), Weight())
    for name, weight in [*sorted(site.items()), ("the site's Python", total), *others.items()]:
        share = f"{weight.share:>7.0%} code" if weight.code else ""
        print(f"{name:<26} {weight.lines:>7,} lines {weight.files:>4} files {share}")
    faults = [
        f"{folder} has {count} files; sort them by subject ({MOST} at most)"
        for folder, count in crowded(paths).items()
    ]
    faults += over_budget(total, budget)
    print(*faults, sep="\n")
    return len(faults)


if __name__ == "__main__":
    sys.exit(bool(main()))
