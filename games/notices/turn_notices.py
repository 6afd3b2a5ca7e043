"""Claims of notices. Those of turns are derived from the rows, those of other events are stored
(`games.notices.events`); all are claimed before anything is sent, for all channels of a player."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from uuid import UUID

from django.utils import timezone

from games.contract import SeatKey
from games.core.registry import all_rules
from games.models import Game, Holder, Move, NoticeKind, TurnNotice
from games.notices.events import PATIENCE, Notice, claim_events, muted_kinds, names_of_others
from games.state.snapshot import GameSnapshot, read_snapshot
from games.storage.write_lock import write_transaction

GAMES_PER_PLAYER = 100


def claim_notices(player_id: UUID) -> Iterator[Notice]:
    """Claim and yield the notices that are due to a player. A claimed notice is never sent twice,
    even if the worker dies before sending it. A game that has changed since it was found is left
    for the next call."""
    muted = muted_kinds(player_id)
    for game in waiting_games(player_id) if NoticeKind.TURN not in muted else ():
        if _claim(player_id, game):
            yield turn_notice(game, player_id)
    yield from claim_events(player_id, muted)


def turn_notice(game: Game, player_id: UUID) -> Notice:
    """Return the notice of a turn. Raises Game.DoesNotExist."""
    names = names_of_others(read_snapshot(game.pk), player_id)
    return Notice(game.pk, game.kind, names=names)


def forget_claims(snapshot: GameSnapshot, seats: Collection[SeatKey]) -> None:
    """Delete the claims of people on some seats of a locked game, so that they get another
    notice."""
    people = {player_id for seat in seats for player_id in snapshot.seating.places[seat].players}
    TurnNotice.objects.filter(game=snapshot.game, player__in=people).delete()


def waiting_games(player_id: UUID) -> list[Game]:
    """Return the games that have been waiting for a player's move."""
    held = Holder.objects.filter(player=player_id, ended=None, hidden=False, seat__game__begun=True)
    rows = held.order_by("-id").values_list("seat__game", "seat__key", "seat__game__to_move")
    ids = {game_id for game_id, key, to_move in rows[:GAMES_PER_PLAYER] if key in to_move}
    before = timezone.now() - PATIENCE
    waiting = Game.objects.filter(pk__in=ids, updated__lte=before, kind__in=list(all_rules()))
    return list(waiting.only("id", "kind", "updated").order_by("updated"))


def _claim(player_id: UUID, game: Game) -> bool:
    """Claim the notice of a turn, and return whether it is due: once, and again only after the
    player has moved in the game."""
    notices = TurnNotice.objects.filter(game=game, player=player_id)
    before = notices.values_list("claimed", flat=True).first()
    moves = Move.objects.filter(game=game, player=player_id)
    if before is not None and not moves.filter(played__gt=before).exists():
        return False
    now = timezone.now()
    with write_transaction():
        if not Game.objects.filter(pk=game.pk, updated=game.updated).exists():
            return False
        if before is not None:
            return notices.filter(claimed=before).update(claimed=now) == 1
        return notices.get_or_create(game=game, player_id=player_id, defaults={"claimed": now})[1]
