"""Challenges: a host asks a known player for a game, whose seat waits for the answer."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from games.contract import text
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import Game, NoticeKind, Player, Seat
from games.notices.events import muted_kinds, note_challenge
from games.services.seats import seat_player
from games.services.setup import Plan, start_game
from games.services.versions import next_banner, save_version
from games.state.identity import is_bot, same_person
from games.state.lists import OFFERED_FOR
from games.state.snapshot import GameSnapshot, lock_snapshot, locked
from games.storage.write_lock import one_at_a_time, write_transaction

MOST = 10
"""Requests that stand for a player at the same time."""
DECLINED_FOR = timedelta(days=1)
"""How long a host cannot ask a player again after a refusal."""


class NotToBeAsked(Refusal):
    """Raised for a player that wants no requests, or has too many. The reason stays unsaid."""

    reason = text("You can’t ask this player for a game now.")


class ChallengeGone(Refusal):
    """Raised for an answer to a request that no longer stands."""

    reason = text("That request is no longer open.")


def challenge(
    *,
    player: Player,
    asked: Player,
    plan: Plan,
    origin: str,
    lister: str | None,
    game_id: str | None,
) -> Game:
    """Start a planned game with a seat for another player, and tell that player. While a request to
    that player stands, return its game. Raises as `start_game`, or NotToBeAsked, or Refusal if the
    other has asked first."""
    with write_transaction():
        # Two hosts asking each other at once would both start a game.
        one_at_a_time("challenge")
        if mine := _standing(asked.pk).filter(game__created_by=player.pk).first():
            return mine.game
        if _standing(player.pk).filter(game__created_by=asked.pk).exists():
            raise Refusal(text("This player has asked you for a game: answer under Your games."))
        if not can_be_asked(asked, by=player.pk):
            raise NotToBeAsked
        game = start_game(player=player, plan=plan, origin=origin, lister=lister, game_id=game_id)
        free = game.seats.filter(players=None, computer=None).values("pk")[:1]
        Seat.objects.filter(pk__in=[row["pk"] for row in free]).update(asked=asked)
        note_challenge(game, asked.pk, by=player)
        sentence = text("%(name)s was asked.", name=asked.name or text("Guest"))
        return save_version(lock_snapshot(game.pk), banner=next_banner(game, sentence)).game


def can_be_asked(asked: Player, *, by: UUID) -> bool:
    persons, since = same_person(by), timezone.now() - DECLINED_FOR
    if asked.pk in persons or asked.suspended or is_bot(asked.pk):
        return False
    declined = Seat.objects.filter(asked=asked.pk, game__created_by=by, declined__gt=since)
    is_open = NoticeKind.CHALLENGED not in muted_kinds(asked.pk)
    return is_open and not declined.exists() and _standing(asked.pk).count() < MOST


def challenges_to(player_id: UUID) -> QuerySet[Seat]:
    """Return the seats for which a player is asked, with their games and hosts."""
    return _standing(player_id).select_related("game__created_by").order_by("id")


def _standing(asked: UUID) -> QuerySet[Seat]:
    since, lobbies = timezone.now() - OFFERED_FOR, {"game__begun": False, "players": None}
    standing = Seat.objects.filter(asked=asked, declined=None, game__created__gt=since, **lobbies)
    hosts = standing.filter(game__created_by__suspended=False, game__status=Game.Status.RUNNING)
    return hosts.filter(game__kind__in=list(all_rules()))


def accept(*, game_id: str, player: Player) -> GameSnapshot:
    """Seat a player in the lobby of a game for which the player was asked; once more it changes
    nothing. Raises ChallengeGone, or as `seat_player`."""
    with locked(game_id) as snapshot:
        if snapshot.seats_of(player.pk):
            return snapshot
        seat = _asked_seat(snapshot, player)
        if not snapshot.seating.places[seat.key].empty:
            raise ChallengeGone
        Seat.objects.filter(pk=seat.pk).update(asked=None)
        seat.asked = None
        return seat_player(snapshot, seat, player)


def decline(*, game_id: str, player: Player) -> None:
    """Decline to play a game, as its host reads. Raises ChallengeGone."""
    with locked(game_id) as snapshot:
        seat = _asked_seat(snapshot, player)
        Seat.objects.filter(pk=seat.pk).update(declined=timezone.now())
        name = player.name or text("Guest")
        sentence = text("%(name)s doesn’t want to play now.", name=name)
        save_version(snapshot, banner=next_banner(snapshot.game, sentence))


def _asked_seat(snapshot: GameSnapshot, player: Player) -> Seat:
    seats = Seat.objects.filter(game=snapshot.game, asked=player.pk, declined=None)
    if snapshot.game.begun or snapshot.game.over or not (found := seats.first()):
        raise ChallengeGone
    return found
