"""The judge program: ``python -m games.othello < input > output``; see `games.othello.judge`."""

import sys

from games.othello.judge import main

if __name__ == "__main__":
    sys.exit(main())
