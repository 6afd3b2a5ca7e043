"""The page of a challenge: a puzzle, or a mistake of one's own game to practise with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from games.contract import LONGEST_MOVE, MoveError, Text, normalize_move, text
from games.core.rate_limits import PICTURES_PER_ADDRESS, PUZZLES_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import Player
from games.presentation.board import build_board
from games.presentation.explored import Stepper
from games.presentation.pictures import public_preview
from games.presentation.sharing import Preview, kind_preview
from games.puzzles import attempts, catalogue
from games.puzzles.catalogue import Entry
from games.puzzles.challenge import (
    Answer,
    Challenge,
    challenge_of,
    judge,
    judge_address,
    mistake_of,
    own_mistakes,
    show_solution,
)
from games.state.snapshot import Standing
from games.views import errors
from games.views.common import find_game, held_seats, with_player
from games.views.responses import picture_response
from games.web.client_address import client_address
from games.web.request import HttpRequest, parse_ply

NO_PUZZLE = text("There is no such puzzle.")
NO_MISTAKE = text("No move of yours cost anything. Well played!")


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle, or judge a move and record it; see `_answer`."""
    entry = catalogue.entry_of(puzzle_id)
    if entry is None and attempts.was_tried(puzzle_id):
        return _withdrawn(request, puzzle_id)
    entry = find_entry(puzzle_id)
    about = partial(_about_puzzle, request, entry)
    return _answer(request, challenge_of(entry), about, entry)


