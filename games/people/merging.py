"""Merging two players into one, when the browser of one joins the other."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F

from games.contract import text
from games.core.refusals import Refusal
from games.models import Account, Device, DeviceLink, Game, Move, Player
from games.services.players import set_name
from games.services.seats import free_seats
from games.state.signals import notify_changed, notify_devices
from games.state.snapshot import lock_snapshot
from games.storage.write_lock import write_transaction

CONFLICT = text(
    "Both devices play in the same game, in seats that one person can’t have together. Finish that"
    " game first."
)
TWO_ACCOUNTS = text("This device is signed in to another account. Sign it out there first.")


def merge_players(*, source: Player, target: Player) -> None:
    """Give everything that ``source`` has to ``target``, and delete ``source``.

    In a game of both, ``target`` gets the seats of both; a team's seat that both hold keeps one
    holder. In a lobby the seats of ``source`` are freed. Raises Refusal, before anything is
    written, if their seats in a running game have different information sets, or if both have an
    account."""
    with write_transaction():
        games = _lock_games(source)
        both = target.seats.filter(game__in=games).values_list("game", flat=True)
        for game_id in set(both):
            _combine(game_id, source, target)
        if Account.objects.filter(player__in=[source, target]).count() > 1:
            raise Refusal(TWO_ACCOUNTS)
        DeviceLink.objects.filter(player=source).delete()
        for relation in Player._meta.related_objects:
            if not relation.many_to_many and relation.related_model is not Move:
                _repoint(relation, source, target)
        # Moves have no index by player.
        Move.objects.filter(game__in=games, player=source).update(player=target)
        if source.name and not target.name:
            set_name(target, source.name)
        if source.suspended and not target.suspended:
            # Otherwise a suspended player could play on as another player.
            target.suspended = True
            target.save(update_fields=["suspended"])
        # The cookies of the browsers of ``source`` contain its id, or that of one of its devices.
        Device.objects.get_or_create(pk=source.pk, defaults={"player": target})
        Player.objects.filter(pk=source.pk).delete()
        _announce(games, source, target)


def _lock_games(player: Player) -> list[str]:
    """Lock the games of a player and return their ids, in an order that prevents deadlocks."""
    # This lock keeps new seats away: in PostgreSQL, inserting a holder waits for the player's row.
    list(Player.objects.select_for_update().filter(pk=player.pk))
    ids = Game.objects.filter(seats__players=player).values("pk")
    games = Game.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return list(games.values_list("pk", flat=True))


def _combine(game_id: str, source: Player, target: Player) -> None:
    """Prepare a game in which both players have seats. Raises Refusal."""
    snapshot = lock_snapshot(game_id)
    theirs, own = snapshot.seats_of(source.pk), snapshot.seats_of(target.pk)
    if not snapshot.game.begun:
        free_seats(snapshot, theirs, source)
    elif not snapshot.game.over:
        seen = {spec.key: spec.information_set for spec in snapshot.specs}
        if len({seen[key] for key in theirs | own}) > 1:
            raise Refusal(CONFLICT)


def _repoint(relation: Any, source: Player, target: Player) -> None:
    """Give the rows that refer to ``source`` to ``target``. Rows that would violate a unique
    constraint are deleted with ``source``."""
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
    """Return whether a unique constraint includes the field."""
    options = field.model._meta
    constraints = [c for c in options.constraints if isinstance(c, models.UniqueConstraint)]
    together = [*options.unique_together, *(constraint.fields for constraint in constraints)]
    return field.unique or any(field.name in names for names in together)


def _announce(games: list[str], source: Player, target: Player) -> None:
    """Count a version of each game, since its players have changed, and announce running games."""
    Game.objects.filter(pk__in=games).update(version=F("version") + 1)
    for game in Game.objects.filter(pk__in=games, status=Game.Status.RUNNING):
        if any(mark["player"] == str(source.pk) for mark in game.marks):
            game.marks = [mark for mark in game.marks if mark["player"] != str(source.pk)]
            game.save(update_fields=["marks"])
        notify_changed(game)
    for player in (source, target):
        notify_devices(player)
