"""Count vague pronouns per 1,000 words of docstrings and comments in the repository's Python.

A sentence about "what" or "whoever" leaves the reader to find the noun. CONTRIBUTING.md asks for
fewer than `MOST_WHAT` and `MOST_WHO` in 1,000 words.

.venv/bin/python -m scripts.count_words [--worst 20]
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scripts.sources import ROOT, sources

MOST_WHAT, MOST_WHO = 0.5, 1.0
"""The limits of the pronouns per 1,000 words."""
WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")
WHAT = re.compile(r"\bwhat(?:ever)?\b", re.IGNORECASE)
WHO = re.compile(r"\bwho(?:ever)?\b", re.IGNORECASE)
COMMENT = re.compile(r"#[!:\s]*")


class Count(NamedTuple):
    """The numbers of words and pronouns in some prose."""

    words: int = 0
    what: int = 0
    who: int = 0

    def plus(self, other: Count) -> Count:
        """Return the sums of both."""
        return Count(self.words + other.words, self.what + other.what, self.who + other.who)

    def rate(self, found: int) -> float:
        """Return ``found`` per 1,000 words."""
        return 1000 * found / self.words if self.words else 0.0


def prose(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of Python source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            value = node.value.value
            if isinstance(value, str):
                yield value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield COMMENT.sub("", token.string, count=1)


def count(source: str) -> Count:
    """Return the numbers of words in the prose of Python source."""
    text = "\n".join(prose(source))
    return Count(*(len(pattern.findall(text)) for pattern in (WORD, WHAT, WHO)))


def count_repository() -> dict[Path, Count]:
    """Return the counts of every Python file of the repository."""
    paths = [path for path in sources() if path.suffix == ".py"]
    return {path: count((ROOT / path).read_text(encoding="utf-8")) for path in paths}


def by_folder(counts: dict[Path, Count]) -> dict[str, Count]:
    """Return the counts of each folder, or subfolder of games and tests."""
    folders: defaultdict[str, Count] = defaultdict(Count)
    for path, found in counts.items():
        depth = 2 if path.parts[0] in {"games", "tests", "boardsite"} else 1
        folder = "/".join(path.parts[:-1][:depth]) or "."
        folders[folder] = folders[folder].plus(found)
    return dict(sorted(folders.items()))


def table(rows: dict[str, Count]) -> str:
    """Return the rates as lines of text."""
    lines = [f"{'':<44} {'words':>7} {'what':>6} {'who':>6}"]
    for name, found in rows.items():
        what, who = found.rate(found.what), found.rate(found.who)
        lines.append(f"{name:<44} {found.words:>7} {what:>6.1f} {who:>6.1f}")
    return "\n".join(lines)


def main() -> int:
    """Print the rates. The exit status is 1 if one of them reaches its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worst", type=int, default=0, help="also list so many files")
    arguments = parser.parse_args()
    counts = count_repository()
    total = Count()
    for found in counts.values():
        total = total.plus(found)
    print(table(by_folder(counts) | {"all": total}))
    worst = sorted(counts.items(), key=lambda item: -(item[1].what + item[1].who))[
        : arguments.worst
    ]
    if worst:
        print(table({str(path): found for path, found in worst}))
    return int(total.rate(total.what) >= MOST_WHAT or total.rate(total.who) >= MOST_WHO)


if __name__ == "__main__":
    raise SystemExit(main())
