"""Solved openings: the best moves of the first positions of the 6x6 game.

``data/openings-6.txt`` has a line for each position: the moves that lead to it, a colon, and the
best moves there with their score. It covers every position that can arise when one side plays the
first best move and the other side any move, until few enough squares are empty for the solver to
solve it during a game. Positions that are images of each other under the symmetries of the square
share a line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from games.othello.bitboard import bits, flip_mask, geometry, legal_mask

DATA = Path(__file__).parent / "data"
Pair = tuple[int, int]


@cache
def _symmetries(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the eight symmetries of the square: the image of each square of the board."""
    last = n - 1
    maps: list[Callable[[int, int], tuple[int, int]]] = [
        lambda r, c: (r, c),
        lambda r, c: (r, last - c),
        lambda r, c: (last - r, c),
        lambda r, c: (last - r, last - c),
        lambda r, c: (c, r),
        lambda r, c: (c, last - r),
        lambda r, c: (last - c, r),
        lambda r, c: (last - c, last - r),
    ]
    squares = [divmod(square, n) for square in range(n * n)]
    return tuple(tuple(n * r + c for r, c in (go(*cell) for cell in squares)) for go in maps)


def _moved(mask: int, symmetry: tuple[int, ...]) -> int:
    return sum(1 << symmetry[bit.bit_length() - 1] for bit in bits(mask))


def canonical(own: int, opponent: int, n: int) -> tuple[Pair, int]:
    """Return the least of the eight images of a position, and the index of the symmetry that maps
    to it."""
    images = [(_moved(own, symmetry), _moved(opponent, symmetry)) for symmetry in _symmetries(n)]
    best = min(images)
    return best, images.index(best)


def start(n: int) -> Pair:
    """Return the first position, seen by black."""
    low, high = n // 2 - 1, n // 2
    black = 1 << n * low + high | 1 << n * high + low
    return black, 1 << n * low + low | 1 << n * high + high


def after(own: int, opponent: int, move: int, n: int) -> Pair:
    """Return the position after a move, and after a forced pass if there is one, seen by the side
    to move."""
    board = geometry(n)
    flips = flip_mask(own, opponent, move, board)
    own, opponent = opponent ^ flips, own | flips | move
    if not legal_mask(own, opponent, board) and legal_mask(opponent, own, board):
        return opponent, own
    return own, opponent


@cache
def _book(n: int) -> dict[Pair, tuple[int, ...]]:
    path = DATA / f"openings-{n}.txt"
    book: dict[Pair, tuple[int, ...]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if not line or line.startswith("#"):
            continue
        played, _, best = line.partition(":")
        own, opponent = start(n)
        for name in played.split():
            own, opponent = after(own, opponent, mask_of(name, n), n)
        key, number = canonical(own, opponent, n)
        moves = best.split()[:-1]
        book[key] = tuple(_moved(mask_of(name, n), _symmetries(n)[number]) for name in moves)
    return book


def mask_of(name: str, n: int) -> int:
    """Return the single bit of a square's name."""
    return 1 << n * (int(name[1:]) - 1) + ord(name[0]) - ord("a")


def best_moves(own: int, opponent: int, n: int) -> list[int]:
    """Return the best moves as masks, lowest first; none for a position outside the lines."""
    key, number = canonical(own, opponent, n)
    forth = _symmetries(n)[number]
    back = tuple(forth.index(square) for square in range(n * n))
    return sorted(_moved(move, back) for move in _book(n).get(key, ()))
