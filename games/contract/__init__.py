"""The contract between the site and its games.

Four words, in these senses everywhere: a ``Game`` is a stored match (a database row), a ``Move`` a
stored row of it, ``Rules`` say how a kind of game is played, and a ``Position`` is where one game
stands. A position is pure Python and lives for one request: it is rebuilt by replaying the stored
moves from the stored setup.

The string is the move. One notation string (``f5``, ``R b3 U``, ``B E W``, ``clue ocean 3``) is
form value, database column, history line and test literal. A move of several steps is its steps
with single spaces between them, so that a move can be chosen step by step.

This package imports no Django, and neither does a game's folder."""

from games.contract.cells import Cell, cell_name, parse_cell
from games.contract.computer import (
    Choice,
    Computer,
    MoveValue,
    Reason,
    Reasons,
    Region,
    WordTable,
    search_clock,
)
from games.contract.decks import Deck
from games.contract.errors import (
    BadNotation,
    BadTranscript,
    CannotPlay,
    Explained,
    GameOver,
    IllegalMove,
    MoveError,
    NotYourTurn,
)
from games.contract.exercises import Exercise, Play, Run, session_lines
from games.contract.game_rules import (
    DayBoard,
    Example,
    OlderRules,
    Options,
    Rules,
    Setup,
    Theme,
    WordTask,
)
from games.contract.labels import MoveLabel, NotedMove, Recap, RecapRow, Score
from games.contract.levels import Ladder, Level
from games.contract.options import BadSetup, Option
from games.contract.position import (
    DRAW,
    ENDINGS,
    LONGEST_MOVE,
    RESIGN,
    TIMEOUT,
    VOID,
    Position,
    Result,
)
from games.contract.puzzles import (
    ANY_MOVE,
    Lesson,
    LineMove,
    Puzzle,
    PuzzleBook,
    PuzzleSearch,
    Refutation,
    Turn,
    with_common_refutation,
)
from games.contract.records import (
    ArchiveFormat,
    BadRecord,
    CannotWrite,
    Record,
    RecordFormat,
    attempt,
    replay_record,
)
from games.contract.seats import SeatKey, SeatSpec
from games.contract.steps import (
    CLICKED,
    OTHER_CELLS,
    Stage,
    Step,
    display_steps,
    next_steps,
    no_such_move,
    split_move,
)
from games.contract.texts import Text, loses_on_time, ntext, text
from games.contract.transcript import (
    Transcript,
    blank,
    normalize_move,
    read_lines,
    without_brackets,
)
from games.contract.unicode_text import (
    blank_character,
    display_excerpt,
    excess_combining_mark,
    is_mark,
    plain_signs,
    without_joiners,
)
