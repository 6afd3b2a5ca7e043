"""A kind of game: its seats, its options, its first position.

It is not called ``rules.py``, because a folder in ``games`` with a module of that name is a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any

from games.contract.exercises import Exercise
from games.contract.levels import Ladder, Level, ladder
from games.contract.options import Option
from games.contract.position import Position
from games.contract.puzzles import PuzzleBook
from games.contract.records import ArchiveFormat, RecordFormat
from games.contract.seats import SeatKey, SeatSpec
from games.contract.texts import Text
from games.contract.transcript import Transcript

Options = Mapping[str, Any]
"""Cleaned values of a kind's options, by option name."""

Setup = Mapping[str, Any]
"""The JSON that `Rules.deal` returns: the size of a game, and all its chance."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A picture on the rules page: the position after ``moves``, in the view of the seat
    ``viewer``, with ``cells`` marked and ``arrows`` from one cell to another.

    With ``mover``, the steps ``chosen`` of that seat's next move are shown."""

    caption: Text
    setup: Setup
    moves: tuple[tuple[SeatKey, str], ...] = ()
    viewer: SeatKey | None = None
    mover: SeatKey | None = None
    chosen: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Theme(Example):
    """A theme of puzzles: its ``name``, and its idea as a picture that no puzzle shows."""

    name: Text


@dataclass(frozen=True, kw_only=True)
class DayBoard:
    """A board that is the same for everybody on one day, played with computers of a ``level``.

    ``options(language)`` are those of its game, and ``seat(setup)`` is the visitor's. ``sentence``
    returns how an ended game went, and ``squares`` its lines of small squares, which give nothing
    of the board away; both get the position at the end and the seat."""

    level: int
    options: Callable[[str], Options]
    seat: Callable[[Setup], SeatKey]
    sentence: Callable[[Position, SeatKey], Text]
    squares: Callable[[Position, SeatKey], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class WordTask:
    """A task of each day: to find one word for the cards that are meant, in some ``languages``.

    The worker makes it, with the table of all words, from the game's ``word_table``.
    ``listeners`` names those who take cards by it. ``read(typed, cards, language)`` returns the
    forms under which the table may have a typed word, the nearest first; raises MoveError for a
    word that may not be given."""

    title: Text
    task: Text
    languages: tuple[str, ...]
    listeners: tuple[Text, ...]
    read: Callable[[str, Sequence[str], str], Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class OlderRules:
    """The way in which games of an older version of the rules are replayed and continued.

    ``start`` makes their first position, by default as the present rules do; if the rules of play
    have changed, the old `Position` is kept beside the new one. ``move`` converts a stored move to
    the notation of that position, and returns moves that are in it already unchanged."""

    start: Callable[[Setup], Position] | None = None
    move: Callable[[str], str] = str


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A kind of game: each game's ``rules.py`` has one, named RULES.

    ``deal(options, rng)`` returns the setup, by default the options, and is the only place of
    chance; it raises BadSetup for options that do not fit together. ``start(setup)`` returns the
    first position. ``version`` is stored with every game and counts changes that make old games
    replay differently; ``older`` maps each earlier version that can still be replayed to its rules.
    ``slug`` has at most 40 characters; ``seats(options)`` are two or more."""

    slug: str
    name: Text
    tagline: Text
    seats: Callable[[Options], tuple[SeatSpec, ...]]
    deal: Callable[[Options, Random], Setup] = lambda options, _rng: options
    start: Callable[[Setup], Position]
    options: tuple[Option, ...] = ()
    examples: Mapping[str, Example] = field(default_factory=lambda: MappingProxyType({}))
    version: int = 1
    place: int = 50
    """The order on the front page: the smallest place comes first."""
    older: Mapping[int, OlderRules] = field(default_factory=lambda: MappingProxyType({}))
    undo: bool = True
    """Whether moves can be undone; False for a game in which moves reveal secret information."""
    draws: bool = False
    """Whether two sides may agree on a draw."""
    turn_times: tuple[int, ...] = ()
    """The seconds that a host may choose as the time of a turn, after which it passes by
    `Position.pass_move`. By default only the clocks of all games are offered."""
    ply_pause: int = 600
    """Milliseconds for which a page shows a ply of others before it shows the next one."""
    levels: Sequence[Level] | int = 0
    """The computer players in the order of strength, or the number of them, at most 99."""
    computer_options: Options = field(default_factory=lambda: MappingProxyType({}))
    """Option values that override the chosen ones in games with a computer player."""
    device_options: Options = field(default_factory=lambda: MappingProxyType({}))
    """Option values that replace the defaults in games with all seats on one device."""
    analysis: bool = False
    """Whether the computer evaluates moves, for hints and the analysis page."""
    reviews: Callable[[str], bool] | None = None
    """Returns whether the worker looks at a move once the game is over (`Reasons.review`), for a
    kind without analysis; None for a kind whose moves are not looked at."""
    display_move: Callable[[str], Text | str] = str
    """Returns a move as lists show it, with a `Text` for each step whose name depends on the
    language. `Position.normalize_input` reads those names."""
    pictures: Callable[[Setup], Sequence[str]] = lambda _setup: ()
    """Returns the names of the drawings ``static/<slug>/pictures/<name>.svg`` on the cards of a
    game, which everybody may see. The board loads them as one file, see `Board.sprite`."""
    transcript: Transcript | None = None
    """The text form of its games; None for a kind that cannot be imported."""
    formats: tuple[RecordFormat, ...] = ()
    """The formats of other programs in which its games are written and read."""
    archives: tuple[ArchiveFormat, ...] = ()
    """The formats of databases of its games, which staff import."""
    admit_setup: Callable[[Options, Setup], Setup] | None = None
    """Returns the setup of a game from elsewhere, checked against cleaned options and without
    anything else; raises BadSetup. By default a setup is admitted if `deal` makes it of the game's
    options."""
    puzzles: PuzzleBook | None = None
    """Its puzzles; None for a kind without any."""
    look: Option | None = None
    """The ways in which its board is drawn, a choice in the settings of each player. The chosen
    value is in ``data-looks`` on the root element, as ``<slug>-<value>``, for the game's style
    sheets; the default is not. A look changes the drawing only."""
    day_board: DayBoard | None = None
    """Its board of the day; None for a kind without one."""
    word_task: WordTask | None = None
    """Its task of the day that is answered with a word; None for a kind without one."""
    exercises: tuple[Exercise, ...] = ()
    """The classes and programs that courses ask pupils to write after the game's document."""

    @cached_property
    def ladder(self) -> Ladder:
        return ladder(self.levels)

    @property
    def pack(self) -> Option | None:
        """The option whose value is a pack; None for a game without packs."""
        return next((option for option in self.options if option.kind == "pack"), None)

    def clean(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of all options from submitted fields. Raises BadSetup."""
        return {option.name: option.clean(raw.get(option.name)) for option in self.options}
