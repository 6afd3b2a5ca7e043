"""The coach of Santorini on the opponent's answers: each is tried where a sentence says that none
helps, or that one does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.contract import Reason, text
from games.santorini.ai.bits import State, level_of, play
from games.santorini.ai.root import Budget, think
from games.santorini.pairs import Pair
from games.santorini.sight import (
    HIGH,
    answers,
    is_double,
    more_steps,
    new_steps,
    own_threats,
    reached,
    threats,
)

_NODES: Final = 50_000
_PROOF_NODES: Final = 400_000
"""Nodes for the answer that wins after a move which loses."""
_MORE: Final = 3
"""The difference in answers that threaten a climb that is worth a sentence."""


def allows_two_threats(pair: Pair) -> Reason | None:
    if any(is_double(after) for _, after in answers(pair.best)):
        return None
    found = next(((turn, after) for turn, after in answers(pair.played) if is_double(after)), None)
    if found is None:
        return None
    turn, after = found
    one, other, *_ = own_threats(after)
    sentence = text(
        "After %(played)s the answer %(reply)s threatens to climb to %(one)s and to %(other)s at"
        " once.",
        reply=pair.shown(turn),
        one=one,
        other=other,
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def loses_by_force(pair: Pair) -> Reason | None:
    line = next(iter(think(pair.played, Budget(_PROOF_NODES, 3.0))), None)
    if line is None or not line.is_decided or line.value < 0:
        return None
    sentence = text(
        "After %(played)s, %(opponent)s wins by force, beginning with %(reply)s.",
        reply=pair.shown(line.move),
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def must_be_closed(pair: Pair) -> Reason | None:
    """Return an answer to the played move that threatens a climb, if no answer to the better one
    does, or if of the best answers to both that to the played one alone does."""
    found = {
        turn: cells for turn, after in answers(pair.played) if len(cells := threats(after)) == 1
    }
    if not found:
        return None
    turn = _best_answer(pair.played)
    is_usual = any(threats(after) for _, after in answers(pair.best))
    if is_usual and (turn not in found or threats(play(pair.best, _best_answer(pair.best)))):
        return None
    turn = turn if turn in found else min(found)
    sentence = text(
        "After %(played)s the answer %(reply)s threatens to climb to %(cell)s, and only a dome"
        " there stops it.",
        reply=pair.shown(turn),
        cell=found[turn][0],
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def keeps_a_step(pair: Pair) -> Reason | None:
    """Return the answer to the played move that keeps the own workers from level 2, if no answer to
    the better move does."""
    if not all(HIGH in reached(after, after[4:6]).values() for _, after in answers(pair.best)):
        return None
    for turn, after in answers(pair.played):
        if max(reached(after, after[4:6]).values(), default=0) < HIGH:
            sentence = text(
                "After %(best)s a step up to level 2 is left whatever %(opponent)s answers; after"
                " %(played)s the answer %(reply)s leaves none.",
                reply=pair.shown(turn),
                **pair.words,
            )
            return Reason(sentence, names_best=True)
    return None


def by_best_answers(pair: Pair) -> Iterator[Reason | None]:
    """Yield the gain of the best answer to the played move, if the best one to the better move
    gains less."""
    if not (any(answers(pair.best)) and any(answers(pair.played))):
        return
    best, played = (_Answer(state, _best_answer(state)) for state in (pair.best, pair.played))
    words = {"reply": pair.shown(played.turn), **pair.words}
    if played.level > best.level:
        sentence = text(
            "After %(played)s the answer %(reply)s steps up to level %(level)s.",
            level=played.level,
            **words,
        )
        yield Reason(sentence, names_best=False)
    if level := more_steps(played.prepared, best.prepared):
        sentence = text(
            "After %(played)s the answer %(reply)s prepares a step up to level %(level)s on"
            " %(cells)s.",
            level=level,
            cells=new_steps(played.prepared, best.prepared, level),
            **words,
        )
        yield Reason(sentence, names_best=False)
    if level := more_steps(played.closed, best.closed):
        sentence = text(
            "After %(played)s the answer %(reply)s takes away the step up to level %(level)s on"
            " %(cells)s.",
            level=level,
            cells=new_steps(played.closed, best.closed, level),
            **words,
        )
        yield Reason(sentence, names_best=False)


class _Answer:
    """A turn of the opponent: the ``level`` to which it steps up (0 for none), and the steps up
    that it has ``prepared`` for itself and ``closed`` to the other player."""

    def __init__(self, before: State, turn: int) -> None:
        after, self.turn = play(before, turn), turn
        start, level = (level_of(before, space) for space in (turn & 31, turn >> 5 & 31))
        self.level = level if level > start else 0
        self.prepared = _without(reached(after, after[6:8]), reached(before, before[4:6]))
        self.closed = _without(reached(before, before[6:8]), reached(after, after[4:6]))


def _without(steps: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    return {space: level for space, level in steps.items() if level and space not in others}


def allows_more_threats(pair: Pair) -> Reason | None:
    """Return how many answers threaten a climb, where the moves clearly differ."""
    many, few = (
        sum(bool(threats(after)) for _, after in answers(state))
        for state in (pair.played, pair.best)
    )
    if many < few + _MORE:
        return None
    sentence = text(
        "After %(played)s %(many)s answers threaten a climb, after %(best)s only %(few)s.",
        many=many,
        few=few,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def is_answered(pair: Pair) -> Reason | None:
    """Return the best answer to the played move, if there is one."""
    if not any(answers(pair.played)):
        return None
    reply = pair.shown(_best_answer(pair.played))
    sentence = text("The computer answers %(played)s with %(reply)s.", reply=reply, **pair.words)
    return Reason(sentence, names_best=False)


def _best_answer(state: State) -> int:
    """Return the best turn in a state that has one."""
    return think(state, Budget(_NODES, 3.0))[0].move
