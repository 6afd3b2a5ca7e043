"""The jobs of a worker: moves of computers, evaluations, and flags, one at a time. Only this module
imports computer players, since numba may be loaded nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from random import Random
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFault

from games.contract import CannotPlay, MoveValue, Position, Text, text
from games.contract.computer import WALL_SECONDS
from games.core.metrics import cut_jobs, jobs, timed
from games.core.refusals import Refusal, StalePly
from games.core.registry import all_rules, computer_module
from games.models import Evaluation, Game, Thought
from games.services import clocks, computers, marks, play, verification
from games.state.evaluations import move_after
from games.state.replay import Unreadable
from games.state.snapshot import read_snapshot
from games.state.variations import play_line
from games.storage.compiled_queries import any_of
from games.worker import leases
from games.worker.reasons import PASSING, STARVED, ComputerFailed, reason_for, review

logger = logging.getLogger(__name__)

SECONDS_A_MOVE = 20.0
"""The longest time for a computer's move, for emergencies: on an idle core no level needs three
seconds for its nodes. Like the others it is processor time of the worker's thread."""
SECONDS_A_HINT = 3.0
SECONDS_A_PLY = 1.0
SECONDS_A_GLANCE = 0.1
"""Seconds for the first values of a position in an analysis, for which its reader waits."""

SECONDS_A_LOOK = 3.0
"""Seconds for the second look at a move that would get a mark; its nodes take less than two."""
SECONDS_A_REPLY = 0.3
PLIES_OF_A_LINE = 6
"""The length of a shown line: the best move and the answers after it."""

CANNOT = text("The computer can’t go on. Its seat is open for someone else.")


Work = Callable[[], bool]
"""Looks for work of one kind and does it; False when there is none."""


def run_one_job(order: Sequence[Work] | None = None) -> bool:
    """Run one job of the first kind that has one; return False without any. Raises an error of
    django.db; the job is then still to be done."""
    return any(_WAITING[work]() and work() for work in order or SCHEDULES[0])


def load_computers() -> Iterator[str]:
    """Load the computer player of one kind of game at each step, so that no player waits for it.
    The very first time, its search is compiled, which takes ten seconds."""
    for kind in [slug for slug, rules in all_rules().items() if rules.levels]:
        try:
            computer_module(kind)
        except Exception:
            logger.exception("the computer of %s cannot be loaded", kind)
        yield kind


def _a_flag() -> bool:
    """End the turns of fallen flags, the first kind of job as the shortest."""
    return any(_fall(game_id) for game_id in clocks.due_flags())


def _fall(game_id: str) -> bool:
    try:
        before = read_snapshot(game_id).game.version
        return play.fall_flag(game_id=game_id).game.version > before
    except Unreadable as error:
        logger.warning("game %s no longer replays: %s", game_id, error)
        verification.mark_fault(game_id=game_id)
    except Game.DoesNotExist:
        pass
    return False


def _a_turn() -> bool:
    return _timed("move", take_turn, leases.next_turn())


def _a_hint() -> bool:
    return _timed("hint", evaluate, leases.next_evaluation(hint=True))


def _a_ply() -> bool:
    return _timed("ply", evaluate, leases.next_evaluation(hint=False))


def _a_thought() -> bool:
    return _timed("thought", think, leases.next_thought())


def _timed(name: str, do: Callable[[leases.Leased], None], row: leases.Leased | None) -> bool:
    if row is None:
        return False
    began = monotonic()
    with timed(jobs.labels(name)):
        do(row)
    if monotonic() - began > WALL_SECONDS:
        cut_jobs.labels(name).inc()
    return True


# Compiled, since an idle worker asks five times a second.
_WAITING: Mapping[Work, Callable[[], bool]] = {
    _a_flag: any_of(lambda: Game.objects.filter(flag_at__isnull=False)),
    _a_turn: any_of(lambda: Game.objects.filter(computer_to_move=True)),
    _a_hint: any_of(lambda: Evaluation.objects.filter(done=False, hint=True)),
    _a_ply: any_of(lambda: Evaluation.objects.filter(done=False, hint=False)),
    _a_thought: any_of(lambda: Thought.objects.filter(move=None)),
}
SCHEDULES: Sequence[Sequence[Work]] = (
    (_a_flag, _a_hint, _a_turn, _a_thought, _a_ply),
    (_a_flag, _a_turn, _a_thought, _a_hint, _a_ply),
    (_a_flag, _a_hint, _a_turn, _a_thought, _a_ply),
    (_a_flag, _a_ply, _a_hint, _a_turn, _a_thought),
)
"""The order of the kinds of job, which alternates from job to job. A hint waits for at most one
move, since its player is at the board, but no kind of job can block another for ever."""


