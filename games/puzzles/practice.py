"""Practising with one's own mistakes: each costly move of a finished game as a challenge.

The values are those of the analysis, so no move needs a search."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from games.contract import Refutation, SeatKey, Text, Turn, text
from games.core.refusals import NotYourSeat, Refusal
from games.presentation.analysis import Line, report
from games.puzzles.challenge import Challenge
from games.state.evaluations import BEST, Evaluated, noise_of, read_evaluations, rest_of
from games.state.snapshot import GameSnapshot

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
    """Return the moves whose loss is smaller than that of an inaccuracy, the best first.

    A move without a stored value counts as right if even the worst of the stored best moves is:
    nothing is known against it."""
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
