"""The computer players of Hermit as opponents: animals laid out of blocks, from the easiest on."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from games.contract import Level, Text, text

RED, BLUE, YELLOW = "#c4400a", "#12438f", "#f7e463"
WHITE, INK = "#fff", "#2b1d00"


def _figure(rows: str, **colours: str) -> str:
    """Return the squares of a board of eight rows, in the colours of their letters."""
    squares = "".join(
        f'<path fill="{colour}" d="{_squares(rows.split(), letter)}"/>'
        for letter, colour in colours.items()
    )
    oak = '<path fill="#c9a871" d="M0 0h24v24H0z"/>'
    return f'{oak}<g transform="translate(2 2) scale(.83)">{squares}</g>'


def _squares(rows: list[str], letter: str) -> str:
    found = ""
    for r, row in enumerate(rows):
        c = 0
        for value, run in groupby(row):
            n = len([*run])
            found += f"M{3 * c} {3 * r}h{3 * n}v3h-{3 * n}z" if value == letter else ""
            c += n
    return found


def _perfect_from(squares: int) -> Text:
    return text(
        "Plays at random until about %(squares)s squares are open, and perfectly from there.",
        squares=squares,
    )


LEVELS: Final = (
    Level(
        number=1,
        name=text("Rabbit"),
        manner=text("Hops about at random, unless it can end the game at once."),
        figure=_figure(
            ".b....b. .b....b. .b....b. .bbbbbb. .bwbbwb. .bbbbbb. .bbiibb. ..bbbb..",
            b=BLUE,
            w=WHITE,
            i=INK,
        ),
    ),
    Level(
        number=2,
        name=text("Frog"),
        manner=_perfect_from(5),
        figure=_figure(
            ".ww..ww. .wi..iw. .yyyyyy. yyyyyyyy yiiiiiiy yyyyyyyy .yy..yy. yyy..yyy",
            y=YELLOW,
            w=WHITE,
            i=INK,
        ),
    ),
    Level(
        number=3,
        name=text("Crab"),
        manner=_perfect_from(8),
        figure=_figure(
            "rr....rr r......r rr.ww.rr .rrrrrr. .rirrir. .rrrrrr. r.r..r.r r.r..r.r",
            r=RED,
            w=WHITE,
            i=INK,
        ),
    ),
    Level(
        number=6,
        name=text("Mouse"),
        manner=_perfect_from(11),
        figure=_figure(
            "bb....bb bb....bb .bbbbbb. .bwbbwb. .bbbbbb. ..bbbb.. ...ww... ........",
            b=BLUE,
            w=WHITE,
        ),
    ),
    Level(
        number=4,
        name=text("Bee"),
        manner=_perfect_from(13),
        figure=_figure(
            ".ww..ww. wwwwwwww .wyyyyw. .iiiiii. .yyyyyy. .iiiiii. ..yyyy.. ...ii...",
            y=YELLOW,
            w=WHITE,
            i=INK,
        ),
    ),
    Level(
        number=7,
        name=text("Marmot"),
        manner=_perfect_from(15),
        figure=_figure(
            ".r....r. .rrrrrr. .rirrir. .rrrrrr. rrriirrr .rwwwwr. .r.ww.r. ..r..r..",
            r=RED,
            w=WHITE,
            i=INK,
        ),
    ),
    Level(
        number=8,
        name=text("Spider"),
        manner=_perfect_from(17),
        figure=_figure(
            "b.b..b.b b.b..b.b .bbbbbb. bbwbbwbb .bbbbbb. b.bbbb.b b.b..b.b ..b..b..",
            b=BLUE,
            w=WHITE,
        ),
    ),
    Level(
        number=9,
        name=text("Fox"),
        manner=_perfect_from(20),
        figure=_figure(
            "r......r rr....rr rrrrrrrr rrirrirr wwrrrrww .wwrrww. ..wrrw.. ...ii...",
            r=RED,
            w=WHITE,
            i=INK,
        ),
    ),
    Level(
        number=10,
        name=text("Raven"),
        manner=_perfect_from(22),
        figure=_figure(
            "..bbb... .bbwbb.. .bbbbyyy bbbbbb.. bbbbbbb. .bbbbbb. ..bbbb.. ..y..y..",
            b=BLUE,
            w=WHITE,
            y=YELLOW,
        ),
    ),
    Level(
        number=5,
        name=text("Owl"),
        manner=text("Looks for symmetry, and plays perfectly as soon as the board can be solved."),
        figure=_figure(
            "y......y yyyyyyyy ywwyywwy ywiyyiwy yyyrryyy yyyyyyyy .yyyyyy. ..r..r..",
            y=YELLOW,
            w=WHITE,
            i=INK,
            r=RED,
        ),
    ),
)
