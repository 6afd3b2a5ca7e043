"""The puzzles of Hermit in words; their search is `puzzle_search`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from games.contract import (
    LineMove,
    Position,
    Puzzle,
    PuzzleBook,
    Text,
    Turn,
    cell_name,
    ntext,
    text,
)
from games.hermit.counting import are_paired, counts, is_lost, is_mirrored, nimbers, regions
from games.hermit.course import COURSE
from games.hermit.engine import COLOURS, Hermit
from games.hermit.position import HermitPosition
from games.hermit.themes import THEMES

_TASKS: Final = {
    "win": text("Only one move wins. Find it."),
    "save": text("Save yourself: after all moves but one your opponent can lay the last block."),
}


def _line(puzzle: Puzzle, before: Position, move: str, turns: Sequence[Turn]) -> list[LineMove]:
    """Return play after a wrong move until the blocks that are left can be counted: the solver lays
    those that leave most moves."""
    position = _play(cast(HermitPosition, before), move)
    line = [LineMove(move, *_odd(position.board))]
    reply = turns[0].refutation(move).reply or _answer(position)
    while True:
        position = _play(position, reply)
        line.append(LineMove(reply, _left(position.board), _open_cells(position.board)))
        if _is_plain(position.board):
            return line
        tried = min(_legal(position), key=lambda own: (-_blocks(_play(position, own)), own))
        position = _play(position, tried)
        line.append(LineMove(tried))
        reply = _answer(position)


def _answer(position: HermitPosition) -> str:
    """Return a move that wins, one after which that is plain if there is one."""
    return min(_legal(position), key=lambda answer: _doubt(position, answer))


def _doubt(position: HermitPosition, answer: str) -> tuple[bool, bool, str]:
    after = _play(position, answer).board
    wins = is_lost(after)
    return not wins, wins and not _is_plain(after), answer


def _is_plain(board: Hermit) -> bool:
    """Return whether one sees that the player to move loses."""
    return all(n % 2 == 0 for n in counts(board)) or is_mirrored(board) or are_paired(board)


def _odd(board: Hermit) -> tuple[Text | None, tuple[str, ...]]:
    if any(n % 2 == 0 for n in counts(board)):
        return None, ()
    if counts(board) == {1}:
        return text("One more block fits, and your opponent lays it."), _open_cells(board)
    said = text("An odd number of blocks still fits, however they are laid.")
    return said, _open_cells(board)


def _left(board: Hermit) -> Text:
    """Return why the player to move, the solver, has lost."""
    found = counts(board)
    if found == {0}:
        return text("That was the last block that fits.")
    if len(found) == 1:
        return ntext(
            "%(n)s more block fits.",
            "%(n)s more blocks fit, however they are laid: your opponent lays the last one.",
            n=min(found),
        )
    if all(n % 2 == 0 for n in found):
        return text("An even number of blocks still fits: your opponent lays the last one.")
    if is_mirrored(board):
        return text("Two equal halves are left: your opponent copies your moves in the other one.")
    if are_paired(board):
        return text("What is left balances: your opponent answers you in the equal region.")
    return text("Whatever you lay now, your opponent has an answer.")


def _praise(puzzle: Puzzle, start: Position) -> Text:
    """Return the regions that the first right move leaves, in words."""
    start = cast(HermitPosition, start)
    after = _play(start, puzzle.turns[0].right[0]).board
    found, parts = counts(after), len([*regions(after)])
    if puzzle.task == "nimbers":
        values = ", ".join(map(str, sorted(nimbers(after))))
        return text("The nimbers of the regions that it leaves balance: %(values)s.", values=values)
    if found == {0}:
        return text("It was the last block that fits.")
    if len(found) == 1:
        return ntext(
            "%(n)s more block fits, and you lay it.",
            "%(n)s more blocks fit, however they are laid: you lay the last one.",
            n=min(found),
        )
    if all(n % 2 == 0 for n in found):
        return text("An even number of blocks still fits, however they are laid.")
    if is_mirrored(after):
        return text("It leaves two equal halves: copy each move in the other one.")
    if are_paired(after):
        return text("What it leaves balances: answer each block in the equal region.")
    if parts > len([*regions(start.board)]):
        return ntext(
            "It cuts what is open into %(n)s region, and you have an answer to every block there.",
            "It cuts what is open into %(n)s regions, and you have an answer to every block there.",
            n=parts,
        )
    return ntext(
        "It leaves %(n)s open square, and you have an answer to every block there.",
        "It leaves %(n)s open squares, and you have an answer to every block there.",
        n=len(_open_cells(after)),
    )


def _open_cells(board: Hermit) -> tuple[str, ...]:
    """Return the squares where a block still fits."""
    mask = 0
    for colour in COLOURS:
        mask |= board.allowed(colour)
    return tuple(cell_name(*cell) for cell in board.cells(mask))


def _legal(position: HermitPosition) -> Sequence[str]:
    return position.legal_moves(min(position.to_move()))


def _blocks(position: HermitPosition) -> int:
    """Return the number of legal moves."""
    starts = (position.board.starts(colour) for colour in COLOURS)
    return sum(mask.bit_count() for masks in starts for mask in masks.values())


def _play(position: HermitPosition, move: str) -> HermitPosition:
    return position.copy().play(min(position.to_move()), move)


PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=lambda puzzle: _TASKS.get(puzzle.task, _TASKS["win"]),
    line=_line,
    praise=_praise,
    themes=THEMES,
    course=COURSE,
)
