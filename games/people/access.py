"""Who can act for a player: the programs, which can be stopped, and a log of security events."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import ApiToken, Player, SecurityEvent, WebHook
from games.models.players import DEVICE_NAME_LENGTH
from games.state.identity import notify_devices
from games.storage.write_lock import write_transaction

Kind = SecurityEvent.Kind
KEPT, SHOWN = 50, 10
"""Events that are kept of a player, and those on the page."""
OFTEN = {Kind.WRONG, Kind.REFUSED}
"""Kinds that a stranger or a program can repeat: one an hour is stored."""
AGAIN = timedelta(hours=1)

logger = logging.getLogger(__name__)


def note(player: Player, kind: SecurityEvent.Kind, about: str = "") -> None:
    """Log an event, and store it for the player to see. ``about`` names a device or program."""
    logger.info("security: %s, player %s, %r", kind.value, player.pk, about)
    with write_transaction():
        events = SecurityEvent.objects.filter(player=player)
        if kind in OFTEN:
            recent = events.filter(kind=kind, happened__gt=timezone.now() - AGAIN)
            if recent.exists():
                return
        SecurityEvent.objects.create(player=player, kind=kind, about=about[:DEVICE_NAME_LENGTH])
        old = list(events.order_by("-pk").values_list("pk", flat=True)[KEPT:])
        events.filter(pk__in=old).delete()


def last_events(player: Player) -> QuerySet[SecurityEvent]:
    return SecurityEvent.objects.filter(player=player).order_by("-pk")[:SHOWN]


def tokens_of(player: Player) -> QuerySet[ApiToken]:
    """Return the tokens of a player and of the player's bots, the newest first."""
    tokens = ApiToken.objects.filter(game=None).select_related("player")
    return tokens.filter(Q(player=player) | Q(player__bot__owner=player)).order_by("-pk")


def stop_programs(player: Player, *, keep_bots: bool = False) -> None:
    """Stop the tokens of a player and of its bots, and the web hook, which stay listed."""
    now = timezone.now()
    with write_transaction():
        tokens = tokens_of(player).filter(stopped=None)
        for token in tokens.filter(player=player) if keep_bots else tokens:
            ApiToken.objects.filter(pk=token.pk).update(stopped=now)
            notify_devices(token.player)
        WebHook.objects.filter(player=player, stopped=None).update(stopped=now)


def has_stopped_programs(player: Player) -> bool:
    hooks = WebHook.objects.filter(player=player)
    return any(rows.exclude(stopped=None).exists() for rows in (tokens_of(player), hooks))


def allow_token(*, player: Player, token_id: int) -> None:
    """Let a stopped token of a player, or of one of the player's bots, go on."""
    with write_transaction():
        if token := tokens_of(player).filter(pk=token_id).exclude(stopped=None).first():
            ApiToken.objects.filter(pk=token.pk).update(stopped=None)
            note(player, Kind.ALLOWED, token.name)


def allow_hook(*, player: Player) -> None:
    with write_transaction():
        if WebHook.objects.filter(player=player).exclude(stopped=None).update(stopped=None):
            note(player, Kind.ALLOWED)
