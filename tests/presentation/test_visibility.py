"""Through whose eyes somebody sees a game, by the seats they hold."""

from __future__ import annotations

import pytest

from games.contract import SeatSpec, text
from games.presentation.visibility import Perspective, secret_seats, viewpoint

OPEN = [SeatSpec(key=key, name=text(key)) for key in ("one", "two")]
SECRET = [SeatSpec(key=key, name=text(key), information_set=key) for key in ("three", "four")]
ALL = OPEN + SECRET
EVERY_SEAT = frozenset(spec.key for spec in ALL)


def test_who_holds_no_seat_is_a_spectator_whatever_they_ask_for():
    assert viewpoint(ALL, Perspective(frozenset(), "three"), {"one"}) is None


@pytest.mark.parametrize("seat", sorted(EVERY_SEAT))
def test_who_holds_one_seat_looks_through_it(seat):
    assert viewpoint(ALL, Perspective(frozenset({seat})), {"one"}) == seat


@pytest.mark.parametrize("to_move", ["one", "two"])
def test_of_open_seats_the_one_to_move_is_looked_through(to_move):
    assert viewpoint(ALL, Perspective(EVERY_SEAT), {to_move}) == to_move


@pytest.mark.parametrize("to_move", sorted(EVERY_SEAT))
def test_a_shared_device_looks_through_no_secret_seat_that_was_not_asked_for(to_move):
    assert viewpoint(ALL, Perspective(EVERY_SEAT), {to_move}) in {"one", "two"}
    assert viewpoint(SECRET, Perspective(EVERY_SEAT), {to_move}) is None


def test_a_secret_seat_is_looked_through_when_its_holder_asks_for_it():
    assert viewpoint(ALL, Perspective(EVERY_SEAT, "four"), {"one"}) == "four"


def test_only_a_shared_device_opens_secret_seats():
    assert secret_seats(ALL, EVERY_SEAT) == ["three", "four"]
    assert secret_seats(ALL, {"three"}) == []