def _withdrawn(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Answer 410 to the address of a puzzle that there was, with a link to the others."""
    slug = puzzle_id.rpartition("-")[0]
    there = [rules for rules in catalogue.kinds_with_puzzles() if rules.slug == slug]
    return render(request, "puzzles/withdrawn.html", {"kinds": there}, status=410)


def find_entry(puzzle_id: str) -> Entry:
    entry = catalogue.entry_of(puzzle_id)
    if entry is None:
        raise Http404(NO_PUZZLE)
    return entry


def _about_puzzle(request: HttpRequest, entry: Entry) -> Mapping[str, Any]:
    listed = catalogue.entries(entry.rules, entry.puzzle.language)
    place = listed.index(entry) + 1
    following = next(catalogue.readable([*listed[place:], *listed[:place]]))
    return {
        "entry": entry,
        "grade": attempts.grades([entry])[entry.id],
        "grades": attempts.GRADES,
        "attempt": attempts.attempts_of(request.get_player(), [entry.id]).get(entry.id),
        "next_address": following.get_absolute_url(),
        "next_label": gettext("Next puzzle"),
        "preview": preview_of(entry),
    }


def preview_of(entry: Entry) -> Preview:
    title = f"{gettext('Puzzle')}: {translate(entry.rules.name)}"
    picture = reverse("puzzle_picture", args=[entry.id])
    task, address = translate(entry.task), entry.get_absolute_url()
    return kind_preview(entry.rules, title, task, picture, address)


@cache_control(max_age=24 * 3600, public=True)
@require_safe
def picture(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    entry = find_entry(puzzle_id)
    PICTURES_PER_ADDRESS.hit(client_address(request))
    return picture_response(public_preview(entry.rules, Standing.of(entry.start)))


@require_http_methods(["GET", "HEAD", "POST"])
def practise(request: HttpRequest, game_id: str, number: int = 0) -> HttpResponse:
    """Show a mistake of the visitor, by default the first, or judge a move; see `_answer`."""
    snapshot = find_game(request, game_id)
    mistakes = own_mistakes(snapshot, held_seats(request, snapshot))
    if not mistakes:
        return errors.page(
            request, 200, text("Practise"), NO_MISTAKE, snapshot.game.get_absolute_url()
        )
    if not number:
        return redirect(reverse("practise_mistake", args=[game_id, 1]))
    if number > len(mistakes):
        raise Http404
    around = {"game": snapshot.game, "number": number, "count": len(mistakes)}
    if number == len(mistakes):
        around["next_address"] = reverse("analysis", args=[game_id])
        around["next_label"] = gettext("Back to the analysis")
    else:
        around["next_address"] = reverse("practise_mistake", args=[game_id, number + 1])
        around["next_label"] = gettext("Next mistake")
    return _answer(request, mistake_of(snapshot, mistakes[number - 1]), lambda: around)


def _answer(
    request: HttpRequest,
    challenge: Challenge,
    about: Callable[[], Mapping[str, Any]],
    recorded: Entry | None = None,
) -> HttpResponse:
    """Show a challenge after the moves ``tried``, or judge the next ``move`` (POST) and redirect to
    the answer, which does not depend on the record.

    ``chosen`` are the steps of a half-chosen move. With ``solution`` a POST leads to the solution,
    whose address has a key for the visitor: previews and shared links do not show it."""
    if request.method != "POST":
        return _page(request, challenge, about())
    try:
        answer = _judge_next(request, challenge)
    except MoveError as error:
        return _page(request, challenge, about(), error.text)
    player = request.get_player()
    if recorded:
        with suppress(Refusal):
            PUZZLES_PER_ADDRESS.hit(client_address(request))
            known = parse_ply(request.POST["mistakes"]) if "mistakes" in request.POST else None
            note = partial(attempts.note, entry=recorded, state=answer.state, mistakes=known)
            player = with_player(request, note)
    if answer.state == "shown":
        return redirect(f"{request.path}?solution=1&key={_key(request, player)}")
    return redirect(request.path + write_tried(answer.tried))


def _judge_next(request: HttpRequest, challenge: Challenge) -> Answer:
    """Return the answer to a form. Raises MoveError for an illegal move."""
    if "solution" in request.POST:
        return show_solution(challenge, 1)
    before = judge_address(challenge, request.POST.get("tried", ""))
    if before.state != "open":
        return before
    typed = (request.POST.get("move") or request.POST.get("mark") or "")[:LONGEST_MOVE]
    move = normalize_move(before.position, challenge.seat, typed)
    return judge(challenge, [*before.tried, move])


def _key(request: HttpRequest, player: Player | None) -> str:
    value = f"{request.path} {player.pk if player else ''}"
    return salted_hmac("solution", value).hexdigest()[:16]


def write_tried(moves: Sequence[str]) -> str:
    """Return the address of a challenge after the solver's moves."""
    return "?" + urlencode({"tried": ",".join(moves)}, safe=",") if moves else "?"


def _page(
    request: HttpRequest,
    challenge: Challenge,
    about: Mapping[str, Any],
    refused: Text | None = None,
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else request.GET
    key, stepper = _key(request, request.get_player()), None
    answer = judge_address(challenge, sent.get("tried", ""))
    if "solution" in sent and constant_time_compare(sent.get("key", ""), key):
        answer = show_solution(challenge, parse_ply(sent["solution"]))
        last = len(challenge.solution)
        stepper = Stepper(len(answer.moves), last, f"?solution={{}}&key={key}")
    board = build_board(
        challenge.rules,
        Standing.of(answer.position),
        viewpoint=challenge.seat,
        seat=challenge.seat if answer.state == "open" else None,
        chosen=sent.get("chosen", "")[:LONGEST_MOVE].split(),
        tried=True,
    )
    context = {
        **about,
        "challenge": challenge,
        "answer": answer,
        "board": replace(
            board,
            has_marks=False,
            beside=[button for button in board.beside if button.value not in challenge.unoffered],
        ),
        "seat": next(spec for spec in challenge.start.seats if spec.key == challenge.seat),
        "moves": [(challenge.label(answer.position, move), own) for move, own in answer.moves],
        "tried": ",".join(answer.tried),
        "retry": write_tried(answer.right),
        "stepper": stepper,
        "refused": refused,
    }
    template = "puzzles/_challenge.html" if request.htmx else "puzzles/challenge.html"
    return render(request, template, context, status=422 if refused else 200)
