"""Making, finding and withdrawing the tokens of a player."""

from __future__ import annotations

import secrets

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.contract import text
from games.core.refusals import Refusal
from games.models import ApiToken, Bot, Player
from games.services.players import clean_name
from games.services.tokens import hash_token
from games.state.identity import notify_devices
from games.storage.write_lock import write_transaction

MOST = 20
LONGEST = 100
"""Characters of a header’s token; longer ones are nobody’s."""
TOO_MANY = text("You have %(n)s tokens already. Withdraw one first.", n=MOST)
NO_NAME = text("Give the token a name, such as that of your program.")


def tokens_of(player: Player) -> QuerySet[ApiToken]:
    """Return the tokens of a player and of the player's bots, the newest first."""
    tokens = ApiToken.objects.filter(game=None).select_related("player")
    return tokens.filter(Q(player=player) | Q(player__bot__owner=player)).order_by("-pk")


def make_token(*, player: Player, name: str, bot: Bot | None = None) -> str:
    """Return a new token, which cannot be shown again: of a ``bot`` of the player, or else of the
    player. Raises Refusal or BadName."""
    cleaned = clean_name(name)
    if not cleaned:
        raise Refusal(NO_NAME)
    token = secrets.token_urlsafe(24)
    with write_transaction():
        if tokens_of(player).count() >= MOST:
            raise Refusal(TOO_MANY)
        ApiToken.objects.create(
            player=bot.player if bot else player,
            name=cleaned,
            token_hash=hash_token(token),
        )
    return token


def withdraw_token(*, player: Player, token_id: int) -> None:
    """Withdraw a token of a player or of one of the player's bots, if there still is one with this
    id. Streams of its player end, and are opened again by those with a right."""
    with write_transaction():
        if token := tokens_of(player).filter(pk=token_id).first():
            token.delete()
            notify_devices(token.player)


def bearer_token(request: HttpRequest) -> str:
    """Return the token in the header Authorization, '' without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token[:LONGEST] if scheme.lower() == "bearer" else ""


def find_token(token: str) -> ApiToken | None:
    """Return the row of a token, None for an unknown or withdrawn one."""
    # Another host, still with the version before, may store a token for one seat.
    rows = ApiToken.objects.filter(game=None).select_related("player")
    return rows.filter(token_hash=hash_token(token)).first()
