"""The computer players of Santorini as opponents: animals that climb, from the easiest on."""

from __future__ import annotations

from typing import Final

from games.contract import Level, Text, text

INK, WHITE, BROWN, GREY, ORANGE, SAND = (
    "#1d2a33",
    "#fff",
    "#8a5a34",
    "#8c9fb0",
    "#e07b1a",
    "#e8cf9c",
)


def _figure(*shapes: str) -> str:
    """Return an animal on a white roof above the sea."""
    sea = '<path fill="#3d93c4" d="M0 0h24v24H0z"/><path fill="#f0f5f8" d="M0 20h24v4H0z"/>'
    return sea + "".join(shapes)


def _fill(colour: str, path: str) -> str:
    return f'<path fill="{colour}" d="{path}"/>'


def _head(colour: str) -> str:
    return f'<circle cx="12" cy="13" r="7.5" fill="{colour}"/>'


def _eyes(colour: str = INK, y: float = 12) -> str:
    return _fill(
        colour,
        f"M7.5 {y}a1.3 1.3 0 0 1 3 0 1.3 1.3 0 0 1-3 0zm6 0a1.3 1.3 0 0 1 3 0 1.3 1.3 0 0 1-3 0z",
    )


def _weighs(thousands: int) -> Text:
    return text("Weighs %(n)s thousand positions before each turn.", n=thousands)


