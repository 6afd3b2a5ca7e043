"""The viewpoint of a viewer, by the seats held and the seat requested."""

from __future__ import annotations

import pytest

from games.contract import SeatSpec, text
from games.presentation.visibility import Perspective, secret_seats, viewpoint

OPEN = [SeatSpec(key=key, name=text(key)) for key in ("one", "two")]
SECRET = [SeatSpec(key=key, name=text(key), information_set=key) for key in ("three", "four")]
ALL = OPEN + SECRET
EVERY_SEAT = frozenset(spec.key for spec in ALL)


def test_a_viewer_without_a_seat_is_a_spectator_even_on_request():
    assert viewpoint(ALL, Perspective(frozenset(), "three"), {"one"}) is None


@pytest.mark.parametrize("seat", sorted(EVERY_SEAT))
def test_the_holder_of_one_seat_has_its_viewpoint(seat):
    assert viewpoint(ALL, Perspective(frozenset({seat})), {"one"}) == seat


@pytest.mark.parametrize("to_move", ["one", "two"])
def test_a_shared_device_has_the_viewpoint_of_the_seat_to_move(to_move):
    assert viewpoint(ALL, Perspective(EVERY_SEAT), {to_move}) == to_move


@pytest.mark.parametrize("to_move", sorted(EVERY_SEAT))
def test_a_shared_device_has_no_secret_viewpoint_without_a_request(to_move):
    assert viewpoint(ALL, Perspective(EVERY_SEAT), {to_move}) in {"one", "two"}
    assert viewpoint(SECRET, Perspective(EVERY_SEAT), {to_move}) is None


def test_a_shared_device_has_a_secret_viewpoint_on_request():
    assert viewpoint(ALL, Perspective(EVERY_SEAT, "four"), {"one"}) == "four"


def test_only_a_shared_device_opens_secret_seats():
    assert secret_seats(ALL, EVERY_SEAT) == ["three", "four"]
    assert secret_seats(ALL, {"three"}) == []
