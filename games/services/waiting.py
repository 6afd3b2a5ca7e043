"""How much may wait for computers at once: games of a host and of an address, and analyses. More
can, since no move is refused, and are served in turn (`games.worker.leases`)."""

from __future__ import annotations

from django.conf import settings
from django.db.models import QuerySet

from games.contract import text
from games.core.rate_limits import (
    COMPUTER_GAMES_PER_PLAYER,
    WAITING_ANALYSES_PER_ADDRESS,
    WAITING_GAMES_PER_ADDRESS,
    WAITING_GAMES_PER_PLAYER,
    RateLimited,
)
from games.models import Evaluation, Game, Player, Seat

TOO_MANY_COMPUTER_GAMES = text(
    "You already have %(n)s games between computers running. Wait for one to finish.",
    n=COMPUTER_GAMES_PER_PLAYER,
)
TOO_MANY_GAMES = text(
    "The computer already has to move in %(n)s of your games. Wait for one of its moves.",
    n=WAITING_GAMES_PER_PLAYER,
)
TOO_MANY_ANALYSES = text(
    "%(n)s analyses are still running for your network. Wait for one of them.",
    n=WAITING_ANALYSES_PER_ADDRESS,
)
LISTED_PER_ADDRESS = 40
TOO_MANY_LISTED = text(
    "%(n)s games on your network look for players already. Invite players with a link.",
    n=LISTED_PER_ADDRESS,
)
IN_TURN = text(
    "The computer has to move in many games on your network. It plays them in turn, so its move "
    "may take longer."
)


def check_computer_games(player: Player) -> None:
    """Raise RateLimited if a host has too many running games between computers."""
    shows = _running().filter(created_by=player, only_computers=True).count()
    if shows >= COMPUTER_GAMES_PER_PLAYER and settings.RATE_LIMITS:
        raise RateLimited(TOO_MANY_COMPUTER_GAMES)


def check_waiting_games(player: Player) -> None:
    """Raise RateLimited if too many games of a host wait for a computer."""
    waiting = _waiting().filter(created_by=player).count()
    if waiting >= WAITING_GAMES_PER_PLAYER and settings.RATE_LIMITS:
        raise RateLimited(TOO_MANY_GAMES)


def has_queue(origin: str) -> bool:
    """Return whether so many games of an address wait that another one has to be told."""
    waiting = _waiting().filter(origin=origin).count() if origin else 0
    return waiting >= WAITING_GAMES_PER_ADDRESS and settings.RATE_LIMITS


def check_waiting_analyses(game: Game, origin: str) -> None:
    """Raise RateLimited if an address waits for the analyses of too many games besides ``game``."""
    waiting = Evaluation.objects.filter(done=False, hint=False, line__isnull=True, origin=origin)
    games = waiting.exclude(game=game).order_by().values("game").distinct().count()
    if games >= WAITING_ANALYSES_PER_ADDRESS and settings.RATE_LIMITS:
        raise RateLimited(TOO_MANY_ANALYSES)


def check_listings(lister: str | None) -> None:
    """Raise RateLimited if an address has too many games on the list of open seats."""
    seats = Seat.objects.filter(listed=True, holders=None, game__status=Game.Status.RUNNING)
    offered = seats.filter(lister=lister).order_by().values("game").distinct().count()
    if lister and offered >= LISTED_PER_ADDRESS and settings.RATE_LIMITS:
        raise RateLimited(TOO_MANY_LISTED)


def _running() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING)


def _waiting() -> QuerySet[Game]:
    return _running().filter(computer_to_move=True, only_computers=False)
