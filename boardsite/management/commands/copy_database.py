"""``manage.py copy_database URL``: copies everything into another database and verifies it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from boardsite.database_copy import Differs, NotEmpty, move_all
from boardsite.environment import database
from games.management.migrated import need_tables
from games.models import Game
from games.replay import verify

TARGET = "target"


class Command(BaseCommand):
    """Move to another database. Stop the site first: what is played meanwhile stays behind."""

    help = (
        "Copy all games, players and accounts into the empty database at URL "
        "(postgres://… or sqlite:///…), with progress, and compare every row. Stop the site first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument("url", help="the database to fill, as DATABASE_URL has it")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        """Migrate, copy, compare, replay."""
        self._open(url)
        need_tables()
        try:
            counts = move_all("default", TARGET, self._progress)
        except NotEmpty as error:
            raise CommandError(
                f"There are {error} in that database already, and it has to be empty. If a move "
                "was broken off that had only games left to replay, everything is there: verify, "
                "with that DATABASE_URL, replays them."
            ) from error
        except Differs as error:
            raise CommandError(f"The {error} did not arrive as they were sent.") from error
        for label, count in counts.items():
            self.stdout.write(f"{label}: {count}, the same in both")
        self._replay()
        self.stdout.write(self.style.SUCCESS("Done. Set DATABASE_URL and start the site."))

    def _open(self, url: str) -> None:
        """Make the tables there. Raises CommandError, a sentence, where that cannot be done."""
        try:
            found = database(url)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        asked = {"default": {}, TARGET: found}
        connections.databases[TARGET] = connections.configure_settings(asked)[TARGET]
        try:
            call_command("migrate", database=TARGET, verbosity=0, interactive=False)
        except DatabaseError as error:
            raise CommandError(f"That database cannot be used: {error}") from error

    def _progress(self, what: str, done: int, total: int) -> None:
        self.stdout.write(f"  {what}: {done} of {total}")

    def _replay(self) -> None:
        """Replay every game that arrived; a fault was there before, and is worth knowing."""
        games = Game.objects.using(TARGET)
        faults = [(game.pk, fault) for game in games.iterator() if (fault := verify(game).fault)]
        for game_id, fault in faults:
            self.stderr.write(f"game {game_id} does not replay: {fault}")
        self.stdout.write(f"{games.count() - len(faults)} games replay there.")
