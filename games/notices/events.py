"""Notices of events in a game: written with the event, and claimed by the worker that sends them.

An event is written in the transaction that changes the game, so that a dying process loses none. It
waits for some seconds, since most players see it at the board, and is dropped if it has become
pointless meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from games.core.clocks import DAY, Clock
from games.models import Game, NoticeKind, PendingNotice, Player
from games.notices.channels import is_reached
from games.state.questions import DRAW, UNDO, pending, pending_requests
from games.state.replay import Unreadable
from games.state.seat_claims import claims
from games.state.snapshot import GameSnapshot, read_snapshot
from games.storage.write_lock import write_transaction

PATIENCE = timedelta(seconds=20)
"""How long an event or a turn waits before its notice: most players are at the board."""
OPEN_SEATS = "open"
"""The event of a notice to the web hook of the site, see `games.notices.open_seats`."""
AT_ONCE = 100
MOST_WARNING = DAY // 8
"""Milliseconds before the fall of a flag when a player with days a move gets a notice."""
LONG_GAME = 15 * 60_000
"""Milliseconds a side below which nobody could come back in time after a notice."""


class Notice(NamedTuple):
    """A notice to send: never a clue or a key, since others in a chat may read it. ``game_id`` is
    '' for a test of the player's channels; ``names`` are those of the other players."""

    game_id: str
    kind: str
    event: str = NoticeKind.TURN
    name: str = ""
    names: tuple[str, ...] = ()


def note_event(
    snapshot: GameSnapshot,
    event: NoticeKind,
    *,
    by: Player | None = None,
    to: Collection[UUID] | None = None,
) -> None:
    """Insert a notice for each player in ``to``, by default all other people of a locked game. A
    repeated event inserts nothing. The caller holds the transaction."""
    people = snapshot.seating.players()
    receivers = people if to is None else people & set(to)
    others = receivers - {by.pk} if by else receivers
    reached = [player_id for player_id in others if is_reached(player_id)]
    if not reached:
        return
    game, name = snapshot.game, by.name if by else ""
    PendingNotice.objects.bulk_create(
        [
            PendingNotice(player_id=player_id, game=game, kind=event, ply=game.ply, name=name)
            for player_id in reached
        ],
        ignore_conflicts=True,
    )


def forget_lobby(snapshot: GameSnapshot) -> None:
    """Delete the notices of a lobby that wait, since its game begins."""
    seats = [NoticeKind.SEAT_TAKEN, NoticeKind.LOBBY_FULL]
    PendingNotice.objects.filter(game=snapshot.game, kind__in=seats, claimed=None).delete()


def ask_for_test(player: Player) -> None:
    """Insert a notice that tests the player's channels, in place of an earlier one."""
    with write_transaction():
        PendingNotice.objects.filter(player=player, game=None).delete()
        PendingNotice.objects.create(player=player)


def note_little_time() -> None:
    """Insert notices for the players whose flags fall soon, in games that are long enough."""
    now = timezone.now()
    soon = now + timedelta(milliseconds=MOST_WARNING)
    due = Game.objects.filter(status=Game.Status.RUNNING, flag_at__gt=now, flag_at__lte=soon)
    for game_id in due.order_by("flag_at").values_list("pk", flat=True)[:AT_ONCE]:
        try:
            snapshot = read_snapshot(game_id)
            late = _late_players(snapshot)
        except (Game.DoesNotExist, Unreadable):
            continue
        if late and not _is_told(snapshot, late):
            with write_transaction():
                note_event(snapshot, NoticeKind.LITTLE_TIME, to=late)


def _is_told(snapshot: GameSnapshot, players: Collection[UUID]) -> bool:
    """Return whether players have had this notice: once a move in days, otherwise once a game."""
    rows = PendingNotice.objects.filter(game=snapshot.game, kind=NoticeKind.LITTLE_TIME)
    time = snapshot.game.time
    if time is not None and time.days:
        rows = rows.filter(ply=snapshot.game.ply)
    return not set(players) - set(rows.values_list("player", flat=True))


