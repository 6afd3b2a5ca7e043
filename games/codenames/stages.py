"""Choosing a move of Codenames: clues are typed, cards are clicked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.codenames import messages
from games.contract import Stage, Step

STOP = "stop"
"""The move with which operatives end their turn."""
UNKNOWN = "unknown"
"""The move with which operatives pass because they do not know the word of the clue."""


def stage_of_spymaster(clues_required: bool) -> Stage:
    """Return the stage of a spymaster, who has nothing to click."""
    return Stage(prompt=messages.prompt_spymaster(clues_required))


def stage_of_operatives(
    tokens: Iterable[str], cards: Mapping[str, messages.CardName], *, spoken: bool
) -> Stage:
    """Return the stage of operatives, who choose among ``tokens``: names of ``cards``, UNKNOWN and
    STOP.

    ``spoken`` says that the turn begins and its clue is still to be spoken."""
    steps = tuple(_step(token, cards) for token in tokens)
    prompt = messages.prompt_operatives(any(step.text == STOP for step in steps))
    return Stage(prompt=messages.prompt_spoken() if spoken else prompt, steps=steps)


def _step(token: str, cards: Mapping[str, messages.CardName]) -> Step:
    if token == STOP:
        return Step(text=STOP, label=messages.stop_label(), confirm=True)
    if token == UNKNOWN:
        return Step(text=UNKNOWN, label=messages.unknown_label(), confirm=True)
    label, short = messages.reveal_label(cards[token]), messages.REVEAL
    return Step(text=token, label=label, short=short, cell=token, confirm=True)
