"""Search in the admin: by exact id or address, or by the first letters of a name. Each search uses
an index and has a bounded number of results."""

from __future__ import annotations

import re
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from games.models import Game, Holder, Player

PLAYERS_FOUND = 200
PLAYERS_WITH_GAMES = 10
"""The number of found players whose games are listed, and of the newest games of each."""
GAMES_OF_PLAYER = 50
_GAME_ADDRESS = re.compile(r"/g/(\w+)")
_LAST = "\U0010ffff"
"""A character that sorts after every character of a name."""


def find_players(term: str) -> list[UUID]:
    """Return the ids of the player with this id, or of the players whose names begin with this
    text."""
    term = term.strip()
    try:
        return [UUID(term)]
    except ValueError:
        pass
    folded = " ".join(term.casefold().split())
    exact = Player.objects.filter(name_folded=folded) if folded else Player.objects.none()
    keys = list(exact.values_list("pk", flat=True)[:PLAYERS_FOUND])
    others = _named(folded).values_list("pk", flat=True)[:PLAYERS_FOUND] if folded else []
    return list(dict.fromkeys([*keys, *others]))[:PLAYERS_FOUND]


def _named(prefix: str) -> QuerySet[Player]:
    """Return the players whose folded names begin with ``prefix``. A range is compared instead of
    LIKE: SQLite's LIKE ignores case and therefore uses no index, and PostgreSQL would need an index
    of its own for it."""
    if connection.vendor == "sqlite":
        return Player.objects.filter(name_folded__gte=prefix, name_folded__lt=prefix + _LAST)
    return Player.objects.filter(name_folded__startswith=prefix)


def find_games(term: str) -> list[str]:
    """Return the ids of the game with this id or address, and of the newest games of found
    players."""
    address = _GAME_ADDRESS.search(term)
    if address:
        return [address[1]]
    held: list[int] = []
    for player in find_players(term)[:PLAYERS_WITH_GAMES]:
        newest = Holder.objects.filter(player=player).order_by("-id")
        held += newest.values_list("pk", flat=True)[:GAMES_OF_PLAYER]
    games = Game.objects.filter(seats__holders__in=held).values_list("pk", flat=True)
    return list(dict.fromkeys([term.strip(), *games]))
