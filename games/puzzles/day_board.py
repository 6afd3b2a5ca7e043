"""The board of the day: the same for everybody, with computers, and a result that can be shared."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from random import Random
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from games.contract import Rules, SeatKey
from games.core.rate_limits import GAMES_PER_ADDRESS, GAMES_PER_PLAYER, RateLimited
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player
from games.presentation.pictures import public_picture
from games.puzzles.lists import language_of_visitor
from games.services import setup
from games.services.plans import COMPUTER, seat_against
from games.state.snapshot import GameSnapshot, Standing, read_snapshot
from games.views import errors
from games.views.common import count_request, with_player
from games.web.client_address import origin_of
from games.web.request import HttpRequest


@dataclass(frozen=True)
class Board:
    """The board of a day as a planned game, with the visitor's seat."""

    rules: Rules
    day: date
    seat: SeatKey
    plan: setup.Plan


def board_of(rules: Rules, day: date, language: str) -> Board | None:
    """Return the board of a day; None for a kind without one. Nobody can foretell it without the
    secret of the site."""
    kind = rules.day_board
    if kind is None:
        return None
    seed = salted_hmac("board of the day", f"{rules.slug} {day} {language}").hexdigest()
    options = {**kind.options(language), **rules.computer_options}
    seat = kind.seat(rules.deal(rules.clean(options), Random(seed)))
    specs = rules.seats(rules.clean(options))
    mine = next(spec for spec in specs if spec.key == seat)
    seating = seat_against(specs, mine, COMPUTER, kind.level)
    # Closed: a spectator sees the words, and at the end their meaning.
    new = setup.NewGame(rules=rules, options=options, seating=seating, closed=True)
    return Board(rules, day, seat, setup.plan_game(new, rng=Random(seed)))


def game_on(board: Board, player: Player | None) -> GameSnapshot | None:
    if player is None:
        return None
    games = Game.objects.filter(created_by=player, kind=board.rules.slug)
    found = games.filter(created__date__gte=board.day).order_by("created")
    game = next((other for other in found if other.setup == board.plan.setup), None)
    return read_snapshot(game.pk) if game else None


@require_http_methods(["GET", "HEAD", "POST"])
def day_board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the board of the day and the visitor's result, or begin to play it (POST)."""
    rules = all_rules().get(slug)
    board = board_of(rules, timezone.localdate(), language_of_visitor()) if rules else None
    if board is None:
        raise Http404
    played = game_on(board, request.get_player())
    if request.method == "POST":
        return redirect(played.game.get_absolute_url()) if played else _begin(request, board)
    context: dict[str, Any] = {"rules": rules, "day": board.day, "game": played and played.game}
    if played and played.game.over:
        context["shared"] = _result(request, board, played)
        context["sentence"], context["squares"] = _told(board, played)
    else:
        context["picture"] = _picture(board)
    return render(request, "puzzles/day_board.html", context)


def _picture(board: Board) -> SafeString:
    """Return the board before the first move as SVG, as spectators see it."""
    return public_picture(board.rules, Standing.of(board.rules.start(board.plan.setup)))


def _begin(request: HttpRequest, board: Board) -> HttpResponse:
    start = partial(setup.start_game, plan=board.plan, origin=origin_of(request))
    try:
        count_request(request, (GAMES_PER_PLAYER, GAMES_PER_ADDRESS))
        return redirect(with_player(request, lambda player: start(player=player)))
    except RateLimited as error:
        return errors.refuse(request, error, request.path)


def _told(board: Board, played: GameSnapshot) -> tuple[str, list[str]]:
    kind = board.rules.day_board
    if kind is None:
        return "", []
    sentence = translate(kind.sentence(played.position, board.seat))
    return sentence, [*kind.squares(played.position, board.seat)]


def _result(request: HttpRequest, board: Board, played: GameSnapshot) -> str:
    """Return the text to share, without a word of the board."""
    sentence, squares = _told(board, played)
    day = date_format(board.day, "j F")
    head = f"{translate(board.rules.name)}, {day}: {sentence}"
    return " ".join([head, *squares, request.build_absolute_uri()])
