"""The search for puzzles of Santorini: positions in which one move alone forces a win in so many
turns, or does not lose in two, by a search of all moves of both players to that depth.

Slower wins are not excluded, so the task is a win in two or in three turns. Nothing is pruned but
lines that are decided already: by a climb, by two climbs of the other player that cannot both be
closed, and by the end of the turns. A move that saves does not lose in three turns either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random
from typing import Any, Final

import numpy as np

from games.contract import Puzzle, Refutation, Turn, with_common_refutation
from games.santorini.ai.bits import BOARD, STATE, State, climbs, generate, level_of, play
from games.santorini.ai.jit import kernel
from games.santorini.ai.spaces import see
from games.santorini.computer import choose
from games.santorini.position import SantoriniPosition

LANGUAGES: Final = ("",)

MOST: Final = 3
"""The turns of the longest win, and of the solver who saves himself."""
_LOST: Final = 2
"""The turns in which the other player wins after a move that does not save."""
_SLOW: Final = 3
"""The least number of moves that lose, but not at once, in a position to be saved; one is enough
where a climb is threatened."""
_SETUP: Final = {"players": 2}


@kernel(f"boolean({STATE}, int64)")
def wins(state: State, turns: int) -> bool:
    """Return whether the player to move can force a win in at most so many turns of his own."""
    if climbs(state, state[4], state[5]):
        return True
    threats = climbs(state, state[6], state[7])
    if turns <= 1 or threats & (threats - 1):
        return False
    moves = np.empty(128, dtype=np.int64)
    replies = np.empty(128, dtype=np.int64)
    number = generate(state, threats or np.int64(BOARD), moves)
    for index in range(number):
        after = play(state, moves[index])
        if climbs(after, after[4], after[5]):
            continue
        refuted = False
        for reply in range(generate(after, np.int64(BOARD), replies)):
            if not wins(play(after, replies[reply]), turns - 1):
                refuted = True
                break
        if not refuted:
            return True
    return False


@kernel(f"boolean({STATE}, int64, int64)")
def forces(state: State, move: int, turns: int) -> bool:
    """Return whether a move that is no climb forces a win in so many turns, itself the first."""
    after = play(state, move)
    if turns <= 1 or climbs(after, after[4], after[5]):
        return False
    replies = np.empty(128, dtype=np.int64)
    for reply in range(generate(after, np.int64(BOARD), replies)):
        if not wins(play(after, replies[reply]), turns - 1):
            return False
    return True


def find(rng: Random, language: str) -> Iterator[Puzzle]:
    """Yield the puzzles of one game between computer players of levels 2 to 4."""
    levels = {"p1": rng.choice((2, 3, 4)), "p2": rng.choice((2, 3, 4))}
    position, moves = SantoriniPosition(2), list[str]()
    while seats := position.to_move():
        (seat,) = seats
        if len(moves) > 5 and (puzzle := _puzzle(position, moves) or _rescue(position, moves)):
            yield puzzle
        move = choose(position, seat, levels[seat], rng).move
        position.play(seat, move)
        moves.append(move)


def find_in(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    """Yield the puzzles of a finished game of two."""
    if setup["players"] != 2:
        return
    position = SantoriniPosition(2)
    for number, move in enumerate(moves):
        before = moves[:number]
        if number > 1 and (puzzle := _puzzle(position, before) or _rescue(position, before)):
            yield puzzle
        position.play(min(position.to_move()), move)


def _state(position: SantoriniPosition) -> State:
    (seat,) = position.to_move()
    return see(position.view(seat)).two_player_state()


def _after(position: SantoriniPosition, move: str) -> SantoriniPosition:
    return position.copy().play(min(position.to_move()), move)


def _legal(position: SantoriniPosition) -> list[str]:
    return [move for seat in position.to_move() for move in position.legal_moves(seat)]


def _winning(position: SantoriniPosition, turns: int) -> list[str]:
    """Return the moves that force a win in so many turns, in the order of the legal moves."""
    if climbs_now := _climbs(position):
        return climbs_now
    seen = see(position.view(min(position.to_move())))
    state, moves = seen.two_player_state(), np.empty(128, dtype=np.int64)
    number = generate(state, BOARD, moves)
    found = {seen.notation(move) for move in map(int, moves[:number]) if forces(state, move, turns)}
    return [move for move in _legal(position) if move in found]


def _climbs(position: SantoriniPosition) -> list[str]:
    """Return the winning climbs of the player to move."""
    return [move for move in _legal(position) if move.count(" ") == 1]


def _puzzle(position: SantoriniPosition, moves: Sequence[str]) -> Puzzle | None:
    state = _state(position)
    if wins(state, 1):
        return None
    turns = next((turns for turns in range(2, MOST + 1) if wins(state, turns)), None)
    if turns is None:
        return None
    right = _winning(position, turns)
    if len(right) != 1:
        return None
    return Puzzle(
        key=_shape(state),
        task=f"win{turns}",
        setup=dict(_SETUP),
        moves=tuple(moves),
        turns=tuple(_turns(position, right, turns)),
        themes=tuple(_themes(position, right[0])),
    )


def _turns(position: SantoriniPosition, right: Sequence[str], turns: int) -> Iterator[Turn]:
    """Yield the turns of the solver, along the reply that resists longest."""
    while True:
        wrong = [move for move in _legal(position) if move not in right]
        stops = partial(_stops, turns - 1)
        refutations = _refutations(position, wrong, "stop", stops) if turns > 1 else {}
        position = _after(position, right[0])
        replies = [] if position.result() else [_longest(position, turns - 1)]
        turn = Turn(right=tuple(right), refutations=refutations, replies=tuple(replies))
        yield with_common_refutation(turn)
        if not replies:
            return
        position, turns = _after(position, replies[0]), turns - 1
        if position.result():
            return
        right = _winning(position, turns)


def _longest(position: SantoriniPosition, turns: int) -> str:
    """Return the reply after which a win takes most turns and can be had in fewest ways."""

    def ease(reply: str) -> tuple[int, int, str]:
        after = _after(position, reply)
        if after.result():
            return 0, 99, reply
        state = _state(after)
        least = next(left for left in range(1, turns + 1) if wins(state, left))
        return -least, len(_climbs(after)), reply

    return min(_legal(position), key=ease)


def _refutations(
    position: SantoriniPosition,
    wrong: Sequence[str],
    verdict: str,
    refutes: Callable[[SantoriniPosition, str], bool],
) -> dict[str, Refutation]:
    """Return the reply to each wrong move: a climb, or one that refutes it. Replies that refute
    others are tried first, so that there are few."""
    found, used = dict[str, Refutation](), Counter[str]()
    for move in wrong:
        after = _after(position, move)
        if climbs_now := _climbs(after):
            found[move] = Refutation(min(climbs_now), "climb")
            continue
        order = sorted(_legal(after), key=lambda reply: (-used[reply], reply))
        if reply := next((reply for reply in order if refutes(after, reply)), ""):
            used[reply] += 1
            found[move] = Refutation(reply, verdict)
    return found


def _stops(turns: int, after: SantoriniPosition, reply: str) -> bool:
    later = _after(after, reply)
    return bool(later.result()) or not wins(_state(later), turns)


def _forces(after: SantoriniPosition, reply: str) -> bool:
    """Return whether a reply climbs, or makes a climb that cannot be prevented."""
    return reply in _winning(after, _LOST)


def _rescue(position: SantoriniPosition, moves: Sequence[str]) -> Puzzle | None:
    """Return the puzzle of a position in which one move alone does not lose in two turns."""
    right = _saving(position)
    if len(right) != 1 or wins(_state(position), MOST):
        return None
    later = _after(position, right[0])
    if later.result() or wins(_state(later), _LOST + 1):
        return None
    turns = tuple(_rescues(position, right))
    slow = [wrong for wrong in turns[0].refutations.values() if wrong.verdict != "climb"]
    state = _state(position)
    if len(slow) < (1 if climbs(state, state[6], state[7]) else _SLOW):
        return None
    return Puzzle(
        key=_shape(state),
        task="save",
        setup=dict(_SETUP),
        moves=tuple(moves),
        turns=tuple(map(with_common_refutation, turns)),
        themes=("save", *_themes(position, right[0])),
    )


def _rescues(position: SantoriniPosition, right: Sequence[str]) -> Iterator[Turn]:
    """Yield the turns in which one move alone saves, along the replies that leave fewest moves."""
    for left in reversed(range(MOST)):
        wrong = [move for move in _legal(position) if move not in right]
        refutations = _refutations(position, wrong, "force", _forces)
        turn = Turn(right=tuple(right), refutations=refutations)
        position = _after(position, right[0])
        saving = {reply: _saving(_after(position, reply)) for reply in _legal(position)}
        single = [reply for reply in saving if len(saving[reply]) == 1]
        if not left or not single:
            yield turn
            return
        reply = min(single)
        yield replace(turn, replies=(reply,))
        position, right = _after(position, reply), saving[reply]


def _saving(position: SantoriniPosition) -> list[str]:
    """Return the moves after which the other player cannot force a win in two turns, two at most;
    none where the player to move can climb."""
    if not position.to_move() or _climbs(position):
        return []
    seen, moves = see(position.view(min(position.to_move()))), np.empty(128, dtype=np.int64)
    state = seen.two_player_state()
    legal = map(int, moves[: generate(state, BOARD, moves)])
    saving = (move for move in legal if not wins(play(state, move), _LOST))
    return [seen.notation(move) for move in islice(saving, 2)]


def _themes(position: SantoriniPosition, right: str) -> Iterator[str]:
    state, later = _state(position), _after(position, right)
    worker, direction, _ = right.split()
    board = position.copy().board
    before = board.level(worker)
    if board.move_worker(worker, direction).level(worker) > before:
        yield "climb"
    elif board.level(worker) < before:
        yield "step-down"
    if later.result():
        return
    after = _state(later)
    threats = climbs(after, after[6], after[7])
    if threats & (threats - 1):
        yield "double-threat"
    elif threats:
        yield "force"
    if climbs(state, state[6], state[7]):
        yield "block"


def _shape(state: State) -> str:
    """Return a text that is equal for states that differ by a symmetry alone."""
    levels = [level_of(state, space) for space in range(25)]
    forms = []
    for number in range(8):
        order = [_turned(space, number) for space in range(25)]
        own = sorted(order[space] for space in state[4:6])
        theirs = sorted(order[space] for space in state[6:8])
        turned = [0] * 25
        for space in range(25):
            turned[order[space]] = levels[space]
        forms.append((*turned, *own, *theirs))
    return " ".join(map(str, min(forms)))


def _turned(space: int, number: int) -> int:
    row, column = divmod(space, 5)
    row, column = (4 - row if number & 1 else row), (4 - column if number & 2 else column)
    return 5 * column + row if number & 4 else 5 * row + column
