"""A challenge: a position with a task, and the judgement of the moves that are tried.

A puzzle is one, and so is each costly move of one's own finished game, with the values of its
analysis. Everything is known beforehand, so no move needs a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

from games.contract import (
    BadNotation,
    IllegalMove,
    Lesson,
    LineMove,
    MoveError,
    Options,
    Position,
    Refutation,
    Rules,
    SeatKey,
    Setup,
    Text,
    Turn,
    text,
)
from games.core.refusals import NotYourSeat, Refusal
from games.presentation.analysis import Line, report
from games.puzzles.catalogue import Entry
from games.state.evaluations import BEST, Evaluated, noise_of, read_evaluations, rest_of
from games.state.snapshot import GameSnapshot
from games.state.variations import can_play_on, is_determined


@dataclass(frozen=True, kw_only=True)
class Origin:
    """How a position arose, for games that go on from it."""

    options: Options
    setup: Setup
    moves: Sequence[tuple[SeatKey, str]]
    closed: bool = False


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A position with the turns of the solver, see `games.contract.Puzzle`. ``line`` returns why a
    wrong move fails, see `games.contract.PuzzleBook`, and ``origin`` where a game that goes on from
    the position comes from; it is None if none can. A step of a course has its ``lesson``, and
    its tries are not limited."""

    rules: Rules
    start: Position
    turns: Sequence[Turn]
    task: Text
    praise: Callable[[], Text]
    line: Callable[[Position, str, Sequence[Turn]], Sequence[LineMove]]
    origin: Callable[[], Origin] | None = None
    any_order: bool = False
    unoffered: frozenset[str] = frozenset()
    lesson: Lesson | None = None

    @property
    def seat(self) -> SeatKey:
        return min(self.start.to_move())

    @property
    def solution(self) -> list[str]:
        """The moves of the solver and the replies, one after the other."""
        return [move for turn in self.turns for move in (turn.right[0], *turn.replies)]

    def label(self, position: Position, move: str) -> Text | str:
        """Return a move as lists show it: a card's word, or in the reader's language."""
        label = position.label_move(move)
        return label.text if label else self.rules.display_move(move)


