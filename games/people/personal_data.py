"""Everything that is stored about a player, for the player to download."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F

from games.models import (
    Account,
    ApiToken,
    EmailAddress,
    KeptVariation,
    Pack,
    Passkey,
    Player,
    PuzzleAttempt,
    PuzzleRating,
    WebHook,
)
from games.people.bots import bots_of
from games.people.own_games import own_documents
from games.people.passkeys import passkeys_of


def write_data(player: Player) -> Iterator[str]:
    """Yield the JSON of everything stored about a player, in pieces, of thousands of games."""
    about = json.dumps(player_data(player), indent=1, ensure_ascii=False, cls=DjangoJSONEncoder)
    yield f'{about.removesuffix("}").rstrip()},\n "games": ['
    comma = ""
    for game in own_documents(player, lobbies=True):
        yield f"{comma}\n  {game.model_dump_json()}"
        comma = ","
    yield "\n ]\n}\n"


def player_data(player: Player) -> dict[str, Any]:
    """Return everything stored about a player, but for the games, as JSON."""
    account = Account.objects.filter(player=player).first()
    tokens = ApiToken.objects.filter(player=player).order_by("pk")
    kept = KeptVariation.objects.filter(player=player)
    attempts = PuzzleAttempt.objects.filter(player=player)
    return {
        "name": player.name,
        "created": player.created,
        "public_page": player.public_id,
        "account": account and {"name": account.name, "created": account.created},
        "email": EmailAddress.objects.filter(account__player=player)
        .values("address", "pending", "digests")
        .first(),
        "passkeys": [_passkey(passkey) for passkey in passkeys_of(account)] if account else [],
        "web_hook": WebHook.objects.filter(player=player).values_list("url", flat=True).first(),
        "devices": [
            *player.devices.order_by("created").values(
                "name", "seen", "seen_at", "signed_out", push=F("push_subscription__endpoint")
            )
        ],
        "tokens": [*tokens.values("name", "created", "used", "stopped")],
        "security": [*player.security_events.order_by("pk").values("kind", "about", "happened")],
        "bots": [
            {"name": str(bot), "about": bot.about, "kinds": bot.kinds} for bot in bots_of(player)
        ],
        "reports": [*player.reports.order_by("pk").values("address", "reason", "text", "created")],
        "variations": [*kept.values("game", "ply", "line", "name", "sentence")],
        "packs": [_pack(pack) for pack in player.packs.order_by("created")],
        "puzzles": [
            *attempts.values(
                "puzzle", "mistakes", "solved", "day", "change", solution_shown=F("revealed")
            )
        ],
        "puzzle_rating": PuzzleRating.objects.filter(player=player)
        .values_list("rating", flat=True)
        .first(),
        "day_words": [*player.given_words.values("day", "kind", "language", "word", "found")],
        "puzzle_runs": [*player.puzzle_runs.values("kind", "started", "solved", "faults", "best")],
    }


def _passkey(passkey: Passkey) -> dict[str, Any]:
    return {
        "name": passkey.name,
        "id": passkey.credential_id,
        "created": passkey.created,
        "used": passkey.used,
    }


def _pack(pack: Pack) -> dict[str, Any]:
    """Return a pack with the number of its used words, which may still be secret."""
    return {
        "name": pack.name,
        "kind": pack.kind,
        "language": pack.language,
        "words": pack.texts,
        "played": len(pack.used),
        "shared": bool(pack.salt),
        "created": pack.created,
    }
