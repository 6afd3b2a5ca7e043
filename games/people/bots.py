"""Bots: making, changing and deleting them, by their owners."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from django.db.models import QuerySet

from games.contract import text
from games.contract.unicode_text import display_excerpt
from games.core.refusals import BadName, Refusal
from games.core.registry import all_rules
from games.models import ABOUT_LENGTH, NAME_LENGTH, Bot, Player, new_game_id
from games.people.forgetting import forget_player
from games.services.players import (
    BOT_MARK,
    check_silence,
    clean_name,
    count_versions,
    set_name,
)
from games.state.row_faults import is_list_of_texts
from games.storage.write_lock import write_transaction

MOST = 5
NAME_OF_BOT = NAME_LENGTH - len(BOT_MARK)
"""Characters of a bot's name before the mark."""
TOO_MANY = text("You have %(n)s bots already. Delete one first.", n=MOST)
NO_NAME = text("Give the bot a name.")
TOO_LONG = text("A bot’s name can have at most %(n)s characters.", n=NAME_OF_BOT)
NO_KIND = text("Choose at least one game that the bot plays.")


def bots_of(owner: Player) -> QuerySet[Bot]:
    return Bot.objects.filter(owner=owner).select_related("player").order_by("-pk")


def make_bot(*, owner: Player, name: str, about: str, kinds: Collection[str]) -> Bot:
    """Store a new bot, a player with a public page. Raises Refusal or BadName."""
    marked, known = _marked(name), _known(kinds)
    with write_transaction():
        if bots_of(owner).count() >= MOST:
            raise Refusal(TOO_MANY)
        player = Player.objects.create(public_id=new_game_id())
        set_name(player, marked)
        return Bot.objects.create(player=player, owner=owner, about=_line(about), kinds=known)


def change_bot(*, bot: Bot, name: str, about: str, kinds: Collection[str]) -> None:
    """Change the name of a bot, and its description on the page of bots. Raises Refusal or
    BadName."""
    marked, known = _marked(name), _known(kinds)
    with write_transaction():
        if marked != bot.player.name:
            check_silence(bot.player)
            set_name(bot.player, marked)
            count_versions(bot.player)
        bot.about, bot.kinds = _line(about), known
        bot.save(update_fields=["about", "kinds"])


def delete_bot(*, bot: Bot) -> None:
    """Delete a bot. It resigns where others wait for it, and a guest gets its seats."""
    forget_player(player=bot.player)


def _marked(name: str) -> str:
    cleaned = clean_name(name)
    if not cleaned:
        raise BadName(NO_NAME)
    if len(cleaned) > NAME_OF_BOT:
        raise BadName(TOO_LONG)
    return cleaned + BOT_MARK


def known_kinds(bot: Bot) -> list[str]:
    """Return the slugs of the kinds that a bot plays; none for a damaged row."""
    return _known(bot.kinds) if is_list_of_texts(bot.kinds) else []


def _known(kinds: Collection[str]) -> list[str]:
    known = [slug for slug in all_rules() if slug in kinds]
    if not known:
        raise Refusal(NO_KIND)
    return known


def _line(about: str) -> str:
    composed = " ".join(unicodedata.normalize("NFC", about).split())
    return display_excerpt(composed, ABOUT_LENGTH)
