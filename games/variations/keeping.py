"""Keeping variations of a game under an address, with a name and a sentence."""

from __future__ import annotations

import unicodedata

from games.contract import text
from games.contract.unicode_text import (
    blank_character,
    excess_combining_mark,
    without_flag_tags,
    without_joiners,
)
from games.core.refusals import Refusal
from games.models import SENTENCE_LENGTH, VARIATION_NAME_LENGTH, KeptVariation, Player, new_game_id
from games.services.tokens import repeated_id
from games.state.snapshot import GameSnapshot
from games.state.variations import Variation
from games.storage.write_lock import write_transaction

MOST = 50
"""Variations that are kept of one game."""


def keep_variation(
    *,
    player: Player,
    snapshot: GameSnapshot,
    variation: Variation,
    name: str,
    sentence: str = "",
    key: str = "",
) -> KeptVariation:
    """Store a variation, once for each ``key``. Raises Refusal for a variation without a move or a
    name, for texts that hide something or are too long, and if too many are kept."""
    if not variation.moves or not name.strip():
        raise Refusal(text("A variation needs a move and a name."))
    cleaned = _clean(name, VARIATION_NAME_LENGTH), _clean(sentence, SENTENCE_LENGTH)
    row_id, rows = repeated_id(player.pk, key), KeptVariation.objects.filter(game=snapshot.game)
    with write_transaction():
        if row_id and (known := rows.filter(pk=row_id).first()):
            return known
        if rows.count() >= MOST:
            raise Refusal(text("At most %(n)s variations of a game can be kept.", n=MOST))
        return KeptVariation.objects.create(
            id=row_id or new_game_id(),
            game=snapshot.game,
            player=player,
            ply=variation.ply,
            line=variation.whole,
            name=cleaned[0],
            sentence=cleaned[1],
        )


def remove_variation(*, player: Player, key: str) -> bool:
    """Delete a variation that the player has kept. Return whether there was one."""
    with write_transaction():
        return bool(KeptVariation.objects.filter(pk=key, player=player).delete()[0])


def _clean(written: str, most: int) -> str:
    """Return a text in its stored form: composed (NFC), with single spaces. Raises Refusal."""
    if len(written) > 10 * most:
        raise Refusal(text("That’s too long: at most %(n)s characters.", n=most))
    cleaned = " ".join(unicodedata.normalize("NFC", written).split())
    visible = without_joiners(without_flag_tags(cleaned)).replace("\ufe0f", "")
    if len(cleaned) > most:
        raise Refusal(text("That’s too long: at most %(n)s characters.", n=most))
    if not visible.isprintable() or blank_character(visible) or excess_combining_mark(visible):
        raise Refusal(text("The text can’t contain invisible characters."))
    return cleaned