def take_turn(game: Game) -> None:
    """Choose and play a computer's move. If the computer cannot play, or fails in several
    processes, its seat is freed for people, so that the game goes on. A game that no longer replays
    is marked, and then skipped."""
    try:
        with _for_others(game):
            if failed := _try(game):
                computers.release_seats(game=game, reason=failed)
    except Unreadable as error:
        logger.warning("game %s no longer replays: %s", game.id, error)
        verification.mark_fault(game_id=game.id)
    except (Refusal, Game.DoesNotExist):
        logger.info("game %s moved on while a computer thought", game.id)


def think(thought: Thought) -> None:
    """Choose a level's move in a position that is not stored."""
    computer: Any = computer_module(thought.kind)
    position = all_rules()[thought.kind].start(thought.setup)
    move = ""
    with _for_others(thought):
        try:
            for made in thought.moves:
                position.play(min(position.to_move()), made)
            seat, rng = min(position.to_move()), Random(thought.pk)
            choice = computer.choose(position, seat, thought.level, rng, seconds=SECONDS_A_MOVE)
            move = choice.move
        except PASSING:
            raise
        except Exception:
            logger.exception("the computer of %s failed", thought)
    computers.store_move(thought=thought, move=move)


@contextmanager
def _for_others(row: Game | Evaluation | Thought) -> Iterator[None]:
    """Release the lease at once if this process is stopped or lacks a part."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, *STARVED):
        with suppress(DatabaseFault):
            leases.release_lease(row)
        raise


def _try(game: Game) -> Text | None:
    """Play the computer's move, or return why it cannot. Raises Refusal if the game has changed."""
    try:
        _play(game)
    except CannotPlay as error:
        return error.text
    except (Refusal, Unreadable, Game.DoesNotExist, *PASSING):
        # This is no failure of the computer: it tries again, perhaps in another process.
        raise
    except Exception as error:
        logger.exception("the computer of %s failed at ply %s", game, game.ply)
        if not computers.note_failure(game=game, process=leases.holder()):
            raise ComputerFailed from error
        logger.warning("the computer of %s gives up its seat: it failed in several workers", game)
        return CANNOT
    return None


def _play(game: Game) -> None:
    """Choose and play the move of the first computer to move, or mark it beside people. Raises
    StalePly if the game has changed since it was leased."""
    snapshot = read_snapshot(game.id)
    if (snapshot.game.ply, snapshot.game.undone) != (game.ply, game.undone):
        raise StalePly
    places, position = snapshot.seating.places, snapshot.position.copy()
    seat = next((key for key in game.to_move if places[key].level is not None), None)
    if seat is None:
        return
    computer: Any = computer_module(game.kind)
    # The seed makes another worker choose the same move if this process is killed while thinking.
    rng = Random(f"{game.id}:{game.ply}:{seat}")
    level = places[seat].level
    choice = computer.choose(position, seat, level, rng, seconds=SECONDS_A_MOVE)
    if places[seat].adviser is not None:
        moves = choice.weighed or (choice.move,)
        marks.advise(snapshot=snapshot, seat=seat, moves=moves)
        return
    if choice.weighed and _is_watched(game) and not marks.is_weighing(snapshot, seat):
        marks.mark_weighed(snapshot=snapshot, seat=seat, moves=choice.weighed)
        return
    play.play_move(
        game_id=game.id,
        seat=seat,
        text=choice.move,
        ply=game.ply,
        undone=game.undone,
        player=None,
        note=choice.note,
    )


def _is_watched(game: Game) -> bool:
    return bool(settings.PACE_COMPUTERS) and not game.only_computers


def evaluate(evaluation: Evaluation) -> None:
    """Compute an evaluation; if that is impossible, it is done without values. A position of an
    analysis first gets quick values, and waits again for better ones. A kind with reviews has a
    note on the move instead."""
    if evaluation.game.rules.reviews is not None:
        with _for_others(evaluation):
            review(evaluation)
        return
    try:
        with _for_others(evaluation):
            values = _values(evaluation)
    except CannotPlay as error:
        values = {"moves": [], "refused": error.text.to_json()}
    except (Unreadable, Game.DoesNotExist):
        values = None
    except PASSING:
        raise
    except Exception:
        logger.exception("the evaluation of %s failed", evaluation)
        values = None
    glanced = _is_glance(evaluation) and bool(values and values["moves"])
    computers.store_evaluation(evaluation=evaluation, values=values, done=not glanced)


