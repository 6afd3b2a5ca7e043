"""The class `Othello`: a board, the colour to move, and the legal moves.

Squares are tuples (row, column), counted from zero from the top left. Colours are letters: ``N``
for black, who begins, and ``B`` for white. The engine passes over a colour that cannot move.
"""

from __future__ import annotations

from typing import Any, Self

from games.contract import Cell, IllegalMove
from games.othello.bitboard import Mask
from games.othello.lines import Squares, board_of

BLACK = "N"
WHITE = "B"

SMALLEST = 4


class InvalidSize(AssertionError):
    """Raised for a size that is not an even number of at least 4, or too large for the memory."""


class InvalidBoard(AssertionError):
    """Raised for a text that is no board."""


class InvalidColour(AssertionError):
    """Raised for a colour that is neither BLACK nor WHITE."""


def other(colour: str) -> str:
    """Return the opponent's colour.

    >>> other('N')
    'B'
    """
    return WHITE if colour == BLACK else BLACK


class Othello:
    """A game of Othello on ``n`` x ``n`` squares, ``n`` even and at least 4.

    Every refusal is a subclass of AssertionError and leaves the game unchanged. ``str(game)`` has
    one line for each row: ``N``, ``B``, and ``.`` for an empty square.

    >>> game = Othello(4)
    >>> game
    Othello(4)
    >>> game.move('N', (0, 1)).move('B', (0, 0))
    <Othello(4): BN../.BN./.NB./...., N to move>
    >>> str(game).split()
    ['BN..', '.BN.', '.NB.', '....']
    """

    def __init__(self, n: int = 8) -> None:
        """Set up four discs in the centre, the black ones on the rising diagonal.

        Raises InvalidSize, also if the memory is too small for so many squares.
        """
        if type(n) is not int or n % 2 or n < SMALLEST:
            raise InvalidSize(f"invalid size: not an even number of at least {SMALLEST}")
        try:
            self._board = board_of(n)
        except (MemoryError, OverflowError) as error:
            raise InvalidSize("invalid size: no memory for so many squares") from error
        self.n = n
        bits, low, high = self._board.bits, n // 2 - 1, n // 2
        self._discs: dict[str, Squares] = {
            BLACK: bits((low, high)) | bits((high, low)),
            WHITE: bits((low, low)) | bits((high, high)),
        }
        self._turn: str | None = BLACK
        self._moves = self._legal(BLACK)
        self._passes: tuple[tuple[int, str], ...] = ()
        self._first_discs = 4

    @classmethod
    def from_text(cls, board: str, turn: str) -> Self:
        """Return a game that begins with ``board``, as ``str(game)`` writes it, and with the colour
        ``turn``, which is passed over if it cannot move.

        Raises InvalidColour, InvalidSize, and InvalidBoard for lines that are no board.

        >>> Othello.from_text('....\\n.BN.\\n.NB.\\n....', 'B').possible_moves('B') == {
        ...     (0, 2), (1, 3), (2, 0), (3, 1)
        ... }
        True
        """
        rows = board.split("\n")
        game = cls(len(rows))
        game._check_colour(turn)
        if any(len(row) != game.n or row.strip(BLACK + WHITE + ".") for row in rows):
            raise InvalidBoard(
                "invalid board: not as many squares N, B and . in each line as lines"
            )
        bits = [game._board.bits(divmod(i, game.n)) for i in range(game.n**2)]
        for colour in (BLACK, WHITE):
            squares = zip(bits, "".join(rows), strict=True)
            game._discs[colour] = sum(bit for bit, disc in squares if disc == colour)
        game._first_discs = sum(game.counts())
        game._turn = other(turn)
        game._give_turn_after(other(turn))
        return game

    def __str__(self) -> str:
        blacks, whites = map(self._bit_text, self._masks())
        symbols = {("0", "0"): ".", ("1", "0"): BLACK, ("0", "1"): WHITE}
        squares = "".join([symbols[pair] for pair in zip(blacks, whites, strict=True)])
        return "\n".join(squares[i : i + self.n] for i in range(0, len(squares), self.n))

    def __repr__(self) -> str:
        kind = f"{type(self).__name__}({self.n})"
        if not self.plies():
            return kind
        rows = str(self).replace("\n", "/")
        return f"<{kind}: {rows}, {f'{self._turn} to move' if self._turn else 'over'}>"

    def move(self, colour: str, position: Cell) -> Self:
        """Place a disc of ``colour``, flip the discs that it encloses and return the game itself.

        Raises IllegalMove ('invalid move') if it is not this colour's turn, if no disc would be
        flipped, and for anything but a colour and a square of the board.

        >>> str(Othello(4).move('N', (0, 1))).split()
        ['.N..', '.NN.', '.NB.', '....']
        >>> Othello(4).move('N', (0, 0))
        Traceback (most recent call last):
        games.contract.errors.IllegalMove: invalid move
        """
        if not self._is_square(position) or not self._is_colour(colour) or colour != self._turn:
            raise IllegalMove("invalid move")
        disc = self._board.bits(position)
        if not disc & self._moves:
            raise IllegalMove("invalid move")
        discs, opponent = self._discs, other(colour)
        flips = self._board.flips(discs[colour], discs[opponent], disc)
        discs[colour] ^= flips | disc
        discs[opponent] ^= flips
        self._give_turn_after(colour)
        return self

    def possible_moves(self, colour: str) -> set[Cell]:
        """Return the squares where a disc of ``colour`` would flip others, whether or not it is to
        move.

        Raises InvalidColour.

        >>> Othello(4).possible_moves('N') == {(0, 1), (1, 0), (2, 3), (3, 2)}
        True
        """
        self._check_colour(colour)
        return self._board.cells(self._moves if colour == self._turn else self._legal(colour))

    def flips(self, colour: str, position: Cell) -> set[Cell]:
        """Return the discs that a disc of ``colour`` at ``position`` would flip.

        There are none if the square is taken. Raises InvalidColour, and IllegalMove off the board.

        >>> Othello(4).flips('N', (0, 1)) == {(1, 1)}
        True
        """
        self._check_colour(colour)
        if not self._is_square(position):
            raise IllegalMove("invalid move")
        return self._board.cells(self._flips(colour, self._board.bits(position)))

    def turn(self) -> str | None:
        """Return the colour to move, None if neither can move.

        >>> Othello().turn()
        'N'
        """
        return self._turn

    def passes(self) -> tuple[tuple[int, str], ...]:
        """Return the passes in order: the number of discs placed before each, and its colour.

        >>> game = Othello(4)
        >>> for move in [(3, 2), (3, 3), (0, 1), (3, 1), (2, 3), (1, 3)]:
        ...     game = game.move(game.turn(), move)
        >>> game.passes()
        ((6, 'N'),)
        """
        return self._passes

    def plies(self) -> int:
        """Return the number of discs placed; passes are not counted.

        >>> Othello(4).move('N', (0, 1)).plies()
        1
        """
        return sum(self.counts()) - self._first_discs

    def counts(self) -> tuple[int, int]:
        """Return the numbers of black and of white discs on the board.

        >>> Othello(4).move('N', (0, 1)).counts()
        (4, 1)
        """
        blacks, whites = self._masks()
        return blacks.bit_count(), whites.bit_count()

    def score(self) -> tuple[int, int]:
        """Return black's and white's official score, as if the game ended here.

        By the convention of the World Othello Federation, empty squares go to the colour with more
        discs. In a draw each colour gets half of them, so that the scores still add up to the
        number of squares.

        >>> Othello(4).move('N', (0, 1)).score()
        (15, 1)
        """
        black, white = self.counts()
        empty = self.n * self.n - black - white
        if black == white:
            return black + empty // 2, white + empty // 2
        return (black + empty, white) if black > white else (black, white + empty)

    def at(self, position: Cell) -> str | None:
        """Return the colour of the disc at ``position``, None for an empty square.

        Raises IllegalMove off the board.

        >>> Othello(4).at((1, 1)), Othello(4).at((0, 0))
        ('B', None)
        """
        if not self._is_square(position):
            raise IllegalMove("invalid move")
        bit = self._board.bits(position)
        return next((colour for colour, discs in self._discs.items() if discs & bit), None)

    def mask(self, colour: str) -> Mask:
        """Return the discs of ``colour`` as a bit mask, bit ``row * n + column``.

        Raises InvalidColour.

        >>> Othello(4).mask('N') == 1 << 6 | 1 << 9
        True
        """
        self._check_colour(colour)
        return self._board.rows(self._discs[colour])

    def copy(self) -> Self:
        """Return an independent copy of the game.

        >>> game = Othello(4)
        >>> game.copy().move('N', (0, 1)).turn(), game.turn()
        ('B', 'N')
        """
        twin = object.__new__(type(self))
        twin.n, twin._board = self.n, self._board
        twin._discs = self._discs.copy()
        twin._turn, twin._moves, twin._passes = self._turn, self._moves, self._passes
        twin._first_discs = self._first_discs
        return twin

    def _give_turn_after(self, colour: str) -> None:
        """Give the turn to the opponent of ``colour`` if it can move, and note its legal moves."""
        opponent = other(colour)
        if moves := self._legal(opponent):
            self._turn = opponent
        elif moves := self._legal(colour):
            self._passes += ((self.plies(), opponent),)
        else:
            self._turn = None
        self._moves = moves

    def _legal(self, colour: str) -> Squares:
        return self._board.legal(self._discs[colour], self._discs[other(colour)])

    def _flips(self, colour: str, disc: Squares) -> Squares:
        own, opponent = self._discs[colour], self._discs[other(colour)]
        return 0 if disc & (own | opponent) else self._board.flips(own, opponent, disc)

    def _masks(self) -> tuple[Mask, Mask]:
        rows = self._board.rows
        return rows(self._discs[BLACK]), rows(self._discs[WHITE])

    def _bit_text(self, mask: Mask) -> str:
        return format(mask, f"0{self.n * self.n}b")[::-1]

    def _is_square(self, position: Any) -> bool:
        if not isinstance(position, tuple) or len(position) != 2:
            return False
        row, column = position
        # The types are compared, since 1.0 and True equal 1 and are no rows.
        if type(row) is not int or type(column) is not int:
            return False
        return 0 <= row < self.n and 0 <= column < self.n

    @staticmethod
    def _is_colour(colour: Any) -> bool:
        return isinstance(colour, str) and colour in (BLACK, WHITE)

    def _check_colour(self, colour: Any) -> None:
        if not self._is_colour(colour):
            raise InvalidColour("invalid colour")
