"""A program that speaks NBoard and GTP, and plays the first legal move: ``tiny_engine.py``. With a
number as argument it ends instead of making so many moves."""

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


def first_position(line: str) -> Othello:
    """Return the game in the tag ``BO[8 … *]`` of a line in GGF."""
    _size, board, turn = line.split("BO[")[1].partition("]")[0].split()
    discs = board.translate(str.maketrans("*O-", "NB."))
    rows = "\n".join(discs[start : start + 8] for start in range(0, 64, 8))
    return Othello.from_text(rows, BLACK if turn == "*" else WHITE)


def answer(game: Othello, command: str, colour: str, move: str = "") -> str:
    """Return the answer to a command of GTP about a move."""
    if command == "play":
        play(game, colour[0], move)
    if command != "genmove":
        return ""
    assert game.turn() == COLOURS[colour[0]]
    return first_move(game)


def main() -> None:
    game, left = Othello(), int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    for line in sys.stdin:
        command, *rest = line.split()
        left -= command in {"go", "genmove"}
        if not left:
            sys.exit("The engine has ended.")
        if command == "set" and rest[0] == "game":
            game = first_position(line)
            for colour, move in re.findall(r"([BW])\[(\w\w)", line.split("BO[")[1]):
                play(game, colour, move)
        elif command == "ping":
            say(" ".join(["pong", *rest]))
        elif command == "go":
            say(f"status thinking\n=== {first_move(game).upper()}/0.0/0.1")
        elif command == "clear_board":
            game = Othello()
            say("= \n")
        elif command in {"play", "genmove", "boardsize"}:
            say(f"= {answer(game, command, *rest)}\n")


if __name__ == "__main__":
    main()
