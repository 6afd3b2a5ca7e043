"""The page of a challenge: a puzzle, or a mistake of one's own game to practise with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games.contract import LONGEST_MOVE, MoveError, Text, normalize_move, ntext, text
from games.core.rate_limits import GAMES, PICTURES_PER_ADDRESS, PUZZLES_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import Game, Player, PuzzleAttempt
from games.models.puzzles import MOST_TRIES
from games.people.own_games import remove_from_lists
from games.presentation import jinja
from games.presentation.board import Board, build_board
from games.presentation.explored import Stepper, point, with_drawing
from games.presentation.pictures import public_preview
from games.presentation.sharing import Preview, kind_preview
from games.puzzles import attempts, catalogue, ratings, today
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
from games.services.plans import COMPUTER, DEVICE, plan_from
from games.services.setup import Plan, start_game
from games.state.snapshot import Standing
from games.views import errors
from games.views.common import count_request, find_game, held_seats, with_player
from games.views.lobby.new import start_planned
from games.views.responses import picture_response
from games.web.client_address import client_address
from games.web.preferences import read_choices, read_preferences
from games.web.request import HttpRequest, parse_ply

NO_PUZZLE = text("There is no such puzzle.")
FIRST_COUNTS = text("The first try counts.")
NO_MISTAKE = text("No move of yours cost anything. Well played!")


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle, or judge a move and record it; see `show_answer`."""
    entry = catalogue.entry_of(puzzle_id)
    if entry is None and attempts.was_tried(puzzle_id):
        return _withdrawn(request, puzzle_id)
    entry = find_entry(puzzle_id)
    about = partial(_about_puzzle, entry, _opened(request, entry))
    return show_answer(request, challenge_of(entry), about, entry)


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


def _opened(request: HttpRequest, entry: Entry) -> date | None:
    """Return the day on which the page was opened, if it is that of the puzzle."""
    day = today.opened_on(entry, request.POST.get("opened", ""))
    return day if today.is_of_day(entry, day) else None


def _about_puzzle(entry: Entry, day: date | None, player: Player | None) -> Mapping[str, Any]:
    if entry.lesson:
        return _about_step(entry, entry.lesson.number, player)
    listed = catalogue.entries(entry.rules, entry.puzzle.language)
    tried = {*attempts.tried_by(player), entry.id}
    following = ratings.nearest(player, listed, tried) or listed[0]
    attempt = attempts.attempts_of(player, [entry.id]).get(entry.id)
    return {
        "entry": entry,
        "grade": attempts.grades([entry])[entry.id],
        "grades": ratings.GRADES,
        "attempt": attempt,
        "next_address": following.get_absolute_url(),
        "next_label": gettext("Next puzzle"),
        "preview": preview_of(entry),
        "others": [*_others(entry), *ratings.told(player, attempt)],
        **(today.around(entry, day, player) if day else {}),
    }


def _about_step(entry: Entry, number: int, player: Player | None) -> Mapping[str, Any]:
    """Return the values of the page of a step of a course, which leads to the next one."""
    steps, course = catalogue.course(entry.rules.slug), reverse("course", args=[entry.rules.slug])
    is_last = number == len(steps)
    return {
        "entry": entry,
        "attempt": attempts.attempts_of(player, [entry.id]).get(entry.id),
        "steps": len(steps),
        "next_address": course if is_last else steps[number].get_absolute_url(),
        "next_label": gettext("Back to the course") if is_last else gettext("Next step"),
        "preview": preview_of(entry),
        "others": [],
    }


def _others(entry: Entry) -> list[Text]:
    """Return how the other players did, if they are more than a handful."""
    shares = attempts.share_at_once([entry.id]).values()
    return [text("%(percent)s%% of the players solved it at once.", percent=at) for at in shares]


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
    """Show a mistake of the visitor, by default the dearest, or judge a move; see `show_answer`."""
    snapshot = find_game(request, game_id)
    mistakes = own_mistakes(snapshot, held_seats(request, snapshot))
    if not mistakes:
        return errors.page(
            request, 200, text("Practise"), NO_MISTAKE, snapshot.game.get_absolute_url()
        )
    if not number:
        dearest = max(mistakes, key=lambda line: line.loss)
        return redirect("practise_mistake", game_id, mistakes.index(dearest) + 1)
    if number > len(mistakes):
        raise Http404
    around = {"game": snapshot.game, "number": number, "count": len(mistakes), "attempt": None}
    if number == len(mistakes):
        around["next_address"] = reverse("analysis", args=[game_id])
        around["next_label"] = gettext("Back to the analysis")
    else:
        around["next_address"] = reverse("practise_mistake", args=[game_id, number + 1])
        around["next_label"] = gettext("Next mistake")
    return show_answer(request, mistake_of(snapshot, mistakes[number - 1]), lambda _: around)


