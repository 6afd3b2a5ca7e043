"""The pages for practising with the mistakes of one's own game."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from games.contract import LONGEST_MOVE, MoveError, Text
from games.core.refusals import Refusal
from games.puzzles.page import build_challenge_page, judge_address, read_tried, write_tried
from games.puzzles.practice import Mistake, mistake_of, own_mistakes
from games.puzzles.views import judge_next
from games.state.snapshot import GameSnapshot
from games.views.common import find_game, held_seats
from games.web.forms import parse_ply
from games.web.request import HttpRequest


@require_safe
def practise(request: HttpRequest, game_id: str) -> HttpResponse:
    """Begin with the first mistake of the visitor, or say why there is none to practise."""
    snapshot = find_game(request, game_id)
    try:
        mistakes = own_mistakes(snapshot, held_seats(request, snapshot))
    except Refusal as error:
        return _refuse(request, snapshot, error)
    if not mistakes:
        return render(request, "puzzles/practice.html", {"game": snapshot.game, "none": True})
    return redirect(reverse("practise_mistake", args=[game_id, 1]))


@require_http_methods(["GET", "HEAD", "POST"])
def practise_mistake(request: HttpRequest, game_id: str, number: int) -> HttpResponse:
    """Show a mistake of the visitor as a puzzle, or judge a ``move`` (POST); see
    `games.puzzles.views.puzzle`. Nothing is recorded."""
    snapshot = find_game(request, game_id)
    try:
        mistakes = own_mistakes(snapshot, held_seats(request, snapshot))
    except Refusal as error:
        return _refuse(request, snapshot, error)
    if not 1 <= number <= len(mistakes):
        raise Http404
    mistake = mistake_of(snapshot, mistakes[number - 1])
    around = {"number": number, "count": len(mistakes)}
    if request.method != "POST":
        return _page(request, snapshot, mistake, around)
    if "solution" in request.POST:
        return redirect(f"{request.path}?solution=1")
    try:
        answer = judge_next(request, mistake.challenge)
    except MoveError as error:
        return _page(request, snapshot, mistake, around, refused=error.text)
    return redirect(request.path + write_tried(answer.tried))


def _refuse(request: HttpRequest, snapshot: GameSnapshot, refused: Refusal) -> HttpResponse:
    context = {"game": snapshot.game, "refused": refused.text}
    return render(request, "puzzles/practice.html", context, status=refused.status)


def _page(
    request: HttpRequest,
    snapshot: GameSnapshot,
    mistake: Mistake,
    around: dict[str, int],
    refused: Text | None = None,
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else request.GET
    page = build_challenge_page(
        mistake.challenge,
        judge_address(mistake.challenge, read_tried(sent.get("tried", ""))),
        chosen=sent.get("chosen", "")[:LONGEST_MOVE].split(),
        solution=parse_ply(sent["solution"]) if "solution" in sent else None,
    )
    context: dict[str, Any] = {
        **around,
        "game": snapshot.game,
        "line": mistake.line,
        "page": page,
        "board": page.board,
        "stepper": page.stepper,
        "refused": refused,
        "below": "puzzles/_about_mistake.html",
        **_next(snapshot, around),
    }
    template = "puzzles/_challenge.html" if request.htmx else "puzzles/practice.html"
    return render(request, template, context, status=422 if refused else 200)


def _next(snapshot: GameSnapshot, around: dict[str, int]) -> dict[str, str]:
    """Return the address after a solved mistake, and its name."""
    game_id = snapshot.game.id
    if around["number"] == around["count"]:
        address = reverse("analysis", args=[game_id])
        return {"next_address": address, "next_label": gettext("Back to the analysis")}
    address = reverse("practise_mistake", args=[game_id, around["number"] + 1])
    return {"next_address": address, "next_label": gettext("Next mistake")}