class Played(NamedTuple):
    """A move on the board."""

    seat: SeatKey
    move: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The position after ``moves``, of which the solver ``tried`` some: the solver is to move
    (``open``), the last move was ``wrong``, the task is ``solved``, or the solution is ``shown``. A
    wrong move begins a ``line`` that refutes it, of which ``at`` moves are on the board. ``left``
    counts the moves still to be found."""

    position: Position
    state: Literal["open", "wrong", "solved", "shown"]
    moves: Sequence[Played]
    tried: Sequence[str] = ()
    line: Sequence[LineMove] = ()
    at: int = 0
    left: int = 0

    @property
    def right(self) -> Sequence[str]:
        return self.tried[:-1] if self.state == "wrong" else self.tried

    @property
    def refuting(self) -> LineMove | None:
        """The last move on the board of the line that refutes a wrong one."""
        return self.line[self.at - 1] if self.at else None


def challenge_of(entry: Entry) -> Challenge:
    book, puzzle = entry.book, entry.puzzle
    return Challenge(
        rules=entry.rules,
        start=entry.start,
        turns=puzzle.turns,
        task=entry.task,
        praise=partial(book.praise, puzzle, entry.start),
        line=partial(book.line, puzzle),
        origin=partial(_origin, entry) if is_determined(entry.rules, entry.start.seats) else None,
        any_order=puzzle.any_order,
        unoffered=book.unoffered,
        lesson=entry.lesson,
    )


def _origin(entry: Entry) -> Origin:
    rules, setup = entry.rules, entry.puzzle.setup
    names = {option.name for option in rules.options} & setup.keys()
    return Origin(
        options=rules.clean({name: setup[name] for name in names}),
        setup=dict(setup),
        moves=_play_all(rules.start(setup), entry.puzzle.moves),
    )


def show_solution(challenge: Challenge, plies: int) -> Answer:
    """Return the position after so many moves of the solution, as an answer."""
    position = challenge.start.copy()
    moves = _play_all(position, challenge.solution[: max(0, plies)])
    return Answer(position=position, state="shown", moves=moves)


def judge(challenge: Challenge, tried: Sequence[str], at: int = -1) -> Answer:
    """Return the answer to the moves of the solver; moves after the solution or after a wrong one
    are dropped. ``at`` moves of a refutation are on the board, by default up to the reply. Raises
    MoveError for an illegal move."""
    position, turns, moves = challenge.start.copy(), list(challenge.turns), list[Played]()
    for number, move in enumerate(tried, start=1):
        if not turns:
            tried = tried[: number - 1]
            break
        _check(challenge, position, move)
        if move not in _accepted(challenge, turns):
            line = challenge.line(position.copy(), move, turns)
            replied = len(line) > 1 and line[1].said
            at = at if 0 <= at <= len(line) else 1 + bool(replied)
            moves += _play_all(position, [move.move for move in line[:at]])
            return Answer(
                position=position,
                state="wrong",
                moves=moves,
                tried=tried[:number],
                line=line,
                at=at,
            )
        moves += _play_all(position, [move])
        if challenge.any_order:
            turns = [turn for turn in turns if turn.right[0] != move]
        elif move != turns[0].right[0]:
            turns = []
        else:
            moves += _play_all(position, turns.pop(0).replies)
    state: Literal["open", "solved"] = "open" if turns else "solved"
    return Answer(position=position, state=state, moves=moves, tried=tried, left=len(turns))


def judge_address(challenge: Challenge, written: str, at: int = -1) -> Answer:
    """Return the answer to the moves in an address, up to the first illegal one."""
    tried = [move for move in written[:400].split(",") if move][:12]
    while True:
        try:
            return judge(challenge, tried, at)
        except MoveError:
            tried = tried[:-1]


def _check(challenge: Challenge, position: Position, move: str) -> None:
    """Check a move in the notation of the game. Raises MoveError; nobody resigns a puzzle."""
    seat = min(position.to_move())
    if move not in position.legal_moves(seat) or move in challenge.unoffered:
        if move in {"resign", "timeout", "draw"}:
            raise BadNotation(text("There is nothing to resign here."))
        position.copy().play(seat, move)
        raise IllegalMove(text("That is no move here."))


def _accepted(challenge: Challenge, turns: Sequence[Turn]) -> set[str]:
    if challenge.any_order:
        return {turn.right[0] for turn in turns}
    return set(turns[0].right)


def _play_all(position: Position, moves: Iterable[str]) -> list[Played]:
    """Play moves, and return them with their seats."""
    played = []
    for move in moves:
        played.append(Played(min(position.to_move()), move))
        position.play(*played[-1])
    return played


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
    known = {entry["move"]: entry for entry in [*rest_of(values), *values["moves"]]}
    start = snapshot.at(before).copy()
    right = _right(values, start.legal_moves(line.move.seat))
    after = _best_line(evaluations.at(line.move.ply), line)
    refutations = {line.move.text: Refutation(after[0], after=after[1:])} if after else {}
    return Challenge(
        rules=snapshot.rules,
        start=start,
        turns=[Turn(right=right, refutations=refutations)],
        task=text(
            "You played %(move)s. Find something better.", move=_shown(snapshot, line.move.text)
        ),
        praise=partial(_praise, snapshot, line),
        line=partial(_refuting, snapshot, line, known, right[0]),
        origin=partial(_origin_of, snapshot, before) if can_play_on(snapshot, start) else None,
    )


def _origin_of(snapshot: GameSnapshot, ply: int) -> Origin:
    game = snapshot.game
    moves = [(move.seat, move.text) for move in snapshot.moves[:ply]]
    return Origin(options=game.options, setup=game.setup, moves=moves, closed=game.closed)


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


def _best_line(after: Evaluated | None, line: Line) -> tuple[str, ...]:
    """Return the best moves after a costly one; none if they are unknown or the same seat moves
    again."""
    values = after and after.values
    if not values or not values["moves"] or values["seat"] == line.move.seat:
        return ()
    return tuple(values.get("line") or [values["moves"][0]["move"]])


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


def _refuting(
    snapshot: GameSnapshot,
    line: Line,
    known: Mapping[str, Any],
    best: str,
    _before: Position,
    move: str,
    turns: Sequence[Turn],
) -> list[LineMove]:
    """Return the line after a wrong move, as far as it is known, with the cost of that move."""
    refutation = turns[0].refutation(move)
    said = _reason(snapshot, line, known, best, move, refutation)
    if not refutation.reply:
        return [LineMove(move, said)]
    return [LineMove(move), LineMove(refutation.reply, said), *map(LineMove, refutation.after)]


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
