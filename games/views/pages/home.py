"""The front page, and its open seats as feeds, from which a club's chat room hears of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import IO, Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse_lazy
from django.utils.feedgenerator import SyndicationFeed
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.http import require_safe

from games.contract import text
from games.core.rate_limits import SEEKS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import Game, Player
from games.presentation.lists import Entry, Kind, build_entry
from games.services import plans, seeking
from games.services.challenges import challenges_to
from games.state import lists
from games.state.lists import ListedGame, OpenGame
from games.storage.cache import LRUCache
from games.views.common import KIND_GONE, form_action, new_game_id, show_page, with_player
from games.web.client_address import lister_of, origin_of
from games.web.feeds import SiteFeed
from games.web.headers import unless_known
from games.web.preferences import is_quiet, read_choices, read_seek, store_seek
from games.web.request import HttpRequest, return_path

NO_KIND = text("Choose at least one game.")

_answers: LRUCache[str, str] = LRUCache(500)
"""The HTML of the lists, by everything that they depend on."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the kinds of game, the visitor's games, and the open games.

    For htmx, return only the lists, or 304 if the page has them already."""
    return _lists_again(request) if request.htmx else _front(request)


def _front(request: HttpRequest, refused: Refusal | None = None) -> HttpResponse:
    context = _lists(request)
    context |= {"kinds": _kinds(request), "seek": _seek_form(request)}
    return show_page(request, "lists/home.html", context, refused)


@form_action(_front, limits=SEEKS)
def seek(request: HttpRequest) -> HttpResponse:
    """Find an opponent in any of the ``kinds``, at the ``pace``, or only in the game to ``join``,
    with the key of a kind behind it; or show no line of seekers for a day (``quiet``)."""
    if "quiet" in request.POST:
        response = redirect(return_path(request) or "home")
        store_seek(request, response, quiet=str(int(time.time())))
        return response
    only, _, key = request.POST.get("join", "").partition(" ")
    keys, known = [key] if key else request.POST.getlist("kinds"), seeking.all_wishes()
    wishes = [known[key] for key in dict.fromkeys(keys) if key in known]
    if not wishes:
        raise Refusal(KIND_GONE if keys else NO_KIND)
    pace = seeking.DAYS if request.POST.get("pace") == seeking.DAYS else seeking.NOW

    def found(player: Player) -> Game:
        here = {"origin": origin_of(request), "lister": lister_of(request), "only": only}
        repeated = new_game_id(request, player)
        return seeking.find_opponent(
            player=player, wishes=wishes, pace=pace, game_id=repeated, **here
        )

    response = redirect(with_player(request, found, request.POST.get("name")))
    if "remember" in request.POST:
        store_seek(request, response, kinds=" ".join(wish.key for wish in wishes), pace=pace)
    return response


def _seek_form(request: HttpRequest) -> dict[str, Any]:
    """Return the values of the form that seeks an opponent, as the visitor sent it last."""
    last = read_seek(request)
    here = [wish for wish in seeking.all_wishes().values() if wish.is_here]
    chosen = set(last.get("kinds", "").split()) & {wish.key for wish in here}
    chosen = chosen or {wish.key for wish in here if wish.usual}
    return {"wishes": here, "chosen": chosen, "days": last.get("pace") == seeking.DAYS}


def _lists_again(request: HttpRequest) -> HttpResponse:
    """Return the lists alone. Every open tab polls them every ten seconds, so they are rendered
    only if they have changed, and once for all visitors without games."""
    asks = challenges_to(request.player_id).values_list("pk") if request.player_id else ()
    known = lists.stamp(request.player_id, lister_of(request))
    key = f"{get_language()} {is_quiet(request)} {known} {tuple(asks)}"
    html = _answers.get(key)
    if html is None:
        context = _lists(request)
        html = _answers.put(key, render_to_string("lists/_lists.html", context, request))
    # The tag is a digest of the content: the key changes every minute, but the lists mostly do not.
    return unless_known(request, HttpResponse(html))


def _kinds(request: HttpRequest) -> list[Kind]:
    kinds = []
    for rules in lists.kinds():
        level = read_choices(request, rules).level or plans.default_level(rules)
        name = rules.ladder[level].name if level else None
        sought = seeking.usual_wish(rules)
        kinds.append(Kind(rules, plans.opponents(rules), name, sought))
    return kinds


def _lists(request: HttpRequest) -> dict[str, Any]:
    player = request.get_player()
    running = _entries(lists.running_games, player)
    my_turn = sum(entry.my_turn for entry in running)
    shown = max(lists.SHOWN, my_turn)
    return {
        "awaited": any(entry.awaited for entry in running),
        "asks": challenges_to(player.pk) if player else [],
        "running": running[:shown],
        "more_running": running[shown:],
        "finished": _entries(lists.finished_games, player),
        "offers": lists.open_games(player, lister=lister_of(request)),
    }


def _entries(read: Callable[[Player], Sequence[ListedGame]], player: Player | None) -> list[Entry]:
    found = read(player) if player else []
    return [build_entry(game, seating, player.pk) for game, seating in found] if player else []


class JSONFeed(SyndicationFeed):
    """A feed in the format of https://www.jsonfeed.org/version/1.1/."""

    content_type = "application/feed+json; charset=utf-8"

    def write(self, outfile: IO[Any], encoding: str) -> None:
        """Write the feed. The reader takes no other encoding than UTF-8."""
        document = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": self.feed["title"],
            "home_page_url": self.feed["link"],
            "feed_url": self.feed["feed_url"],
            "authors": [{"name": self.feed["author_name"], "url": self.feed["link"]}],
            "items": [
                {
                    "id": item["unique_id"],
                    "url": item["link"],
                    "title": item["title"],
                    "content_text": item["description"],
                    "date_published": item["pubdate"].isoformat(),
                }
                for item in self.items
            ],
        }
        outfile.write(json.dumps(document, ensure_ascii=False))


class OpenSeats(SiteFeed):
    """An Atom feed of the games with open seats, as the front page lists them for strangers."""

    title = gettext_lazy("Looking for players")
    link = reverse_lazy("home")

    def items(self) -> list[OpenGame]:
        return lists.open_games(None)

    def item_title(self, item: OpenGame) -> str:
        names = {"game": translate(item.game.rules.name), "host": str(item.game.created_by or "")}
        return gettext("%(game)s, hosted by %(host)s") % names

    def item_description(self, item: OpenGame) -> str:
        return ", ".join(translate(seat.name) for seat in item.seats)

    def item_link(self, item: OpenGame) -> str:
        return item.game.get_absolute_url()

    def item_pubdate(self, item: OpenGame) -> datetime:
        return item.game.created

    item_updateddate = item_pubdate


class OpenSeatsAsJSON(OpenSeats):
    feed_type = JSONFeed
