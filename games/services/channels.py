"""The channels of a player: which there are, and how each is set."""

from __future__ import annotations

from enum import Enum
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils.translation import get_language

from games.contract import text
from games.models import Channel, EmailAddress, Player, PushSubscription, WebHook
from games.models.channels import HOOK_LENGTH
from games.outgoing import BadAddress, parse_address
from games.refusals import Refusal
from games.storage.write_lock import write_transaction

KINDS: tuple[type[Channel], ...] = (WebHook, PushSubscription)
"""The models of channels. For each of them, `games.messenger` has a function that sends."""
PLAYERS_AT_ONCE = 50
MOST_FAILURES = 20
"""Notices in a row that did not arrive, after which a channel is removed."""


class Outcome(Enum):
    """How the sending of a notice ended."""

    ARRIVED = "arrived"
    FAILED = "failed"
    BUSY = "busy"
    """The service asks to try again later, which is done once."""
    GONE = "gone"
    """The channel has ended, and is removed."""


class BadHook(Refusal):
    """An address to which the site does not send."""

    reason = text("Enter an address that begins with https:// and is open to the internet.")


def set_hook(*, player: Player, url: str, site: str) -> None:
    """Set the address to which a player's turns are told; '' removes it. Raises BadHook."""
    cleaned = url.strip()
    if cleaned:
        try:
            parse_address(cleaned)
        except BadAddress as error:
            raise BadHook from error
        if len(cleaned) > HOOK_LENGTH:
            raise BadHook
    with write_transaction():
        WebHook.objects.filter(player=player).delete()
        if cleaned:
            language = get_language() or "en"
            WebHook.objects.create(player=player, url=cleaned, site=site, language=language)


def hook_of(player: Player) -> WebHook | None:
    """Return the web hook of a player, if there is one."""
    return WebHook.objects.filter(player=player).first()


def _kinds() -> list[type[Channel]]:
    """Return the kinds of channels that the site is configured for."""
    return [kind for kind in KINDS if kind is not PushSubscription or settings.PUSH_KEY]


def channels_of(player_id: UUID) -> list[Channel]:
    """Return all channels of a player."""
    return [
        channel
        for kind in _kinds()
        for channel in kind._default_manager.filter(**{kind.owner: player_id})
    ]


def players_after(last: UUID | None) -> list[UUID]:
    """Return the next players that have a channel or get digests, by their ids."""
    found: set[UUID] = set()
    sources = [(kind._default_manager.all(), kind.owner) for kind in _kinds()]
    digests = EmailAddress.objects.filter(digests=True).exclude(address="")
    for source, owner in [*sources, (digests, "account__player")]:
        rows = source.order_by(owner).distinct()
        if last is not None:
            rows = rows.filter(**{f"{owner}__gt": last})
        found.update(rows.values_list(owner, flat=True)[:PLAYERS_AT_ONCE])
    return sorted(found)[:PLAYERS_AT_ONCE]


def note_sent(*, channel: Channel, outcome: Outcome) -> None:
    """Count a notice that did not arrive; remove a channel that has ended or fails again and
    again."""
    if outcome is Outcome.ARRIVED and not channel.failures:
        return
    mine = type(channel)._default_manager.filter(pk=channel.pk)
    with write_transaction():
        if outcome is Outcome.GONE:
            mine.delete()
            return
        mine.update(failures=0 if outcome is Outcome.ARRIVED else F("failures") + 1)
        mine.filter(failures__gte=MOST_FAILURES).delete()