def show_answer(
    request: HttpRequest,
    challenge: Challenge,
    about: Callable[[Player | None], Mapping[str, Any]],
    recorded: Entry | None = None,
) -> HttpResponse:
    """Show a challenge after the moves ``tried``, or judge the next ``move`` (POST) and lead to the
    answer, which does not depend on the record. ``with`` begins a game from the position of an
    answer, see `_go_on`.

    ``chosen`` are the steps of a half-chosen move, and ``mark`` is a move to be confirmed. With
    ``solution`` a POST leads to the solution, whose address has a key for the visitor: previews and
    shared links do not show it."""
    player, refused = request.get_player(), None
    if request.method != "POST":
        answer = _asked(request, challenge, request.GET)
    elif "with" in request.POST:
        return _go_on(request, challenge, _asked(request, challenge, request.POST))
    elif "mark" in request.POST and not {"move", "solution"} & request.POST.keys():
        tried = judge_address(challenge, request.POST.get("tried", "")).tried
        return redirect(request.path + write_tried(tried, request.POST["mark"][:LONGEST_MOVE]))
    else:
        try:
            answer = judge_next(request, challenge)
            player = _note(request, recorded, answer) if recorded else player
        except MoveError as error:
            answer = judge_address(challenge, request.POST.get("tried", ""))
            refused = error.text
    page = _page(request, challenge, answer, about(player), player)
    if request.method == "POST" and not refused and not request.htmx:
        return redirect(page["address"])
    page |= {"refused": refused, "mistyped": refused and "typed" in request.POST}
    status = 422 if refused else 200
    if request.htmx:
        return HttpResponse(jinja.render("puzzles/_answer.jinja", page=page), status=status)
    return render(request, "puzzles/challenge.html", {**page, "page": page}, status=status)


def _asked(request: HttpRequest, challenge: Challenge, sent: QueryDict) -> Answer:
    """Return the answer of an address, or of the same values in a form."""
    key = _key(request, request.get_player())
    if constant_time_compare(sent.get("key", ""), key):
        return show_solution(challenge, parse_ply(sent.get("solution", "")))
    return judge_address(challenge, sent.get("tried", ""), parse_ply(sent.get("at", "")))


def _go_on(request: HttpRequest, challenge: Challenge, answer: Answer) -> HttpResponse:
    """Begin a game of the visitor at the position of an answer, on the solver's seat and with a
    computer; or with the device alone, for the board of an analysis, which no list shows."""
    opponent = request.POST["with"]
    if opponent not in {COMPUTER, DEVICE} or not _goes_on(challenge, answer):
        raise BadRequest
    plan = _plan(request, challenge, answer, opponent)
    count_request(request, GAMES)
    if opponent == COMPUTER:
        address = start_planned(request, plan).get_absolute_url()
    else:
        game = start_planned(request, plan, start=_start_unlisted)
        address = reverse("analysis", args=[game.pk]) + f"?ply={len(plan.moves)}"
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def _start_unlisted(*, player: Player, **given: Any) -> Game:
    game = start_game(player=player, **given)
    remove_from_lists(game_id=game.pk, player=player, removed=True)
    return game


def _goes_on(challenge: Challenge, answer: Answer) -> bool:
    is_told = answer.state != "open"
    return is_told and challenge.origin is not None and bool(answer.position.to_move())


def _plan(request: HttpRequest, challenge: Challenge, answer: Answer, opponent: str) -> Plan:
    origin, rules = challenge.origin and challenge.origin(), challenge.rules
    if origin is None:
        raise BadRequest
    plan = plan_from(
        rules=rules,
        options=origin.options,
        setup=origin.setup,
        moves=[*origin.moves, *answer.moves],
        standing=Standing.of(answer.position),
        opponent=opponent,
        level=read_choices(request, rules).level,
        seat=challenge.seat,
    )
    return replace(plan, new=replace(plan.new, closed=origin.closed), imported={})


def judge_next(request: HttpRequest, challenge: Challenge) -> Answer:
    """Return the answer to a form. Raises MoveError for an illegal move."""
    if "solution" in request.POST:
        return show_solution(challenge, 1)
    before = judge_address(challenge, request.POST.get("tried", ""))
    if before.state != "open":
        return before
    typed = " ".join(request.POST.getlist("move"))[:LONGEST_MOVE]
    move = normalize_move(before.position, challenge.seat, typed)
    return judge(challenge, [*before.tried, move])


