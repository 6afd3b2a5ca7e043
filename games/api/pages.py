"""The pages about programs: documentation, bots, and the seats that bots play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from games.api.endpoints import api
from games.contract import Rules
from games.core.refusals import BadName, NotYourSeat, Refusal
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import ABOUT_LENGTH, Bot, Player
from games.people.bots import (
    NAME_OF_BOT,
    bots_of,
    change_bot,
    delete_bot,
    known_kinds,
    listed_bots,
    make_bot,
    make_token,
)
from games.presentation.lists import Entry, build_public_entry
from games.services import seats
from games.services.players import BOT_MARK
from games.state import lists
from games.storage.keyset import Keyset
from games.views.common import (
    check_suspended,
    count_request,
    find_game,
    form_action,
    status_of,
    with_player,
)
from games.views.people.access import LIMITS, show_access
from games.web.client_address import lister_of
from games.web.request import HttpRequest, form_key


class Operation(NamedTuple):
    """An operation of the OpenAPI file: method, path, description, and the fields of its body."""

    method: str
    path: str
    about: str
    fields: list[tuple[str, str]]


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show how programs play here, made of the OpenAPI file."""
    described = api.get_openapi_schema()
    context = {
        "operations": [*_operations(described)],
        "site": request.build_absolute_uri("/").rstrip("/"),
        "base": request.build_absolute_uri("/api/1/"),
        "file": reverse("api:openapi-json"),
    }
    return render(request, "api/documentation.html", context)


def _operations(described: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            about = operation.get("description") or operation.get("summary", "")
            yield Operation(method.upper(), path, about, _fields(described, operation))


def _fields(described: dict[str, Any], operation: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the names and descriptions of the fields of a request's body."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
    properties = described["components"]["schemas"].get(name, {}).get("properties", {})
    return [(key, value.get("description", "")) for key, value in properties.items()]


SHOWN = 20
"""Bots on a page of the list."""
RESULTS = 3
"""Latest games of each."""


class BotEntry(NamedTuple):
    """A bot in the list: the kinds of game that it plays, and its latest results."""

    bot: Bot
    kinds: list[Rules]
    results: list[Entry]


class BotForm(forms.Form):
    """The description of a bot by its owner."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_OF_BOT, help_text=_("“(bot)” is added to it.")
    )
    about = forms.CharField(label=_("About it, in a line"), max_length=ABOUT_LENGTH, required=False)
    kinds = forms.MultipleChoiceField(
        label=_("It plays"), widget=forms.CheckboxSelectMultiple, required=True
    )

    def __init__(self, data: Any, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial, label_suffix="")
        choices = [(rules.slug, translate(rules.name)) for rules in lists.kinds()]
        self.fields["kinds"].choices = choices  # type: ignore[attr-defined]
        for name in ("name", "about"):
            self.fields[name].widget.attrs["autocomplete"] = "off"


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """List the bots, the newest first."""
    listed, before = listed_bots(lister_of(request)), request.GET.get("before", "")
    page = Keyset().page(listed, SHOWN, after=before)
    bots = Bot.objects.select_related("player").in_bulk([key for key, _ in page.rows])
    shown = _entries([bots[key] for key, _ in page.rows])
    return render(request, "api/bots.html", {"bots": shown, "older": page.after})


def _entries(bots: list[Bot]) -> list[BotEntry]:
    results = lists.last_finished([bot.player for bot in bots], RESULTS)
    return [
        BotEntry(
            bot,
            [rules for rules in lists.kinds() if rules.slug in known_kinds(bot)],
            [build_public_entry(*game, bot.player_id) for game in results[bot.player_id]],
        )
        for bot in bots
    ]


def _form(request: HttpRequest, own: Bot | None) -> BotForm:
    first: dict[str, Any] = {"kinds": list(all_rules())}
    if own:
        name = own.player.name.removesuffix(BOT_MARK)
        first = {"name": name, "about": own.about, "kinds": known_kinds(own)}
    return BotForm(request.POST or None, initial=first)


def _page(
    request: HttpRequest, bot_id: int | None = None, refused: Refusal | None = None
) -> HttpResponse:
    own = None if bot_id is None else _own_bot(request, bot_id)
    form = _form(request, own)
    if refused:
        form.add_error("name" if isinstance(refused, BadName) else None, translate(refused.text))
    status = 422 if form.is_bound and not refused else status_of(refused)
    return render(request, "api/bot.html", {"form": form, "bot": own}, status=status)


@form_action(_page, limits=LIMITS, asks=_page)
def new_bot(request: HttpRequest) -> HttpResponse:
    """Ask for a name (GET), make a bot, and show its first token (POST)."""
    form = _form(request, None)
    if not form.is_valid():
        return _page(request)

    def make(player: Player) -> tuple[Player, Bot, str]:
        name, key = form.cleaned_data["name"], form_key(request)
        bot = make_bot(owner=player, **form.cleaned_data, key=key, lister=lister_of(request))
        return player, bot, make_token(player=player, name=name, bot=bot, key=key)

    player, bot, token = with_player(request, make)
    # A redirect would lose the token, which is stored nowhere.
    return show_access(request, made=token, made_for=bot, player=player)


@form_action(_page, asks=_page)
def bot(request: HttpRequest, bot_id: int) -> str | HttpResponse:
    """Show a bot of the visitor (GET); change it, or ``delete`` it (POST)."""
    own = _own_bot(request, bot_id)
    if "delete" in request.POST:
        delete_bot(bot=own)
        return "access"
    form = _form(request, own)
    if not form.is_valid():
        return _page(request, bot_id)
    check_suspended(request)
    count_request(request, LIMITS)
    change_bot(bot=own, **form.cleaned_data)
    return "access"


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the seats of the visitor and of the visitor's bots (GET), or hand one over (POST)."""
    snapshot, player = find_game(request, game_id), request.get_player()
    people = [player, *(bot.player for bot in bots_of(player))] if player else []
    held = [
        (spec, person)
        for spec in snapshot.specs
        for person in people
        if spec.key in snapshot.seats_of(person.pk)
    ]
    if player is None or not held:
        raise Http404
    if request.method != "POST":
        context = {"game": snapshot.game, "seats": held, "people": people, "player": player}
        return render(request, "api/hand_over.html", context)
    check_suspended(request)
    to = next((person for person in people if str(person.pk) == request.POST.get("to")), None)
    if to is None:
        raise NotYourSeat
    seat = request.POST.get("seat", "")
    seats.hand_over(game_id=game_id, seat_key=seat, owner=player, to=to)
    return redirect(snapshot.game)


def _own_bot(request: HttpRequest, bot_id: int) -> Bot:
    player = request.get_player()
    found = bots_of(player).filter(pk=bot_id).first() if player else None
    if found is None:
        raise Http404
    return found
