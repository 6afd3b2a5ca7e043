"""Bots and their owners, who count as one person where secrets are at stake."""

from __future__ import annotations

from uuid import UUID

from games.models import Bot


def is_bot(player_id: UUID) -> bool:
    """Return whether a player is a bot."""
    return Bot.objects.filter(player=player_id).exists()


def same_person(player_id: UUID) -> set[UUID]:
    """Return the players whose secrets a person can read: the person and all its bots, for any of
    them."""
    owners = Bot.objects.filter(player=player_id).values_list("owner", flat=True)
    owner = next(iter(owners), player_id)
    return {owner, *Bot.objects.filter(owner=owner).values_list("player", flat=True)}
