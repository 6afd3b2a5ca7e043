"""Pictures of a position for link previews, as PNG, drawn with the game's own cells; and the
drawings on the cards of a board as one SVG file, a symbol for each, loaded in one request.

The address of that file contains a digest of its content, so that browsers can cache it for ever.
It depends only on `Rules.pictures`, sorted, and so reveals nothing that a seat must not see."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import resvg_py
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from PIL import Image

from games.contract import Example, Rules
from games.models import Game
from games.presentation.board import Board, build_board, example_board
from games.presentation.explored import point, with_drawing
from games.presentation.jinja import render, render_part
from games.state.snapshot import Standing

_DRAWING = re.compile(r'<svg\b[^>]*?viewBox="([^"]+)"[^>]*>(.*)</svg>\s*', re.DOTALL)


class Sprite(NamedTuple):
    """An SVG file with a symbol for each of several drawings, and the digest of its content."""

    digest: str
    svg: bytes


def game_sprite(game: Game) -> Sprite | None:
    return sprite_of(game.kind, game.rules.pictures(game.setup))


def game_sprite_address(game: Game) -> str:
    sprite = game_sprite(game)
    return reverse("sprite", args=[game.pk, sprite.digest]) if sprite else ""


def example_sprite(rules: Rules) -> Sprite | None:
    setups = [example.setup for example in rules.examples.values()]
    return sprite_of(rules.slug, [name for setup in setups for name in rules.pictures(setup)])


def example_sprite_address(rules: Rules) -> str:
    sprite = example_sprite(rules)
    return reverse("rules_sprite", args=[rules.slug, sprite.digest]) if sprite else ""


def sprite_of(slug: str, names: Iterable[str]) -> Sprite | None:
    """Return the file of some of a game's drawings; None without names."""
    chosen = tuple(sorted(set(names)))
    return _sprite(slug, chosen) if chosen else None


@lru_cache(maxsize=64)
def _sprite(slug: str, names: tuple[str, ...]) -> Sprite:
    symbols = "".join(_symbol(slug, name) for name in names)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'.encode()
    return Sprite(hashlib.sha256(svg).hexdigest()[:16], svg)


@lru_cache(maxsize=1024)
def _symbol(slug: str, name: str) -> str:
    path = finders.find(f"{slug}/pictures/{name}.svg")
    drawing = _DRAWING.fullmatch(Path(path).read_text()) if isinstance(path, str) else None
    if drawing is None:
        return ""
    return f'<symbol id="{name}" viewBox="{drawing[1]}">{drawing[2]}</symbol>'


WIDTH, HEIGHT = 1200, 630
CELL = 100
MARGIN = 30
EDGE, GAP = 56, 20
"""The margin around, and the gap between, the pictures of the games in the picture of the site."""
SHARED = 4
COLOURS = 256


def public_picture(rules: Rules, standing: Standing) -> SafeString:
    """Return the board as spectators see it, as an SVG image."""
    svg = render_board_svg(build_board(rules, standing, viewpoint=None))
    return mark_safe(svg)  # noqa: S308 - drawn by templates, which escape


def public_preview(rules: Rules, standing: Standing) -> bytes:
    """Return the board as spectators see it, as PNG for link previews."""
    return render_png(render_svg(build_board(rules, standing, viewpoint=None)))


def render_svg(board: Board) -> str:
    """Return the board as SVG with the game's ``_preview.jinja`` for cells of 100 units."""
    rows, columns = len(board.rows), len(board.columns)
    scale = min((HEIGHT - 2 * MARGIN) / (rows * CELL), (WIDTH - 2 * MARGIN) / (columns * CELL))
    context = {
        "board": board,
        "width": WIDTH,
        "height": HEIGHT,
        "left": f"{(WIDTH - columns * CELL * scale) / 2:.2f}",
        "top": f"{(HEIGHT - rows * CELL * scale) / 2:.2f}",
        "scale": f"{scale:.4f}",
        "size": CELL,
        "ground": True,
    }
    return render("page/preview.jinja", **context)


def render_share_svg(name: str, kinds: Sequence[Rules]) -> str:
    """Return an SVG image with the site's logo and name above the pictures of the first kinds."""
    shown = kinds[:SHARED]
    width = (WIDTH - 2 * EDGE - (len(shown) - 1) * GAP) / len(shown)
    pictures = [
        {"x": f"{EDGE + place * (width + GAP):.1f}", "svg": render_part(kind.slug, "picture")}
        for place, kind in enumerate(shown)
    ]
    context = {"site_name": name, "pictures": pictures, "picture_width": f"{width:.1f}"}
    return render("page/share.jinja", width=WIDTH, height=HEIGHT, **context)


def render_example(rules: Rules, example: Example) -> str:
    """Return a picture of the rules page or of a theme as HTML, with its caption."""
    board = example_board(rules, example, sprite=example_sprite_address(rules))
    board = with_drawing(board, point(example.cells, example.arrows))
    return render("board/_picture.jinja", board=board, caption=example.caption, confirm="")


def render_board_svg(board: Board, *, ground: bool = True) -> str:
    """Return the bare board as SVG, transparent beside its cells without ``ground``."""
    size = {"width": len(board.columns) * CELL, "height": len(board.rows) * CELL, "size": CELL}
    place = {"left": 0, "top": 0, "scale": 1}
    return render("page/preview.jinja", board=board, ground=ground, **place, **size)


def render_kind_svg(kind: Rules) -> str:
    """Return the picture of a kind of game as an SVG image of the size of previews."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f"{render_part(kind.slug, 'picture')}</svg>"
    )


@lru_cache(maxsize=128)
def render_png(svg: str) -> bytes:
    """Return an SVG image as PNG, cached by its source, so it cannot go stale."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_family="DejaVu Sans"))


def render_small_png(svg: str) -> bytes:
    """Return an SVG image as PNG of 256 colours: shades and round edges make it three times as
    large, and messengers leave out large pictures."""
    png = render_png(svg)
    reduced = BytesIO()
    with Image.open(BytesIO(png)) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
            reduced, "PNG", optimize=True
        )
    return reduced.getvalue()
