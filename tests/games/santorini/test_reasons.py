"""The coach's sentences on costly moves of Santorini."""

from __future__ import annotations

from random import Random
from typing import Any

from games.contract import MoveValue, Reason, parse_cell, text
from games.santorini.computer import evaluate
from games.santorini.messages import display_move
from games.santorini.position import SantoriniPosition
from games.santorini.reasons import explain
from tests.games.santorini.positions import CLIMB, played


def test_a_missed_climb_is_told() -> None:
    position = played(CLIMB)
    values = evaluate(position)
    best = max(values, key=lambda move: values[move].value)
    worst = min(values, key=lambda move: values[move].value)
    reason = explain(position, best, worst, values)
    assert reason and "climbs to the third level and wins" in str(reason.sentence)


def test_an_allowed_climb_is_told() -> None:
    position = played(CLIMB[:-1])
    values = evaluate(position)
    stops = [move for move, value in values.items() if value.value > -100]
    loses = next(move for move in values if move not in stops)
    best = max(stops, key=lambda move: values[move].value)
    reason = explain(position, best, loses, values)
    assert str(reason and reason.sentence) == f"{loses} lets Player 1 climb to b4 and win."
    assert reason and not reason.names_best


def cells_of(position: SantoriniPosition) -> list[Any]:
    return [cell for row in position.view(None)["rows"] for cell in row]


def reached(position: SantoriniPosition, player: int) -> list[tuple[str, int, int, str]]:
    """Return each worker's space and level with the level and name of a space it could move to."""
    cells = cells_of(position)
    return [
        (cell["name"], cell["level"], to["level"], to["name"])
        for cell in cells
        for to in cells
        if cell["player"] == player and to["worker"] is None and to["level"] < 4
        if to["level"] <= cell["level"] + 1
        if are_beside(cell["name"], to["name"])
    ]


def are_beside(one: str, other: str) -> bool:
    ways = zip(parse_cell(one), parse_cell(other), strict=True)
    return max(abs(a - b) for a, b in ways) == 1


def ups(position: SantoriniPosition, player: int) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for _, level, to_level, to in reached(position, player):
        if to_level > level:
            found.setdefault(to_level, set()).add(to)
    return found


def spaces(position: SantoriniPosition, player: int) -> set[str]:
    return {to for *_, to in reached(position, player)}


def answered(bad: SantoriniPosition, shown: str) -> SantoriniPosition:
    """Return the position after an answer as lists show it."""
    (other,) = bad.to_move()
    reply = next(move for move in bad.legal_moves(other) if str(display_move(move)) == shown)
    return bad.copy().play(other, reply)


def is_true_of_answer(
    reason: Reason, bad: SantoriniPosition, own: int, after: SantoriniPosition
) -> bool | None:
    """Return whether a sentence on the answer to the played move is true; None for one that speaks
    of the whole game."""
    params, message = reason.sentence.params, reason.sentence.message
    cells = set(str(params.get("cells", "")).split(", "))
    if "only a dome" in message:
        return ups(after, 1 - own).get(3) == {params["cell"]} and 3 not in ups(after, own)
    if "steps up to level" in message:
        return height(after, 1 - own) > height(bad, 1 - own)
    if "prepares" in message:
        known = ups(bad, 1 - own).get(params["level"], set())
        return cells <= ups(after, 1 - own)[params["level"]] - known
    if "takes away" in message:
        return cells <= ups(bad, own)[params["level"]] - spaces(after, own)
    if "leaves none" in message:
        return max(ups(after, own), default=0) < 2
    return None


def height(position: SantoriniPosition, player: int) -> int:
    return sum(cell["level"] for cell in cells_of(position) if cell["player"] == player)


def is_true(reason: Reason, before: SantoriniPosition, best: str, played: str) -> bool | None:
    """Return whether a sentence that the board alone proves is true; None for another one."""
    (seat,) = before.to_move()
    own = int(seat[1]) - 1
    good, bad = (before.copy().play(seat, move) for move in (best, played))
    params, message = reason.sentence.params, reason.sentence.message
    if "which is out of reach" in message:
        one, other, player = (bad, good, 1 - own) if "lets" in message else (good, bad, own)
        cells = set(str(params["cells"]).split(", "))
        return cells <= ups(one, player)[params["level"]] - spaces(other, player)
    if "The computer answers" in message:
        return bool(answered(bad, str(params["reply"])))
    if "the answer %(reply)s" in message:
        return is_true_of_answer(reason, bad, own, answered(bad, str(params["reply"])))
    if "and only a dome" in message:
        return ups(good, own).get(3) == {params["cell"]} and 3 not in ups(good, 1 - own)
    if "spaces to move to" in message:
        player = own if "own workers" in message else 1 - own
        rooms = sorted(len(reached(position, player)) for position in (good, bad))
        return rooms == [params["few"], params["more"]]
    if "steps down" in message:
        return height(bad, own) < height(before, own) <= height(good, own)
    if "steps up" in message:
        return height(good, own) > height(before, own) >= height(bad, own)
    if "cannot move" in message:
        position, player = (good, 1 - own) if "shuts" in message else (bad, own)
        return params["cell"] not in {start for start, *_ in reached(position, player)}
    if "nearer the middle" in message:
        return params["more"] > params["few"]
    return None


def has_an_answer(before: SantoriniPosition, played: str) -> bool:
    """Return whether the opponent goes on after a move of a worker, and cannot climb to win."""
    after = before.copy().play(min(before.to_move()), played)
    workers = [cell for cell in cells_of(before) if cell["worker"]]
    return (
        len(workers) == 4
        and bool(after.to_move())
        and all(3 not in ups(after, int(seat[1]) - 1) for seat in after.to_move())
    )


def test_sentences_on_places_are_true_on_the_board() -> None:
    rng, told = Random(7), set()
    for _ in range(25):
        position = SantoriniPosition(2)
        for _ in range(rng.randint(0, 30)):
            if not (seats := position.to_move()):
                break
            position.play(min(seats), rng.choice(position.legal_moves(min(seats))))
        if not (seats := position.to_move()):
            continue
        moves = [*position.legal_moves(min(seats))]
        for _ in range(8):
            best, played = rng.sample(moves, 2)
            values = {move: MoveValue(value=0, shown=text("none")) for move in (best, played)}
            reason = explain(position, best, played, values)
            assert reason or not has_an_answer(position, played)
            if reason is None or not position.copy().play(min(seats), best).to_move():
                continue
            true = is_true(reason, position, best, played)
            assert true is not False, (str(reason.sentence), best, played)
            if true:
                told.add(reason.sentence.message)
    assert len(told) > 5
