"""``manage.py verify_games``: replays all games, after a restore or a change of rules."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.management.checks import require_current_tables
from games.models import Game
from games.services.verification import mark_fault
from games.state.replay import Verification, verify
from games.state.snapshot import KindGone
from games.storage.portions import in_portions


class Command(BaseCommand):
    """Replays all games and reports each fault with its game, ply, move and reason."""

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
        games = chain.from_iterable(in_portions(Game.objects.all()))
        for count, game in enumerate(games, start=1):
            found = self._verify(game, mark=options["mark"])
            plies += found.plies
            faults += found.fault is not None
            if count % 1000 == 0:
                self.stdout.write(f"  {count} games")
        took = time.monotonic() - began
        self.stdout.write(f"{count} games, {plies} moves, {faults} faults, {took:.1f} s")
        if faults:
            raise CommandError("Not every game replays.")

    def _verify(self, game: Game, *, mark: bool) -> Verification:
        """Replay a game and return the result. A fault is printed, and marked on request."""
        found = verify(game)
        if mark and (found.fault or game.fault):
            try:
                found = mark_fault(game_id=game.pk)
            except KindGone:
                self.stderr.write(f"game {game.pk}: not marked, for its kind is gone")
            except Game.DoesNotExist:
                return Verification(0)
        if found.fault:
            self.stderr.write(f"game {game.pk}: {found.fault}")
        return found
