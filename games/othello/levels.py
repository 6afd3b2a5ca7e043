"""The computer players of Othello as opponents: black and white animals, from the easiest on."""

from __future__ import annotations

from typing import Final

from games.contract import Level, Text, text

INK, IVORY = "#1d1d1f", "#fdfaf1"


def _figure(disc: str, *shapes: str) -> str:
    """Return a head, drawn as a disc on the felt."""
    felt = '<path fill="#3b8a4a" d="M0 0h24v24H0z"/>'
    return f'{felt}<circle cx="12" cy="13" r="8.5" fill="{disc}"/>{"".join(shapes)}'


def _fill(colour: str, path: str) -> str:
    return f'<path fill="{colour}" d="{path}"/>'


def _eyes(colour: str, y: float = 12) -> str:
    return _fill(
        colour,
        f"M7.5 {y}a1.3 1.3 0 0 1 3 0 1.3 1.3 0 0 1-3 0zm6 0a1.3 1.3 0 0 1 3 0 1.3 1.3 0 0 1-3 0z",
    )


def _ahead(depth: int, last: int) -> Text:
    return text(
        "Thinks %(depth)s moves ahead, and plays the last %(last)s squares without a mistake.",
        depth=depth,
        last=last,
    )


LEVELS: Final = (
    Level(
        number=1,
        name=text("Cow"),
        manner=text("Grazes anywhere: any move will do."),
        figure=_figure(
            IVORY,
            _fill(INK, "M1 7q6-2 7 3zm22 0q-6-2-7 3zM12 4.500a8.5 8.5 0 0 1 8 6q-4 4-7 1z"),
            _fill("#eaa999", "M7 18a5 3 0 0 1 10 0 5 3.5 0 0 1-10 0z"),
            _eyes("#777"),
        ),
    ),
    Level(
        number=7,
        name=text("Magpie"),
        manner=text("Grabs as many discs as it can, and regrets it later."),
        figure=_figure(
            INK,
            _fill(IVORY, "M4.5 17a8.5 8.5 0 0 0 15 0q-7-4-15 0z"),
            _fill("#666", "M9 12h6l-3 5z"),
            _eyes(IVORY, 10),
        ),
    ),
    Level(
        number=2,
        name=text("Panda"),
        manner=text("Knows a good square, and never thinks of your answer."),
        figure=_figure(
            IVORY,
            _fill(INK, "M2 7a3.5 3.5 0 0 1 7-1l-5 5q-2-1-2-4zm20 0a3.5 3.5 0 0 0-7-1l5 5q2-1 2-4z"),
            _fill(INK, "M6 14q0-4 3-4t2 3-3 3-2-2zm12 0q0-4-3-4t-2 3 3 3 2-2zM10 17h4l-2 2z"),
            _eyes(IVORY, 12.5),
        ),
    ),
    Level(
        number=8,
        name=text("Penguin"),
        manner=text("Slides to the edge, even when that gives you the corner."),
        figure=_figure(
            INK,
            _fill(IVORY, "M12 10q-6-4-6 3t6 8q6-1 6-8t-6-3z"),
            _fill("#f0a020", "M9 14h6l-3 4z"),
            _eyes(INK),
        ),
    ),
    Level(
        number=3,
        name=text("Badger"),
        manner=text("Looks for your answer, and often misjudges it."),
        figure=_figure(
            IVORY,
            _fill(INK, "M8 5q-5 4-3 12l4 3q2-8 0-15zm8 0q5 4 3 12l-4 3q-2-8 0-15zM10 19h4l-2 2z"),
            _eyes(IVORY),
        ),
    ),
    Level(
        number=9,
        name=text("Tapir"),
        manner=text("Sees your answer, and nothing after it."),
        figure=_figure(
            INK,
            _fill(IVORY, "M3.6 14a8.5 8.5 0 0 0 16.8 0z"),
            _fill(INK, "M3 5l4-1 2 3zm18 0l-4-1-2 3zM10 12h4v7q2 1 1 3-4 1-5-2z"),
            _eyes(IVORY, 11),
        ),
    ),
    Level(
        number=13,
        name=text("Lemur"),
        manner=text("Leaves you few moves, whatever else that costs."),
        figure=_figure(
            IVORY,
            _fill(
                INK,
                "M3 5l5 1-3 4zm18 0l-5 1 3 4zM6 12q2-4 5-1v3q-4 3-5-2zm12 0q-2-4-5-1v3q4 3 5-2z",
            ),
            _fill(INK, "M10 17h4l-1 4h-2z"),
            _eyes("#f2a51e"),
        ),
    ),
    Level(
        number=14,
        name=text("Raccoon"),
        manner=text("Takes every corner it can, even when that can wait."),
        figure=_figure(
            IVORY,
            _fill(
                INK, "M3 3l6 2-5 5zm18 0l-6 2 5 5zM3.600 11q8-2 16.800 0l-1 5q-3 1-5-2h-4q-2 3-5 2z"
            ),
            _fill(INK, "M10 17h4l-2 3z"),
            _eyes(IVORY),
        ),
    ),
    Level(
        number=4,
        name=text("Swallow"),
        manner=_ahead(3, 8),
        figure=_figure(
            INK,
            _fill(IVORY, "M5 18a8.5 8.5 0 0 0 14 0q-7-5-14 0z"),
            _fill("#b5482a", "M7 14q5-3 10 0l-5 4z"),
            _fill("#888", "M10 12h4l-2 3z"),
            _eyes(IVORY, 10),
        ),
    ),
    Level(
        number=10,
        name=text("Stork"),
        manner=_ahead(4, 10),
        figure=_figure(
            IVORY,
            _fill(INK, "M5 18a8.5 8.5 0 0 0 14 0l-3-1-4 3-4-3z"),
            _fill("#d2452b", "M10 13h4l-2 10z"),
            _eyes(INK, 11),
        ),
    ),
    Level(
        number=5,
        name=text("Husky"),
        manner=_ahead(6, 14),
        figure=_figure(
            IVORY,
            _fill(INK, "M3 13V2l6 3h6l6-3v11q-5-4-7 0l-2-6-2 6q-2-4-7 0zM10 17h4l-2 2z"),
            _eyes("#3d9ad6", 13),
        ),
    ),
    Level(
        number=11,
        name=text("Tiger"),
        manner=_ahead(8, 16),
        figure=_figure(
            IVORY,
            _fill(INK, "M3 8l1-5 5 2zm18 0l-1-5-5 2zM11 4.500h2l-1 5zM7 6l2 4-3-3zm10 0l-2 4 3-3z"),
            _fill(
                INK, "M3.5 13l4 1-4 1zm17 0l-4 1 4 1zM5 18l3-1-2 3zm14 0l-3-1 2 3zM10 16h4l-2 3z"
            ),
            _eyes(INK),
        ),
    ),
    Level(
        number=12,
        name=text("Osprey"),
        manner=_ahead(12, 20),
        figure=_figure(
            IVORY,
            _fill(INK, "M3.6 11q8-2 16.8 0v4q-8-3-16.8 0z"),
            _fill("#555", "M9 14h6q1 5-3 6 0-3-3-6z"),
            _eyes("#f2c230"),
        ),
    ),
    Level(
        number=6,
        name=text("Orca"),
        manner=text(
            "Plays as well as two seconds allow, and the last 25 squares without a mistake."
        ),
        figure=_figure(
            INK,
            _fill(
                IVORY,
                "M5 10q4-3 5 1-3 2-5-1zm14 0q-4-3-5 1 3 2 5-1zM5 18q7-4 14 0a8.5 8.5 0 0 1-14 0z",
            ),
            _eyes("#888", 14),
        ),
    ),
)
