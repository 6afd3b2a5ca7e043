"""Random games of any kind, played through the contract alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from random import Random
from typing import Any

from games.contract import BadSetup, Option, Position, Rules, SeatKey, Setup, Text

MAX_PLIES = 5000
"""Plies far above the longest game: a play-out that gets there does not end."""

PlayedMoves = list[tuple[SeatKey, str]]


@dataclass(frozen=True)
class Variant:
    """The rules of a kind of game, with one choice of its options."""

    rules: Rules
    options: Mapping[str, Any]

    def __str__(self) -> str:
        default = self.rules.clean({})
        changed = [f"{k}={v!r:.20}" for k, v in self.options.items() if v != default[k]]
        return "-".join([self.rules.slug, *changed])

    def __hash__(self) -> int:
        return hash(str(self))

    def setup(self, seed: int = 1) -> Setup:
        """Return a setup that has been through JSON, as one read from the database."""
        dealt = self.rules.deal(self.options, Random(seed))
        return json.loads(json.dumps(dealt))  # type: ignore[no-any-return]

    def start(self, seed: int = 1) -> Position:
        return self.rules.start(self.setup(seed))

    def seats(self) -> list[SeatKey]:
        return [spec.key for spec in self.rules.seats(self.options)]


def sample_values(option: Option) -> list[Any]:
    """Return the values to test of an option: both limits, every choice, or both flags."""
    if option.kind == "number":
        return [option.low, option.high]
    if option.kind == "choice":
        return [value for value, _ in option.choices]
    return [False, True] if option.kind == "flag" else [""]


def variants(rules: Rules) -> Iterator[Variant]:
    """Yield the default options, then each value of each option with the others at default.

    Values for which no game can be dealt are left out.
    """
    yield Variant(rules, rules.clean({}))
    for option in rules.options:
        for value in sample_values(option):
            variant = Variant(rules, rules.clean({option.name: value}))
            if value != option.default and can_deal(variant):
                yield variant


def can_deal(variant: Variant) -> bool:
    """Return whether the options give a setup."""
    try:
        variant.setup()
    except BadSetup:
        return False
    return True


def random_legal_move(position: Position, rng: Random) -> tuple[SeatKey, str]:
    """Return a seat that is to move and a legal move of it, both at random."""
    seat = rng.choice(sorted(position.to_move()))
    return seat, rng.choice(list(position.legal_moves(seat)))


def play_randomly(position: Position, rng: Random, plies: int = MAX_PLIES) -> PlayedMoves:
    """Play random legal moves until the end or for ``plies`` moves, and return them."""
    played: PlayedMoves = []
    while position.to_move() and len(played) < plies:
        seat, move = random_legal_move(position, rng)
        position.play(seat, move)
        played.append((seat, move))
    return played


def replay_moves(position: Position, played: Sequence[tuple[SeatKey, str]]) -> Position:
    """Play the moves on ``position`` and return it."""
    for seat, move in played:
        position.play(seat, move)
    return position


def sample_positions(variant: Variant, seed: int = 1, count: int = 6) -> list[Position]:
    """Return positions spread evenly over a random game, from the first to the last.

    The position after the first move is among them: some games have a move there that they
    never have again.
    """
    played = random_game(variant, seed)
    ends = sorted({1, *(round(part * len(played) / (count - 1)) for part in range(count))})
    return [position.copy() for position in _positions_after(variant, seed, *ends)]


@cache
def random_game(variant: Variant, seed: int) -> PlayedMoves:
    """Return the moves of a random game from its beginning to its end."""
    return play_randomly(variant.start(seed), Random(seed))


@cache
def _positions_after(variant: Variant, seed: int, *ends: int) -> list[Position]:
    position, played, found = variant.start(seed), random_game(variant, seed), []
    for before, end in pairwise([0, *ends]):
        found.append(replay_moves(position, played[before:end]).copy())
    return found


def encode_json(value: Any) -> str:
    """Return a view as JSON text. Raises TypeError for values outside the contract's."""
    return json.dumps(value, default=_encode, sort_keys=True)


def _encode(value: Any) -> Any:
    if isinstance(value, Text):
        return value.to_json()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is no JSON")


def observable_state(position: Position, seats: Sequence[SeatKey]) -> str:
    """Return the views, legal moves, turn and result of a position as one string to compare."""
    views = [position.view(seat) for seat in (None, *seats)]
    legal = {seat: list(position.legal_moves(seat)) for seat in seats}
    return encode_json([views, legal, sorted(position.to_move()), repr(position.result())])


def iter_texts(value: Any) -> Iterator[Text]:
    """Yield every sentence in a view, and the sentences in its parameters."""
    if isinstance(value, Text):
        yield value
        yield from iter_texts(value.params)
    elif isinstance(value, Mapping):
        yield from (text for part in value.values() for text in iter_texts(part))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (text for part in value for text in iter_texts(part))


def cell_names(position: Position, seat: SeatKey | None = None) -> list[str]:
    """Return the names of a board's cells in reading order."""
    return [cell["name"] for row in position.view(seat)["rows"] for cell in row]


def first_legal_moves(position: Position, count: int = 200) -> list[tuple[SeatKey, str]]:
    """Return up to ``count`` legal moves of each seat that is to move."""
    return [
        (seat, move)
        for seat in sorted(position.to_move())
        for move in islice(position.legal_moves(seat), count)
    ]
