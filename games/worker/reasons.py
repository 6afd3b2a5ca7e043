"""The coach: why the move that was played cost so much, as the game's own folder says it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from games.contract import ENDINGS, MoveValue, Position, Reason
from games.core.registry import reasons_module
from games.models import Evaluation
from games.state.evaluations import move_after

logger = logging.getLogger(__name__)


def reason_for(
    evaluation: Evaluation,
    position: Position,
    found: Mapping[str, MoveValue],
    least: float,
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
    except Exception:
        # The values are worth more than the sentence.
        logger.exception("no reason was found for %s in %s", played, evaluation)
        return None
    if reason is None:
        return None
    return {"move": played, "text": reason.sentence.to_json(), "best": reason.names_best}
