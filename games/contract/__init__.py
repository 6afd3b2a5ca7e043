"""The seam between the site and its games: what a game gives, and what it gets.

Four words, in these senses everywhere: a ``Game`` is a stored match (a database row),
a ``Move`` a stored row of it, ``Rules`` say how a kind of game is played, and a ``Position``
is where one game stands. A position is pure Python and lives for one request: it is
rebuilt by replaying the stored moves from the stored setup.

The string is the move. One notation string (``f5``, ``R b3 U``, ``B E W``, ``clue ocean 3``)
is form value, database column, history line and test literal. A move of several steps is
its steps with single spaces between them, which is how half a move is chosen by clicks.

Nothing in this module, nor in what it is used for inside a game's folder, imports Django.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, Protocol, Self

from games.contract.errors import (
    BadNotation,
    BadTranscript,
    CannotPlay,
    GameOver,
    IllegalMove,
    MoveError,
    NotYourTurn,
)
from games.contract.options import BadSetup, Option
from games.contract.texts import Text, ntext, text
from games.contract.transcript import Transcript, normalize_move
from games.contract.unicode_text import (
    blank_character,
    display_excerpt,
    excess_combining_mark,
    is_mark,
)

__all__ = [
    "RESIGN",
    "BadNotation",
    "BadSetup",
    "BadTranscript",
    "CannotPlay",
    "Cell",
    "Choice",
    "Computer",
    "Example",
    "GameOver",
    "IllegalMove",
    "MoveError",
    "MoveValue",
    "NotYourTurn",
    "Option",
    "Options",
    "Position",
    "Region",
    "Result",
    "Rules",
    "SeatKey",
    "SeatSpec",
    "Setup",
    "Stage",
    "Step",
    "Text",
    "Transcript",
    "blank_character",
    "cell_name",
    "display_excerpt",
    "excess_combining_mark",
    "is_mark",
    "next_steps",
    "normalize_move",
    "ntext",
    "parse_cell",
    "split_move",
    "text",
]

SeatKey = str
"""Key of a seat, unique within a game: ``black``, ``p1``, ``red-spymaster``."""

Options = Mapping[str, Any]
"""Cleaned values of a kind's options, by option name."""

Setup = Mapping[str, Any]
"""What `Rules.deal` made: JSON, holds all the chance of a game and its size."""

Cell = tuple[int, int]
"""(row, column), both from zero, from the top-left."""

RESIGN = "resign"
"""The move that any seat still in the game may play at any time."""


# --- cells -----------------------------------------------------------------------------

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")


def cell_name(row: int, column: int) -> str:
    """``a1`` for (0, 0), ``c10`` for row 9, column 2."""
    return f"{chr(ord('a') + column)}{row + 1}"


def parse_cell(name: str) -> Cell:
    """The (row, column) of a name such as ``c10``.

    Raises BadNotation for anything else; whether the cell is on the board is not looked at.
    """
    match = _CELL.fullmatch(name)
    if match is None:
        raise BadNotation(
            text("“%(name)s” is not the name of a square.", name=display_excerpt(name, 20))
        )
    return int(match[2]) - 1, ord(match[1]) - ord("a")


# --- what a kind of game is -------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class SeatSpec:
    """A place at the table. ``side`` groups seats that win and lose together; where these are
    several, ``side_name`` is what they are called together. A ``key`` has no blanks and at most 40
    characters; where moves can be taken back, all keys of a game have no more together."""

    key: SeatKey
    name: Text
    side: str = ""
    side_name: Text | None = None
    shared: bool = False
    """Any number of people may hold it together."""
    information_set: str = ""
    """What it sees and others must not, in a word of the game's own. While somebody plays elsewhere
    nobody holds two seats with different ones, '' (what everybody sees) being one too."""

    @property
    def secret(self) -> bool:
        """Whether it sees what others must not: on a shared device its view asks to be opened."""
        return bool(self.information_set)


