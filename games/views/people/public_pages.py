"""The public pages of players, and reports of words on these and others."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_POST, require_safe

from games.contract import text
from games.core.rate_limits import REPORTS, SEATS
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import REPORT_LENGTH, Bot, KeptVariation, Pack, Player, Report, SchoolClass
from games.people import own_games
from games.people.reports import make_report
from games.presentation.lists import Entry, build_public_entry
from games.presentation.sharing import player_preview
from games.services.challenges import can_be_asked
from games.services.players import end_warning
from games.state import lists
from games.state.lists import Filters
from games.views.common import (
    check_suspended,
    count_request,
    find_game,
    form_action,
    pictured,
    require_player,
    show_page,
)
from games.web.request import HttpRequest


@require_safe
def player_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the public games of a player: the running ones, and a page of finished ones."""
    player = own_games.player_of_page(public_id)
    if player is None:
        raise Http404
    filters, older = Filters.parse(request.GET), request.GET.get("before", "")
    page = lists.finished_page(player, replace(filters, name=""), older=older, public=True)
    running = [] if older else pictured(_running(player))
    finished = pictured([build_public_entry(*listed, player.pk) for listed in page.games])
    context = {
        "player": player,
        "filters": filters,
        "kinds": all_rules().values(),
        "running": running,
        "finished": finished,
        "preview": player_preview(player, [item.entry.game for item in [*running, *finished]]),
        "older": page.older,
        "is_first": not older,
        "asked": not request.player_id or can_be_asked(player, by=request.player_id),
    }
    return render(request, "people/player_page.html", context)


def _running(player: Player) -> list[Entry]:
    found = [listed for listed in lists.running_games(player) if listed.game.begun]
    open_games = [listed for listed in found if not listed.game.closed]
    open_games.sort(key=lambda listed: listed.game.updated, reverse=True)
    return [build_public_entry(*listed, player.pk) for listed in open_games]


@require_POST
def publish(request: HttpRequest) -> HttpResponse:
    """Give the visitor a public page, or with ``public=no`` remove it."""
    player = request.get_player()
    public = request.POST.get("public") != "no"
    if player is not None:
        check_suspended(request)
        count_request(request, SEATS)
        own_games.publish_player(player=player, public=public)
    return redirect(f"{reverse('account')}?done={'public' if public else 'no-public'}#public")


NO_PAGE = text("That’s not the address of a game, a variation, a player or a bot.")


def _reported(request: HttpRequest) -> tuple[str, Player | None]:
    """Return the address of the thing that a page is about, and the author of its words, None if it
    can be any of several; '' without a page. Raises Http404, ClosedToWatchers or Refusal."""
    if not (page := (request.POST or request.GET).get("of", "").strip()):
        return "", None
    try:
        parts = resolve(urlsplit(page).path).kwargs
    except (Resolver404, ValueError) as error:
        raise Refusal(NO_PAGE) from error
    if "public_id" in parts:
        player = get_object_or_404(Player, public_id=parts["public_id"])
        bot = Bot.objects.filter(player=player).select_related("owner").first()
        return reverse("player_page", kwargs=parts), bot.owner if bot else player
    if "pack_id" in parts:
        shared = Pack.objects.exclude(hash=None).filter(pk=str(parts["pack_id"]))
        return reverse("pack", kwargs=parts), get_object_or_404(shared).player
    if "object_id" in parts:
        pupils = get_object_or_404(SchoolClass, pk=parts["object_id"])
        return reverse("admin:games_schoolclass_change", args=[pupils.pk]), None
    if "game_id" not in parts:
        raise Refusal(NO_PAGE)
    snapshot = find_game(request, parts["game_id"])
    if key := parts.get("key"):
        kept = get_object_or_404(KeptVariation, pk=key, game=snapshot.game)
        return reverse("kept", args=[snapshot.game.id, key]), kept.player
    others = set(snapshot.seating.players()) - {request.player_id}
    author = Player.objects.filter(pk__in=others).first() if len(others) == 1 else None
    return snapshot.game.get_absolute_url(), author


def _form(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    unknown = refused is not None and refused.text == NO_PAGE
    context = {
        "address": "" if unknown else _reported(request)[0],
        "reasons": Report.Reason.choices,
        "typed": request.POST,
        "text_length": REPORT_LENGTH,
    }
    return show_page(request, "page/report.html", context, refused)


@form_action(_form, limits=REPORTS, asks=_form)
def report(request: HttpRequest) -> HttpResponse:
    """Ask what is wrong with the words on a page (GET), and report it to staff (POST)."""
    address, author = _reported(request)
    if not address:
        raise Refusal(NO_PAGE)
    reason, words = request.POST.get("reason", ""), request.POST.get("words", "")
    reporter = request.get_player()
    make_report(address=address, about=author, reporter=reporter, reason=reason, words=words)
    return render(request, "page/report.html", {"sent": True})


@require_POST
def read_warning(request: HttpRequest) -> HttpResponse:
    """Take a warning of staff, which the visitor has read, off the pages."""
    end_warning(player=require_player(request))
    return redirect("my_games")
