"""The four people of the tests of Codenames' pages."""

from __future__ import annotations

import pytest

from tests.support.players import Person, new_person

SEATS = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")


@pytest.fixture
def people(db: None) -> dict[str, Person]:
    """Return a person for each seat."""
    return {seat: new_person(seat.title()) for seat in SEATS}
