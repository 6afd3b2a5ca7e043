"""The visitor's packs: creating, changing, deleting, sharing and copying them.

A GET changes nothing, so previews in messengers make no copies."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.contract import Rules, text
from games.core.rate_limits import PACKS
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import PACK_NAME_LENGTH, Pack
from games.services import packs as packs_services
from games.services.packs import (
    MOST_TEXTS,
    copy_pack,
    edit_pack,
    make_pack,
    pack_of_token,
    pack_token,
    packs_of,
)
from games.views.common import check_suspended, form_action, require_player, show_page, with_player
from games.views.errors import page
from games.views.lobby.new import find_rules
from games.web.request import HttpRequest

NO_PACK = text("This link to a word pack is no longer valid.")


@require_safe
def packs(request: HttpRequest) -> HttpResponse:
    player = request.get_player()
    context = {
        "packs": packs_of(player) if player else [],
        "kinds": [rules for rules in all_rules().values() if rules.pack],
        "done": request.GET.get("done", ""),
    }
    return render(request, "packs/packs.html", context)


def _new_form(request: HttpRequest, slug: str, refused: Refusal | None = None) -> HttpResponse:
    return _form(request, _rules(slug), refused=refused)


def _rules(slug: str) -> Rules:
    rules = find_rules(slug)
    if rules.pack is None:
        raise Http404
    return rules


@form_action(_new_form, limits=PACKS, asks=_new_form)
def new_pack(request: HttpRequest, slug: str) -> str:
    """Ask for the words of a new pack (GET), and store it (POST)."""
    rules, typed = _rules(slug), _typed(request)
    with_player(request, lambda player: make_pack(player=player, rules=rules, **typed))
    return f"{reverse('packs')}?done=saved"


def _own_form(request: HttpRequest, pack_id: UUID, refused: Refusal | None = None) -> HttpResponse:
    own = _own_pack(request, pack_id)
    return _form(request, all_rules()[own.kind], own, refused)


@form_action(_own_form, limits=PACKS, asks=_own_form)
def pack(request: HttpRequest, pack_id: UUID) -> str:
    """Show a pack of the visitor (GET), and change it (POST)."""
    _own_pack(request, pack_id)
    check_suspended(request)
    edit_pack(player=require_player(request), pack_id=pack_id, **_typed(request))
    return f"{reverse('packs')}?done=saved"


@require_POST
def delete_pack(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    _own_pack(request, pack_id)
    packs_services.delete_pack(player=require_player(request), pack_id=pack_id)
    return redirect(f"{reverse('packs')}?done=deleted")


@form_action(_own_form, limits=PACKS)
def share_pack(request: HttpRequest, pack_id: UUID) -> str:
    """Give a pack of the visitor a link, or ``cancel`` its link."""
    _own_pack(request, pack_id)
    check_suspended(request)
    shared = "cancel" not in request.POST
    packs_services.share_pack(player=require_player(request), pack_id=pack_id, shared=shared)
    return f"{reverse('pack', args=[pack_id])}#share"


def _offer(request: HttpRequest, token: str, refused: Refusal | None = None) -> HttpResponse:
    found = pack_of_token(token[:64])
    if found is None:
        return page(request, 410, text("This link no longer works"), NO_PACK)
    context = {
        "pack": found,
        "rules": all_rules()[found.kind],
        "is_own": found.player_id == request.player_id,
    }
    return show_page(request, "packs/shared_pack.html", context, refused)


@form_action(_offer, limits=PACKS, asks=_offer)
def shared_pack(request: HttpRequest, token: str) -> str:
    """Show a pack that another player shares (GET), and store a copy or play with it (POST)."""
    found = pack_of_token(token[:64])
    if found is None:
        raise Refusal(NO_PACK)
    own = with_player(request, lambda player: copy_pack(player=player, pack=found))
    if "play" in request.POST:
        return f"{reverse('new', args=[own.kind])}?pack={own.pk}"
    return f"{reverse('packs')}?done=copied"


def _own_pack(request: HttpRequest, pack_id: UUID) -> Pack:
    player = request.get_player()
    own = packs_of(player) if player else []
    found = next((pack for pack in own if pack.pk == pack_id), None)
    if found is None:
        raise Http404
    return found


def _typed(request: HttpRequest) -> dict[str, str]:
    return {
        "name": request.POST.get("name", ""),
        "pasted": request.POST.get("words", ""),
        "language": request.POST.get("language", ""),
    }


def _form(
    request: HttpRequest, rules: Rules, own: Pack | None = None, refused: Refusal | None = None
) -> HttpResponse:
    values = _typed(request) if "words" in request.POST else _stored(request, own)
    token = pack_token(own) if own else ""
    context: dict[str, Any] = {
        **values,
        "rules": rules,
        "pack": own,
        "languages": _languages(rules),
        "name_length": PACK_NAME_LENGTH,
        "most": MOST_TEXTS,
        "address": request.build_absolute_uri(reverse("shared_pack", args=[token]))
        if token
        else "",
    }
    return show_page(request, "packs/pack.html", context, refused)


def _stored(request: HttpRequest, own: Pack | None) -> dict[str, str]:
    """Return the values of a pack for its form. A new pack has the language of the page."""
    if own is None:
        return {"name": "", "pasted": "", "language": request.LANGUAGE_CODE}
    return {"name": own.name, "pasted": "\n".join(own.texts), "language": own.language}


def _languages(rules: Rules) -> list[tuple[str, str]]:
    options = [option for option in rules.options if option.name == "language"]
    return [(value, translate(label)) for option in options for value, label in option.choices]
