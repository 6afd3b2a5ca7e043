"""Spymasters see the key of Codenames, and all viewers see it when the game is over."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from games.codenames.position import CodenamesPosition
from games.codenames.rules import RULES
from games.contract import RESIGN, MoveError, Position
from tests.games.codenames.test_rules import (
    BLUE,
    BLUE_SPY,
    KEY,
    RED,
    RED_SPY,
    SEATS,
    dealt,
    free,
    setup,
)
from tests.support.random_games import encode_json, random_legal_move


def squares(position: Position, seat: str | None) -> str:
    return "".join(cell["square"] or "?" for row in position.view(seat)["rows"] for cell in row)


def test_spymasters_see_the_key_and_nobody_else() -> None:
    position = free().play(RED, "a1")
    assert squares(position, RED_SPY) == squares(position, BLUE_SPY) == KEY
    for seat in (None, RED, BLUE, "nobody", ""):
        assert squares(position, seat) == "R" + "?" * 19
        assert not position.view(seat)["key_shown"]


def test_all_viewers_see_the_key_when_the_game_is_over() -> None:
    for position in (free().play(RED, "c3"), free().play(BLUE, RESIGN)):
        assert all(squares(position, seat) == KEY for seat in (None, *SEATS))


def test_all_viewers_know_how_many_spies_remain() -> None:
    scores = free().play(RED, "a1").play(RED, "c1").view(None)["scores"]
    assert {side: score.number for side, score in scores.items()} == {"red": 7, "blue": 6}


def public(position: CodenamesPosition) -> list[str]:
    """Return all output of the position for viewers who may not see the key."""
    seats = [seat for seat in (RED, BLUE) if seat in position.to_move()]
    stages = [position.stage(seat, ()) for seat in seats]
    labels = [[str(step.label) for step in stage.steps] for stage in stages]
    return [
        *(encode_json(position.view(seat)) for seat in (None, RED, BLUE)),
        *(repr(position.view(seat)) for seat in (None, RED, BLUE)),
        *(repr(position.legal_moves(seat)) for seat in SEATS),
        repr((stages, labels, sorted(position.to_move()), position.result())),
    ]


@given(st.booleans(), st.booleans(), st.integers(), st.integers(0, 12), st.randoms())
def test_two_keys_that_differ_only_in_hidden_squares_look_the_same(
    pictures: bool, clues: bool, seed: int, plies: int, rng: Random
) -> None:
    options = {
        "cards": "pictures" if pictures else "words",
        "clues": "typed" if clues else "spoken",
    }
    board = dealt(seed, rows=4, **options)
    one = CodenamesPosition(board)
    played: list[tuple[str, str]] = []
    while len(played) < plies and one.to_move():
        played.append(random_legal_move(one, Random(f"{seed} {len(played)}")))
        one.play(*played[-1])
    if one.result() is not None:
        return
    other = CodenamesPosition({**board, "key": shuffled_where_hidden(one, board["key"], rng)})
    for seat, move in played:
        other.play(seat, move)
    assert public(one) == public(other)


def shuffled_where_hidden(position: Position, key: str, rng: Random) -> str:
    """Return a key with the same revealed squares, and the others shuffled."""
    seen = squares(position, None)
    hidden = [square for square, shown in zip(key, seen, strict=True) if shown == "?"]
    rng.shuffle(hidden)
    return "".join(hidden.pop() if shown == "?" else shown for shown in seen)


def outcome(key: str, seat: str, move: str) -> str:
    position = RULES.start(setup(key=key, clues_required=True))
    try:
        position.play(seat, move)
    except MoveError as error:
        return repr(error)
    return "played"


def test_refusals_say_nothing_about_hidden_squares() -> None:
    other = KEY[::-1]
    for move in ("a1", "z9", "clue anchor 2", "clue ice 1", "clue water 2", "stop"):
        for seat in SEATS:
            assert outcome(KEY, seat, move) == outcome(other, seat, move)
