"""Find folders with so many files that nobody finds anything: ``python -m scripts.count_files``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from scripts.sources import sources

MOST = 30
"""Files of a folder, without those of its folders."""
COLLECTIONS = {"migrations", "pictures", "data", "words", "locale", "vendor"}
"""Folders of files of one kind, which are found by their names."""


def crowded(paths: list[Path]) -> dict[Path, int]:
    """Return the number of files of each folder that has too many."""
    counts = Counter(path.parent for path in paths if COLLECTIONS.isdisjoint(path.parts))
    return {folder: count for folder, count in sorted(counts.items()) if count > MOST}


def main() -> int:
    """Print the folders that have too many files."""
    found = crowded(list(sources()))
    for folder, count in found.items():
        sys.stdout.write(f"{folder} has {count} files; sort them by subject ({MOST} at most)\n")
    return len(found)


if __name__ == "__main__":
    sys.exit(bool(main()))
