"""``manage.py import_games``: imports databases of games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from django.core.management.base import BaseCommand, CommandError

from games.contract import ArchiveFormat, BadRecord, Rules, Text
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, Inadmissible, admit, create_imported
from games.management.checks import require_current_tables
from games.services.plans import DEVICE
from games.services.players import new_player
from games.storage.write_lock import write_transaction


class Command(BaseCommand):
    """Imports the games of databases that other programs read, with the names of their players.

    A file is checked as a whole before its first game is stored, and read game by game both
    times. The seats belong to a new player, who has the name of the file."""

    help = "Import all games of databases of games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        endings = ", ".join(f".{form.ending}" for _rules, form in _archives())
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=endings)

    def handle(self, *args: Any, **options: Any) -> None:
        """Check all files, then store their games. Raises CommandError."""
        require_current_tables()
        counts = {file: sum(1 for _ in _games(file)) for file in options["files"]}
        total = sum(counts.values())
        with click.progressbar(length=total, label="Games", file=sys.stderr) as bar:
            for file in counts:
                player = new_player(name=file.stem)
                for game in _games(file):
                    with write_transaction():
                        create_imported(player=player, game=game, opponent=DEVICE)
                    bar.update(1)
        self.stdout.write(f"{total} games")


def _archives() -> Iterator[tuple[Rules, ArchiveFormat]]:
    for rules in all_rules().values():
        for form in rules.archives:
            yield rules, form


def _games(file: Path) -> Iterator[ImportedGame]:
    """Yield the checked games of a file. Raises CommandError, which names the first faulty byte."""
    ending = file.suffix.lower().removeprefix(".")
    found = next((pair for pair in _archives() if pair[1].ending == ending), None)
    if found is None:
        raise CommandError(f"{file}: there is no database of games with this ending.")
    rules, form = found
    try:
        with file.open("rb") as stored:
            for record in form.read(stored, _companions(file, form)):
                yield admit(rules, record, Text(form.ending))
    except (OSError, Inadmissible) as error:
        raise CommandError(f"{file}: {error}") from error
    except BadRecord as error:
        raise CommandError(f"{file}, byte {error.at}: {error}") from error


def _companions(file: Path, form: ArchiveFormat) -> dict[str, bytes]:
    """Return the contents of the files beside an archive by their endings, in any case."""
    found = {}
    for beside in sorted(file.parent.iterdir()):
        ending = beside.suffix.lower().removeprefix(".")
        if ending in form.companions:
            found[ending] = beside.read_bytes()
    return found
