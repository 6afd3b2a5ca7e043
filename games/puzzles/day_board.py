"""The board of the day: the same for everybody, with computers, and a result that can be shared."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from games.contract import Rules, SeatKey
from games.core.rate_limits import GAMES
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player
from games.presentation.pictures import public_picture
from games.puzzles.lists import language_of_visitor, read_day
from games.services import setup
from games.services.plans import COMPUTER, seat_against
from games.state.snapshot import GameSnapshot, Standing, read_snapshot
from games.views import errors
from games.views.common import count_request, form_action
from games.views.lobby.new import start_planned
from games.web.request import HttpRequest


@dataclass(frozen=True)
class Board:
    """The board of a day as a planned game, with the visitor's seat."""

    rules: Rules
    day: date
    seat: SeatKey
    plan: setup.Plan


def board_of(rules: Rules, day: date, language: str) -> Board | None:
    """Return the board of a day, unknown without the site's secret; None without one."""
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


def _row_on(board: Board, player: Player | None) -> Game | None:
    if player is None:
        return None
    games = Game.objects.filter(created_by=player, kind=board.rules.slug)
    found = games.filter(created__date__gte=board.day).order_by("created")
    return next((other for other in found if other.setup == board.plan.setup), None)


def game_on(board: Board, player: Player | None) -> GameSnapshot | None:
    game = _row_on(board, player)
    return read_snapshot(game.pk) if game else None


def square_of(rules: Rules, day: date, player: Player | None) -> str:
    """Return the result of a player on the board of a day as a square."""
    board = board_of(rules, day, language_of_visitor()) if player else None
    game = _row_on(board, player) if board else None
    if board is None or game is None or game.result is None:
        return "⬜"
    return "🟩" if board.seat in game.result.winners else "🟥"


def _board(request: HttpRequest, slug: str) -> Board:
    """Return the board of today, or of the ``day`` in a request."""
    rules, day = all_rules().get(slug), read_day(request.GET.get("day", ""))
    board = board_of(rules, day, language_of_visitor()) if rules else None
    if board is None:
        raise Http404
    return board


def _show(request: HttpRequest, slug: str) -> HttpResponse:
    board = _board(request, slug)
    played = game_on(board, request.get_player())
    context: dict[str, Any] = {"rules": board.rules, "day": board.day}
    context["game"] = played and played.game
    if played and played.game.over:
        context["shared"] = _result(request, board, played)
        context["sentence"], context["squares"] = _told(board, played)
    else:
        context["picture"] = _picture(board)
    return render(request, "puzzles/day_board.html", context)


def _refused(request: HttpRequest, slug: str, refused: Refusal) -> HttpResponse:
    return errors.refuse(request, refused, request.get_full_path())


@form_action(_refused, asks=_show)
def day_board(request: HttpRequest, slug: str) -> str:
    """Show the board of a day and the visitor's result (GET), or begin to play it (POST)."""
    board = _board(request, slug)
    if played := game_on(board, request.get_player()):
        return played.game.get_absolute_url()
    count_request(request, GAMES)
    return start_planned(request, board.plan).get_absolute_url()


def _picture(board: Board) -> SafeString:
    """Return the board before the first move as SVG, as spectators see it."""
    return public_picture(board.rules, Standing.of(board.rules.start(board.plan.setup)))


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
