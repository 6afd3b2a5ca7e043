"""Runs: puzzles of one kind that grow harder, for three minutes or until three faults.

The server's clock decides. A run is its player's row, so a page that is sent again, in another tab
or after Back, finds the puzzle that is next now and counts nothing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from games.contract import MoveError, Rules, Text, ntext, text
from games.core.rate_limits import PUZZLES_PER_ADDRESS
from games.models import Player, PuzzleRun
from games.puzzles import catalogue, ratings, views
from games.puzzles.catalogue import Entry
from games.puzzles.challenge import challenge_of, judge_address
from games.puzzles.lists import entries_of_visitor, find_kind
from games.storage.write_lock import write_transaction
from games.views.common import with_player
from games.web.client_address import client_address
from games.web.request import HttpRequest, parse_ply

LASTS = timedelta(minutes=3)
MOST_FAULTS = 3
STEPS = 40
"""The puzzles after which a run has come to the hardest of its kind."""
RIGHT, WRONG = text("Right!"), text("Not this one.")
BEHIND = text("That puzzle is behind you.")


@dataclass(frozen=True)
class Standing:
    """A run as its page shows it, with the verdict on the puzzle before."""

    row: PuzzleRun
    told: Text | None = None

    @property
    def place(self) -> int:
        return self.row.solved + self.row.faults

    @property
    def seconds(self) -> int:
        """The seconds left, 0 when the run is over."""
        left = self.row.started + LASTS - timezone.now()
        return max(0, int(left.total_seconds())) if self.row.faults < MOST_FAULTS else 0

    @property
    def left(self) -> str:
        return f"{self.seconds // 60}:{self.seconds % 60:02}"

    @property
    def hearts(self) -> str:
        return "♥" * (MOST_FAULTS - self.row.faults) + "♡" * self.row.faults

    @property
    def faults(self) -> Text:
        return ntext("%(n)s mistake", "%(n)s mistakes", n=self.row.faults)


@require_http_methods(["GET", "HEAD", "POST"])
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the visitor's run: before and after it the best (GET), or begin one (POST ``begin``);
    else its puzzle, or judge a move, which is a fault or leads on to the next one."""
    rules, player = find_kind(slug), request.get_player()
    if request.method == "POST" and "begin" in request.POST:
        PUZZLES_PER_ADDRESS.hit(client_address(request))
        with_player(request, partial(_begin, kind=slug))
        return redirect(request.path)
    row = PuzzleRun.objects.filter(player=player, kind=slug).first() if player else None
    if row and Standing(row).seconds:
        return _on(request, rules, Standing(row))
    if request.htmx:
        return HttpResponseClientRedirect(request.path)
    return render(request, "puzzles/run.html", {"rules": rules, "run": row})


def _begin(player: Player, kind: str) -> None:
    fresh = {"started": timezone.now(), "solved": 0, "faults": 0}
    PuzzleRun.objects.update_or_create(player=player, kind=kind, defaults=fresh)


def _on(request: HttpRequest, rules: Rules, run: Standing) -> HttpResponse:
    challenge = challenge_of(puzzle_of(rules, run))
    if request.method != "POST":
        # Back, and an address of a puzzle before, lead to the present one.
        if judge_address(challenge, request.GET.get("tried", "")).state != "open":
            return redirect(request.path)
    elif {"move", "solution"} & request.POST.keys():
        PUZZLES_PER_ADDRESS.hit(client_address(request))
        if parse_ply(request.POST.get("place", "")) != run.place:
            return _lead_on(request, rules, run, BEHIND)
        with suppress(MoveError):
            state = views.judge_next(request, challenge).state
            if state != "open":
                told = RIGHT if state == "solved" else WRONG
                return _lead_on(request, rules, _count(run, state == "solved"), told)
    return views.show_answer(request, challenge, lambda _: _around(run))


def puzzle_of(rules: Rules, run: Standing) -> Entry:
    """Return the puzzle of a run: by chance in a fortieth of the list, each time in the next."""
    listed = sorted(entries_of_visitor(rules), key=lambda entry: ratings.begun(entry.id) or 0)
    step = max(1, len(listed) // STEPS)
    chance = Random(f"{run.row.pk} {run.row.started} {run.place}").randrange(step)
    first = min(run.place, STEPS - 1) * step + chance
    found = next(catalogue.readable([*listed[first:], *listed]), None)
    if found is None:
        raise Http404
    return found


def _count(run: Standing, solved: bool) -> Standing:
    """Count the result of a puzzle, unless another tab has done so."""
    with write_transaction():
        row = PuzzleRun.objects.select_for_update().get(pk=run.row.pk)
        now = Standing(row)
        if (row.started, now.place) == (run.row.started, run.place) and now.seconds:
            row.solved, row.faults = row.solved + solved, row.faults + (not solved)
            row.best = max(row.best, row.solved)
            row.save()
    return now


def _lead_on(request: HttpRequest, rules: Rules, run: Standing, told: Text) -> HttpResponse:
    if not request.htmx:
        return redirect(request.path)
    if not run.seconds:
        return HttpResponseClientRedirect(request.path)
    # The next puzzle is shown as if it had been asked for.
    request.method = "GET"
    about = _around(replace(run, told=told))
    return views.show_answer(request, challenge_of(puzzle_of(rules, run)), lambda _: about)


def _around(run: Standing) -> dict[str, Any]:
    return {"run": run, "attempt": None}
