"""Notices: written in the transaction of their event, or by the worker that finds a turn, little
time or an open seat.

An event waits for some seconds, since most players see it at the board, and is dropped if it has
become pointless meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.contract import SeatKey
from games.core.clocks import DAY, Clock
from games.core.registry import all_rules
from games.models import (
    EmailAddress,
    Game,
    Holder,
    Move,
    NoticeKind,
    Outgoing,
    Player,
    PuzzleAttempt,
    Seat,
    Sighting,
    WebHook,
)
from games.notices.channels import channels_of, site_hook
from games.notices.outgoing import insert, letter
from games.state import lists
from games.state.outcomes import ended_for
from games.state.questions import pending, pending_requests
from games.state.replay import Unreadable
from games.state.seat_claims import claims
from games.state.snapshot import GameSnapshot, read_snapshot
from games.storage.write_lock import write_transaction

PATIENCE = timedelta(seconds=20)
"""How long an event or a turn waits before its notice: most players are at the board."""
AT_ONCE = 100
GAMES_PER_PLAYER = 100
MOST_WARNING = DAY // 8
"""Milliseconds before the fall of a flag when a player with days a move gets a notice."""
LONG_GAME = 15 * 60_000
"""Milliseconds a side below which nobody could come back in time after a notice."""
APART = timedelta(minutes=5)
"""The time between two messages about open seats."""
MESSAGES, COUNTED_FOR = 2, timedelta(days=1)
"""Messages about the games of one host or address, also of those that found their players."""
NEWS_FOR = timedelta(hours=1)
"""How long after its game was created an open seat is news: a first message after a long outage, or
to a new web hook, is not about all seats that are open."""


DAY_BEGINS = 8
"""The hour, by the site's clock, from which on the puzzles of a day are announced."""
OFF_AT_FIRST: frozenset[str] = frozenset({NoticeKind.DAY})
NEWS = {NoticeKind.SEAT_TAKEN, NoticeKind.LOBBY_FULL, NoticeKind.BEGUN, NoticeKind.OVER}
"""The events of which a player needs no notice after having seen the game."""


class Notice(NamedTuple):
    """A notice to send: never a clue or a key, since others in a chat may read it. ``game_id`` is
    '' for a test of the player's channels; ``name`` is that of the author of the event or of the
    one winner, ``names`` are those of the other players, ``result`` is of `ended_for`."""

    game_id: str
    kind: str
    event: str = NoticeKind.TURN
    name: str = ""
    names: tuple[str, ...] = ()
    result: str = ""


def note_event(
    snapshot: GameSnapshot,
    event: NoticeKind,
    *,
    by: Player | None = None,
    to: Collection[UUID] | None = None,
) -> None:
    """Insert the letters about an event to each player in ``to``, by default to all other people of
    a locked game, none if a person plays computers alone. A repeated event inserts nothing. The
    caller holds the transaction."""
    people = snapshot.seating.players()
    if to is None and len(people) < 2:
        return
    receivers = people if to is None else people & set(to)
    others = receivers - {by.pk} if by else receivers
    game, name = snapshot.game, by.name if by else ""
    _insert_letters(event, others, wait=PATIENCE, game=game, ply=game.ply, name=name)


def note_challenge(game: Game, asked: UUID, *, by: Player) -> None:
    """Insert the letters to a player asked for a game. The caller holds the transaction."""
    _insert_letters(NoticeKind.CHALLENGED, [asked], game=game, name=by.name)


def _insert_letters(kind: str, players: Iterable[UUID], **event: Any) -> None:
    """Insert a letter for each channel of some players."""
    insert(
        letter(channel, kind, player_id=player_id, **event)
        for player_id in players
        for channel in channels_of(player_id)
    )


def forget_lobby(snapshot: GameSnapshot) -> None:
    """Delete the notices of a lobby that wait, since its game begins."""
    seats = [NoticeKind.SEAT_TAKEN, NoticeKind.LOBBY_FULL]
    Outgoing.objects.filter(game=snapshot.game, kind__in=seats, claimed=None).delete()


def ask_for_test(player: Player) -> None:
    """Insert letters that test a player's channels and e-mail address, instead of earlier ones."""
    confirmed = EmailAddress.objects.filter(account__player=player).exclude(address="")
    found = {*channels_of(player.pk), *confirmed}
    with write_transaction():
        Outgoing.objects.filter(player=player, kind=Outgoing.TEST).delete()
        insert(letter(channel, Outgoing.TEST, player_id=player.pk) for channel in found)


