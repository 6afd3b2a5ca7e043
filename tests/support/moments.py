"""A time that stands still until a test lets it pass."""

from __future__ import annotations

from games.services import clocks


class Now:
    """The current time as the services see it, in milliseconds."""

    def __init__(self) -> None:
        self.ms = clocks.now_ms()

    def pass_time(self, ms: int) -> None:
        """Let so many milliseconds pass."""
        self.ms += ms
