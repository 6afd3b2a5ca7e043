"""The clock of a game as a value."""

from __future__ import annotations

from games.core.clocks import Clock, TimeControl

RUNNING = Clock(
    control=TimeControl(minutes=3, increment=2),
    left={"red": 60_000, "blue": 60_000},
    running=["red"],
    since=1_000,
)


def test_a_move_after_which_the_own_side_is_to_move_again_earns_no_increment() -> None:
    assert RUNNING.run(["red"], 6_000, moved="red").left == {"red": 55_000, "blue": 60_000}


def test_a_move_that_ends_the_turn_of_its_side_earns_the_increment() -> None:
    assert RUNNING.run(["blue"], 6_000, moved="red").left == {"red": 57_000, "blue": 60_000}
