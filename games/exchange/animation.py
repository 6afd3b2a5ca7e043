"""A whole game as an animated picture in the format WebP."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import resvg_py
from PIL import Image

from games.presentation.pictures import public_picture
from games.state.snapshot import GameSnapshot

WIDTH = 360
"""Pixels of the picture's width. 60 moves on 8x8 take some 300 KB and 2 s of processor time."""
FRAMES = 100
"""Most positions shown: of longer games every second, third … position, and always the last."""
MS_A_FRAME, MS_AT_THE_END = 700, 3_000
QUALITY = 70


def animate(snapshot: GameSnapshot) -> bytes:
    """Return the positions of a game, as spectators see them, one after the other for ever."""
    step = -(-(snapshot.last_ply + 1) // FRAMES)
    plies = [*range(snapshot.last_ply % step, snapshot.last_ply + 1, step)]
    rules = snapshot.rules
    return _animate(tuple(public_picture(rules, snapshot.standing_at(ply)) for ply in plies))


@lru_cache(maxsize=16)
def _animate(drawings: tuple[str, ...]) -> bytes:
    """Return drawings as an animation, cached by their source, so it cannot go stale."""
    first, *others = [_rasterize(svg) for svg in drawings]
    times = [MS_A_FRAME] * len(others) + [MS_AT_THE_END]
    animation = BytesIO()
    first.save(
        animation,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=times,
        loop=0,
        quality=QUALITY,
        method=0,
    )
    return animation.getvalue()


def _rasterize(svg: str) -> Image.Image:
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, font_family="DejaVu Sans"))
    with Image.open(BytesIO(png)) as image:
        return image.convert("RGB")
