"""The game board of Codenames: a grid of cards, and the key of the spies behind them.

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
    """Raised for numbers of rows and columns that make no grid."""


class InvalidKey(IllegalMove):
    """Raised for a string that is no key of the grid."""


class InvalidCard(IllegalMove):
    """Raised for a card that is not on the table, or has been selected already."""


def other(team: str) -> str:
    """Return the team that plays against ``team``.

    >>> other('R'), other('B')
    ('B', 'R')
    """
    return TEAMS[1 - TEAMS.index(team)]


def key_fault(key: str, squares: int) -> Text | None:
    """Return why a string is no key of ``squares`` squares, None if it is one.

    >>> key_fault('RXB-R', 5) is None, key_fault('RXB-R', 6) is None
    (True, False)
    """
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
    Every refusal, here and below, is an AssertionError and leaves the board as it was.
    ``str(board)`` has the key's letter of each selected card and ``?`` for the others;
    ``repr(board)`` shows no more, since it may end up in a log.

    >>> board = GameBoard(2, 3, 'RBR-X-')
    >>> board
    <GameBoard(2, 3): ???/???, R to move>
    >>> print(board.select(0, 0).select(1, 0))
    R ? ?
    - ? ?
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

    def __repr__(self) -> str:
        shown = str(self).replace(" ", "").replace("\n", "/")
        state = f"won by {self._winner}" if self._winner else f"{self._turn} to move"
        return f"<{type(self).__name__}({self.rows}, {self.columns}): {shown}, {state}>"

    def isover(self) -> bool:
        """Return whether the assassin was selected, or all spies of either team were found.

        >>> board = GameBoard(2, 3, 'RBR-X-')
        >>> board.isover(), board.select(1, 1).isover()
        (False, True)
        """
        return self._winner is not None

    def winner(self) -> str | None:
        """Return the winning team, None while the game goes on.

        A team wins when all its spies have been found, even if the other team found the last one. A
        team that selects the assassin loses.

        >>> GameBoard(2, 3, 'RBR-X-').select(0, 1).winner()
        'B'
        """
        return self._winner

    def turn(self) -> str:
        """Return the team to move, R or B; the team with more squares begins. Raises GameOver.

        >>> GameBoard(2, 3, 'RBR-X-').turn()
        'R'
        """
        self._must_go_on()
        return self._turn

    def stop(self) -> Self:
        """End the turn of the team to move and return the board itself. Raises GameOver.

        >>> GameBoard(2, 3, 'RBR-X-').stop().turn()
        'B'
        """
        self._must_go_on()
        self._turn = other(self._turn)
        return self

    def select(self, r: int, c: int) -> Self:
        """Select a card for the team to move and return the board itself.

        The team may continue if the card is its own; otherwise the other team is to move. Raises
        GameOver, and InvalidCard ('invalid card') off the grid or for a card selected before.

        >>> board = GameBoard(2, 3, 'RBR-X-')
        >>> board.select(0, 0).turn(), board.select(1, 0).turn()
        ('R', 'B')
        >>> board.select(0, 0)
        Traceback (most recent call last):
        games.codenames.engine.InvalidCard: invalid card
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
        """Return the squares of selected cards in reading order, None for each other card.

        >>> GameBoard(2, 3, 'RBR-X-').select(0, 0).squares()
        ['R', None, None, None, None, None]
        """
        return [
            square if index in self._selected else None for index, square in enumerate(self.key)
        ]

    def revealed(self, row: int, column: int) -> str | None:
        """Return the square of a selected card, None for another card.

        >>> GameBoard(2, 3, 'RBR-X-').select(0, 0).revealed(0, 0)
        'R'
        """
        index = row * self.columns + column
        return self.key[index] if index in self._selected else None

    def remaining(self, team: str) -> int:
        """Return how many spies of team R or B are still to be found, which all players know.

        >>> GameBoard(2, 3, 'RBR-X-').select(0, 0).remaining('R')
        1
        """
        return self._remaining[team]

    def copy(self) -> Self:
        """Return an independent copy of the board.

        >>> board = GameBoard(2, 3, 'RBR-X-')
        >>> board.copy().select(0, 0) is board, board.remaining('R')
        (False, 2)
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._selected = set(self._selected)
        twin._remaining = dict(self._remaining)
        return twin

    def _must_go_on(self) -> None:
        if self.isover():
            raise GameOver(text("game over"))
