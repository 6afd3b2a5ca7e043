"""The game board of Codenames: a grid of cards, and the key that says who hides where.

A key is a string of one letter a square, left to right and top to bottom: ``R`` a spy of the
red team, ``B`` of the blue team, ``-`` an innocent bystander, ``X`` the assassin.
"""

from __future__ import annotations

from typing import Self

from games.contract import GameOver, IllegalMove, Text, ntext, text

TEAMS = ("R", "B")
BYSTANDER = "-"
ASSASSIN = "X"
COVERED = "?"


class InvalidBoard(IllegalMove):
    """The numbers of rows and columns make no grid."""


class InvalidKey(IllegalMove):
    """The string is no key of the grid."""


class InvalidCard(IllegalMove):
    """No such card is on the table, or it has been selected already."""


def other(team: str) -> str:
    """The team that plays against ``team``: R for B, B for R."""
    return TEAMS[1 - TEAMS.index(team)]


def key_fault(key: str, squares: int) -> Text | None:
    """What keeps a string from being a key of so many squares, as a sentence; None if nothing."""
    strange = [letter for letter in key if letter not in (*TEAMS, BYSTANDER, ASSASSIN)]
    if strange:
        letter = strange[0] if strange[0].isprintable() else ascii(strange[0])[1:-1]
        return text("A key can’t contain “%(letter)s”. Use R, B, - and X.", letter=letter)
    if len(key) != squares:
        return ntext(
            "The key has %(n)s letter for %(squares)s cards.",
            "The key has %(n)s letters for %(squares)s cards.",
            n=len(key),
            squares=squares,
        )
    if key.count(ASSASSIN) != 1:
        return text("A key needs exactly one X.")
    if abs(key.count("R") - key.count("B")) != 1:
        return text("In a key, one team needs exactly one card more than the other.")
    return None


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class GameBoard:
    """A table of ``m`` rows and ``n`` columns of cards with their ``key``.

    Rows and columns count from zero, from the top-left. Raises InvalidBoard unless m and n are
    whole numbers of at least 1, and InvalidKey for a string that is no key of m x n squares.
    Whatever is refused, here and below, is an AssertionError and leaves the board as it was.
    """

    def __init__(self, m: int, n: int, key: str) -> None:
        if not (_is_int(m) and _is_int(n) and m >= 1 and n >= 1):
            raise InvalidBoard(text("invalid board"))
        if not isinstance(key, str):
            raise InvalidKey(text("invalid key"))
        if fault := key_fault(key, m * n):
            raise InvalidKey(fault)
        self.rows, self.columns, self.key = m, n, key
        self._selected: set[int] = set()
        self._remaining = {team: key.count(team) for team in TEAMS}
        self._turn = max(TEAMS, key=key.count)
        self._winner = self._found_all()

    def _found_all(self) -> str | None:
        return next((team for team in TEAMS if not self._remaining[team]), None)

    def __str__(self) -> str:
        shown = [square or COVERED for square in self.squares()]
        starts = range(0, len(shown), self.columns)
        return "\n".join(" ".join(shown[start : start + self.columns]) for start in starts)

    def isover(self) -> bool:
        """Whether the assassin was selected, or all spies of either team were found."""
        return self._winner is not None

    def winner(self) -> str | None:
        """R or B; None while the game goes on.

        A team whose spies have all been found wins, whoever found the last one; a team that
        selects the assassin loses.
        """
        return self._winner

    def turn(self) -> str:
        """R or B, the team to move; the team with more squares begins. Raises GameOver."""
        self._must_go_on()
        return self._turn

    def stop(self) -> Self:
        """End the turn of the team to move. Raises GameOver."""
        self._must_go_on()
        self._turn = other(self._turn)
        return self

    def select(self, r: int, c: int) -> Self:
        """Select the card in row ``r`` and column ``c`` for the team to move.

        The team goes on if the card is its own; otherwise the other team is to move.
        Raises GameOver, and InvalidCard off the grid or for a card selected before.
        """
        self._must_go_on()
        inside = _is_int(r) and _is_int(c) and 0 <= r < self.rows and 0 <= c < self.columns
        index = r * self.columns + c if inside else None
        if index is None or index in self._selected:
            raise InvalidCard(text("invalid card"))
        self._selected.add(index)
        self._uncover(self.key[index])
        return self

    def _uncover(self, square: str) -> None:
        if square in TEAMS:
            self._remaining[square] -= 1
            self._winner = self._found_all()
        elif square == ASSASSIN:
            self._winner = other(self._turn)
        if square != self._turn:
            self._turn = other(self._turn)

    def squares(self) -> list[str | None]:
        """The squares of selected cards in reading order, None where a card was not selected."""
        return [
            square if index in self._selected else None for index, square in enumerate(self.key)
        ]

    def remaining(self, team: str) -> int:
        """How many spies of team R or B have not been found: known to all at the table."""
        return self._remaining[team]

    def copy(self) -> Self:
        """An independent board that stands the same."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._selected = set(self._selected)
        twin._remaining = dict(self._remaining)
        return twin

    def _must_go_on(self) -> None:
        if self.isover():
            raise GameOver(text("game over"))
