"""The addresses of a game's page and of what can be done on it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from django.urls import reverse


class Addresses(NamedTuple):
    """The addresses of one game, each under the name of its URL."""

    game: str
    board: str
    sit: str
    undo: str
    answer_undo: str
    offer_draw: str
    answer_draw: str
    absent: str
    ask_to_free: str
    answer_freeing: str
    give_up: str
    resign: str
    analysis: str
    rules: str
    devices: str
    hand_over: str


ANY = "any-game"
"""In place of the id of a game, which consists of letters and digits."""


@lru_cache(2_000)
def addresses(game_id: str, kind: str) -> Addresses:
    return Addresses(*[address.replace(ANY, game_id) for address in _of_any_game(kind)])


# Cached: reversing a URL takes longer than rendering most partials.
@cache
def _of_any_game(kind: str) -> Addresses:
    others: dict[str, list[str]] = {"rules": [kind], "devices": []}
    names = Addresses._fields
    return Addresses(*[reverse(name, args=others.get(name, [ANY])) for name in names])
