"""The puzzles of Santorini in words; their search is `puzzle_search`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from games.contract import (
    ANY_MOVE,
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
from games.santorini.engine import THIRD_LEVEL, Santorini
from games.santorini.messages import display_move, letters_of
from games.santorini.position import PLAYERS, SantoriniPosition
from games.santorini.themes import THEMES

_TASKS: Final = {
    "win2": text("Win in two turns."),
    "win3": text("Win in three turns."),
    "save": text("Save yourself: all moves but one lose within two turns."),
}


class _Climb(NamedTuple):
    """A climb to a third level that a worker could make if it were its turn."""

    worker: str
    origin: str
    cell: str

    @property
    def words(self) -> dict[str, str]:
        return self._asdict()

    @property
    def arrow(self) -> tuple[str, str]:
        return self.origin, self.cell


def _line(puzzle: Puzzle, before: Position, move: str, turns: Sequence[Turn]) -> list[LineMove]:
    """Return how a wrong move fails: the reply climbs itself, no climb is left in time, or none of
    the other player's climbs can be prevented."""
    refutation = turns[0].refutation(move)
    if not refutation.reply:
        said = text("%(move)s is too slow: you can win right now.", move=display_move(move))
        return [LineMove(move, said)]
    before = cast(SantoriniPosition, before)
    after = _play(before, move)
    own, other = (PLAYERS[min(position.to_move())] for position in (before, after))
    if refutation.verdict == "climb":
        return list(_let_climb(before, move, refutation.reply, other))
    line = [LineMove(move, *_threat(after, own))]
    if puzzle.task == "save":
        return [*line, *_lose(after, refutation.reply, own)]
    left = int(puzzle.task.removeprefix("win")) - (len(puzzle.turns) - len(turns)) - 1
    stopped = _play(after, refutation.reply)
    line.append(LineMove(refutation.reply, *_stop(after, stopped, own)))
    return line + (_try_again(stopped, own) if left > 1 and stopped.to_move() else [])


def _let_climb(before: SantoriniPosition, move: str, reply: str, other: int) -> Iterator[LineMove]:
    after = _play(before, move)
    climb = next(
        climb
        for climb in _climbs(after.board, other)
        if (climb.worker, climb.cell) == (reply.split()[0], _play(after, reply).last[1])
    )
    if climb in _climbs(before.board, other):
        said = text("This does not stop worker %(worker)s, beside %(cell)s.", **climb.words)
    else:
        said = text("This opens a way up to %(cell)s for worker %(worker)s.", **climb.words)
    yield LineMove(move, said, (climb.cell,), (climb.arrow,))
    said = text("Worker %(worker)s climbs to %(cell)s and wins.", **climb.words)
    yield LineMove(reply, said, (climb.cell,))


def _lose(before: SantoriniPosition, reply: str, own: int) -> Iterator[LineMove]:
    """Yield a reply that cannot be parried, the answer that leaves fewest climbs, and a climb."""
    after = _play(before, reply)
    if not after.to_move():
        yield LineMove(reply, *_stop(before, after, own))
        return
    climbs = _climbs(after.board, 1 - own)
    cells = tuple(dict.fromkeys(climb.cell for climb in climbs))
    if not cells:
        said = text("After every answer of yours one of your opponent’s workers climbs.")
    elif len(cells) == 1:
        said = text("Your opponent threatens to climb to %(cell)s.", cell=cells[0])
    else:
        said = text(
            "Your opponent threatens to climb to %(one)s and to %(other)s.",
            one=cells[0],
            other=cells[1],
        )
    yield LineMove(reply, said, cells, tuple(climb.arrow for climb in climbs))
    answers = {move: _play(after, move) for move in after.legal_moves(min(after.to_move()))}
    answer = min(answers, key=lambda move: (len(_climbs(answers[move].board, 1 - own)), move))
    last = answers[answer]
    climb = min(filter(_is_climb, last.legal_moves(min(last.to_move()))))
    yield from _let_climb(after, answer, climb, 1 - own)


Said = tuple[Text, tuple[str, ...], tuple[tuple[str, str], ...]]
"""The values of a `LineMove` after its move."""


def _threat(after: SantoriniPosition, own: int) -> Said:
    """Return the threats of a player after a move."""
    climbs = _climbs(after.board, own)
    cells = tuple(dict.fromkeys(climb.cell for climb in climbs))
    if not climbs:
        said = text("You threaten no climb now.")
    elif len(cells) == 1:
        said = text("You threaten to climb to %(cell)s.", cell=cells[0])
    else:
        said = text(
            "You threaten to climb to %(one)s and to %(other)s.", one=cells[0], other=cells[1]
        )
    return said, cells, tuple(climb.arrow for climb in climbs)


