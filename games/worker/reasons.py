"""The coach: the sentences of a game's own folder on the moves that were played."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from django.db import Error as DatabaseFault

from games.contract import ENDINGS, MoveValue, Position, Reason, Text
from games.core.registry import reasons_module
from games.models import Evaluation
from games.services.analyses import store_review
from games.state.evaluations import move_after
from games.state.snapshot import read_snapshot

logger = logging.getLogger(__name__)


class ComputerFailed(Exception):
    """Raised for a computer that fails and may do better in another process."""


STARVED = (MemoryError, OSError, ComputerFailed)
"""Raised in a process that may lack a part: it ends, and another one does the job."""
PASSING = (*STARVED, DatabaseFault)
"""Raised by no fault of a game or a computer."""


def review(evaluation: Evaluation) -> None:
    """Write the note on a move of a finished game, see `games.contract.Reasons`."""
    module: Any = reasons_module(evaluation.game.kind)
    note: Text | None = None
    try:
        snapshot = read_snapshot(evaluation.game_id)
        move = snapshot.moves[evaluation.ply - 1]
        known = Text.from_json(move.note) if move.note else None
        note = module.review(snapshot.at(move.ply - 1).copy(), move.seat, move.text, known)
    except PASSING:
        raise
    except Exception:
        logger.exception("the review of %s failed", evaluation)
    store_review(evaluation=evaluation, note=note)


def reason_for(
    evaluation: Evaluation, position: Position, found: Mapping[str, MoveValue], least: float
) -> dict[str, Any] | None:
    """Return as JSON why the move that followed a position cost at least the value ``least``; None
    for a cheaper move, a kind without reasons, and a position of a hint or a variation."""
    played = "" if evaluation.hint or evaluation.line is not None else move_after(evaluation)
    module: Any = reasons_module(evaluation.game.kind)
    if module is None or played in ENDINGS or played not in found:
        return None
    best = max(found, key=lambda move: found[move].value)
    if found[best].value - found[played].value < least:
        return None
    if not (found[best].known and found[played].known):
        return None
    try:
        reason: Reason | None = module.explain(position.copy(), best, played, found)
    except STARVED:
        raise
    except Exception:
        # The values are worth more than the sentence.
        logger.exception("no reason was found for %s in %s", played, evaluation)
        return None
    if reason is None:
        return None
    figures = {"figures": reason.figures.to_json()} if reason.figures else {}
    return {"move": played, "text": reason.sentence.to_json(), "best": reason.names_best, **figures}