def _is_glance(evaluation: Evaluation) -> bool:
    return not evaluation.hint and not evaluation.glanced


def _values(evaluation: Evaluation) -> dict[str, Any]:
    """Return the values of all legal moves as JSON, the best first, and any regions."""
    computer: Any = computer_module(evaluation.game.kind)
    position = _position_of(evaluation)
    if not position.to_move():
        return {"moves": [], "mistake": computer.MISTAKE, "regions": []}
    seconds = SECONDS_A_GLANCE if _is_glance(evaluation) else SECONDS_A_PLY
    if evaluation.hint:
        seconds = SECONDS_A_HINT
    found: Mapping[str, MoveValue] = computer.evaluate(position, seconds=seconds)
    if not found:
        # On a busy machine the time may be over before the first value.
        found = computer.evaluate(position, seconds=SECONDS_A_MOVE)
    first = found
    if not _is_glance(evaluation):
        found = _with_second_look(evaluation, computer, position, found)
    best_first = sorted(found.items(), key=lambda item: -item[1].value)
    is_sure = found is not first or all(value.exact for _, value in best_first[:1])
    verdicts = _verdicts(computer, exact=is_sure)
    values = {
        "seat": min(position.to_move()),
        "moves": [_as_json(move, value) for move, value in best_first],
        **verdicts,
        "regions": _regions(computer, position, seconds),
    }
    if not best_first or _is_glance(evaluation):
        return values
    return {
        **values,
        "line": _line(evaluation.game.kind, position, best_first[0][0]),
        "reason": reason_for(evaluation, position, found, verdicts["inaccuracy"]),
    }


def _with_second_look(
    evaluation: Evaluation, computer: Any, position: Position, found: Mapping[str, MoveValue]
) -> Mapping[str, MoveValue]:
    """Return the values after a second look at a costly move that was played, if the kind has
    one."""
    look: Any = getattr(computer, "look_again", None)
    played = "" if evaluation.hint or evaluation.line is not None else move_after(evaluation)
    if look is None or played not in found:
        return found
    again: Mapping[str, MoveValue] = look(position, played, found, seconds=SECONDS_A_LOOK)
    return again


def _line(kind: str, position: Position, best: str) -> list[str]:
    """Return the best move and the best answers after it, as the strongest level finds them."""
    computer: Any = computer_module(kind)
    # The strongest level takes as long as the evaluation itself.
    level = [*all_rules()[kind].ladder][-2:][0]
    position, line = position.copy(), [best]
    position.play(min(position.to_move()), best)
    while position.to_move() and len(line) < PLIES_OF_A_LINE:
        seat = min(position.to_move())
        choice = computer.choose(position, seat, level, Random(0), seconds=SECONDS_A_REPLY)
        position.play(seat, choice.move)
        line.append(choice.move)
    return line


def _verdicts(computer: Any, *, exact: bool) -> dict[str, float]:
    """Return the losses from which a move counts as an inaccuracy, a mistake or a blunder."""
    inaccuracy: float = getattr(computer, "INACCURACY", computer.MISTAKE / 2)
    return {
        "inaccuracy": inaccuracy if exact else max(inaccuracy, getattr(computer, "NOISE", 0.0)),
        "mistake": computer.MISTAKE,
        "blunder": getattr(computer, "BLUNDER", computer.MISTAKE * 2),
    }


def _position_of(evaluation: Evaluation) -> Position:
    return play_line(read_snapshot(evaluation.game_id).at(evaluation.ply), evaluation.line or "")


def _as_json(move: str, value: MoveValue) -> dict[str, Any]:
    return {
        "move": move,
        "value": value.value,
        "exact": value.exact,
        "known": value.known,
        "shown": value.shown.to_json(),
        "detail": (value.detail or value.shown).to_json(),
        "why": value.why.to_json() if value.why else None,
    }


def _regions(computer: Any, position: Position, seconds: float) -> list[dict[str, Any]]:
    regions = getattr(computer, "regions", None)
    found = regions(position, seconds=seconds) if regions else []
    return [{"cells": list(region.cells), "value": region.value.to_json()} for region in found]
