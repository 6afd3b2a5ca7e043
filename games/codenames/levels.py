"""The computer players of Codenames as opponents: animals in hats, from the easiest on."""

from __future__ import annotations

from typing import Final

from games.contract import Level, text

INK, WHITE = "#22262b", "#fff"


def _figure(head: str, hat: str, *shapes: str) -> str:
    """Return an animal on a card, with a hat that has a band in the colour of a team."""
    return (
        '<path fill="#dccba0" d="M0 0h24v24H0z"/>'
        f'<circle cx="12" cy="15" r="7" fill="{head}"/>{"".join(shapes)}'
        + _fill(INK, "M1 10h22l-1-2-5-1-1-5H8L7 7 2 8z")
        + _fill(hat, "M7 7h10l-.4-2H7.400z")
    )


def _fill(colour: str, path: str) -> str:
    return f'<path fill="{colour}" d="{path}"/>'


def _eyes(colour: str, y: float = 14) -> str:
    return _fill(
        colour,
        f"M7.5 {y}a1.3 1.3 0 0 1 3 0 1.3 1.3 0 0 1-3 0zm6 0a1.3 1.3 0 0 1 3 0 1.3 1.3 0 0 1-3 0z",
    )


LEVELS: Final = (
    Level(
        number=1,
        name=text("Parrot"),
        manner=text("Bold clues of common words, and wild guesses."),
        figure=_figure(
            "#2e9e4f", "#c4400a", _fill("#f2b01e", "M8 16h8q1 4-4 8-3-3-4-8z"), _eyes(WHITE, 13)
        ),
    ),
    Level(
        number=2,
        name=text("Mole"),
        manner=text("Digs with care: one or two cards a clue."),
        figure=_figure(
            "#4a4450",
            "#12438f",
            _fill("#eaa999", "M8 18a4 3 0 0 1 8 0 4 3 0 0 1-8 0z"),
            _eyes(WHITE, 14),
        ),
    ),
    Level(
        number=3,
        name=text("Hamster"),
        manner=text("Knows more words, and remembers earlier clues."),
        figure=_figure(
            "#d08a3e",
            "#c4400a",
            _fill("#f7ead0", "M3 18a4.5 4 0 0 1 9 0 4.5 4 0 0 1 9 0q-4 6-9 2-5 4-9-2z"),
            _fill("#eaa999", "M10.5 15h3L12 17z"),
            _fill(INK, "M11 19h2v2h-2z"),
            _eyes(INK, 13),
        ),
    ),
    Level(
        number=5,
        name=text("Otter"),
        manner=text("Often ties two cards together, and never looks at the score."),
        figure=_figure(
            "#7a5236",
            "#12438f",
            _fill("#e8cf9c", "M7 17a5 4 0 0 1 10 0 5 4.500 0 0 1-10 0z"),
            _fill(INK, "M10.500 15h3L12 17z"),
            _eyes(INK, 13),
        ),
    ),
    Level(
        number=6,
        name=text("Deer"),
        manner=text("Careful: two cards a clue at most, and no risks."),
        figure=_figure(
            "#c08a55",
            "#c4400a",
            _fill("#c08a55", "M6 12L1 11l3 4zm12 0l5-1-3 4z"),
            _fill(WHITE, "M9 18q3-2 6 0-1 4-3 4t-3-4z"),
            _fill(INK, "M10.500 17h3L12 19z"),
            _eyes(INK, 14),
        ),
    ),
    Level(
        number=7,
        name=text("Lion"),
        manner=text("Brave: up to five cards a clue, and it grabs at a card in haste."),
        figure=_figure(
            "#b5651d",
            "#12438f",
            '<circle cx="12" cy="16" r="5.500" fill="#f0c060"/>',
            _fill(INK, "M10 17h4l-2 2zM11.500 19h1v2h-1z"),
            _eyes(INK, 14.500),
        ),
    ),
    Level(
        number=8,
        name=text("Elephant"),
        manner=text("Counts the race, and mishears a clue now and then."),
        figure=_figure(
            "#8c97a3",
            "#c4400a",
            _fill("#a9b3bd", "M6 11Q0 10 1 16q2 4 6 3zm12 0q6-1 5 5-2 4-6 3z"),
            _fill("#76818d", "M10.500 15h3l.5 9h-4z"),
            _eyes(WHITE, 13),
        ),
    ),
    Level(
        number=4,
        name=text("Chameleon"),
        manner=text("Counts the race, and dares more when you are ahead."),
        figure=_figure(
            "#7bb23a",
            "#12438f",
            _fill(
                "#7bb23a", "M3 14a4 4 0 0 1 8 0 4 4 0 0 1-8 0zm10 0a4 4 0 0 1 8 0 4 4 0 0 1-8 0z"
            ),
            _fill(WHITE, "M5 14a2 2 0 0 1 4 0 2 2 0 0 1-4 0zm10 0a2 2 0 0 1 4 0 2 2 0 0 1-4 0z"),
            _fill(INK, "M7 13h2v2H7zm8 0h2v2h-2zM8 19h8v1H8z"),
        ),
    ),
)
