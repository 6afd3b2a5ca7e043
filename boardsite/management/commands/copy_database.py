"""``manage.py copy_database URL``: copies all rows into another database and verifies them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from boardsite.database_copy import Differs, NotEmpty, copy_all
from boardsite.environment import parse_database_url
from games.management.checks import require_current_tables
from games.models import Game
from games.state.replay import verify

TARGET = "target"


class Command(BaseCommand):
    """Copies the database. The site must be stopped: moves played meanwhile are not copied."""

    help = (
        "Copy all games, players and accounts into the empty database at URL "
        "(postgres://… or sqlite:///…), with progress, and compare every row. Stop the site first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="the empty database, in the form of DATABASE_URL")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        """Migrate the target, copy and compare all rows, and replay all games."""
        self._open(url)
        require_current_tables()
        try:
            counts = copy_all("default", TARGET, self._progress)
        except NotEmpty as error:
            raise CommandError(
                f"There are {error} in that database already, and it has to be empty. If an "
                "earlier copy was interrupted while replaying, it is complete: run verify_games "
                "with that DATABASE_URL."
            ) from error
        except Differs as error:
            raise CommandError(f"The copied {error} differ from the original.") from error
        for label, count in counts.items():
            self.stdout.write(f"{label}: {count}, equal in both")
        self._replay()
        self.stdout.write(self.style.SUCCESS("Done. Set DATABASE_URL and start the site."))

    def _open(self, url: str) -> None:
        """Create the tables of the target. Raises CommandError."""
        try:
            target = parse_database_url(url)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        configured = connections.configure_settings({"default": {}, TARGET: target})
        connections.databases[TARGET] = configured[TARGET]
        try:
            call_command("migrate", database=TARGET, verbosity=0, interactive=False)
        except DatabaseError as error:
            raise CommandError(f"That database cannot be used: {error}") from error

    def _progress(self, table: str, done: int, total: int) -> None:
        self.stdout.write(f"  {table}: {done} of {total}")

    def _replay(self) -> None:
        """Replay every copied game and report faults, which the original has too."""
        games = Game.objects.using(TARGET)
        faults = [(game.pk, fault) for game in games.iterator() if (fault := verify(game).fault)]
        for game_id, fault in faults:
            self.stderr.write(f"game {game_id} does not replay: {fault}")
        self.stdout.write(f"{games.count() - len(faults)} games replay in the copy.")