@dataclass(frozen=True)
class Result:
    """How a game ended: the seats that won and why, in a sentence. None of them: a draw; where all
    seats are one side, which plays against the game, it has lost."""

    winners: frozenset[SeatKey]
    reason: Text

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        return {"winners": sorted(self.winners), "reason": self.reason.to_json()}

    @classmethod
    def from_json(cls, data: Any) -> Result:
        """The inverse of `to_json`. Raises ValueError for whatever that does not make."""
        try:
            return cls(frozenset(data["winners"]), Text.from_json(data["reason"]))
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"no result: {data!r}") from error


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing that can be chosen next, on the board (``cell``) or beside it (None).

    ``text`` is the step's token. ``label`` says what choosing it does. ``effects`` maps names of
    cells to what would happen to them, shown before it is done: ``place``, ``flip``, ``halo``,
    ``reach``, ``build``. ``cells`` maps names of cells to what a view says differently of them
    (their ``label`` too) once the step is chosen and the move not yet made: it is only for whoever
    chooses, and tells nothing that the seat does not see.
    """

    text: str
    label: Text
    cell: str | None = None
    effects: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    cells: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What a seat can do now, some steps of a move being chosen already.

    ``prompt`` says what to do. ``marks`` maps names of cells to a mark: ``chosen`` for what is
    chosen already, or one of the effects of `Step`.
    """

    prompt: Text
    steps: tuple[Step, ...] = ()
    marks: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, kw_only=True)
class Example:
    """A picture on the rules page: the position after ``moves``, as ``viewer`` sees it,
    with ``chosen`` steps of ``mover``'s next move."""

    caption: Text
    setup: Setup
    moves: tuple[tuple[SeatKey, str], ...] = ()
    viewer: SeatKey | None = None
    mover: SeatKey | None = None
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A kind of game. Each game's ``rules.py`` gives one of these under the name RULES.

    ``deal(options, rng)`` makes the setup (raising BadSetup where options do not fit together)
    and is the only place of chance; ``start(setup)`` the first position. ``version`` is stored
    with every game and counts changes that make old games replay differently. ``slug`` has at most
    40 characters; ``seats(options)`` are two or more.
    """

    slug: str
    name: Text
    tagline: Text
    seats: Callable[[Options], tuple[SeatSpec, ...]]
    deal: Callable[[Options, Random], Setup]
    start: Callable[[Setup], Position]
    options: tuple[Option, ...] = ()
    examples: Mapping[str, Example] = field(default_factory=lambda: MappingProxyType({}))
    version: int = 1
    undo: bool = True
    """False where taking a move back would not take back what it has shown."""
    levels: int = 0
    """How many levels of computer players there are, at most 99, 1 being the easiest; 0: none."""
    computer_options: Options = field(default_factory=lambda: MappingProxyType({}))
    """Values that options have in every game in which a computer sits, whatever was asked for."""
    analysis: bool = False
    """Whether its computer can say what moves are worth: hints and the analysis page."""
    transcript: Transcript | None = None
    """How its games are written down; None where games from elsewhere cannot be gone on with."""

    def clean(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """All options from what was sent, defaults filled in. Raises BadSetup."""
        return {option.name: option.clean(raw.get(option.name)) for option in self.options}


class Position(ABC):
    """Where a game stands. Changed by `play` alone. A move has at most 80 characters."""

    @abstractmethod
    def to_move(self) -> frozenset[SeatKey]:
        """The seats that may move now; empty when the game is over. From the rules, never
        from a count of moves."""

    @abstractmethod
    def legal_moves(self, seat: SeatKey) -> Iterable[str]:
        """Every legal move of a seat, RESIGN apart; none if it is not to move.

        Where a move holds free text (a clue), one specimen of each kind stands for all."""

    @abstractmethod
    def result(self) -> Result | None:
        """None while the game goes on."""

    @abstractmethod
    def view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """All that a template ever gets, as ``seat`` (None: a spectator) may see it.

        Always there: ``rows``, the board as a list of at most 99 rows of at most 26 mappings with
        ``name`` (see `cell_name`) and ``label`` (a Text, what is on it), all with the same keys and
        their other values hashable; ``last``, the names of the cells that the last move touched;
        ``events``, Texts that tell the last move and what the rules did after it. The rest is
        between the game and its own templates."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent position that stands the same."""

    @abstractmethod
    def stage(self, seat: SeatKey, chosen: Sequence[str]) -> Stage:
        """What ``seat`` can choose next when the steps ``chosen`` are. Raises IllegalMove if they
        begin no legal move; a whole move begins none."""

    def why_not_evaluable(self) -> Text | None:
        """Why the computer cannot say what moves are worth here, if `Rules.analysis`; None where it
        can. Once it can, it can until the game is over."""
        return None

    def normalize_input(self, typed: str) -> str:
        """What somebody typed, with steps that have other names in other languages by the names
        that moves have."""
        return typed

    @abstractmethod
    def _apply(self, seat: SeatKey, move: str) -> None:
        """Play a move of a seat that is to move. Raises MoveError, then nothing has changed."""

    @abstractmethod
    def _resign(self, seat: SeatKey) -> None:
        """Take a seat that is still in the game out of it. Raises IllegalMove if it is out."""

    def play(self, seat: SeatKey, move: str) -> Self:
        """Play a move, or RESIGN, and return the position itself.

        Raises GameOver, NotYourTurn, BadNotation or IllegalMove; then nothing has changed."""
        if self.result() is not None:
            raise GameOver(text("The game is over."))
        if move == RESIGN:
            self._resign(seat)
        elif seat not in self.to_move():
            raise NotYourTurn(text("It is not your turn."))
        else:
            self._apply(seat, move)
        return self

    def is_active(self, seat: SeatKey) -> bool:
        """Whether a seat is in the game and the game goes on: so long it may resign."""
        try:
            self.copy().play(seat, RESIGN)
        except IllegalMove:
            return False
        return True