def _stop(before: SantoriniPosition, after: SantoriniPosition, own: int) -> Said:
    """Return why a player cannot climb after the other one's move."""
    built = after.last[2:3]
    if not after.to_move():
        return text("Your workers are shut in: you have no move left."), after.last, ()
    closed = tuple(climb.cell for climb in _climbs(before.board, own) if (climb.cell,) == built)
    if closed:
        return (
            text("A dome closes %(cell)s, and no other way leads up.", cell=closed[0]),
            closed,
            (),
        )
    workers = {worker: after.board.workers[worker] for worker in letters_of(own)}
    high = [
        cell for worker, cell in workers.items() if after.board.level(worker) >= THIRD_LEVEL - 1
    ]
    if not high:
        cells = tuple(cell_name(*cell) for cell in workers.values())
        return text("None of your workers stands on level 2, so none can climb next."), cells, ()
    cells = tuple(cell_name(*cell) for cell in high)
    if len(cells) == 1:
        return text("Beside %(cell)s there is no open tower of level 3.", cell=cells[0]), cells, ()
    words = {"one": cells[0], "other": cells[1]}
    return (
        text("Beside %(one)s and %(other)s there is no open tower of level 3.", **words),
        cells,
        (),
    )


def _try_again(position: SantoriniPosition, own: int) -> list[LineMove]:
    """Return the best try of the last turn but one, and how it is stopped."""
    (seat,) = position.to_move()
    best = max(
        position.legal_moves(seat),
        key=lambda move: (_prospect(_built(position.board, move), own), move),
    )
    after = _play(position, best)
    if not after.to_move():
        return []
    replies = after.legal_moves(min(after.to_move()))
    replies = sorted(replies, key=lambda reply: (not _is_climb(reply), reply))
    reply = next(
        reply
        for reply in replies
        if _is_climb(reply) or not _climbs(_built(after.board, reply), own)
    )
    stopped = _play(after, reply)
    if _is_climb(reply):
        cell = stopped.last[1]
        said: Said = text("Your opponent climbs to %(cell)s first.", cell=cell), (cell,), ()
    else:
        said = _stop(after, stopped, own)
    return [LineMove(best, *_threat(after, own)), LineMove(reply, *said)]


def _prospect(board: Santorini, own: int) -> tuple[bool, bool]:
    """Return how well a move went: the opponent cannot climb, and a climb is threatened."""
    return not _climbs(board, 1 - own), bool(_climbs(board, own))


def _is_climb(move: str) -> bool:
    return move.count(" ") == 1


def _built(board: Santorini, move: str) -> Santorini:
    worker, direction, build = move.split()
    return board.copy().move_worker(worker, direction).build_tower(worker, build)


def _climbs(board: Santorini, player: int) -> list[_Climb]:
    """Return the climbs that a player could make if it were to move."""
    return [
        _Climb(worker, cell_name(*board.workers[worker]), cell_name(*cell))
        for worker in letters_of(player)
        if worker in board.workers and board.level(worker) == THIRD_LEVEL - 1
        for _, cell in board.moves(worker)
        if board.height(cell) == THIRD_LEVEL
    ]


def _play(position: SantoriniPosition, move: str) -> SantoriniPosition:
    return position.copy().play(min(position.to_move()), move)


def _praise(puzzle: Puzzle, start: Position) -> Text:
    """Return the effect of the first right move: it shuts in, threatens twice or once, waits, or
    keeps the other player from what wins after the other moves."""
    start = cast(SantoriniPosition, start)
    (move, *_), own = puzzle.turns[0].right, PLAYERS[min(start.to_move())]
    after = _play(start, move)
    if not after.to_move():
        return text("It shuts your opponent in, with no move left.")
    cells = list(dict.fromkeys(climb.cell for climb in _climbs(after.board, own)))
    said = _of_rescue(puzzle, start, cells) if puzzle.task == "save" else _of_threats(puzzle, cells)
    stopped = [
        climb
        for climb in _climbs(start.board, 1 - own)
        if climb not in _climbs(after.board, 1 - own)
    ]
    if not stopped:
        return said
    why = text("It keeps worker %(worker)s from %(cell)s.", **stopped[0].words)
    return text("%(why)s %(praise)s", why=why, praise=said)


def _of_threats(puzzle: Puzzle, cells: Sequence[str]) -> Text:
    if len(cells) > 1:
        words = {"one": cells[0], "other": cells[1]}
        return text(
            "It threatens %(one)s and %(other)s at once: one dome can’t close both.", **words
        )
    if cells:
        return text(
            "It threatens to climb to %(cell)s, and you win against every answer to that.",
            cell=cells[0],
        )
    if puzzle.task == "win2":
        return text("It threatens nothing yet, but after every answer one of your workers climbs.")
    return text("It threatens nothing yet, but you win by force after every answer.")


def _of_rescue(puzzle: Puzzle, start: SantoriniPosition, cells: Sequence[str]) -> Text:
    first, legal = puzzle.turns[0], start.legal_moves(min(start.to_move()))
    if _climbs(start.board, 1 - PLAYERS[min(start.to_move())]):
        slow = [m for m in legal if first.refutation(m).verdict == "force" and m not in first.right]
        return ntext(
            "%(n)s other move prevents a climb too, but loses a turn later.",
            "%(n)s other moves prevent a climb too, but lose a turn later.",
            n=len(slow),
        )
    if cells:
        return text(
            "It threatens to climb to %(cell)s, so your opponent has to answer.", cell=cells[0]
        )
    if 2 * len(first.refutations) < len(legal):
        reply = display_move(first.refutation(ANY_MOVE).reply)
        return text(
            "After most other moves %(move)s wins for your opponent, but not after this one.",
            move=reply,
        )
    return text("After every other move your opponent wins by force.")


PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=lambda puzzle: _TASKS[puzzle.task],
    line=_line,
    praise=_praise,
    themes=THEMES,
)