def note_turns(player_id: UUID) -> None:
    """Insert a letter about each game that waits for a player, again only after a move there."""
    muted = muted_kinds(player_id)
    if NoticeKind.DAY not in muted:
        _note_day(player_id)
    if NoticeKind.TURN in muted:
        return
    for game in _waiting_games(player_id, PATIENCE):
        rows = Outgoing.objects.filter(player=player_id, game=game, kind=NoticeKind.TURN)
        before = rows.values_list("created", flat=True).first()
        if before and not _has_moved(player_id, game.pk, before):
            continue
        with write_transaction():
            # The other one of two workers finds no more rows to replace.
            if not before or rows.filter(created=before).delete()[0]:
                _insert_letters(NoticeKind.TURN, [player_id], game=game)


def _note_day(player_id: UUID) -> None:
    """Insert the letters about the puzzles of today to a player, from `DAY_BEGINS` on."""
    rows, now = Outgoing.objects.filter(player=player_id, kind=NoticeKind.DAY), timezone.localtime()
    is_told = rows.filter(created__date=now.date()).exists()
    if now.hour < DAY_BEGINS or is_told or _has_tried(player_id, now.date()):
        return
    with write_transaction():
        # Of two workers the second finds the letters of the first.
        list(Player.objects.select_for_update().filter(pk=player_id))
        if not rows.filter(created__date=now.date()).exists():
            _insert_letters(NoticeKind.DAY, [player_id])


def _has_moved(player_id: UUID | None, game_id: str, since: datetime) -> bool:
    return Move.objects.filter(game=game_id, player=player_id, played__gt=since).exists()


def _has_seen(player_id: UUID, game_id: str, since: datetime) -> bool:
    return Sighting.objects.filter(game=game_id, player=player_id, seen__gt=since).exists()


def forget_turns(snapshot: GameSnapshot, seats: Collection[SeatKey]) -> None:
    """Delete the letters about turns to some seats of a locked game, so that others follow."""
    people = {player_id for seat in seats for player_id in snapshot.seating.places[seat].players}
    turns = Outgoing.objects.filter(game=snapshot.game, kind=NoticeKind.TURN)
    turns.filter(player__in=people).delete()


def _waiting_games(player_id: UUID | None, patience: timedelta) -> list[Game]:
    """Return the games with others that have been waiting for a player's move."""
    held = Holder.objects.filter(player=player_id, ended=None, hidden=False, seat__game__begun=True)
    columns = "seat__game", "seat__key", "seat__game__to_move"
    rows = held.filter(lists.BESIDE_OTHERS).order_by("-id").values_list(*columns)
    ids = {game_id for game_id, key, to_move in rows[:GAMES_PER_PLAYER] if key in to_move}
    before = timezone.now() - patience
    waiting = Game.objects.filter(pk__in=ids, updated__lte=before, kind__in=list(all_rules()))
    return list(waiting.only("id").order_by("updated"))


def note_open_seats() -> None:
    """Insert letters to the web hook of the site about the oldest listed game with news: one a
    game, and one more if another of its seats becomes free."""
    hook, now = site_hook(), timezone.now()
    if hook is None or _site_letters().filter(created__gt=now - APART).exists():
        return
    for offer in reversed(lists.open_games(None)):
        is_news = now - NEWS_FOR < offer.game.created <= now - PATIENCE
        if not (is_news and (keys := _seats_to_tell(offer, now))):
            continue
        # The first one tells of all.
        claims = {**dict.fromkeys(keys, now), keys[0]: None}
        with write_transaction():
            insert(
                letter(hook, Outgoing.OPEN_SEATS, game=offer.game, name=key, claimed=claimed)
                for key, claimed in claims.items()
            )
        return


def _site_letters() -> QuerySet[Outgoing]:
    return Outgoing.objects.filter(channel=WebHook.kind, to=0)


def _seats_to_tell(offer: lists.OpenGame, now: datetime) -> list[SeatKey]:
    """Return the open seats of a game that are news, if its host and address have their turn."""
    game = offer.game
    same = Q(created_by=game.created_by_id) | Q(origin__isnull=False, origin=game.origin)
    earlier = Game.objects.filter(same, created__gt=now - COUNTED_FOR).exclude(pk=game.pk)
    if earlier.filter(Exists(_site_letters().filter(game=OuterRef("pk")))).count() >= MESSAGES:
        return []
    known = _site_letters().filter(game=game).values_list("name", flat=True)
    return sorted({spec.key for spec in offer.seats} - {*known})


def note_little_time() -> None:
    """Insert letters to the players whose flags fall soon, in games that are long enough."""
    now = timezone.now()
    soon = now + timedelta(milliseconds=MOST_WARNING)
    due = Game.objects.filter(status=Game.Status.RUNNING, flag_at__gt=now, flag_at__lte=soon)
    for game_id in due.order_by("flag_at").values_list("pk", flat=True)[:AT_ONCE]:
        try:
            snapshot = read_snapshot(game_id)
            late = {player for player in _late_players(snapshot) if channels_of(player)}
        except (Game.DoesNotExist, Unreadable):
            continue
        if late and not _is_told(snapshot, late):
            with write_transaction():
                note_event(snapshot, NoticeKind.LITTLE_TIME, to=late)


