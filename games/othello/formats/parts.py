"""The parts that all formats have: first positions, results, and moves that are read one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.contract import (
    DRAW,
    ENDINGS,
    BadRecord,
    BadTranscript,
    CannotWrite,
    MoveError,
    Record,
    SeatKey,
    Setup,
    display_excerpt,
    text,
)
from games.othello.engine import Othello
from games.othello.position import COLOURS, OthelloPosition
from games.othello.transcript import DASHES, PASSES

SMALLEST, LARGEST = 4, 26
SEAT_OF: Mapping[str, SeatKey] = {colour: seat for seat, colour in COLOURS.items()}
OTHER: Mapping[SeatKey, SeatKey] = {"black": "white", "white": "black"}
WRITTEN_PASSES = frozenset({"", *DASHES, *PASSES})
"""A pass, as a word of its own."""

_POINTS = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?")
_MARGIN = re.compile(r"([+-]?[0-9]+(?:\.[0-9]*)?)(?::([a-z]))?")
_WINNER = re.compile(r"([BW])\+([0-9]+(?:\.[0-9]*)?|F(?:orfeit)?)")
_DAY = re.compile(r"([12][0-9]{3})(?:[-./]([0-9]{1,2})[-./]([0-9]{1,2}))?")


def first_setup(size: int, discs: str = "", turn: SeatKey = "black") -> Setup:
    """Return the setup of a game that begins with ``discs``, row by row, or as usual. The usual
    position is not written out."""
    usual = str(Othello(size)).replace("\n", "")
    if discs in {"", usual} and turn == "black":
        return {"size": size}
    return {"size": size, "discs": discs or usual, "turn": turn}


def check_size(size: int, at: int) -> int:
    """Return the size of a board. Raises BadRecord."""
    if size % 2 or not SMALLEST <= size <= LARGEST:
        reason = text(
            "A board has an even number of squares in a row, from %(low)s to %(high)s.",
            low=SMALLEST,
            high=LARGEST,
        )
        raise BadRecord(reason, at)
    return size


def square_root(squares: int, at: int) -> int:
    """Return the size of a board with so many squares. Raises BadRecord."""
    size = next((n for n in range(LARGEST + 1) if n * n == squares), 1)
    return check_size(size, at)


def first_board(record: Record) -> tuple[str, SeatKey]:
    """Return the discs of the first position, row by row, and the seat to move."""
    setup = record.setup
    usual = str(Othello(setup["size"])).replace("\n", "")
    return setup.get("discs", usual), setup.get("turn", "black")


def check_goal(rules: str, at: int) -> None:
    """Raise BadRecord for the rules of the game in which fewer discs win."""
    if "anti" in rules.lower():
        raise BadRecord(text("This is anti-Othello, which this site does not have."), at)


def check_komi(komi: str, at: int) -> None:
    """Raise BadRecord for a game in which a player had points before the first move: its winner
    may be another than that of its board."""
    if _POINTS.fullmatch(komi.strip()) and float(komi):
        raise BadRecord(text("This game was played with komi, which this site does not have."), at)


def margin_of(result: str, squares: int) -> str:
    """Return a written result as the margin of black, such as ``-64:l``; ? for another one."""
    found = _WINNER.fullmatch(result)
    if found is None:
        return result if _MARGIN.fullmatch(result) else "?"
    forfeit = not _POINTS.fullmatch(found[2])
    points = f"{squares}:l" if forfeit else found[2]
    return f"{'+' if found[1] == 'B' else '-'}{points}"


def winner_of(result: str) -> str:
    """Return a written result as the winner and the points, such as ``W+F`` after a forfeit."""
    found = _MARGIN.fullmatch(result)
    if found is None:
        return plain_value(result) or "?"
    if found[2] == "l":
        return f"{'W' if found[1].startswith('-') else 'B'}+F"
    points = found[1].lstrip("+-")
    return f"{'W' if found[1].startswith('-') else 'B'}+{points}" if float(points) else "0"


def check_usual(record: Record) -> None:
    """Raise CannotWrite for a game that begins at another position than the usual one."""
    if "discs" in record.setup:
        raise CannotWrite(text("This format has only games from the usual first position."))


def iso_day(written: str) -> str:
    """Return the first date of a text as ISO date, or its year, '' if there is none."""
    found = _DAY.search(written)
    if not found or not found[2]:
        return found[1] if found else ""
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"


def plain_value(value: str) -> str:
    """Return a value, such as the name of a player, without the brackets that end it."""
    return " ".join(re.sub(r"[\[\]\\]", " ", value).split())


def about(record: Record) -> str:
    """Return the tags of the event and the place of a game that was played elsewhere."""
    values = (("EV", plain_value(record.event)), ("PC", plain_value(record.place)))
    return "".join(f"{name}[{value}]" for name, value in values if value)


@dataclass
class MoveReader:
    """Plays moves from ``setup`` on. A pass may be written or left out."""

    setup: Setup
    moves: list[tuple[SeatKey, str]] = field(default_factory=list)
    names: dict[SeatKey, str] = field(default_factory=dict)
    day: str = ""
    event: str = ""
    place: str = ""
    result: str = ""

    def __post_init__(self) -> None:
        self.position = OthelloPosition.of_setup(self.setup)

    def play(self, seat: SeatKey, written: str, at: int) -> None:
        """Play the move that is written at the character ``at``. Raises BadRecord."""
        token = written.strip().lower()
        if token in WRITTEN_PASSES:
            self._check_pass(seat, at)
            return
        try:
            self.position.play(seat, token)
        except MoveError as error:
            refusal = BadTranscript(len(self.moves) + 1, written, error.text)
            raise BadRecord(refusal.text, at) from error
        self.moves.append((seat, token))

    def _check_pass(self, seat: SeatKey, at: int) -> None:
        if seat in self.position.to_move():
            raise BadRecord(text("Nobody has to pass here."), at)

    def end(self, ending: str, loser: SeatKey | None) -> None:
        """End a game that its moves have not ended with one of ENDINGS, if the text says so."""
        if not ending or not self.position.to_move() or (loser is None) != (ending == DRAW):
            return
        seat = loser or min(self.position.to_move())
        self.position.play(seat, ending)
        self.moves.append((seat, ending))

    def record(self) -> Record:
        """Return the game that was read."""
        return Record(
            options={"size": self.setup["size"]},
            setup=self.setup,
            moves=tuple(self.moves),
            names={seat: name for seat, name in self.names.items() if name},
            day=self.day,
            event=self.event,
            place=self.place,
            result=self.result,
        )


def played(record: Record) -> Sequence[tuple[SeatKey, str | None]]:
    """Return the moves of a record with None for each pass, and without ENDINGS."""
    position, found = OthelloPosition.of_setup(record.setup), list[tuple[SeatKey, str | None]]()
    turn = first_board(record)[1]
    for seat, move in record.moves:
        if move in ENDINGS:
            break
        if seat != turn:
            found.append((turn, None))
        found.append((seat, move))
        position.play(seat, move)
        turn = OTHER[seat]
    return found


def margin(record: Record) -> int | None:
    """Return by how many discs black has won by the official score; None if the game was not played
    to its end."""
    position = _played_out(record)
    if position.board.turn() is not None:
        return None
    black, white = position.board.score()
    return black - white


def _played_out(record: Record) -> OthelloPosition:
    position = OthelloPosition.of_setup(record.setup)
    for seat, move in record.moves:
        position.play(seat, move)
    return position


def ending(record: Record) -> tuple[str, SeatKey] | None:
    """Return the move that ended the game early, with its seat; None without one."""
    if not record.moves or record.moves[-1][1] not in ENDINGS:
        return None
    seat, move = record.moves[-1]
    return move, seat


def board_from(written: str, signs: Mapping[str, str], at: int) -> str:
    """Return discs from a board in other signs, row by row, without its white space. Raises
    BadRecord."""
    for place, sign in enumerate(written):
        if sign not in signs and not sign.isspace():
            shown = display_excerpt(sign, 1)
            raise BadRecord(text("“%(sign)s” is no square of a board.", sign=shown), at + place)
    return "".join(signs[sign] for sign in written if not sign.isspace())
