"""A whole game as an animated picture in the format WebP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO

import resvg_py
from PIL import Image

from games.presentation.board import Board, Square, build_board
from games.presentation.pictures import render_board_svg
from games.state.snapshot import read_snapshot

WIDTH = 360
"""Most pixels of the picture's width. 60 moves on 8x8 take some 200 KB."""
FRAMES = 100
"""Most positions shown: of longer games every second, third … position, and always the last."""
MS_A_FRAME, MS_AT_THE_END = 700, 3_000
QUALITY = 70


def animate(game_id: str, _version: int) -> bytes:
    """Return the positions of a game, as spectators see them, one after the other for ever."""
    snapshot = read_snapshot(game_id)
    step = -(-(snapshot.last_ply + 1) // FRAMES)
    plies = range(snapshot.last_ply % step, snapshot.last_ply + 1, step)
    boards = [
        build_board(snapshot.rules, snapshot.standing_at(ply), viewpoint=None) for ply in plies
    ]
    first, *others = _frames(boards)
    animation = BytesIO()
    first.save(
        animation,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=[MS_A_FRAME] * len(others) + [MS_AT_THE_END],
        loop=0,
        quality=QUALITY,
        method=0,
        # All frames but the first hold differences.
        kmin=FRAMES,
        kmax=FRAMES + 1,
    )
    return animation.getvalue()


def _frames(boards: Sequence[Board]) -> Iterator[Image.Image]:
    """Yield the pictures of boards. Each different cell is drawn once: drawing all boards took ten
    times as long as all the rest."""
    tiles = _tiles(boards)
    size = next(iter(tiles.values())).width
    columns = [*zip(*boards[0].rows, strict=True)]
    frame = Image.new("RGB", (size * len(columns), size * len(boards[0].rows)))
    shown: dict[int, list[str]] = {}
    for board in boards:
        frame = frame.copy()
        for number, column in enumerate(zip(*board.rows, strict=True)):
            looks = [_look(square) for square in column]
            if shown.get(number) != looks:
                shown[number] = looks
                for row, look in enumerate(looks):
                    frame.paste(tiles[look], (number * size, (row - 1) * size), tiles[look])
        yield frame


def _tiles(boards: Sequence[Board]) -> dict[str, Image.Image]:
    """Return the pictures of all different cells, of whole pixels, with the room of a cell above
    them: a piece may stand out of its cell."""
    cells = {_look(square): square for board in boards for row in board.rows for square in row}
    columns = len(boards[0].columns)
    size = WIDTH // columns
    places = {look: divmod(number, columns) for number, look in enumerate(cells)}
    rows: list[list[Square]] = [[] for _ in range(2 * -(-len(cells) // columns))]
    for look, (row, column) in places.items():
        rows[2 * row + 1].append(cells[look]._replace(row=2 * row + 1, column=column))
    sheet = _rasterize(
        render_board_svg(replace(boards[0], rows=rows), ground=False), columns * size
    )
    return {
        look: sheet.crop((x * size, 2 * y * size, (x + 1) * size, (2 * y + 2) * size))
        for look, (y, x) in places.items()
    }


def _look(square: Square) -> str:
    """Return the values of a cell on which its picture depends."""
    names = square.cell.keys() - {"name", "label"}
    return repr([(name, square.cell[name]) for name in sorted(names)])


def _rasterize(svg: str, width: int) -> Image.Image:
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, font_family="DejaVu Sans"))
    with Image.open(BytesIO(png)) as image:
        return image.convert("RGBA")