def _is_told(snapshot: GameSnapshot, players: Collection[UUID]) -> bool:
    """Return whether players have had this notice: once a move in days, otherwise once a game."""
    rows = Outgoing.objects.filter(game=snapshot.game, kind=NoticeKind.LITTLE_TIME)
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
    changed = Player.objects.filter(pk=player_id).values_list("muted_notices", flat=True).first()
    return set((changed or "").split()) ^ OFF_AT_FIRST


def choose_kinds(*, player: Player, wanted: Collection[str]) -> None:
    """Store the kinds of notices that a player wants. Unknown kinds are ignored."""
    muted = {kind for kind in NoticeKind.values if kind not in wanted}
    changed = " ".join(sorted(muted ^ OFF_AT_FIRST))
    with write_transaction():
        Player.objects.filter(pk=player.pk).update(muted_notices=changed)


def notice_of(row: Outgoing) -> Notice | None:
    """Return the notice of a letter; None if it is unwanted or pointless by now."""
    if row.kind == Outgoing.TEST:
        return Notice("", "")
    if row.kind == NoticeKind.DAY:
        return _notice_of_day(row)
    try:
        if row.player_id is None:
            game = Game.objects.select_related("created_by").get(pk=row.game_id)
            return Notice(game.pk, game.kind, row.kind, str(game.created_by or ""))
        snapshot = read_snapshot(str(row.game_id))
        if row.kind in muted_kinds(row.player_id) or not _is_current(row, row.player_id, snapshot):
            return None
        result = snapshot.game.result
    except (Game.DoesNotExist, Unreadable, ValueError):
        return None
    game, names = snapshot.game, _names_of_others(snapshot, row.player_id)
    if row.kind != NoticeKind.OVER or result is None:
        return Notice(game.pk, game.kind, row.kind, row.name, names)
    ended = ended_for(game.specs, result, snapshot.seats_of(row.player_id))
    winners = {
        name for seat in result.winners for name in snapshot.seating.places[seat].players.values()
    }
    name = "".join(winners) if ended == "lost" and len(winners) == 1 else ""
    return Notice(game.pk, game.kind, row.kind, name, names, ended)


def _notice_of_day(row: Outgoing) -> Notice | None:
    """Return the notice of the puzzles of today; None once the day is over or one is tried."""
    day, player_id = timezone.localtime(row.created).date(), row.player_id
    if player_id is None or day != timezone.localdate() or _has_tried(player_id, day):
        return None
    return None if row.kind in muted_kinds(player_id) else Notice("", "", row.kind)


def _has_tried(player_id: UUID, day: date) -> bool:
    return PuzzleAttempt.objects.filter(player=player_id, day=day).exists()


def _is_current(row: Outgoing, player_id: UUID, snapshot: GameSnapshot) -> bool:
    """Return whether a player still has something to learn or to do about an event."""
    game, mine = snapshot.game, snapshot.seats_of(player_id)
    is_late = row.kind == NoticeKind.TURN or row.channel == EmailAddress.kind
    if is_late and _has_moved(player_id, game.pk, row.created):
        return False
    if row.kind in NEWS and _has_seen(player_id, game.pk, row.created):
        return False
    match row.kind:
        case NoticeKind.TURN:
            return game.pk in {each.pk for each in _waiting_games(player_id, timedelta(0))}
        case NoticeKind.SEAT_TAKEN | NoticeKind.LOBBY_FULL | NoticeKind.BEGUN:
            # A player to move gets the notice of the turn.
            return bool(mine) and not game.over and mine.isdisjoint(game.to_move)
        case NoticeKind.DRAW_OFFERED | NoticeKind.UNDO_ASKED | NoticeKind.VOID_ASKED:
            question = pending(snapshot, row.kind)
            return question is not None and not mine.isdisjoint(question.waiting)
        case NoticeKind.REMATCH_OFFERED:
            return snapshot.rematch is not None and snapshot.rematch.waits
        case NoticeKind.CHALLENGED:
            stands = Seat.objects.filter(game=game.pk, asked=player_id, declined=None)
            return not game.begun and stands.exists()
        case NoticeKind.LITTLE_TIME:
            return player_id in _late_players(snapshot)
        case NoticeKind.SEAT_ASKED:
            # Their seat, or the one on which a stand-in sits by now.
            asked = {request.seat for request in pending_requests(snapshot).values()}
            claimed = any(claim.player == player_id for claim in claims(snapshot))
            return claimed or not mine.isdisjoint(asked)
    return game.over


def _names_of_others(snapshot: GameSnapshot, player_id: UUID) -> tuple[str, ...]:
    """Return the names of the other people in a game, '' for guests, without repeats."""
    people = {
        other: name
        for place in snapshot.seating.places.values()
        for other, name in place.players.items()
        if other != player_id
    }
    return tuple(people.values())
