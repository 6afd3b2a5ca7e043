"""Rematches: the newest game of an evening, to which old invitations lead."""

from __future__ import annotations

from games.models import Game

MOST = 200
"""Rematches of one evening that are followed."""


def newest_rematch(game: Game) -> str | None:
    """Return the id of the last rematch of a finished game; None without one."""
    newest, last = None, game.pk if game.over else ""
    for _ in range(MOST):
        found = Game.objects.filter(rematch_of=last).values_list("pk", flat=True).first()
        if found is None:
            break
        newest = last = found
    return newest
