"""A challenge: a position with a task, and the judgement of the moves that are tried.

A puzzle is one, and so is each costly move of one's own finished game, with the values of its
analysis. Everything is known beforehand, so no move needs a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from games.contract import (
    BadNotation,
    IllegalMove,
    MoveError,
    Position,
    Refutation,
    Rules,
    SeatKey,
    Text,
    Turn,
    text,
)
from games.core.refusals import NotYourSeat, Refusal
from games.presentation.analysis import Line, report
from games.puzzles.catalogue import Entry
from games.state.evaluations import BEST, Evaluated, noise_of, read_evaluations, rest_of
from games.state.snapshot import GameSnapshot


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A position with the turns of the solver, see `games.contract.Puzzle`. ``reason`` returns why
    a wrong move fails, from the position before it, the move and its refutation."""

    rules: Rules
    start: Position
    turns: Sequence[Turn]
    task: Text
    praise: Text
    reason: Callable[[Position, str, Refutation], Text]
    any_order: bool = False
    unoffered: frozenset[str] = frozenset()

    @property
    def seat(self) -> SeatKey:
        return min(self.start.to_move())

    @property
    def solution(self) -> list[Played]:
        """The moves of the solver and the replies, one after the other."""
        return [
            Played(move, is_own=number == 0)
            for turn in self.turns
            for number, move in enumerate((turn.right[0], *turn.replies))
        ]

    def label(self, position: Position, move: str) -> Text | str:
        """Return a move as lists show it: a card's word, or in the reader's language."""
        label = position.label_move(move)
        return label.text if label else self.rules.display_move(move)


