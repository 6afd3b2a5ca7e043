"""``manage.py import_games``: imports files of games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from django.core.management.base import BaseCommand, CommandError

from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, create_imported
from games.exchange.reading import Unread, games_of_files
from games.management.checks import require_current_tables
from games.services.plans import DEVICE
from games.services.players import new_player


class Command(BaseCommand):
    """Imports the games of files in all formats that the site reads, for a new player of the name
    of each. A file is checked as a whole before its first game is stored."""

    help = "Import all games of files, or of the files in folders."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument(
            "--check", action="store_true", help="only read the files, and name all faults"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check all files, then store their games. Raises CommandError."""
        files = [*_files(options["paths"])]
        if options["check"]:
            self._check(files)
            return
        require_current_tables()
        counts = {file: sum(1 for _ in _games(file)) for file in files}
        total = sum(counts.values())
        with click.progressbar(length=total, label="Games", file=sys.stderr) as bar:
            for file in counts:
                player = new_player(name=file.stem)
                for game in _games(file):
                    create_imported(player=player, game=game, opponent=DEVICE)
                    bar.update(1)
        self.stdout.write(f"{total} games")

    def _check(self, files: Sequence[Path]) -> None:
        """Print the games and the faults of each file. Raises CommandError for a fault."""
        faults = 0
        for file in files:
            found = [*_read(file)]
            unread = [f"{file}:{each}" for each in found if isinstance(each, Unread)]
            self.stdout.write("\n".join([*unread, f"{file}: {len(found) - len(unread)} games"]))
            faults += len(unread)
        if faults:
            raise CommandError(f"{faults} faults")


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        inside = sorted(found for found in path.rglob("*") if found.is_file())
        yield from (found for found in inside if not _is_companion(found))
        if not path.is_dir():
            yield path


def _games(file: Path) -> Iterator[ImportedGame]:
    """Yield the checked games of a file. Raises CommandError, which names the first fault."""
    for game in _read(file):
        if isinstance(game, Unread):
            raise CommandError(f"{file}:{game}")
        yield game


def _read(file: Path) -> Iterator[ImportedGame | Unread]:
    try:
        beside = {
            found.name: found.read_bytes()
            for found in sorted(file.parent.iterdir())
            if found.is_file() and _is_companion(found)
        }
        yield from games_of_files({**beside, file.name: file.read_bytes()})
    except OSError as error:
        raise CommandError(f"{file}: {error}") from error


def _is_companion(file: Path) -> bool:
    """Return whether archives refer to files with this ending."""
    ending = file.suffix.lower().removeprefix(".")
    return any(ending in form.companions for r in all_rules().values() for form in r.archives)
