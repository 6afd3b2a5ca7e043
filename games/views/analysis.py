"""Hints during a game, the analysis of a game, and the ways on from there: the picture of a
position for previews, and a new game from it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games.contract import LONGEST_MOVE, text
from games.core.rate_limits import ANALYSES_PER_ADDRESS, GAMES, HINTS_PER_PLAYER, POSITIONS
from games.core.refusals import NotBegun, NotYourSeat, Refusal
from games.presentation.analysis import (
    HEIGHT,
    WIDTH,
    Hint,
    Report,
    hint_of,
    report,
    why_not_evaluable,
)
from games.presentation.explored import Explored, explore, explored_address
from games.presentation.pictures import public_preview
from games.presentation.sharing import analysis_preview
from games.services import computers, plans
from games.services.plans import FRIEND, plan_continuation
from games.state.evaluations import Evaluated, Evaluations, jobs_left, lacks_move, read_evaluations
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import (
    Variation,
    can_play_on,
    can_restart,
    listed_variations,
    may_analyse,
    may_explore,
    never_evaluable,
    position_of,
    read_variation,
    with_tried_move,
)
from games.views.common import (
    count_request,
    find_game,
    form_action,
    held_seats,
    require_player,
    show_page,
)
from games.views.lobby.new import start_planned
from games.views.responses import game_page, game_picture, never_store
from games.web.client_address import client_address, origin_of
from games.web.preferences import read_choices
from games.web.request import HttpRequest, parse_ply

NO_HINTS = text("Hints are off in this game.")
TOO_EARLY = text("You can analyse this game once it’s over.")


def _show_hint(request: HttpRequest, game_id: str, refused: Refusal | None = None) -> HttpResponse:
    snapshot = find_game(request, game_id)
    if not refused:
        _check_hint(request, snapshot)
    return _hint_response(request, snapshot, refused)


@form_action(_show_hint, asks=_show_hint)
def hint(request: HttpRequest, game_id: str) -> str | HttpResponse:
    """Request a hint at the present ply (POST), or show it once it is there (GET)."""
    snapshot = find_game(request, game_id)
    _check_hint(request, snapshot)
    HINTS_PER_PLAYER.hit(str(request.player_id))
    computers.ask_evaluations(
        snapshot=snapshot, plies=[snapshot.game.ply], hint=True, origin=origin_of(request)
    )
    return _show_hint(request, game_id) if request.htmx else reverse("hint", args=[game_id])


def _check_hint(request: HttpRequest, snapshot: GameSnapshot) -> None:
    game = snapshot.game
    if not game.begun:
        raise NotBegun
    if not (game.hints and snapshot.rules.analysis) or game.over:
        raise Refusal(NO_HINTS)
    require_player(request)
    if not held_seats(request, snapshot):
        raise NotYourSeat


def _hint_response(
    request: HttpRequest, snapshot: GameSnapshot, refused: Refusal | None
) -> HttpResponse:
    evaluation = None if refused else read_evaluations(snapshot).at(snapshot.game.ply)
    done = evaluation is not None and evaluation.done
    waits = evaluation is not None and not done
    if request.htmx and request.method != "POST" and waits:
        # The page has this content already, which screen readers would read again.
        return HttpResponse(status=204)
    context = {
        "game": snapshot.game,
        "waiting": waits,
        "hint": hint_of(evaluation, snapshot.position) if evaluation and done else None,
        "asked": evaluation is not None,
        "cannot": evaluation and why_not_evaluable(evaluation),
    }
    template = "review/_hint.html" if request.htmx else "review/hint.html"
    return show_page(request, template, context, refused)


def _analysis(request: HttpRequest, game_id: str) -> HttpResponse:
    snapshot = find_analysis(request, game_id)
    if "move" in request.GET and (address := _address_of_tried(request, snapshot)):
        return redirect(request.path + address)
    waiting = request.GET.get("waiting")
    if request.htmx and waiting == _progress(snapshot, looked_at(request.GET, snapshot)):
        # The page has this content already, and building the rest of the report takes much longer.
        return HttpResponse(status=204)
    template = "review/_analysis.html" if request.htmx else "review/analysis.html"
    context = _report_context(request, snapshot)
    return never_store(render(request, template, context), context["page"])


def refuse_analysis(request: HttpRequest, game_id: str, refused: Refusal) -> HttpResponse:
    template = "review/_analysis.html" if request.htmx else "review/analysis.html"
    return show_page(request, template, {"game": find_game(request, game_id).game}, refused)


@form_action(refuse_analysis, asks=_analysis, no_store=False)
def analysis(request: HttpRequest, game_id: str) -> str:
    """Return the analysis of a game, for viewers that `may_analyse` allows. POST starts it: it
    requests all evaluations that it needs, and first those for the shown position.

    ``?ply=`` is the position to show, and ``?line=`` holds moves tried out from there, of which the
    first ``made`` are on the board. ``move`` is to be tried next, and ``chosen`` are its steps so
    far."""
    snapshot = find_analysis(request, game_id)
    ANALYSES_PER_ADDRESS.hit(client_address(request))
    if request.player_id is not None:
        HINTS_PER_PLAYER.hit(str(request.player_id))
    origin = origin_of(request)
    computers.ask_evaluations(snapshot=snapshot, plies=range(snapshot.game.ply + 1), origin=origin)
    ply, address = parse_ply(request.POST.get("ply", "")), ""
    if 0 <= ply <= snapshot.last_ply:
        address = f"?ply={ply}"
        for at in {ply, max(0, ply - 1)}:
            computers.look_at(snapshot=snapshot, ply=at, origin=origin)
    return reverse("analysis", args=[game_id]) + address


@form_action(refuse_analysis)
def look_at(request: HttpRequest, game_id: str) -> str:
    """Request evaluations of the shown position and of the one before it."""
    snapshot = find_analysis(request, game_id)
    count_request(request, POSITIONS)
    variation = looked_at(request.POST, snapshot)
    ask = partial(computers.look_at, snapshot=snapshot, origin=origin_of(request))
    if tried := variation.last:
        ask(ply=variation.ply, line=variation.line_before, tried=tried.text)
    elif variation.ply > 0:
        ask(ply=variation.ply - 1)
    if variation.ply >= 0:
        ask(ply=variation.ply, line=variation.line or None)
    return reverse("analysis", args=[game_id]) + explored_address(variation)


def why_not(request: HttpRequest, snapshot: GameSnapshot) -> Refusal | None:
    """Return why the visitor may not see an analysis; None if the visitor may."""
    if not snapshot.rules.analysis:
        raise Http404
    allowed = snapshot.game.begun and may_analyse(snapshot, held_seats(request, snapshot))
    why_not = never_evaluable(snapshot) if allowed else TOO_EARLY
    return Refusal(why_not) if why_not else None


def find_analysis(request: HttpRequest, game_id: str) -> GameSnapshot:
    """Return a game whose analysis the visitor may see. Raises Refusal."""
    snapshot = find_game(request, game_id)
    if refused := why_not(request, snapshot):
        raise refused
    return snapshot


def looked_at(query: QueryDict, snapshot: GameSnapshot) -> Variation:
    """Return the variation in an address; one at ply -1 if the address has no ply of the game."""
    ply = parse_ply(query.get("ply", ""))
    if not 0 <= ply <= snapshot.last_ply:
        return Variation(-1)
    made = parse_ply(query.get("made", "")) if "made" in query else None
    return read_variation(snapshot, ply, query.get("line", ""), made)


def _address_of_tried(request: HttpRequest, snapshot: GameSnapshot) -> str:
    before = looked_at(request.GET, snapshot)
    if before.ply < 0:
        return ""
    after = with_tried_move(snapshot, before, request.GET["move"])
    return explored_address(after) if after else ""


def _progress(snapshot: GameSnapshot, variation: Variation) -> str:
    left = str(jobs_left(snapshot))
    if variation.made:
        known = _around(read_evaluations(snapshot), variation)
        left += "".join(f"-{evaluation.jobs if evaluation else 0}" for evaluation in known)
    return left


def _polled(variation: Variation | None, progress: str) -> str:
    """Return the address that a page with this progress polls. It names no position if none was
    requested, so that the shown one may change."""
    address = explored_address(variation) + "&" if variation else "?"
    return f"{address}waiting={progress}"


def _around(
    evaluations: Evaluations, variation: Variation
) -> tuple[Evaluated | None, Evaluated | None]:
    """Return the evaluations of the positions before and after the last move on the board."""
    present = evaluations.at(variation.ply, variation.line or None)
    if variation.made:
        return evaluations.at(variation.ply, variation.line_before), present
    return evaluations.at(variation.ply - 1), present


def _report_context(request: HttpRequest, snapshot: GameSnapshot) -> dict[str, Any]:
    """Return the report and the shown position, by default that of the visitor's costliest move."""
    evaluations = read_evaluations(snapshot)
    found = report(snapshot, evaluations)
    computers.mark_seen(snapshot=snapshot)
    game, variation = snapshot.game, looked_at(request.GET, snapshot)
    is_requested = variation.ply >= 0
    if not is_requested:
        worst = found.worth_a_look(held_seats(request, snapshot))
        variation = Variation(min(worst, snapshot.last_ply))
    page = game_page(request, snapshot, ply=variation.ply)
    before, present = _around(evaluations, variation)
    progress = _progress(snapshot, variation)
    explored = explore(
        snapshot,
        variation,
        viewpoint=page.board.viewpoint,
        before=before,
        present=present,
        chosen=request.GET.get("chosen", "")[:LONGEST_MOVE].split(),
    )
    return {
        "game": game,
        "report": found,
        "keep_address": reverse("keep", args=[game.id]) + explored_address(variation),
        "kept": listed_variations(game, request.player_id),
        "asked": is_requested,
        "page": page,
        "explored": explored,
        "board": explored.board,
        "stepper": explored.stepper,
        "line": explored.line,
        "hint": explored.hint,
        "tries": explored.tries,
        "progress": progress,
        "polled": _polled(variation if is_requested else None, progress),
        "waits": found.waiting or _is_awaited(present) or _is_awaited(before),
        "asks": _should_ask(found, explored, before, present),
        "opponents": plans.opponents(snapshot.rules),
        "here": variation.ply * WIDTH / max(1, game.ply),
        "width": WIDTH,
        "height": HEIGHT,
        "preview": (
            preview := analysis_preview(snapshot, variation if is_requested else Variation(-1))
        ),
        "share_address": request.build_absolute_uri(preview.address),
    }