LEVELS: Final = (
    Level(
        number=1,
        name=text("Snail"),
        manner=text("Creeps about anywhere, and never stops you."),
        figure=_figure(
            _fill(SAND, "M1 20q1-4 5-4V9h2l1 8h11q2 0 3 3zM3 9h2v8H3z"),
            '<circle cx="14" cy="12" r="6" fill="#c4400a"/>',
            '<circle cx="14" cy="12" r="3" fill="none" stroke="#fff"/>',
        ),
    ),
    Level(
        number=7,
        name=text("Duck"),
        manner=text("Forgets to look at you in two turns of three."),
        figure=_figure(_head("#f7d046"), _fill(ORANGE, "M6 15q6-3 12 0-1 4-6 4t-6-4z"), _eyes()),
    ),
    Level(
        number=2,
        name=text("Tortoise"),
        manner=text("Forgets to look at you in one turn of three."),
        figure=_figure(
            _fill("#9bbf5a", "M15 20v-5q1-4 5-3 3 1 3 4l-3 2v2zM4 17h4v4H4zm8 0h4v4h-4z"),
            _fill("#4d7d36", "M2 18a7.5 8 0 0 1 15 0z"),
            _fill(INK, "M19 14h2v2h-2z"),
        ),
    ),
    Level(
        number=8,
        name=text("Donkey"),
        manner=text("Forgets to look at you in one turn of ten, and plans nothing."),
        figure=_figure(
            _fill(GREY, "M6 1q4 2 4 8l-4 1q-2-6 0-9zm12 0q-4 2-4 8l4 1q2-6 0-9z"),
            _head(GREY),
            _fill(WHITE, "M7 17a5 4 0 0 1 10 0 5 4 0 0 1-10 0z"),
            _eyes(),
        ),
    ),
    Level(
        number=3,
        name=text("Hedgehog"),
        manner=text("Blocks your threats, and plans nothing."),
        figure=_figure(
            _fill(BROWN, "M3 18L1 14l3-1-1-4 4 1 0-4 3 2 2-4 2 4 3-2v4l4-1-1 4 3 1-2 4z"),
            _fill(SAND, "M6 15a6 5 0 0 1 12 0 6 5.5 0 0 1-12 0z"),
            _fill(INK, "M11 17h2v2h-2z"),
            _eyes(y=14),
        ),
    ),
    Level(
        number=9,
        name=text("Gull"),
        manner=text("Blocks your threats, and has an eye for a good place."),
        figure=_figure(
            _head(WHITE),
            _fill(GREY, "M5 16a7.5 7.5 0 0 0 14 0q-7 4-14 0z"),
            _fill("#f2b01e", "M9 14h6q1 4-2 5z"),
            _eyes(),
        ),
    ),
    Level(
        number=16,
        name=text("Gecko"),
        manner=text("Climbs wherever it can, even where you shut it in."),
        figure=_figure(
            _fill("#5d9c3f", "M12 4q5 0 5 5l-2 6q-1 6-8 6 4-2 2-6L7 9q0-5 5-5z"),
            _fill("#5d9c3f", "M2 12l6 1v2H3zm20 0l-6 1v2h5z"),
            _fill("#f2c230", "M7 8a2 2 0 0 1 4 0 2 2 0 0 1-4 0zm6 0a2 2 0 0 1 4 0 2 2 0 0 1-4 0z"),
            _fill(INK, "M8.500 7h1v2h-1zm6 0h1v2h-1z"),
        ),
    ),
    Level(
        number=17,
        name=text("Beaver"),
        manner=text("Raises every tower it can, even those that you climb."),
        figure=_figure(
            _fill(BROWN, "M4 9a3 3 0 0 1 4-3h8a3 3 0 0 1 4 3l-2 4H6z"),
            _head(BROWN),
            _fill(SAND, "M7 16a5 4 0 0 1 10 0 5 3.500 0 0 1-10 0z"),
            _fill(WHITE, "M10 17h4v4h-4z"),
            _fill(INK, "M10 13h4l-2 2z"),
            _eyes(y=11),
        ),
    ),
    Level(
        number=4,
        name=text("Cat"),
        manner=text("Looks two turns ahead, and is careless at times."),
        figure=_figure(
            _fill(ORANGE, "M4 12V3l5 3h6l5-3v9z"),
            _head(ORANGE),
            _fill(WHITE, "M8 17q4-3 8 0-1 4-4 4t-4-4z"),
            _fill(INK, "M11 15h2l-1 2z"),
            _eyes("#2c5f2d"),
        ),
    ),
    Level(
        number=10,
        name=text("Squirrel"),
        manner=text("Looks two turns ahead, and seldom slips."),
        figure=_figure(
            _fill("#c4400a", "M18 20q6-3 5-10t-6-7q-4 1-2 5t1 8zM4 9V4l4 3zm10 0V4l-4 3z"),
            '<circle cx="9" cy="13" r="7" fill="#c4400a"/>',
            _fill(SAND, "M5 16a4 4 0 0 1 8 0 4 4 0 0 1-8 0z"),
            _fill(INK, "M5 12h2v2H5zm6 0h2v2h-2zm-3 3h2l-1 1z"),
        ),
    ),
    Level(
        number=11,
        name=text("Goat"),
        manner=text("Weighs 450 positions before each turn."),
        figure=_figure(
            _fill(BROWN, "M8 8Q5 6 6 1q4 2 5 6zm8 0q3-2 2-7-4 2-5 6z"),
            _fill(WHITE, "M2 11l5-3h10l5 3-5 2-2 7-3 4-3-4-2-7z"),
            _fill("#eaa999", "M10 17h4l-2 2z"),
            _eyes(),
        ),
    ),
    Level(
        number=12,
        name=text("Monkey"),
        manner=text("Weighs 1,300 positions before each turn."),
        figure=_figure(
            _fill(SAND, "M2 12a3 3 0 0 1 6 0 3 3 0 0 1-6 0zm14 0a3 3 0 0 1 6 0 3 3 0 0 1-6 0z"),
            _head(BROWN),
            _fill(SAND, "M12 10q-5-3-5 2 0 2 1 3 0 4 4 4t4-4q1-1 1-3 0-5-5-2z"),
            _fill(BROWN, "M9 17h6q-3 2-6 0z"),
            _eyes(),
        ),
    ),
    Level(
        number=5,
        name=text("Lynx"),
        manner=_weighs(6),
        figure=_figure(
            _fill(INK, "M4 1l2 4-2 1zm16 0l-2 4 2 1z"),
            _fill("#c99a5b", "M3 18V4l6 3h6l6-3v14l-5 3H8z"),
            _fill(WHITE, "M7 16q5-3 10 0l-2 5H9z"),
            _fill(INK, "M10.5 15h3L12 17z"),
            _eyes("#2c5f2d", 11),
        ),
    ),
    Level(
        number=13,
        name=text("Marten"),
        manner=_weighs(14),
        figure=_figure(
            _fill("#5b3a22", "M3 7a3 3 0 0 1 6-1h6a3 3 0 0 1 6 1l-2 5H5z"),
            _head("#5b3a22"),
            _fill("#f6e3a8", "M7 19l5-4 5 4-5 4z"),
            _fill(WHITE, "M11 14h2l-1 2z"),
            _eyes(WHITE, 11),
        ),
    ),
    Level(
        number=14,
        name=text("Ibex"),
        manner=_weighs(60),
        figure=_figure(
            _fill(SAND, "M10 8Q8 1 1 1q6 3 5 9zm4 0q2-7 9-7-6 3-5 9z"),
            _fill(BROWN, "M4 12l4-4h8l4 4-4 1-2 7-2 3-2-3-2-7z"),
            _fill(INK, "M10.5 17h3L12 19z"),
            _eyes(WHITE),
        ),
    ),
    Level(
        number=15,
        name=text("Falcon"),
        manner=_weighs(200),
        figure=_figure(
            _head("#5a7185"),
            _fill(WHITE, "M7 14l5-2 5 2q1 4-5 6.500Q6 18 7 14z"),
            _fill(INK, "M7 12l2 6-3-2zm10 0l-2 6 3-2z"),
            _fill("#f2c230", "M10 13h4q0 4-2 5-2-1-2-5z"),
            _eyes(INK, 11),
        ),
    ),
    Level(
        number=6,
        name=text("Eagle"),
        manner=text("Plays as well as two seconds allow."),
        figure=_figure(
            _fill(BROWN, "M4 20q-1-8 8-8t8 8z"),
            _fill(WHITE, "M4 11a8 8 0 0 1 16 0l-1 6-2-1-2 2-3-2-3 2-2-2-2 1z"),
            _fill("#f2c230", "M9 11h6q1 5-3 7-1-3-3-7z"),
            _fill(INK, "M6 8l4 2H7zm12 0l-4 2h3z"),
        ),
    ),
)
