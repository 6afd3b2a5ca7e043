"""Moves are listed in the reader's language, and what is listed can be typed."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils import translation

from games.contract import RESIGN, normalize_move
from games.presentation.move_list import display_move
from tests.contract.test_contract import each_game, each_variant
from tests.support.random_games import Variant, sample_positions


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@each_variant
def test_a_listed_move_can_be_typed(variant: Variant, language: str) -> None:
    for position in sample_positions(variant):
        for seat in position.to_move():
            moves = [*position.legal_moves(seat)][:200]
            with translation.override(language):
                listed = [display_move(move, variant.rules) for move in moves]
            assert [normalize_move(position, seat, move) for move in listed] == moves


@each_game
def test_a_resignation_is_listed_as_a_word(variant: Variant) -> None:
    with translation.override("nl"):
        assert display_move(RESIGN, variant.rules) == "geeft op"
    with translation.override("en"):
        assert display_move(RESIGN, variant.rules) == "resigns"
