"""The puzzles of Othello in words; their search is `puzzle_search`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, cast

from games.contract import LineMove, Position, Puzzle, PuzzleBook, Text, Turn, ntext, text
from games.othello.messages import PLAYERS
from games.othello.position import OthelloPosition
from games.othello.sight import corners, for_good, moves_of, other, region
from games.othello.themes import THEMES

_TASKS: Final = {
    "win": text("Only one move keeps the win. Find it."),
    "tie": text("Only one move saves the draw. Find it."),
}
_NAMED: Final = 3
"""At most so many squares are named one by one."""


def _line(puzzle: Puzzle, before: Position, move: str, turns: Sequence[Turn]) -> list[LineMove]:
    """Return the best play of both sides after a wrong move, to the last disc."""
    before = cast(OthelloPosition, before)
    refutation, (seat,) = turns[0].refutation(move), before.to_move()
    position = before.copy().play(seat, move)
    line = [LineMove(move, *_allowed(before, position, seat, refutation.reply))]
    if not refutation.reply:
        line = [LineMove(move, _cost(move, seat, "", refutation.verdict))]
    for reply in filter(None, (refutation.reply, *refutation.after)):
        (player,) = position.to_move()
        position.play(player, reply)
        line.append(LineMove(reply, *_told(position, player, reply)))
    if refutation.reply:
        answered = before.copy().play(seat, move).play(other(seat), refutation.reply)
        line[1] = _answered(line[1], answered, seat, move, refutation.verdict)
    return line


Said = tuple[Text | None, tuple[str, ...]]
"""The values of a `LineMove` after its move."""


def _allowed(before: OthelloPosition, after: OthelloPosition, seat: str, reply: str) -> Said:
    """Return that a move opens the corner that is taken next."""
    if reply not in corners(before) or reply in moves_of(before, other(seat)):
        return None, ()
    return text("This opens the corner %(corner)s.", corner=reply), (reply,)


def _told(position: OthelloPosition, player: str, move: str) -> Said:
    """Return the effect of a move of a line: the end, a corner or a pass."""
    name, opponent = PLAYERS[player], PLAYERS[other(player)]
    if not position.to_move():
        black, white = position.board.counts()
        return text(
            "The end: %(black)s black discs, %(white)s white.", black=black, white=white
        ), ()
    if move in _CORNERS:
        found = for_good(position, move)
        return ntext(
            "%(player)s takes the corner %(corner)s for good.",
            "%(player)s takes the corner %(corner)s, and %(n)s discs can’t be turned any more.",
            n=len(found),
            player=name,
            corner=move,
        ), tuple(found)
    if player in position.to_move():
        return text("%(opponent)s has no move and passes.", opponent=opponent), ()
    return None, ()


def _answered(
    reply: LineMove, after: OthelloPosition, seat: str, move: str, verdict: str
) -> LineMove:
    """Return the reply to a wrong move with the cost, after its effect."""
    cost = _cost(move, seat, reply.move, verdict)
    if reply.said:
        said = text("%(why)s %(praise)s", why=reply.said, praise=_result(seat, verdict))
        return LineMove(reply.move, said, reply.cells)
    own = moves_of(after, seat) if seat in after.to_move() else []
    if not 0 < len(own) <= _NAMED:
        return LineMove(reply.move, cost)
    why = text("You have only these moves: %(cells)s.", cells=", ".join(own))
    return LineMove(
        reply.move, text("%(why)s %(praise)s", why=why, praise=_result(seat, verdict)), tuple(own)
    )


def _result(seat: str, verdict: str) -> Text:
    """Return the final score with best play."""
    words = {"opponent": PLAYERS[other(seat)], "discs": abs(int(verdict or 0))}
    if not words["discs"]:
        return text("With best play %(opponent)s reaches a draw.", **words)
    return text("With best play %(opponent)s wins by %(discs)s discs.", **words)


def _cost(move: str, seat: str, reply: str, verdict: str) -> Text:
    """Return the cost of a wrong move with best play; the verdict is the final score after it."""
    discs = abs(int(verdict or 0))
    words = {"move": move, "discs": discs, "reply": reply, "opponent": PLAYERS[other(seat)]}
    if not discs:
        return text("After %(move)s %(opponent)s reaches a draw.", **words)
    if not reply:
        return text(
            "After %(move)s %(opponent)s has to pass, and still wins by %(discs)s discs.", **words
        )
    return text("After %(move)s %(opponent)s plays %(reply)s and wins by %(discs)s discs.", **words)


def _praise(puzzle: Puzzle, start: Position) -> Text:
    """Return the effect of the first right move, and the cost of the next best one."""
    start = cast(OthelloPosition, start)
    turn = puzzle.turns[0]
    discs = {move: int(wrong.verdict or 0) for move, wrong in turn.refutations.items()}
    best = max(discs, key=lambda move: (discs[move], move))
    words = {"move": turn.right[0], "other": best, "discs": -discs[best]}
    if not discs[best]:
        gain = text("The next best, %(other)s, only draws.", **words)
    else:
        gain = text("The next best, %(other)s, loses by %(discs)s discs.", **words)
    return text("%(why)s %(praise)s", why=next(_gains(puzzle, start)), praise=gain)


def _gains(puzzle: Puzzle, start: OthelloPosition) -> Iterator[Text]:
    """Yield the effects of the first right move, the plainest first."""
    (seat,), (move, *_) = start.to_move(), puzzle.turns[0].right
    after, opponent = start.copy().play(seat, move), other(seat)
    words = {"move": move, "opponent": PLAYERS[opponent]}
    if move in _CORNERS:
        yield ntext(
            "%(move)s takes the corner for good.",
            "%(move)s takes the corner, and %(n)s discs can’t be turned any more.",
            n=len(for_good(after, move)),
            **words,
        )
    if not after.to_move():
        yield text("%(move)s ends the game.", **words)
    if seat in after.to_move():
        yield text("%(move)s leaves %(opponent)s without a move, so you play again.", **words)
    if given := sorted(_CORNERS & set(puzzle.turns[0].replies)):
        yield text(
            "%(move)s gives the corner %(corner)s away, and is still the only right move.",
            corner=given[0],
            **words,
        )
    theirs = set(moves_of(after, opponent))
    if kept := sorted(_CORNERS & set(moves_of(start, opponent)) - theirs):
        yield text(
            "%(move)s keeps %(opponent)s out of the corner %(corner)s.", corner=kept[0], **words
        )
    around = region(start, move)
    if len(around) % 2 and 1 < len(around) < 64 - sum(start.board.counts()):
        yield text(
            "%(move)s begins a region of %(n)s squares, an odd number (parity).",
            n=len(around),
            **words,
        )
    if len(theirs) <= _NAMED:
        cells = ", ".join(sorted(theirs))
        yield text(
            "%(move)s leaves %(opponent)s only these moves: %(cells)s.", cells=cells, **words
        )
    yield text("%(move)s leaves %(opponent)s %(n)s moves.", n=len(theirs), **words)


_CORNERS: Final = frozenset({"a1", "h1", "a8", "h8"})

PUZZLES: Final = PuzzleBook(
    path=Path(__file__).parent / "puzzles.jsonl",
    task=lambda puzzle: _TASKS[puzzle.task],
    line=_line,
    praise=_praise,
    themes=THEMES,
)
