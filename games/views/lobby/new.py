"""Setting up a game, on its page or with one click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from games.contract import BadSetup, Rules
from games.core.rate_limits import COMPUTER_GAMES_PER_ADDRESS, GAMES
from games.core.refusals import BadName, Refusal
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Pack, Player
from games.services import setup
from games.services.packs import dealing, packs_of
from games.services.plans import opponents, plan_quick_game
from games.services.seeking import usual_wish
from games.views.common import count_request, form_action, new_game_id, status_of, with_player
from games.views.lobby.new_game_form import NewGameForm, initial_value
from games.web.client_address import client_address, lister_of, origin_of
from games.web.preferences import LastChoices, read_choices, store_choices
from games.web.request import HttpRequest


def find_rules(slug: str) -> Rules:
    try:
        return all_rules()[slug]
    except KeyError:
        raise Http404 from None


def _ask(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, _form(request, find_rules(slug)), 200)


def _refuse(request: HttpRequest, slug: str, refused: Refusal | BadSetup) -> HttpResponse:
    form = _form(request, find_rules(slug))
    option = refused.option if isinstance(refused, BadSetup) else ""
    option = "name" if isinstance(refused, BadName) else option
    form.add_error(option if option in form.fields else None, translate(refused.text))
    return _page(request, form, status_of(refused))


@form_action(_refuse, asks=_ask, refusals=(Refusal, BadSetup), no_store=False)
def new_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the set-up page (GET), and create the game and redirect to it (POST)."""
    rules = find_rules(slug)
    form = _form(request, rules)
    return _create(request, rules, form) if form.is_valid() else _page(request, form, 422)


@form_action(_refuse, refusals=(Refusal, BadSetup))
def quick_start(request: HttpRequest, slug: str) -> str:
    """Create a game against ``with``, with the visitor's last options or ``level``."""
    rules = find_rules(slug)
    opponent = request.POST.get("with", "")
    if opponent not in opponents(rules):
        raise BadRequest
    count_request(request, GAMES)
    last = read_choices(request, rules)
    last = replace(last, level=_level(request, rules) or last.level)
    with dealing(rules, rules.clean(last.options)):
        plan = _quick_plan(rules, opponent, last, _packs(request))
        return start_planned(request, plan).get_absolute_url()


def _packs(request: HttpRequest) -> QuerySet[Pack]:
    player = request.get_player()
    return player.packs.all() if player else Pack.objects.none()


def _level(request: HttpRequest, rules: Rules) -> int | None:
    """Return the level that was sent, None without one. Raises BadRequest for an unknown one."""
    sent = request.POST.get("level", "")
    levels = {str(level): level for level in rules.ladder}
    if sent and sent not in levels:
        raise BadRequest
    return levels.get(sent)


def _quick_plan(
    rules: Rules, opponent: str, last: LastChoices, packs: QuerySet[Pack]
) -> setup.Plan:
    plan = partial(plan_quick_game, rules=rules, opponent=opponent, level=last.level, packs=packs)
    defaults = {option.name: initial_value(option) for option in rules.options}
    try:
        return plan(options={**defaults, **last.options})
    except BadSetup:
        # Options that are valid one by one may no longer fit together.
        return plan(options=defaults)


def _form(request: HttpRequest, rules: Rules) -> NewGameForm:
    """Return the form of the set-up page; one that was sent is valid without any field."""
    player, last = request.get_player(), _with_pack(request, rules, read_choices(request, rules))
    packs = packs_of(player, rules.slug) if player and rules.pack else ()
    name = player.name if player else ""
    return NewGameForm(rules, request.POST or None, name=name, last=last, packs=packs)


def _with_pack(request: HttpRequest, rules: Rules, last: LastChoices) -> LastChoices:
    pack, pack_id = rules.pack, request.GET.get("pack")
    if pack is None or not pack_id:
        return last
    chosen = dict([pack.only_with] if pack.only_with else [])
    return replace(last, options={**last.options, **chosen, pack.name: pack_id})


def _page(request: HttpRequest, form: NewGameForm, status: int) -> HttpResponse:
    for field in form.wrong_fields()[:1]:
        field.field.widget.attrs["autofocus"] = True
    context = {"rules": form.rules, "form": form, "seek": usual_wish(form.rules)}
    return render(request, "lobby/new.html", context, status=status)


def _create(request: HttpRequest, rules: Rules, form: NewGameForm) -> HttpResponse:
    count_request(request, GAMES)
    with dealing(rules, form.options()):
        plan = setup.plan_game(_described(rules, form), packs=_packs(request))
        game = start_planned(request, plan, form.cleaned_data["name"])
    levels = [level for level in plan.levels.values() if level]
    chosen = LastChoices(form.options(), max(levels, key=rules.ladder.rank, default=None))
    response = redirect(game)
    store_choices(request, response, rules, chosen)
    return response


def start_planned(
    request: HttpRequest,
    plan: setup.Plan,
    name: str | None = None,
    start: Callable[..., Game] = setup.start_game,
) -> Game:
    """Start a planned game of the visitor, once for each form. Raises as `with_player`."""

    def started(player: Player) -> Game:
        here = {"origin": origin_of(request), "lister": lister_of(request)}
        game_id = new_game_id(request, player)
        game = start(player=player, plan=plan, **here, game_id=game_id)
        if plan.only_computers:
            COMPUTER_GAMES_PER_ADDRESS.hit(client_address(request))
        return game

    return with_player(request, started, name)


def _described(rules: Rules, form: NewGameForm) -> setup.NewGame:
    return setup.NewGame(
        rules=rules,
        options=form.options(),
        seating=form.seating(),
        hints=form.cleaned_data.get("hints", False),
        transcript=form.cleaned_data.get("transcript", ""),
        random_seats=form.cleaned_data.get("random_seats", False),
        # The page has a note that invited people gather in the lobby first.
        lobby=form.data.get("lobby") == "1",
        time=form.time(),
    )
