"""The coach of Hermit: why a move gave a win away, by the values of the regions that moves leave.

Only solved moves are compared, so every sentence is a theorem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import xor
from random import Random
from typing import Final

from games.contract import MoveValue, Position, Reason, Text, cell_name, text
from games.hermit.ai.solver import Solver, regions_of
from games.hermit.computer import HIGHEST, choose
from games.hermit.counting import is_mirrored
from games.hermit.engine import COLOURS, Hermit
from games.hermit.messages import display_move
from games.hermit.position import HermitPosition, parse_move

_NODES: Final = 200_000
"""Nodes for the values of the regions after a move."""
_SECONDS: Final = 3.0
_MOST_BOARDS: Final = 2_000
"""Boards that are looked at to count the blocks that still fit."""
_MOST: Final = 5
"""With more regions than this, their values are no sentence."""


def explain(
    position: Position, best: str, played: str, values: Mapping[str, MoveValue]
) -> Reason | None:
    """Return why ``played`` loses where ``best`` wins; see `games.contract.Reasons`."""
    if not isinstance(position, HermitPosition):
        return None
    if not (values[best].exact and values[played].exact):
        return None
    after = position.board.copy().move(*parse_move(best))
    words = {"best": display_move(best), "played": display_move(played)}
    if not after.possible_moves():
        return Reason(text("%(best)s was the last block that fits.", **words), names_best=True)
    lost = position.board.copy().move(*parse_move(played))
    reply = _reply(position, played)
    if not lost.copy().move(*parse_move(reply)).possible_moves():
        words["reply"] = display_move(reply)
        sentence = text(
            "After %(played)s the answer %(reply)s is the last block that fits.", **words
        )
        return Reason(sentence, names_best=False)
    if counted := _by_counting(words, after, lost):
        return counted
    if is_mirrored(after):
        sentence = text(
            "%(best)s leaves two equal halves: copy each move of your opponent in the other one.",
            **words,
        )
        return Reason(sentence, names_best=True)
    return _by_regions(words, after, lost, reply)


def _by_counting(words: Mapping[str, Text | str], kept: Hermit, lost: Hermit) -> Reason | None:
    """Return the reason if the number of blocks that still fit is even or odd for certain."""
    is_even = _parities(kept) == {0}
    if _parities(lost) != {1}:
        if not is_even:
            return None
        sentence = text(
            "%(best)s leaves an even number of blocks that still fit, however they are laid.",
            **words,
        )
        return Reason(sentence, names_best=True)
    if not is_even:
        sentence = text(
            "After %(played)s an odd number of blocks still fits, however they are laid.", **words
        )
        return Reason(sentence, names_best=False)
    sentence = text(
        "After %(played)s an odd number of blocks still fits, however they are laid; %(best)s"
        " leaves an even number.",
        **words,
    )
    return Reason(sentence, names_best=True)


def _parities(board: Hermit) -> set[int]:
    """Return whether an even (0) or odd (1) number of blocks can still be laid until none fits;
    both if there are too many ways to look at."""
    known: dict[tuple[int, ...], set[int]] = {}

    def parities(board: Hermit) -> set[int]:
        key = tuple(board.allowed(colour) for colour in COLOURS)
        if key not in known:
            if len(known) >= _MOST_BOARDS:
                return {0, 1}
            known[key] = {0, 1}
            moves = board.possible_moves()
            later = [parities(board.copy().move(*move)) for move in moves]
            known[key] = {1 - winner for found in later for winner in found} if moves else {0}
        return known[key]

    return parities(board)


def _reply(position: HermitPosition, played: str) -> str:
    """Return the answer of the highest level to a move."""
    after = position.copy().play(min(position.to_move()), played)
    return choose(after, min(after.to_move()), HIGHEST, Random(0), seconds=_SECONDS).move


def _values(board: Hermit) -> Sequence[tuple[int, str]] | None:
    """Return the Grundy values of the regions of a board with their first squares, the largest
    first; None if one was not found, or if there are too many."""
    solver = Solver(_NODES, seconds=_SECONDS)
    parts = sorted(regions_of(board), key=lambda part: part.weight)
    if len(parts) > _MOST:
        return None
    found = [(solver.value(part), cell_name(*next(board.cells(part.mask)))) for part in parts]
    known = [(value, cell) for value, cell in found if value is not None]
    return sorted(known, reverse=True) if len(known) == len(found) else None


def _by_regions(
    words: Mapping[str, Text | str], after: Hermit, lost: Hermit, reply: str
) -> Reason | None:
    """Return the reason by the regions that the better move leaves and that the answer to the
    played one wins with, and their values as figures."""
    kept, left = _values(after), _values(lost)
    figures = _figures(words, kept, left)
    if kept and len(kept) > 1 and _is_paired([value for value, _ in kept]):
        cells = [cell for value, cell in kept if value]
        if len(cells) == 2:
            sentence = text(
                "%(best)s leaves two regions in balance, around %(one)s and %(other)s, so that"
                " every block there has an answer.",
                one=cells[0],
                other=cells[1],
                **words,
            )
            return Reason(sentence, names_best=True, figures=figures)
    if not Solver(_NODES, seconds=_SECONDS).is_lost(
        regions_of(lost.copy().move(*parse_move(reply)))
    ):
        return None
    shown = {"reply": display_move(reply), **words}
    if kept and len(kept) > 1:
        sentence = text(
            "%(best)s leaves regions in balance; after %(played)s it is the answer %(reply)s that"
            " does so.",
            **shown,
        )
        return Reason(sentence, names_best=True, figures=figures)
    sentence = text(
        "After %(played)s the answer %(reply)s wins: every block after that has an answer.",
        **shown,
    )
    return Reason(sentence, names_best=False, figures=None if kept else figures)


def _figures(
    words: Mapping[str, Text | str],
    kept: Sequence[tuple[int, str]] | None,
    lost: Sequence[tuple[int, str]] | None,
) -> Text | None:
    """Return the values of the regions after both moves."""
    if kept is None or lost is None:
        return None
    return text(
        "Values of the regions: after %(best)s %(kept)s, together 0; after %(played)s %(lost)s,"
        " together %(total)s.",
        kept=_joined([value for value, _ in kept]),
        lost=_joined([value for value, _ in lost]),
        total=reduce(xor, [value for value, _ in lost], 0),
        **words,
    )


def _is_paired(values: Sequence[int]) -> bool:
    """Return whether values, apart from zeros, come in equal pairs."""
    counted = [value for value in values if value]
    return counted[::2] == counted[1::2]


def _joined(values: Sequence[int]) -> str:
    return " + ".join(map(str, values))
