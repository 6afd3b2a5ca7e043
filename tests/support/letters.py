"""Letters of a test, claimed as a worker claims them."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.utils import timezone

from games.models import Outgoing, Player, WebHook
from games.notices import events, outgoing
from games.notices.events import Notice
from games.worker.outbox import SENDERS


def claim_notices(player_id: UUID) -> list[Notice]:
    """Claim the letters that are due to the web hook of a player, and return their notices."""
    events.note_turns(player_id)
    others = Outgoing.objects.exclude(player=player_id).values_list("to", flat=True)
    return claim_all([Outgoing(to=to) for to in others])


def claim_all(under_way: list[Outgoing] | None = None) -> list[Notice]:
    """Claim the letters that are due to web hooks, and return their notices."""
    found = []
    while rows := outgoing.claim(WebHook.kind, under_way or []):
        if notice := events.notice_of(rows[0]):
            found.append(notice)
        else:
            outgoing.delete(rows)
    return found


def let_all_be_due() -> None:
    Outgoing.objects.update(due=timezone.now())


def claimed_lines() -> Iterator[str]:
    """Claim all letters that are due, and yield for each its channel, kind, game, ply, name and
    player."""
    for player in Player.objects.all():
        events.note_turns(player.pk)
    for channel in SENDERS:
        while letters := outgoing.claim(channel, []):
            for row in letters:
                player_id = row.player_id.hex if row.player_id else ""
                parts = (channel, row.kind, row.game_id, row.ply, row.name, player_id)
                yield "|".join(map(str, parts))