class Played(NamedTuple):
    """A move on the board, by the solver or by the opponent."""

    move: str
    is_own: bool


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The position after ``moves``, of which the solver ``tried`` some: the solver is to move
    (``open``), the last move was ``wrong`` and is refuted on the board for the ``reason``, the task
    is ``solved``, or the solution is ``shown``. ``left`` counts the moves still to be found."""

    position: Position
    state: Literal["open", "wrong", "solved", "shown"]
    moves: Sequence[Played]
    tried: Sequence[str] = ()
    reason: Text | None = None
    left: int = 0

    @property
    def right(self) -> Sequence[str]:
        return self.tried[:-1] if self.state == "wrong" else self.tried


def challenge_of(entry: Entry) -> Challenge:
    book, puzzle = entry.book, entry.puzzle
    return Challenge(
        rules=entry.rules,
        start=entry.start,
        turns=puzzle.turns,
        task=entry.task,
        praise=book.praise(puzzle),
        reason=lambda before, move, refutation: book.reason(puzzle, before, move, refutation),
        any_order=puzzle.any_order,
        unoffered=book.unoffered,
    )


def show_solution(challenge: Challenge, plies: int) -> Answer:
    """Return the position after so many moves of the solution, as an answer."""
    position, moves = challenge.start.copy(), challenge.solution[: max(0, plies)]
    for move, _ in moves:
        position.play(min(position.to_move()), move)
    return Answer(position=position, state="shown", moves=moves)


def judge(challenge: Challenge, tried: Sequence[str]) -> Answer:
    """Return the answer to the moves of the solver; moves after the solution or after a wrong one
    are dropped. Raises MoveError for an illegal move."""
    position, turns, moves = challenge.start.copy(), list(challenge.turns), list[Played]()
    for number, move in enumerate(tried, start=1):
        if not turns:
            tried = tried[: number - 1]
            break
        before = position.copy()
        _play(challenge, position, move)
        moves.append(Played(move, is_own=True))
        if move not in _accepted(challenge, turns):
            refutation = turns[0].refutation(move)
            reason = challenge.reason(before, move, refutation)
            moves += _replies(position, filter(None, [refutation.reply]))
            made = tried[:number]
            return Answer(position=position, state="wrong", moves=moves, tried=made, reason=reason)
        if challenge.any_order:
            turns = [turn for turn in turns if turn.right[0] != move]
        elif move != turns[0].right[0]:
            turns = []
        else:
            moves += _replies(position, turns.pop(0).replies)
    state: Literal["open", "solved"] = "open" if turns else "solved"
    return Answer(position=position, state=state, moves=moves, tried=tried, left=len(turns))


def judge_address(challenge: Challenge, written: str) -> Answer:
    """Return the answer to the moves in an address, up to the first illegal one."""
    tried = [move for move in written[:400].split(",") if move][:12]
    while True:
        try:
            return judge(challenge, tried)
        except MoveError:
            tried = tried[:-1]


def _play(challenge: Challenge, position: Position, move: str) -> None:
    """Play a move in the notation of the game. Raises MoveError; nobody resigns a puzzle."""
    seat = min(position.to_move())
    if move not in position.legal_moves(seat) or move in challenge.unoffered:
        if move in {"resign", "timeout", "draw"}:
            raise BadNotation(text("There is nothing to resign here."))
        position.copy().play(seat, move)
        raise IllegalMove(text("That is no move here."))
    position.play(seat, move)


def _accepted(challenge: Challenge, turns: Sequence[Turn]) -> set[str]:
    if challenge.any_order:
        return {turn.right[0] for turn in turns}
    return set(turns[0].right)


def _replies(position: Position, replies: Iterable[str]) -> list[Played]:
    moves = [Played(move, is_own=False) for move in replies]
    for move, _ in moves:
        position.play(min(position.to_move()), move)
    return moves


TOO_EARLY = text("You can practise once the game is over.")
NOT_ANALYSED = text("Analyse this game first, then you can practise.")
NO_ANALYSIS = text("Games of this kind are not analysed, so there is nothing to practise.")


def own_mistakes(snapshot: GameSnapshot, held: Collection[SeatKey]) -> list[Line]:
    """Return the moves of the holder of some seats that lost value, in the order of the game.

    Raises Refusal for a running game, one without a complete analysis, and without a seat."""
    if not snapshot.rules.analysis:
        raise Refusal(NO_ANALYSIS)
    if not snapshot.game.over:
        raise Refusal(TOO_EARLY)
    if not held:
        raise NotYourSeat
    found = report(snapshot, read_evaluations(snapshot))
    if not found.complete or found.waiting:
        raise Refusal(NOT_ANALYSED)
    return [line for line in found.lines if line.verdict and line.move.seat in held]


def mistake_of(snapshot: GameSnapshot, line: Line) -> Challenge:
    """Return a costly move as a challenge: any move within the noise of the analysis solves it."""
    before = line.move.ply - 1
    evaluations = read_evaluations(snapshot)
    evaluation = evaluations.at(before)
    values = (evaluation and evaluation.values) or {"moves": []}
    reply = _reply(evaluations.at(line.move.ply), line)
    known = {entry["move"]: entry for entry in [*rest_of(values), *values["moves"]]}
    start = snapshot.at(before).copy()
    right = _right(values, start.legal_moves(line.move.seat))
    refutations = {line.move.text: Refutation(reply)} if reply else {}
    return Challenge(
        rules=snapshot.rules,
        start=start,
        turns=[Turn(right=right, refutations=refutations)],
        task=text(
            "You played %(move)s. Find something better.", move=_shown(snapshot, line.move.text)
        ),
        praise=_praise(snapshot, line),
        reason=lambda _, move, refutation: _reason(
            snapshot, line, known, right[0], move, refutation
        ),
    )


def _right(values: Mapping[str, Any], legal: Sequence[str]) -> tuple[str, ...]:
    """Return the moves whose loss is smaller than that of an inaccuracy, the best first. One
    without a stored value is right if even the worst of the stored best moves is."""
    best, *others = values["moves"]
    least = best["value"] - noise_of(values)
    right = [best["move"], *(entry["move"] for entry in others if entry["value"] > least)]
    rest = rest_of(values)
    right += [entry["move"] for entry in rest if entry["good"]]
    known = {entry["move"] for entry in [*values["moves"], *rest]}
    if len(right) >= min(BEST, len(known)):
        right += [move for move in legal if move not in known]
    return tuple(right)


def _reply(after: Evaluated | None, line: Line) -> str:
    """Return the best answer to a costly move; '' if it is unknown or the same seat moves again."""
    values = after and after.values
    if not values or not values["moves"] or values["seat"] == line.move.seat:
        return ""
    return str(values["moves"][0]["move"])


def _shown(snapshot: GameSnapshot, move: str) -> Text | str:
    return snapshot.rules.display_move(move)


def _praise(snapshot: GameSnapshot, line: Line) -> Text:
    """Return the gain of the better move, with the coach's sentence if it is about that move."""
    praise = text(
        "Better than %(move)s, the move that you played (%(value)s; the best: %(best)s).",
        move=_shown(snapshot, line.move.text),
        value=line.shown,
        best=line.better_shown,
    )
    if not (line.why and line.tells_best):
        return praise
    return text("%(why)s %(praise)s", why=line.why, praise=praise)


def _reason(
    snapshot: GameSnapshot,
    line: Line,
    known: Mapping[str, Any],
    best: str,
    move: str,
    refutation: Refutation,
) -> Text:
    """Return the cost of a wrong move, and the answer to it; of the played move the coach's
    sentence, unless that tells the better move."""
    if move == line.move.text and line.why and not line.tells_best:
        return line.why
    words = {"move": _shown(snapshot, move), "reply": _shown(snapshot, refutation.reply)}
    if move not in known:
        return text("%(move)s isn’t among the better moves of the analysis.", **words)
    words |= {
        "value": Text.from_json(known[move]["shown"]),
        "best": Text.from_json(known[best]["shown"]),
    }
    if refutation.reply:
        return text(
            "After %(move)s the answer is %(reply)s: %(value)s, where the best move has %(best)s.",
            **words,
        )
    return text("%(move)s: %(value)s, where the best move has %(best)s.", **words)
