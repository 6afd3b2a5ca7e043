"""A picture of a position, for links that are shared: the game's own cells, drawn as PNG."""

from __future__ import annotations

from functools import lru_cache

import resvg_py
from django.template.loader import render_to_string

from games.presentation.board import Board

WIDTH, HEIGHT = 1200, 630
CELL = 100
MARGIN = 30


def render_svg(board: Board) -> str:
    """The board as one SVG image; each cell is the game's ``_preview.html``, 100 units square."""
    rows, columns = len(board.rows), len(board.columns)
    scale = min((HEIGHT - 2 * MARGIN) / (rows * CELL), (WIDTH - 2 * MARGIN) / (columns * CELL))
    context = {
        "board": board,
        "width": WIDTH,
        "height": HEIGHT,
        # Numbers as text: a language that writes decimal commas would spoil the image.
        "left": f"{(WIDTH - columns * CELL * scale) / 2:.2f}",
        "top": f"{(HEIGHT - rows * CELL * scale) / 2:.2f}",
        "scale": f"{scale:.4f}",
        "cell": CELL,
    }
    return str(render_to_string("games/preview.svg", context))


@lru_cache(maxsize=128)
def render_png(svg: str) -> bytes:
    """The image as PNG. Kept by what it shows, so that nothing can make it stale."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_family="DejaVu Sans"))
