"""The four people of the tests of Codenames' pages, and a moment that stands still."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.support.players import Person, new_person

SEATS = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")


@pytest.fixture
def people(db: None) -> dict[str, Person]:
    """Return a person for each seat."""
    return {seat: new_person(seat.title()) for seat in SEATS}


@pytest.fixture
def still_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time pass: pages say who has been away for a minute, which a busy machine may take."""
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
