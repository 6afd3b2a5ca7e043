"""The boards of Othello to measure, and a novice, since no move wins at once before the end."""

from __future__ import annotations

from random import Random

from games.contract import Position, SeatKey, parse_cell
from games.othello.position import COLOURS, OthelloPosition

TABLES = {f"Othello {n}×{n}": {"size": n} for n in (8, 6, 10)}
BOARDS = {f"Othello {n}×{n}": {"size": n} for n in range(4, 27, 2)}
MATCHES = {
    "match_othello level-4:mcts-1000 --pairs {20}": "pyspiel",
    "match_othello cpu-0.1:mcts-10000 --pairs {20}": "pyspiel",
    "match_othello time-0.05:rust-ab-0.05 time-0.05:rust-mcts-0.05 --pairs {20}": "rust_reversi",
    "outside_othello --depths 10,12,14 --pairs {20} --folder $NTEST -- ./ntest x s12": "",
    "match_othello_6 --games {100} --ends {250}": "",
}


def greedy(position: Position, seat: SeatKey, rng: Random) -> str:
    """Return a corner, or else a move that turns the most discs."""
    assert isinstance(position, OthelloPosition)
    board, last = position.board, position.board.n - 1
    worth = {}
    for move in position.legal_moves(seat):
        cell = parse_cell(move)
        is_corner = set(cell) <= {0, last}
        worth[move] = (is_corner, len(board.flips(COLOURS[seat], cell)), rng.random())
    return max(worth, key=worth.__getitem__)


NOVICE = greedy
