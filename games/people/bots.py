"""Programs of players: bots, and the tokens with which they play."""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.contract import text
from games.contract.unicode_text import display_excerpt
from games.core.refusals import BadName, Refusal
from games.core.registry import all_rules
from games.models import ABOUT_LENGTH, NAME_LENGTH, ApiToken, Bot, Player, new_game_id
from games.people.access import Kind, note, tokens_of
from games.people.devices import is_noted
from games.people.forgetting import forget_player
from games.services.players import BOT_MARK, check_silence, clean_name, count_versions, set_name
from games.services.tokens import hash_token, repeated_id
from games.services.tokens import make_token as derive_token
from games.state.identity import is_bot, notify_devices
from games.state.row_faults import is_list_of_texts
from games.storage.write_lock import write_transaction

MOST, MOST_TOKENS = 5, 20
REPEATED = 600
LISTED = 2
"""Bots of one owner, and of one address, on the public list."""
NAME_OF_BOT = NAME_LENGTH - len(BOT_MARK)
"""Characters of a bot's name before the mark."""
TOO_MANY = text("You have %(n)s bots already. Delete one first.", n=MOST)
NO_NAME = text("Give the bot a name.")
TOO_LONG = text("A bot’s name can have at most %(n)s characters.", n=NAME_OF_BOT)
TOO_MANY_TOKENS = text("You have %(n)s tokens already. Withdraw one first.", n=MOST_TOKENS)
NO_NAME_OF_TOKEN = text("Give the token a name, such as that of your program.")
NO_KIND = text("Choose at least one game that the bot plays.")


def bots_of(owner: Player) -> QuerySet[Bot]:
    return Bot.objects.filter(owner=owner).select_related("player").order_by("-pk")


def listed_bots(lister: str = "") -> QuerySet[Bot]:
    """Return the bots on the public list for a visitor at the address of ``lister``: those of
    owners with an account, two of each owner and each address, and all of the visitor's own.
    Those hidden by staff have no page."""
    known = Q(owner__account__isnull=False)
    shown = Bot.objects.filter(player__suspended=False, player__public_id__isnull=False)
    listed = shown.filter(known | Q(listed_until__gt=timezone.now()))
    before = listed.filter(pk__lt=OuterRef("pk"))
    crowded = [
        Exists(before.filter(**{name: OuterRef(name)})[LISTED - 1 : LISTED])
        for name in ("owner", "lister")
    ]
    return listed.filter(Q(lister=lister) | ~(crowded[0] | crowded[1]))


def make_bot(
    *,
    owner: Player,
    name: str,
    about: str,
    kinds: Collection[str],
    key: str = "",
    lister: str | None = None,
) -> Bot:
    """Store a new bot with a public page, once for each ``key``. Raises Refusal or BadName."""
    marked, known = _marked(name), _chosen(kinds)
    public_id = repeated_id(owner.pk, key) or new_game_id()
    with write_transaction():
        if repeated := bots_of(owner).filter(player__public_id=public_id).first():
            return repeated
        if bots_of(owner).count() >= MOST:
            raise Refusal(TOO_MANY)
        player = Player.objects.create(public_id=public_id)
        set_name(player, marked)
        return Bot.objects.create(
            player=player, owner=owner, about=_line(about), kinds=known, lister=lister
        )


def change_bot(*, bot: Bot, name: str, about: str, kinds: Collection[str]) -> None:
    """Change the name and the description of a bot. Raises Refusal or BadName."""
    marked, known = _marked(name), _chosen(kinds)
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
    return [slug for slug in all_rules() if slug in kinds]


def _chosen(kinds: Collection[str]) -> list[str]:
    if known := _known(kinds):
        return known
    raise Refusal(NO_KIND)


def _line(about: str) -> str:
    composed = " ".join(unicodedata.normalize("NFC", about).split())
    return display_excerpt(composed, ABOUT_LENGTH)


def make_token(*, player: Player, name: str, bot: Bot | None = None, key: str = "") -> str:
    """Return a new token, which cannot be shown again: of a ``bot`` of the player, or else of the
    player. With a ``key`` it is the same for `REPEATED` seconds, since the answer that showed it
    may have been lost. Raises Refusal or BadName."""
    cleaned = clean_name(name)
    if not cleaned:
        raise Refusal(NO_NAME_OF_TOKEN)
    salt = key and f"{key}:{time.time() // REPEATED}"
    token = derive_token("games.program", player.pk, salt) or secrets.token_urlsafe(24)
    with write_transaction():
        if tokens_of(player).filter(token_hash=hash_token(token)).exists():
            return token
        if tokens_of(player).count() >= MOST_TOKENS:
            raise Refusal(TOO_MANY_TOKENS)
        ApiToken.objects.create(
            player=bot.player if bot else player, name=cleaned, token_hash=hash_token(token)
        )
        note(player, Kind.TOKEN, cleaned)
    return token


def withdraw_token(*, player: Player, token_id: int) -> None:
    """Withdraw a token of a player or of one of the player's bots, if there still is one with this
    id. Streams of its player end, and are opened again by those with a right."""
    with write_transaction():
        if token := tokens_of(player).filter(pk=token_id).first():
            token.delete()
            notify_devices(token.player)
            note(player, Kind.WITHDRAWN, token.name)


def find_token(token: str) -> ApiToken | None:
    """Return the row of a token, and note its use; None without a right."""
    # Another host, still with the version before, may store a token for one seat.
    rows = ApiToken.objects.filter(game=None).select_related("player")
    found = rows.filter(token_hash=hash_token(token)).first()
    if found is None:
        return None
    if found.stopped:
        owner = found.player.bot.owner if is_bot(found.player_id) else found.player
        note(owner, Kind.REFUSED, found.name)
        return None
    if not is_noted(found.token_hash):
        with write_transaction():
            ApiToken.objects.filter(pk=found.pk).update(used=timezone.now())
    return found