# --- moves of several steps --------------------------------------------------------------


def split_move(move: str) -> tuple[str, ...]:
    """The steps of a move."""
    return tuple(move.split())


def next_steps(legal_moves: Iterable[str], chosen: Sequence[str]) -> list[str]:
    """The tokens that can follow ``chosen`` in a legal move, each once, in order of appearance.

    Raises IllegalMove when none can: no legal move begins with ``chosen``, or it is a whole one.
    """
    head = tuple(chosen)
    moves = [split_move(move) for move in legal_moves]
    longer = [steps for steps in moves if steps[: len(head)] == head and steps != head]
    if not longer:
        steps = display_excerpt(" ".join(head), 40)
        raise IllegalMove(text("No legal move begins with “%(steps)s”.", steps=steps))
    return list(dict.fromkeys(steps[len(head)] for steps in longer))


# --- computer players ---------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a computer plays. ``note`` is kept with the move and shown when the game is over
    (which cards a clue meant)."""

    move: str
    note: Text | None = None


@dataclass(frozen=True, kw_only=True)
class MoveValue:
    """What a move is worth to the seat that plays it: more is better.

    ``shown`` is the value as people read it ('+6 discs', 'wins'), ``detail`` what a list of
    all moves says instead ('wins, Grundy value 0'); ``why`` is the sentence of a hint.
    ``exact`` says that it was solved and not estimated; ``known`` that it was valued at all: a
    move that was not can neither be a mistake nor show that another was."""

    value: float
    shown: Text
    why: Text | None = None
    detail: Text | None = None
    exact: bool = False
    known: bool = True


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of the board that is played independently of the rest, and what it is worth."""

    cells: tuple[str, ...]
    value: Text


class Computer(Protocol):
    """What a game's ``computer.py`` gives as a module. Only the process that thinks imports it.

    A game with ``Rules.analysis`` also gives ``MISTAKE``, the loss of value from which a move
    counts as a mistake, and may give ``regions(position, *, seconds) -> Sequence[Region]``: none
    of a board that has not fallen apart.

    The same position, level and seed of ``rng`` give the same move: every limit is a count of
    nodes, with ``seconds`` as a cap that a level is not expected to reach.
    """

    def choose(
        self, position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
    ) -> Choice:
        """The move of ``seat``, from what `Position.view` shows that seat and nothing else.
        Raises CannotPlay for a level or a position that it does not support."""

    def evaluate(self, position: Position, *, seconds: float = 2.0) -> Mapping[str, MoveValue]:
        """A value for each legal move of the seat to move. Games with two sides and nothing
        hidden; others leave it out. Raises CannotPlay."""
