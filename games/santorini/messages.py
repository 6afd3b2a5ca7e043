"""The sentences of Santorini that several modules share: names, labels, events and obstacles."""

from __future__ import annotations

from functools import cache

from games.contract import Cell, Text, cell_name, display_steps, split_move, text
from games.santorini.engine import DIRECTIONS, DOME, LETTERS, SIZE, Santorini

_DIRECTION_NAMES = {
    "N": text("N"),
    "NE": text("NE"),
    "E": text("E"),
    "SE": text("SE"),
    "S": text("S"),
    "SW": text("SW"),
    "W": text("W"),
    "NW": text("NW"),
}
_LEVELS = (
    text("ground"),
    text("level 1"),
    text("level 2"),
    text("level 3"),
    text("dome"),
)
_PARTS = (
    text("nothing"),
    text("the first level"),
    text("the second level"),
    text("the third level"),
    text("a dome"),
)
_COLOURS = text("red"), text("blue"), text("yellow"), text("black")
LEVEL = text("level")
"""The unit of a player's score, shown before the number."""
WHEN_TWO_ARE_LEFT = text("The computer can only evaluate moves once two players are left.")


def display_move(move: str) -> Text:
    """Return a move with its directions in the reader's language."""
    steps = split_move(move)
    named = (_DIRECTION_NAMES.get(step, step) for step in steps[1:])
    return display_steps(*steps[:1], *named)


def level_name(height: int) -> Text:
    """Return the label of a space of this height (0..4)."""
    return _LEVELS[height]


def part_name(height: int) -> Text:
    """Return the name of the part that brings a tower to this height (1..4)."""
    return _PARTS[height]


def player_name(player: int) -> Text:
    """Return the name of a player; ``player`` counts from zero."""
    return text("Player %(number)s", number=player + 1)


def who_you_are(player: int) -> Text:
    """Return the sentence that tells a player the number and the colour of its workers."""
    return text(
        "You are Player %(number)s (%(colour)s).", number=player + 1, colour=_COLOURS[player]
    )


def letters_of(player: int) -> str:
    """Return the letters of a player's two workers: AB, CD, EF or GH."""
    return LETTERS[2 * player : 2 * player + 2]


def player_of(worker: str) -> int:
    """Return the player of a worker, counting from zero."""
    return LETTERS.index(worker) // 2


@cache
def cell_label(level: int, worker: str | None, threat: str) -> Text:
    """Return the label of a space: its level, and the worker on it with its player, or the worker
    that threatens to climb there.
    """
    if threat:
        return text(
            "%(level)s, worker %(worker)s can climb here", level=level_name(level), worker=threat
        )
    if worker is None:
        return level_name(level)
    return text(
        "%(level)s, worker %(worker)s of %(player)s",
        level=level_name(level),
        worker=worker,
        player=player_name(player_of(worker)),
    )


@cache
def placed_label(level: int, worker: str) -> Text:
    """Return the label of a space where a worker is about to be placed."""
    return text("%(level)s, worker %(worker)s, placed here", level=level_name(level), worker=worker)


@cache
def moved_label(level: int, worker: str) -> Text:
    """Return the label of a space that a worker has moved to, before it builds."""
    return text("%(level)s, worker %(worker)s, moved here", level=level_name(level), worker=worker)


def obstacle(board: Santorini, worker: str, start: Cell, direction: str) -> Text | None:
    """Return why a worker on ``start`` can neither move nor build in a direction, None if it can
    build there.

    Only the height can keep a worker from moving to a space where it can build."""
    down, right = DIRECTIONS[direction]
    cell = start[0] + down, start[1] + right
    if not (0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE):
        return text("That’s off the board.")
    others = {where for letter, where in board.workers.items() if letter != worker}
    if cell in others:
        return text("There’s a worker on %(cell)s.", cell=cell_name(*cell))
    if board.height(cell) == DOME:
        return text("There’s a dome on %(cell)s.", cell=cell_name(*cell))
    return None


def shared_space() -> Text:
    """Return the refusal of a second worker on the space of the first."""
    return text("Your workers can’t share a space.")


def occupied(cell: str) -> Text:
    """Return the refusal of a placement on a space that has a worker."""
    return text("There’s already a worker on %(cell)s.", cell=cell)


def not_yours(worker: str) -> Text:
    """Return the refusal of another player's worker."""
    return text("%(worker)s isn’t your worker.", worker=worker)


def move_worker(worker: str) -> Text:
    """Return the prompt for the first half of a turn."""
    return text("Move worker %(worker)s.", worker=worker)


def stuck(worker: str) -> Text:
    """Return the refusal of a worker without a legal move."""
    return text("%(worker)s can’t move.", worker=worker)


def too_high(worker: str) -> Text:
    """Return the refusal of a climb of two levels or more."""
    return text("%(worker)s can only climb one level at a time.", worker=worker)


def too_far_to_move() -> Text:
    """Return the refusal of a move to a space that is not beside the worker."""
    return text("Workers move one space at a time.")


def too_far_to_build() -> Text:
    """Return the refusal of a build on a space that is not beside the worker."""
    return text("Build on a space next to the worker.")


def climb_news(worker: str, target: Cell) -> Text:
    """Return the event of a winning climb."""
    return text(
        "%(player)s climbs to the third level on %(cell)s with worker %(worker)s.",
        player=player_name(player_of(worker)),
        worker=worker,
        cell=cell_name(*target),
    )


def turn_news(worker: str, target: Cell, built: Cell, height: int) -> Text:
    """Return the event of a move to ``target`` and a build of ``built`` up to ``height`` (1..4)."""
    return text(
        "%(player)s moves %(worker)s to %(cell)s and builds %(part)s on %(built)s.",
        player=player_name(player_of(worker)),
        worker=worker,
        cell=cell_name(*target),
        part=part_name(height),
        built=cell_name(*built),
    )


def placement_news(player: int, cells: tuple[str, ...]) -> Text:
    """Return the event of a player placing two workers."""
    return text(
        "%(player)s places workers on %(first)s and %(second)s.",
        player=player_name(player),
        first=cells[0],
        second=cells[1],
    )
