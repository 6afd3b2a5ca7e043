"""``manage.py verify_games``: replays all games, after a restore or a change of rules."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.migrated import require_current_tables
from games.models import Game
from games.replay import verify


class Command(BaseCommand):
    """Replays all games and names each fault with its game and move."""

    help = "Replay every game from its setup and compare the result with its row."

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay all games. The exit status is 1 when one has a fault."""
        require_current_tables()
        began, plies, faults, count = time.monotonic(), 0, 0, 0
        for count, game in enumerate(Game.objects.order_by("created").iterator(), start=1):
            fault = verify(game).fault
            plies += game.ply
            if fault:
                faults += 1
                self.stderr.write(f"game {game.pk}: {fault}")
            if count % 1000 == 0:
                self.stdout.write(f"  {count} games")
        took = time.monotonic() - began
        self.stdout.write(f"{count} games, {plies} moves, {faults} faults, {took:.1f} s")
        if faults:
            raise CommandError("Not every game replays.")