def _note(request: HttpRequest, entry: Entry, answer: Answer) -> Player | None:
    """Record an answer for the visitor's player, and return the player."""
    known = parse_ply(request.POST["mistakes"]) if "mistakes" in request.POST else None
    with suppress(Refusal):
        PUZZLES_PER_ADDRESS.hit(client_address(request))
        day = _opened(request, entry)
        note = partial(attempts.note, entry=entry, state=answer.state, mistakes=known, day=day)
        return with_player(request, note)
    return request.get_player()


def _key(request: HttpRequest, player: Player | None) -> str:
    value = f"{request.path} {player.pk if player else ''}"
    return salted_hmac("solution", value).hexdigest()[:16]


def write_tried(moves: Sequence[str], mark: str = "") -> str:
    """Return the address of a challenge after the solver's moves."""
    sent = {"tried": ",".join(moves), "mark": mark}
    written = {name: value for name, value in sent.items() if value}
    return "?" + urlencode(written, safe=",") if written else "?"


def _page(
    request: HttpRequest,
    challenge: Challenge,
    answer: Answer,
    about: Mapping[str, Any],
    player: Player | None,
) -> dict[str, Any]:
    """Return the value of `_board.jinja`, and of the page around it."""
    address, stepper, key = write_tried(answer.tried), None, _key(request, player)
    if answer.state == "shown":
        steps = f"?solution={{}}&key={key}"
        stepper = Stepper(len(answer.moves), len(challenge.solution), steps)
        address = steps.format(len(answer.moves))
    elif len(answer.line) > 1:
        stepper = Stepper(answer.at, len(answer.line), f"{address}&at={{}}")
        address += f"&at={answer.at}" if "at" in request.GET else ""
    confirm = read_preferences(request).confirm
    attempt = about["attempt"]
    is_lost = attempt and attempt.is_lost and not challenge.lesson
    return {
        **about,
        "challenge": challenge,
        "answer": answer,
        "address": request.path + address.removesuffix("?"),
        "board": _board(request, challenge, answer),
        # A try counts, so it cannot be taken back.
        "confirms": "taps" if confirm == "auto" else confirm,
        "mark": "",
        "moves": [
            (challenge.label(answer.position, move), seat == challenge.seat)
            for seat, move in answer.moves[-2 if answer.line else 0 :]
        ],
        "goes_on": _goes_on(challenge, answer),
        "key": key,
        "tried": ",".join(answer.tried),
        "retry": "" if is_lost else write_tried(answer.right),
        "is_over": bool(attempt and attempt.is_over) and answer.state != "open",
        "sentences": _sentences(challenge, answer, attempt, recorded="entry" in about),
        "stepper": stepper,
    }


def _board(request: HttpRequest, challenge: Challenge, answer: Answer) -> Board:
    sent = request.POST if request.method == "POST" else request.GET
    is_open = answer.state == "open"
    board = build_board(
        challenge.rules,
        Standing.of(answer.position),
        viewpoint=challenge.seat,
        seat=challenge.seat if is_open else None,
        chosen=sent.get("chosen", "")[:LONGEST_MOVE].split() if is_open else (),
        marked=sent.get("mark", ""),
        live=True,
    )
    if refuting := answer.refuting:
        board = with_drawing(board, point(refuting.cells, refuting.arrows))
    left_out = challenge.unoffered
    beside = [button for button in board.beside if button.value not in left_out]
    return replace(board, beside=beside, tree=None if left_out else board.tree)


def _sentences(
    challenge: Challenge, answer: Answer, attempt: PuzzleAttempt | None, *, recorded: bool
) -> list[Text]:
    """Return the verdict on the last try, or the task."""
    if answer.state == "shown":
        return [text("The solution, move by move.")]
    if answer.state == "solved":
        return [text("Solved!"), challenge.praise()]
    if answer.state == "wrong":
        said = answer.refuting.said if answer.refuting else None
        left = _tries_left(attempt) if answer.at <= 2 and not challenge.lesson else []
        return [text("Not this one."), *filter(None, [said]), *left]
    if answer.moves:
        return [ntext("Right! %(n)s more.", "Right! %(n)s more.", n=answer.left)]
    if lesson := challenge.lesson:
        return [text("%(title)s.", title=lesson.title), lesson.said]
    seat = next(spec for spec in challenge.start.seats if spec.key == challenge.seat)
    you = seat.you or text("You play %(seat)s.", seat=seat.name)
    return [challenge.task, you, *([FIRST_COUNTS] if recorded and not attempt else [])]


def _tries_left(attempt: PuzzleAttempt | None) -> list[Text]:
    if attempt is None or attempt.solved or attempt.revealed or attempt.is_lost:
        return []
    left = MOST_TRIES - attempt.mistakes
    if attempt.mistakes == 1:
        return [text("The first try counted. Two more are for learning.")]
    return [ntext("%(n)s try left.", "%(n)s tries left.", n=left)]
