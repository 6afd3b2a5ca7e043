"""Fixtures of the tests of views."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.staff import log_in_staff


@pytest.fixture
def clerk(db: None) -> Client:
    """Return a client of staff with the permissions to view games, moves and players."""
    return log_in_staff("view_game", "view_move", "view_player")
