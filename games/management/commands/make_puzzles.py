"""``manage.py make_puzzles``: makes puzzles from games of the computer with itself."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.contract import ENDINGS, Computer, Puzzle, PuzzleBook, PuzzleSearch, Rules
from games.core.registry import all_rules, computer_module, puzzle_search_module
from games.models import Game

LONGEST = 1_200
"""Bytes of the longest line, so that 500 of them are at most 600 KB."""
SEEDS, FOUND = 10, 9
"""A level finds a puzzle if it finds the first move with so many of so many seeds."""
NO_LEVEL = 100
"""The level of a puzzle that none finds."""


class Command(BaseCommand):
    """Makes puzzles, game after game, until there are enough of them in each language. The same
    seed gives the same file, and a stopped run goes on."""

    help = "Make the puzzles of a game from games of the computer with itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", help="the folder of the game")
        parser.add_argument("--count", type=int, default=500, help="puzzles in each language")
        parser.add_argument("--seed", type=int, default=1, help="decides all games and levels")
        parser.add_argument("--output", type=Path, help="by default the file in the game's folder")
        parser.add_argument(
            "--finished",
            action="store_true",
            help="add the puzzles of finished public games of this site instead",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rules = all_rules().get(options["kind"])
        if rules is None or rules.puzzles is None:
            raise CommandError(f"There are no puzzles of {options['kind']!r}.")
        maker = _Maker(rules, rules.puzzles, options["seed"])
        output = options["output"] or rules.puzzles.path
        if options["finished"]:
            maker.puzzles = dict(rules.puzzles.puzzles())
            maker.read_finished_games()
            puzzles = list(maker.puzzles.values())
        else:
            self._make(maker, rules, options)
            puzzles = maker.first(options["count"])
        lines = [f"{rules.puzzles.write_line(puzzle)}\n" for puzzle in puzzles]
        output.write_text("".join(lines), encoding="utf-8")
        self.stdout.write(f"{len(lines)} puzzles, {output.stat().st_size} bytes: {output}")

    def _make(self, maker: _Maker, rules: Rules, options: dict[str, Any]) -> None:
        state = Path(settings.DATA_DIR) / f"puzzles-{rules.slug}-{options['seed']}.jsonl"
        maker.resume(state)
        try:
            for number in maker.run(options["count"], state):
                if number % 100 == 0:
                    self.stdout.write(f"  {number} games, {len(maker.puzzles)} puzzles")
        except KeyboardInterrupt:
            raise CommandError("Stopped. The next run goes on from here.") from None


class _Maker:
    """The puzzles so far, by key, and the number of games that they are from, by language."""

    def __init__(self, rules: Rules, book: PuzzleBook, seed: int) -> None:
        self.rules, self.book, self.seed = rules, book, seed
        self.search = cast(PuzzleSearch, puzzle_search_module(rules.slug))
        self.computer = cast(Computer, computer_module(rules.slug))
        self.puzzles: dict[str, Puzzle] = {}
        self.games = dict.fromkeys(self.search.LANGUAGES, 0)

    def resume(self, state: Path) -> None:
        """Read the state of a run that was stopped. A line that was cut off is left out."""
        lines = state.read_text(encoding="utf-8").split("\n")[:-1] if state.exists() else []
        for line in lines:
            saved = json.loads(line)
            self.games[saved["language"]] = saved["games"]
            for written in saved["puzzles"]:
                puzzle = self.book.read_line(written)
                self.puzzles[puzzle.key] = puzzle

    def run(self, count: int, state: Path) -> Iterator[int]:
        """Play games until there are ``count`` puzzles in each language; yield their number."""
        for language in self.search.LANGUAGES:
            while len(self._in(language)) < count:
                rng = Random(f"{self.seed} {language} {self.games[language]}")
                found = map(self.add, self.search.find(rng, language))
                added = [puzzle for puzzle in found if puzzle]
                self.games[language] += 1
                self._save(state, language, added)
                yield self.games[language]

    def first(self, count: int) -> list[Puzzle]:
        return [
            puzzle for language in self.search.LANGUAGES for puzzle in self._in(language)[:count]
        ]

    def add(self, found: Puzzle) -> Puzzle | None:
        """Add and return a puzzle; None if it is like another one or too easy."""
        key = sha256(f"{self.rules.slug} {found.key}".encode()).hexdigest()[:8]
        if key in self.puzzles:
            return None
        if len(self.book.write_line(found).encode()) > LONGEST + len(found.key):
            return None
        level = self._lowest_level(found)
        # The first of several cards is easily met, and all of them are not.
        if level == 1 and not found.any_order:
            return None
        self.puzzles[key] = replace(found, key=key, level=level)
        return self.puzzles[key]

    def read_finished_games(self) -> None:
        """Add the puzzles of the finished games of players who have a public page."""
        games = Game.objects.filter(
            kind=self.rules.slug,
            rules_version=self.rules.version,
            status=Game.Status.OVER,
            closed=False,
            seats__holders__player__public_id__isnull=False,
        ).distinct()
        for game in games.order_by("created").iterator():
            moves = game.moves.order_by("ply").values_list("text", flat=True)
            played = [move for move in moves if move not in ENDINGS]
            for puzzle in self.search.find_in(game.setup, played):
                self.add(puzzle)

    def _in(self, language: str) -> list[Puzzle]:
        return [puzzle for puzzle in self.puzzles.values() if puzzle.language == language]

    def _lowest_level(self, puzzle: Puzzle) -> int:
        levels = self.rules.ladder
        return next((level for level in levels if self._finds(level, puzzle)), NO_LEVEL)

    def _finds(self, level: int, puzzle: Puzzle) -> bool:
        """Return whether a level finds the first move, or any of them in a puzzle without order."""
        position = puzzle.position(self.rules.start)
        (seat,) = position.to_move()
        right = {turn.right[0] for turn in puzzle.turns[: None if puzzle.any_order else 1]}
        missed = 0
        for seed in range(SEEDS):
            rng = Random(f"{puzzle.key} {seed}")
            move = self.computer.choose(position, seat, level, rng, seconds=600).move
            missed += move not in right
            if missed > SEEDS - FOUND:
                return False
        return True

    def _save(self, state: Path, language: str, added: list[Puzzle]) -> None:
        lines = [self.book.write_line(puzzle) for puzzle in added]
        saved = {"language": language, "games": self.games[language], "puzzles": lines}
        with state.open("a", encoding="utf-8") as file:
            file.write(json.dumps(saved, ensure_ascii=False) + "\n")
