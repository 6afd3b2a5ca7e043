"""Variations that are kept under an address, with a name and a sentence, to be discussed."""

from __future__ import annotations

import unicodedata
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from games.contract import text
from games.contract.unicode_text import (
    blank_character,
    excess_combining_mark,
    without_flag_tags,
    without_joiners,
)
from games.core.rate_limits import GAMES
from games.core.refusals import NotYourSeat, Refusal
from games.models import SENTENCE_LENGTH, VARIATION_NAME_LENGTH, KeptVariation, Player, new_game_id
from games.people.devices import has_account
from games.presentation.explored import explored_address
from games.presentation.pictures import public_picture
from games.presentation.sharing import sharing_title, variation_preview
from games.services.staff import check_not_hidden
from games.services.tokens import repeated_id
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import Variation, listed_variations, position_of, read_variation
from games.storage.write_lock import write_transaction
from games.views.analysis import find_analysis, looked_at, refuse_analysis, why_not
from games.views.common import find_game, form_action, require_player, show_page, with_player
from games.web.request import HttpRequest, form_key

MOST, MOST_OF_A_PLAYER = 50, 10
"""Variations that the analysis of one game lists, and those of one player."""
TOO_MANY = text("No more variations of this game can be kept. Delete one of yours first.")


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
        listed = listed_variations(snapshot.game, None).count()
        if rows.filter(player=player).count() >= MOST_OF_A_PLAYER or listed >= MOST:
            raise Refusal(TOO_MANY)
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


def hide_variation(*, player: Player, snapshot: GameSnapshot, key: str, hidden: bool) -> bool:
    """Take a variation off the analysis of a game on behalf of one of its players, or put it back.
    Its address stays good. Return whether there is one. Raises NotYourSeat or Refusal."""
    if not snapshot.seats_of(player.pk):
        raise NotYourSeat
    if not hidden:
        check_not_hidden(reverse("kept", args=[snapshot.game.id, key]))
    with write_transaction():
        rows = KeptVariation.objects.filter(pk=key, game=snapshot.game)
        return bool(rows.update(hidden=hidden))


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


def _kept(
    request: HttpRequest, snapshot: GameSnapshot, variation: Variation, player: Player
) -> str:
    name, sentence = request.POST.get("name", ""), request.POST.get("sentence", "")
    row = keep_variation(
        player=player,
        snapshot=snapshot,
        variation=variation,
        name=name,
        sentence=sentence,
        key=form_key(request),
    )
    return reverse("kept", args=[snapshot.game.id, row.pk])


def _form(request: HttpRequest, game_id: str, refused: Refusal | None = None) -> HttpResponse:
    snapshot = find_game(request, game_id)
    if why := why_not(request, snapshot):
        return refuse_analysis(request, game_id, why)
    context = {
        **_shown(snapshot, _variation(request, snapshot)),
        "name": request.POST.get("name", ""),
        "sentence": request.POST.get("sentence", ""),
        "name_length": VARIATION_NAME_LENGTH,
        "sentence_length": SENTENCE_LENGTH,
    }
    return show_page(request, "variations/keep.html", context, refused)


def _variation(request: HttpRequest, snapshot: GameSnapshot) -> Variation:
    """Return the variation in the address of a request. Raises Http404 for one without moves."""
    variation = looked_at(request.POST or request.GET, snapshot)
    if not variation.moves:
        raise Http404
    return variation


@form_action(_form, limits=GAMES, asks=_form)
def keep(request: HttpRequest, game_id: str) -> str:
    """Ask for the name of the variation in the address (GET), or keep it (POST)."""
    snapshot = find_analysis(request, game_id)
    variation = _variation(request, snapshot)
    return with_player(request, partial(_kept, request, snapshot, variation))


def _shown(snapshot: GameSnapshot, variation: Variation) -> dict[str, Any]:
    """Return the variation with the picture of its last position, as spectators see it."""
    whole = Variation(variation.ply, variation.moves, len(variation.moves))
    standing = Standing.of(position_of(snapshot, whole))
    return {
        "game": snapshot.game,
        "game_name": sharing_title(snapshot),
        "variation": whole,
        "picture": public_picture(snapshot.rules, standing),
        "address": reverse("analysis", args=[snapshot.game.id]) + explored_address(whole),
        "preview": variation_preview(snapshot, whole),
    }


@cache_control(no_store=True)
@require_safe
def kept(request: HttpRequest, game_id: str, key: str) -> HttpResponse:
    snapshot = find_game(request, game_id)
    if refused := why_not(request, snapshot):
        return refuse_analysis(request, game_id, refused)
    rows = KeptVariation.objects.filter(pk=key, game=snapshot.game).select_related("player")
    row = rows.first()
    if row is None or row.ply > snapshot.last_ply:
        raise Http404
    own = row.player_id == request.player_id
    if row.hidden and not own:
        check_not_hidden(request.path)
    shown = _shown(snapshot, read_variation(snapshot, row.ply, row.line))
    preview = variation_preview(snapshot, shown["variation"], row.name, row.sentence)
    context = {
        **shown,
        "kept": row,
        "own": own,
        "plays": request.player_id and snapshot.seats_of(request.player_id),
        "is_guest": not has_account(row.player),
        "is_listed": listed_variations(snapshot.game, None).filter(pk=key).exists(),
        "preview": preview,
        "share_address": request.build_absolute_uri(),
    }
    return render(request, "variations/kept.html", context)


@require_POST
def hide(request: HttpRequest, game_id: str, key: str) -> HttpResponse:
    """Take a variation off the analysis of a game, or put it ``back``."""
    snapshot, player = find_game(request, game_id), require_player(request)
    hidden = "back" not in request.POST
    if not hide_variation(player=player, snapshot=snapshot, key=key, hidden=hidden):
        raise Http404
    return redirect("kept", game_id, key)


@require_POST
def remove(request: HttpRequest, game_id: str, key: str) -> HttpResponse:
    snapshot = find_game(request, game_id)
    if request.player_id is None or not remove_variation(player=require_player(request), key=key):
        raise Http404
    return redirect(snapshot.game)
