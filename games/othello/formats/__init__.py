"""The formats in which other programs write games of Othello."""

from games.othello.formats.board_file import BOARD_FILE
from games.othello.formats.ggf import GGF
from games.othello.formats.judge_files import JUDGE_INPUT, JUDGE_OUTPUT
from games.othello.formats.logbook import LOGBOOK
from games.othello.formats.sgf import SGF
from games.othello.formats.wthor import WTHOR

FORMATS = (GGF, SGF, JUDGE_INPUT, JUDGE_OUTPUT, LOGBOOK, BOARD_FILE)
ARCHIVES = (WTHOR,)

__all__ = ["ARCHIVES", "FORMATS"]
