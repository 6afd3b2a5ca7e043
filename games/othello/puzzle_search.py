"""The search for puzzles of Othello: positions near the end in which one move alone keeps the
result, by exact values of all moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from games.contract import Position, Puzzle, Refutation, Turn
from games.othello.ai.root import Limits, all_values
from games.othello.computer import Board, board_of, choose
from games.othello.position import OthelloPosition
from games.othello.sight import empty, moves_of, other, region

LANGUAGES: Final = ("",)

FEWEST, MOST = 5, 12
"""Empty squares of a puzzle."""
LONGEST: Final = 3
"""Turns of the solver at most."""
_EXACT = Limits(30, solve=64)
_CORNERS = {"a1", "h1", "a8", "h8"}

Values = dict[str, int]


def find(rng: Random, language: str) -> Iterator[Puzzle]:
    """Yield the longest puzzle of one game between computer players of levels 2 to 4."""
    levels = [rng.choice((2, 3, 3, 4)) for _ in range(2)]
    position, moves = OthelloPosition(8), list[str]()
    while seats := position.to_move():
        (seat,) = seats
        move = choose(position, seat, levels[seat == "white"], rng).move
        position.play(seat, move)
        moves.append(move)
    yield from find_in({"size": 8}, moves)


def find_in(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    """Yield the longest puzzle of a finished game on 8x8. Others of the same game may stand in its
    solution or its refutations, which would give theirs away."""
    if setup["size"] == 8 and (found := list(_along(setup, moves))):
        yield max(found, key=lambda puzzle: len(puzzle.turns))


def _along(setup: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Puzzle]:
    position = OthelloPosition.of_setup(setup)
    for number, move in enumerate(moves):
        if puzzle := _puzzle(position, setup, moves[:number]):
            yield puzzle
        position.play(min(position.to_move()), move)


def values(position: Position) -> Values:
    """Return the exact final score of every move, for the seat that is to move."""
    (seat,) = position.to_move()
    board = board_of(position, seat)
    found = all_values(board.own, board.opponent, _EXACT, 600)
    return {board.name(1 << square): round(value.discs) for square, value in found.items()}


def _puzzle(
    position: OthelloPosition, setup: Mapping[str, Any], moves: Sequence[str]
) -> Puzzle | None:
    (seat,) = position.to_move()
    board = board_of(position, seat)
    if not FEWEST <= board.empties <= MOST or len(position.legal_moves(seat)) < 3:
        return None
    known = values(position)
    best = max(known.values())
    kept = _keeping(known, best)
    if best < 0 or len(kept) != 1 or kept[0] in _by_rule(position, known):
        return None
    turns = tuple(_turns(position, seat))
    return Puzzle(
        key=_shape(board),
        task="win" if best > 0 else "tie",
        setup=dict(setup),
        moves=tuple(moves),
        turns=turns,
        themes=tuple(_themes(position, turns, known)),
    )


def _by_rule(position: OthelloPosition, known: Values) -> set[str]:
    """Return the moves of a plain rule: a corner, or else the fewest moves left to the opponent."""
    (seat,) = position.to_move()
    mobility = {
        move: len(moves_of(position.copy().play(seat, move), other(seat))) for move in known
    }
    fewest = min(mobility.values())
    return _CORNERS & known.keys() or {move for move in known if mobility[move] == fewest}


def _keeping(known: Values, best: int) -> list[str]:
    """Return the moves that keep a win (or a draw), the best ones first."""
    kept = [move for move, value in known.items() if _sign(value) == _sign(best)]
    return sorted(kept, key=lambda move: (-known[move], move))


def _turns(position: OthelloPosition, seat: str) -> Iterator[Turn]:
    """Yield the turns of the solver along the best line, while there is something to find."""
    position = position.copy()
    for _ in range(LONGEST):
        known = values(position)
        right = _keeping(known, max(known.values()))
        if len(right) == len(known):
            return
        wrong = {move: value for move, value in known.items() if move not in right}
        refutations = {
            move: _refutation(position, seat, move, value) for move, value in wrong.items()
        }
        position.play(seat, right[0])
        replies = list(_best_line(position, seat))
        known = values(position) if position.to_move() else {}
        ends = len(set(map(_sign, known.values()))) < 2
        yield Turn(right=tuple(right), refutations=refutations, replies=tuple(replies))
        if ends:
            return


def _best_line(position: OthelloPosition, until: str = "") -> Iterator[str]:
    """Play and yield the best moves of both sides, until the end or a seat is to move."""
    while (seats := position.to_move()) and until not in seats:
        known = values(position)
        move = min(known, key=lambda move: (-known[move], move))
        position.play(min(seats), move)
        yield move


def _refutation(position: OthelloPosition, seat: str, move: str, value: int) -> Refutation:
    """Return the best reply to a move, '' where the opponent has none, and best play to the end."""
    after = position.copy().play(seat, move)
    reply = next(_best_line(after, seat), "")
    return Refutation(reply, str(value), tuple(_best_line(after)))


def _themes(position: OthelloPosition, turns: Sequence[Turn], known: Values) -> Iterator[str]:
    (seat,) = position.to_move()
    (move,), first = turns[0].right, turns[0]
    replies = {refutation.reply for refutation in first.refutations.values()}
    if move in _CORNERS:
        yield "corner"
    if _CORNERS & set(first.replies):
        yield "sacrifice"
    elif move not in _CORNERS and _CORNERS & replies:
        yield "defence"
    if len(around := region(position, move)) % 2 and len(around) < len(empty(position)):
        yield "parity"
    if seat in position.copy().play(seat, move).to_move():
        yield "pass"


def _shape(board: Board) -> str:
    """Return a text that is equal for positions that differ by a symmetry or by colours alone."""
    turned = [(board.own, board.opponent)]
    for _ in range(3):
        turned.append(tuple(map(_quarter, turned[-1])))  # type: ignore[arg-type]
    turned += [(_mirror(own), _mirror(opponent)) for own, opponent in turned]
    own, opponent = min(turned)
    return f"{own:x} {opponent:x}"


def _quarter(mask: int) -> int:
    return sum(1 << 8 * c + 7 - r for r in range(8) for c in range(8) if mask >> 8 * r + c & 1)


def _mirror(mask: int) -> int:
    return sum(1 << 8 * r + 7 - c for r in range(8) for c in range(8) if mask >> 8 * r + c & 1)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
