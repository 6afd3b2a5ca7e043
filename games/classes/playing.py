"""The board on which a pupil's class plays, and the moves of computers against it.

The page sends the moves so far, and gets the board after them with the lines that play them and the
right answers. Its own Python calls the class, so no code arrives here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from random import Random
from secrets import randbelow
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.http.request import QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_POST

from games.classes.recording import NoSuchExercise, find_exercise, recorded
from games.contract import (
    ENDINGS,
    LONGEST_MOVE,
    Exercise,
    MoveError,
    Play,
    Rules,
    Run,
    SeatKey,
    SeatSpec,
)
from games.core.rate_limits import MATCHES_PER_ADDRESS, THOUGHTS_PER_ADDRESS
from games.presentation.board import build_board
from games.services.computers import ask_move
from games.state.snapshot import Standing
from games.web.client_address import client_address, origin_of
from games.web.request import HttpRequest, parse_ply

LEVELS = 5
"""The number of levels, from the easiest, against which a class plays: their moves take little
time."""
MOST_MOVES, MOST_CHARACTERS = 200, 6_000
SEEDS = 1_000_000
PERSON, CHOOSE = "", "choose"


class Match:
    """A game of a class, as its page sends it, up to its first illegal move. ``players`` are
    persons, levels, or the function ``choose`` of the pupil's file; ``movers`` are those of the
    ``moves``."""

    def __init__(self, rules: Rules, play: Play, sent: QueryDict) -> None:
        size, seed = parse_ply(sent.get("size", "")), parse_ply(sent.get("seed", ""))
        self.play = play
        self.size = size if size in play.sizes else play.sizes[0]
        self.seed = seed if seed >= 0 else randbelow(SEEDS)
        self.setup = play.deal(self.size, Random(self.seed))
        self.position = rules.start(self.setup)
        named = {spec.key: sent.get(f"seat-{spec.key}") for spec in seats_of(rules, play)}
        known = {CHOOSE, *map(str, levels_of(rules, play))}
        self.players = {seat: name if name in known else PERSON for seat, name in named.items()}
        self.moves: list[str] = []
        self.movers: list[str] = []
        for move in filter(None, sent.get("tried", "")[:MOST_CHARACTERS].split(",")):
            if not self.make(move):
                break
        self.place()

    @property
    def seat(self) -> SeatKey | None:
        return min(self.position.to_move() & self.players.keys(), default=None)

    @property
    def player(self) -> str:
        return self.players[self.seat] if self.seat else PERSON

    def make(self, move: str) -> bool:
        """Play a move and return whether it is legal."""
        seat, player = self.seat, self.player
        if seat is None or move in ENDINGS or len(self.moves) >= MOST_MOVES:
            return False
        with suppress(MoveError):
            self.position.play(seat, move)
            self.moves.append(move)
            self.movers.append(player)
            return True
        return False

    def place(self) -> None:
        """Play at random the moves of a class that has no board yet."""
        while self.seat and self.player == CHOOSE and not self.play.asks(self.setup, self.moves):
            rng = Random(f"{self.seed} {len(self.moves)}")
            if not self.make(rng.choice(self.position.legal_moves(self.seat))):
                return

    def named(self, arguments: str) -> str:
        """Return the legal move with the arguments that a class has chosen, '' if there is none."""
        legal = self.position.legal_moves(self.seat) if self.seat else ()
        return next((move for move in legal if repr(self.play.arguments(move)) == arguments), "")

    @property
    def back(self) -> list[str] | None:
        """The moves before the last one of a person; None without one."""
        own = [at for at, player in enumerate(self.movers) if player == PERSON]
        return self.moves[: own[-1]] if own else None


def seats_of(rules: Rules, play: Play) -> list[SeatSpec]:
    """Return the seats that call a class. Others have secrets, which it does not know."""
    seats = rules.start(play.deal(play.sizes[0], Random(0))).seats
    return [spec for spec in seats if not spec.information_set]


def levels_of(rules: Rules, play: Play) -> Sequence[int]:
    """Return the levels that play against a class: none in games with secrets."""
    seats = rules.start(play.deal(play.sizes[0], Random(0))).seats
    return [*rules.ladder][:LEVELS] if len(seats) == len(seats_of(rules, play)) else []


@require_POST
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the board of a game after its moves ``tried`` and a next ``move``, or the arguments
    ``call`` that a class has chosen, as a part of the exercise's page. Raises RateLimited."""
    rules, exercise, play = find_play(slug)
    MATCHES_PER_ADDRESS.hit(client_address(request))
    match, sent = Match(rules, play, request.POST), request.POST
    move = sent.get("move") or sent.get("mark") or match.named(sent.get("call", ""))
    refused = bool(move or "call" in sent) and not match.make(move)
    match.place()
    standing, keys = Standing.of(match.position), match.position.seats
    winners = standing.result.winners if standing.result else ()
    context = {
        "slug": slug,
        "match": match,
        "board": build_board(
            rules,
            standing,
            # The key of a game with secrets lies open: a class has it.
            viewpoint=next((spec.key for spec in keys if spec.information_set), None),
            seat=match.seat if match.player == PERSON else None,
            chosen=sent.get("chosen", "")[:LONGEST_MOVE].split(),
            tried=True,
        ),
        "mover": next((spec for spec in keys if spec.key == match.seat), None),
        "result": standing.result,
        "played": {
            "run": recorded(exercise, Run(lines=tuple(play.lines(match.setup, match.moves)))),
            "player": match.player,
            "over": match.seat is None,
            "asks": play.asks(match.setup, match.moves),
            "refused": sent.get("call", move)[:LONGEST_MOVE] if refused else "",
            "won": [match.players[key] for key in match.players if key in winners],
        },
    }
    return render(request, "classes/_board.html", context)


@require_POST
def move(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the move of the level that is to move in a game, as JSON; 202 while a worker thinks.
    Raises RateLimited."""
    rules, _exercise, play = find_play(slug)
    match = Match(rules, play, request.POST)
    if match.player not in map(str, levels_of(rules, play)):
        raise Http404
    THOUGHTS_PER_ADDRESS.hit(client_address(request))
    question: dict[str, Any] = {"kind": rules.slug, "setup": match.setup, "moves": match.moves}
    question |= {"level": int(match.player)}
    key = sha256(repr([question, match.seed]).encode()).hexdigest()[:32]
    found = ask_move(key=key, question=question, origin=origin_of(request))
    return JsonResponse({"move": found or ""}, status=202 if found is None else 200)


def known_exercise(slug: str) -> tuple[Rules, Exercise]:
    """Return the exercise of an address. Raises Http404."""
    try:
        return find_exercise(slug)
    except NoSuchExercise:
        raise Http404 from None


def find_play(slug: str) -> tuple[Rules, Exercise, Play]:
    """Return an exercise that plays on the site's board. Raises Http404."""
    rules, exercise = known_exercise(slug)
    if exercise.play is None:
        raise Http404
    return rules, exercise, exercise.play