def _is_awaited(evaluation: Evaluated | None) -> bool:
    return evaluation is not None and not evaluation.done


def _should_ask(
    found: Report, explored: Explored, before: Evaluated | None, present: Evaluated | None
) -> bool:
    """Return whether to request an evaluation of the shown position: those of variations are
    requested one by one, and while an analysis is running the shown position comes first."""
    tried = explored.variation.last
    if tried and lacks_move(before, tried.text):
        return True
    if explored.board.stage is None or not (tried or found.waiting):
        return False
    return present is None or (present.jobs == 2 and not present.looked_at)


def hint_at(snapshot: GameSnapshot, ply: int) -> Hint | None:
    """Return the values of the moves after ``ply``, once the game has been analysed."""
    found = read_evaluations(snapshot).at(ply) if snapshot.rules.analysis else None
    return hint_of(found, snapshot.at(ply)) if found else None


@require_POST
def play_on(request: HttpRequest, game_id: str) -> HttpResponse:
    """Create a game against the opponent ``with`` that begins after ``ply`` moves of another game
    and the tried moves ``line``, and redirect to it. While that game runs, one of two players may
    go on from its board on the same seat, with a link for the other."""
    snapshot, opponent = find_game(request, game_id), request.POST.get("with", "")
    rules, ply = snapshot.rules, parse_ply(request.POST.get("ply", ""))
    if opponent not in plans.opponents(rules) or not 0 <= ply <= snapshot.last_ply:
        raise BadRequest
    variation = read_variation(snapshot, ply, request.POST.get("line", ""))
    held = held_seats(request, snapshot)
    at_board = ply == snapshot.game.ply and not variation.moves
    restarts = at_board and opponent == FRIEND and can_restart(snapshot, held)
    allowed = restarts or (snapshot.game.begun and may_explore(snapshot, held))
    if not allowed or not can_play_on(snapshot, position_of(snapshot, variation)):
        raise Http404
    plan = plan_continuation(
        snapshot=snapshot,
        variation=variation,
        opponent=opponent,
        level=read_choices(request, rules).level,
        seat=min(held) if restarts else None,
    )
    count_request(request, GAMES)
    game = start_planned(request, plan)
    if request.htmx:
        return HttpResponseClientRedirect(game.get_absolute_url())
    return redirect(game)


@require_safe
def picture(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a PNG of a position tried out, for previews by those who may see the analysis."""

    def picture_of(snapshot: GameSnapshot) -> bytes | None:
        variation = looked_at(request.GET, snapshot)
        if why_not(request, snapshot) or variation.ply < 0:
            return None
        return public_preview(snapshot.rules, Standing.of(position_of(snapshot, variation)))

    response = game_picture(request, game_id, picture_of)
    response["Cache-Control"] = "private, max-age=300"
    return response