def _late_players(snapshot: GameSnapshot) -> set[UUID]:
    """Return the players whose clock runs and has less than an eighth of its time left."""
    if snapshot.game.clock is None:
        return set()
    clock = Clock.from_json(snapshot.game.clock)
    warning = min(clock.control.full // 8, MOST_WARNING)
    now = round(timezone.now().timestamp() * 1000)
    if clock.control.full < LONG_GAME or clock.flag_at is None or clock.flag_at - now > warning:
        return set()
    return {
        player
        for key in snapshot.position.to_move()
        if snapshot.spec(key).side in clock.running
        for player in snapshot.seating.places[key].players
    }


def muted_kinds(player_id: UUID) -> set[str]:
    muted = Player.objects.filter(pk=player_id).values_list("muted_notices", flat=True).first()
    return set((muted or "").split())


def choose_kinds(*, player: Player, wanted: Collection[str]) -> None:
    """Store the kinds of notices that a player wants. Unknown kinds are ignored."""
    muted = " ".join(kind for kind in NoticeKind.values if kind not in wanted)
    with write_transaction():
        Player.objects.filter(pk=player.pk).update(muted_notices=muted)


def claim_events(player_id: UUID, muted: Collection[str]) -> Iterator[Notice]:
    """Claim and yield the notices of events that are due to a player; drop those that the player
    does not want or that are pointless by now."""
    before = timezone.now() - PATIENCE
    rows = PendingNotice.objects.filter(player=player_id, claimed=None, created__lte=before)
    tests = PendingNotice.objects.filter(player=player_id, claimed=None, game=None)
    for row in (rows | tests).order_by("pk")[:AT_ONCE]:
        notice = notice_of(row) if row.kind not in muted or row.game_id is None else None
        mine = PendingNotice.objects.filter(pk=row.pk, claimed=None)
        with write_transaction():
            done = mine.update(claimed=timezone.now()) if notice else mine.delete()[0]
        if notice and done:
            yield notice


def notice_of(row: PendingNotice) -> Notice | None:
    """Return the notice of a row; None if its event has become pointless."""
    if row.game_id is None:
        return Notice("", "")
    try:
        snapshot = read_snapshot(row.game_id)
        if not _is_current(row, snapshot):
            return None
    except (Game.DoesNotExist, Unreadable):
        return None
    names = names_of_others(snapshot, row.player_id)
    return Notice(row.game_id, snapshot.game.kind, row.kind, row.name, names)


def _is_current(row: PendingNotice, snapshot: GameSnapshot) -> bool:
    """Return whether a player still has something to learn or to do about an event."""
    game, mine = snapshot.game, snapshot.seats_of(row.player_id)
    match row.kind:
        case NoticeKind.SEAT_TAKEN | NoticeKind.LOBBY_FULL | NoticeKind.BEGUN:
            # A player to move gets the notice of the turn.
            return bool(mine) and not game.over and mine.isdisjoint(game.to_move)
        case NoticeKind.DRAW_OFFERED | NoticeKind.UNDO_ASKED:
            question = pending(snapshot, UNDO if row.kind == NoticeKind.UNDO_ASKED else DRAW)
            return question is not None and not mine.isdisjoint(question.waiting)
        case NoticeKind.REMATCH_OFFERED:
            return snapshot.rematch is not None and snapshot.rematch.waits
        case NoticeKind.LITTLE_TIME:
            return row.player_id in _late_players(snapshot)
        case NoticeKind.SEAT_ASKED:
            # Their seat, or the one on which a stand-in sits by now.
            asked = {request.seat for request in pending_requests(snapshot).values()}
            claimed = any(claim.player == row.player_id for claim in claims(snapshot))
            return claimed or not mine.isdisjoint(asked)
    return game.over


def names_of_others(snapshot: GameSnapshot, player_id: UUID) -> tuple[str, ...]:
    """Return the names of the other people in a game, '' for guests, without repeats."""
    people = {
        other: name
        for place in snapshot.seating.places.values()
        for other, name in place.players.items()
        if other != player_id
    }
    return tuple(people.values())
