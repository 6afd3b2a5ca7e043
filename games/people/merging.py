"""Merging two players into one, when the browser of one joins the other."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F, Q
from django.utils import timezone

from games.bus import notify_changed
from games.contract import text
from games.core.refusals import Refusal
from games.models import Account, Device, DeviceLink, Game, Holder, Move, Player, PushSubscription
from games.people.access import Kind, note, stop_programs
from games.services.insights import held_sets, noted_sets
from games.services.players import check_silence, set_name
from games.services.seats import free_seats
from games.state.identity import notify_devices
from games.state.snapshot import lock_snapshot
from games.storage.write_lock import write_transaction

CONFLICT = text(
    "Both devices play in the same game, in seats that one person can’t have together. Finish that"
    " game first."
)
TWO_ACCOUNTS = text("This device is signed in to another account. Sign it out there first.")


def merge_players(*, source: Player, target: Player) -> None:
    """Give everything that ``source`` has to ``target``, and delete ``source``. Its browsers are
    signed out; its programs stay listed, stopped.

    In a game of both, ``target`` gets the seats of both; a team's seat that both hold keeps one
    holder. In a lobby the seats of ``source`` are freed. Raises Refusal, before anything is
    written, if their seats or those of their bots in a running game have different information
    sets, if both have an account, or if a name could be a hint (`check_silence`)."""
    with write_transaction():
        games = _lock_games(source)
        if source.name != target.name:
            # One of the two would be seen under another name.
            check_silence(source if target.name else target)
        shared = _games_of_both(source, target)
        for game_id in shared:
            _combine(game_id, source, target)
        _check_bots(source, target)
        if Account.objects.filter(player__in=[source, target]).count() > 1:
            raise Refusal(TWO_ACCOUNTS)
        _end_access(source)
        if hasattr(source, "web_hook") and hasattr(target, "web_hook"):
            note(target, Kind.OLD_HOOK, source.web_hook.target)
        for relation in Player._meta.related_objects:
            if not relation.many_to_many and relation.related_model is not Move:
                _repoint(relation, source, target)
        # Which of a player's seats is the first in a game may be another one now.
        Holder.objects.filter(seat__game__in=shared).update(kind=None)
        # Moves have no index by player.
        Move.objects.filter(game__in=games, player=source).update(player=target)
        if source.name and not target.name:
            set_name(target, source.name)
        if source.suspended and not target.suspended:
            # Otherwise a suspended player could play on as another player.
            target.suspended, target.suspended_for = True, source.suspended_for
            target.save(update_fields=["suspended", "suspended_for"])
        Player.objects.filter(pk=source.pk).delete()
        _announce(games, source, target)


def _end_access(player: Player) -> None:
    """End all that can act for a player, so that none of it can act for another: the browsers,
    whose cookies contain its id or that of one of its devices, the links and the programs."""
    Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
    player.devices.filter(signed_out=None).update(signed_out=timezone.now())
    PushSubscription.objects.filter(device__player=player).delete()
    DeviceLink.objects.filter(player=player).delete()
    stop_programs(player)


def _lock_games(player: Player) -> list[str]:
    """Lock the games of a player and return their ids, in an order that prevents deadlocks."""
    # This lock keeps new seats away: in PostgreSQL, inserting a holder waits for the player's row.
    list(Player.objects.select_for_update().filter(pk=player.pk))
    held = Game.objects.filter(seats__players=player).values("pk")
    known = Q(pk__in=held) | Q(pk__in=player.insights.values("game"))
    games = Game.objects.select_for_update().filter(known).order_by("pk")
    return list(games.values_list("pk", flat=True))


def _games_of_both(source: Player, target: Player) -> list[str]:
    games = [
        {
            *player.seats.values_list("game", flat=True),
            *player.insights.values_list("game", flat=True),
        }
        for player in (source, target)
    ]
    return sorted(games[0] & games[1])


def _combine(game_id: str, source: Player, target: Player) -> None:
    """Prepare a game in which both players have seats. Raises Refusal."""
    snapshot = lock_snapshot(game_id)
    pair = (source.pk, target.pk)
    noted = set().union(*(noted_sets(game_id, player_id) for player_id in pair))
    if not snapshot.game.begun:
        free_seats(snapshot, snapshot.seats_of(source.pk), source)
        if noted and held_sets(snapshot, target.pk) - noted:
            free_seats(snapshot, snapshot.seats_of(target.pk), target)
    elif not snapshot.game.over:
        held = set().union(*(held_sets(snapshot, player_id) for player_id in pair))
        if len(held | noted) > 1:
            raise Refusal(CONFLICT)


def _check_bots(source: Player, target: Player) -> None:
    """Raise Refusal if a bot of one player has seen in a running game what the other must not."""
    for bot in Player.objects.filter(bot__owner__in=[source, target]):
        for player in (source, target):
            for game_id in _games_of_both(bot, player):
                snapshot = lock_snapshot(game_id)
                known = [
                    held_sets(snapshot, holder) | noted_sets(game_id, holder)
                    for holder in (bot.pk, player.pk)
                ]
                if not snapshot.game.over and len(set().union(*known)) > 1:
                    raise Refusal(CONFLICT)


def _repoint(relation: Any, source: Player, target: Player) -> None:
    """Give the rows of ``source`` to ``target``, but for those that must be unique."""
    name, rows = relation.field.name, relation.related_model._default_manager
    mine = rows.filter(**{name: source})
    if not _is_unique(relation.field):
        mine.update(**{name: target})
        return
    for key in list(mine.values_list("pk", flat=True)):
        try:
            with transaction.atomic():
                rows.filter(pk=key).update(**{name: target})
        except IntegrityError:
            continue


def _is_unique(field: models.Field[Any, Any]) -> bool:
    options = field.model._meta
    constraints = [c for c in options.constraints if isinstance(c, models.UniqueConstraint)]
    together = [*options.unique_together, *(constraint.fields for constraint in constraints)]
    return field.unique or any(field.name in names for names in together)


def _announce(games: list[str], source: Player, target: Player) -> None:
    """Count a version of each game, since its players have changed, and announce running games."""
    Game.objects.filter(pk__in=games).update(version=F("version") + 1)
    for game in Game.objects.filter(pk__in=games, status=Game.Status.RUNNING):
        game.marks = [mark for mark in game.marks if mark["player"] != str(source.pk)]
        game.claims = _united_claims(game, source, target)
        game.save(update_fields=["marks", "claims"])
        notify_changed(game)
    for player in (source, target):
        notify_devices(player)


def _united_claims(game: Game, source: Player, target: Player) -> list[dict[str, Any]] | None:
    """Return the claims of a game after a merge: nobody stands in for oneself."""
    ids = {str(source.pk): str(target.pk)}
    claims = [
        {**claim, "player": ids.get(claim["player"], claim["player"]), "by": by}
        for claim in game.claims or ()
        for by in [ids.get(claim["by"], claim["by"])]
    ]
    return [claim for claim in claims if claim["player"] != claim["by"]] or None
