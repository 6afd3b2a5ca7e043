"""Find mistakes that no test notices: ``python -m scripts.mutants [--quick] [WORD …]``.

Each row of ``tests/mutants.tsv``, and of ``data/mutants.tsv`` in a game's folder of tests, is a
mistake that somebody could make: a ``file``, its ``old`` text and the ``new`` one in its place. In
a copy of the repository the command makes one mistake after the other. It runs the ``tests`` that
should fail then, and if they pass, all tests of ``make test`` without a browser; with ``--quick``
it leaves these out. It prints the first test that failed, and at the end how many mistakes were
found. With words it takes only the rows that contain one of them.

The tables were written from the code, without a look at the tests. Tools such as mutmut make
thousands of mutants by rule, none in a template, and would run for days with so many tests.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from scripts.sources import ROOT, sources

SECONDS = 1800
"""The longest run of tests. A mistake by which they hang is found too."""
LINKED = (".venv", "node_modules")
QUIET = ("-x", "-q", "--randomly-dont-reorganize", "-p", "no:cacheprovider", "--tb=no")
NARROW = (*QUIET, "-m", "not browser", "--ignore-glob=*/browser")
WIDE = (*QUIET, "-m", "not browser and not processes", "--numprocesses=auto", "tests")
WITHOUT = ("--ignore-glob=*/browser", "--ignore-glob=*/ops", "--ignore-glob=*/server")


class Mutant(NamedTuple):
    """A mistake, as a row of a table."""

    file: str
    tests: str
    mistake: str
    old: str
    new: str

    def made_in(self, text: str) -> str:
        """Return the text of the file with the mistake. Raises ValueError unless the old text
        occurs once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has {text.count(self.old)} times: {self.old}")
        return text.replace(self.old, self.new)


def read_mutants() -> Iterator[Mutant]:
    """Yield the mistakes of all tables. Lines in a text are separated by ``\\n``."""
    for path in sorted(ROOT.glob("tests/**/mutants.tsv")):
        with path.open(newline="") as table:
            for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield Mutant(**{name: text.replace("\\n", "\n") for name, text in row.items()})


@contextmanager
def copied() -> Iterator[Path]:
    """Copy the repository, with links to the packages installed in it, and yield the copy."""
    with tempfile.TemporaryDirectory(prefix="boardsite-mutants-") as name:
        for path in sources():
            (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, Path(name) / path)
        for linked in LINKED:
            if (ROOT / linked).exists():
                (Path(name) / linked).symlink_to(ROOT / linked)
        yield Path(name)


def first_failure(copy: Path, options: Sequence[str]) -> str:
    """Return the first test that fails; '' if all pass. Raises RuntimeError if none could run."""
    command = [sys.executable, "-m", "pytest", *options]
    try:
        run = subprocess.run(
            command, cwd=copy, check=False, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return "the tests hang"
    if run.returncode > 2:
        raise RuntimeError(run.stdout + run.stderr)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    return failed[1] if failed else run.stdout[-500:] if run.returncode else ""


def try_out(copy: Path, mutant: Mutant, *, quick: bool) -> tuple[str, str]:
    """Return where a mistake is found, by its folders, by other tests or not at all, and the test
    that finds it."""
    path = copy / mutant.file
    before = path.read_text()
    path.write_text(mutant.made_in(before))
    try:
        if found := first_failure(copy, [*NARROW, *mutant.tests.split()]):
            return "found", found
        if not quick and (found := first_failure(copy, [*WIDE, *WITHOUT])):
            return "found elsewhere", found
        return "survived", ""
    finally:
        path.write_text(before)


def main() -> int:
    """Try out the mistakes and return the number of survivors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only rows that contain one of these")
    parser.add_argument("--quick", action="store_true", help="run only the tests of the row")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    with copied() as copy:
        for mutant in read_mutants():
            if not arguments.words or any(word in "\t".join(mutant) for word in arguments.words):
                outcome, test = try_out(copy, mutant, quick=arguments.quick)
                counts[outcome] += 1
                print(f"{outcome}: {mutant.mistake} ({mutant.file})  {test}", flush=True)
    print(", ".join(f"{outcome} {number}" for outcome, number in counts.items()))
    return counts["survived"]


if __name__ == "__main__":
    sys.exit(main())
