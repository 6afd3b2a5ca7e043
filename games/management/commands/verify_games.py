"""``manage.py verify_games``: replays all games, after a restore or a change of rules."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.checks import require_current_tables
from games.services.verification import verify_all
from games.state.row_faults import other_faults


class Command(BaseCommand):
    """Replays all games, and reports each fault, also of packs, bots and variations."""

    help = "Replay every game from its setup and compare the result with its row."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--mark",
            action="store_true",
            help="mark the games that have a fault, and no longer those that have none",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay all games. The exit status is 1 if any has a fault."""
        require_current_tables()
        began, plies, faults, count = time.monotonic(), 0, 0, 0
        for count, (game_id, found) in enumerate(verify_all(mark=options["mark"]), start=1):
            plies += found.plies
            if found.fault:
                faults += 1
                self.stderr.write(f"game {game_id}: {found.fault}")
            if count % 1000 == 0:
                self.stdout.write(f"  {count} games")
        for name, fault in other_faults():
            faults += 1
            self.stderr.write(f"{name}: {fault}")
        took = time.monotonic() - began
        self.stdout.write(f"{count} games, {plies} moves, {faults} faults, {took:.1f} s")
        if faults:
            raise CommandError("Not every game replays.")
