"""A program that speaks NBoard and GTP, and plays the first legal move: ``tiny_engine.py``."""

from __future__ import annotations

import re
import sys

from games.othello.engine import BLACK, WHITE, Othello

COLOURS = {"b": BLACK, "w": WHITE}


def cell(square: str) -> tuple[int, int]:
    return int(square[1:]) - 1, ord(square[0].lower()) - ord("a")


def square(found: tuple[int, int]) -> str:
    return f"{chr(ord('a') + found[1])}{found[0] + 1}"


def first_move(game: Othello) -> str:
    """Return a move, after which the engine has to have passed the same colours as the site."""
    turn = game.turn()
    assert turn is not None
    return square(min(game.possible_moves(turn)))


def play(game: Othello, colour: str, move: str) -> None:
    if move.lower() in {"pa", "pass"}:
        return
    assert game.turn() == COLOURS[colour.lower()]
    game.move(COLOURS[colour.lower()], cell(move))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    game = Othello()
    for line in sys.stdin:
        command, *rest = line.split()
        if command == "set" and rest[0] == "game":
            game = Othello()
            for colour, move in re.findall(r"([BW])\[(\w\w)", line.split("BO[")[1]):
                play(game, colour, move)
        elif command == "ping":
            say(" ".join(["pong", *rest]))
        elif command == "go":
            say(f"status thinking\n=== {first_move(game).upper()}/0.0/0.1")
        elif command == "clear_board":
            game = Othello()
            say("= \n")
        elif command == "play":
            play(game, rest[0][0], rest[1])
            say("= \n")
        elif command == "genmove":
            assert game.turn() == COLOURS[rest[0][0]]
            say(f"= {first_move(game)}\n")
        elif command == "boardsize":
            say("= \n")


if __name__ == "__main__":
    main()
