"""Choose the seeds of recorded runs: ``python -m tests.classes.choose_runs <exercise>``.

The runs find all mutants of `tests.classes.mutations` that any tried run finds, by at most six
calls where a short run does. Paste the seeds into the exercise; the mutants that no run finds are
printed, for ``data/equal.tsv``. This takes minutes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from games.classes.recording import example_run, find_exercise, recorded
from games.contract import Exercise, Run
from tests.classes.mutations import Mutant, Subject

SHORT = 7
"""Lines of a short run: the one that makes the board, and six calls."""
TRIED, SHORT_ONES, LONG_ONES = 1500, 250, 150


class Choice:
    """The runs of an exercise: the seeds that are chosen so far, and those to try."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.example = recorded(exercise, example_run(exercise))
        lengths = {seed: len(self.run(seed).lines) for seed in range(TRIED)}
        longer = sorted((n // 8, seed) for seed, n in lengths.items() if n > SHORT)
        self.short = [seed for seed, n in lengths.items() if n <= SHORT][:SHORT_ONES]
        self.long = [seed for _n, seed in longer[:: max(1, len(longer) // LONG_ONES)]]
        self.seeds: list[int] = []

    def run(self, seed: int) -> Run:
        return next(self.exercise.runs(Random(seed)))

    @cache  # noqa: B019  # the only object of a short program
    def record(self, seed: int) -> dict[str, Any]:
        return recorded(self.exercise, self.run(seed))

    def finds(self, subject: Subject, mutant: Mutant) -> bool:
        """Return whether a run finds a mutant, after choosing one more if none does shortly."""
        lengths = list(self._lengths(subject, mutant))
        if any(length < SHORT for length in lengths):
            return True
        others = self.short if lengths else self.short + self.long
        for seed in others:
            if subject.difference(self.record(seed), mutant):
                self.seeds.append(seed)
                return True
        return bool(lengths)

    def _lengths(self, subject: Subject, mutant: Mutant) -> Iterator[int]:
        for run in [self.example, *map(self.record, self.seeds)]:
            if found := subject.difference(run, mutant):
                yield len(found.lines)


def main() -> None:
    _rules, exercise = find_exercise(sys.argv[1])
    choice = Choice(exercise)
    for own in (False, True):
        subject = Subject(exercise.slug, own=own)
        equal = [mutant for mutant in subject.mutants if not choice.finds(subject, mutant)]
        names = "".join(f"{mutant.name}\n" for mutant in equal)
        sys.stdout.write(f"{subject.name}: {len(subject.mutants)} mutants, not found:\n{names}")
    sys.stdout.write(f"seeds {tuple(choice.seeds)}\n")


if __name__ == "__main__":
    main()
