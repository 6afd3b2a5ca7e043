"""The pages, files and animations with which a game is taken away, and its print."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from uuid import UUID

import resvg_py
from django.db.models import Count, Sum
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from PIL import Image

from games.contract import CannotWrite, Text, text
from games.core.rate_limits import EXPORTS_PER_PLAYER
from games.core.translation import translate
from games.exchange import own_formats
from games.models import Game, Player
from games.people.own_games import games_of, own_documents
from games.presentation.board import Board, Square, build_board
from games.presentation.documents import GameDocument, document_of, record_of, transcript_of
from games.presentation.move_list import display_move
from games.presentation.pictures import public_picture, render_board_svg
from games.presentation.sharing import frame_code, seat_names
from games.presentation.visibility import perspective
from games.state.snapshot import GameSnapshot, read_snapshot
from games.storage.cache import LRUCache
from games.views.common import find_game, require_player, viewer_of
from games.views.responses import game_picture
from games.web.request import HttpRequest, parse_ply
from games.web.slot import in_slot

TEXT, JSON, TRANSCRIPT = "txt", "json", "transcript"
MEDIA_TYPES = {JSON: "application/json"}
PLAIN = "text/plain; charset=utf-8"
FEW, MANY = 90, 240
"""Moves up to which a list fits beside the others on one sheet in large, and in smaller letters."""
SVG = "image/svg+xml"
LINES = "application/jsonl; charset=utf-8"

_made: LRUCache[tuple[object, ...], tuple[GameFile, ...]] = LRUCache(50)


@dataclass(frozen=True)
class GameFile:
    """A file of a game: the ``slug`` in its address, its name, its ending and its content."""

    slug: str
    name: Text
    ending: str
    content: str

    @property
    def media_type(self) -> str:
        return MEDIA_TYPES.get(self.slug, PLAIN)


def files_of(snapshot: GameSnapshot, document: GameDocument) -> Iterator[GameFile]:
    """Yield the files of a game, made of a document that the viewer may see."""
    yield GameFile(TEXT, text("Text"), "txt", own_formats.write_text(document))
    yield GameFile(JSON, text("JSON"), "json", document.model_dump_json(indent=1) + "\n")
    transcript = transcript_of(snapshot, snapshot.game.ply)
    if transcript:
        yield GameFile(TRANSCRIPT, text("Transcript"), "transcript.txt", transcript + "\n")
    record = None if snapshot.fault else record_of(document)
    for form in snapshot.rules.formats if record else ():
        if form.write is None or record is None:
            continue
        try:
            yield GameFile(form.slug, form.name, form.ending, form.write(record))
        except CannotWrite:
            continue


@cache_control(no_store=True)
@require_safe
def take_away(request: HttpRequest, game_id: str) -> HttpResponse:
    """List the files of a game, and the pictures of its position after ``?ply=`` moves."""
    snapshot = find_game(request, game_id)
    if not snapshot.game.begun:
        return redirect(snapshot.game)
    document, ply = _document(request, snapshot), parse_ply(request.GET.get("ply", ""))
    known = "ply" in request.GET and 0 <= ply <= snapshot.last_ply
    chosen = ply if known else None
    context = {
        "game": snapshot.game,
        "files": _files(snapshot, document),
        "hidden": document.setup is None,
        "ply": ply if known else snapshot.last_ply,
        "embed_code": frame_code(snapshot, request.build_absolute_uri("/"), chosen),
    }
    return render(request, "exchange/take_away.html", context)


@cache_control(no_store=True)
@require_safe
def export(request: HttpRequest, game_id: str, slug: str) -> HttpResponse:
    snapshot = find_game(request, game_id)
    files = _files(snapshot, _document(request, snapshot)) if snapshot.game.begun else ()
    found = next((file for file in files if file.slug == slug), None)
    if found is None:
        raise Http404
    name = f"{snapshot.game.kind}-{game_id}.{found.ending}"
    return _download(found.content, found.media_type, name)


def _files(snapshot: GameSnapshot, document: GameDocument) -> tuple[GameFile, ...]:
    """Return the files of a document. Formats of other programs replay it each."""
    game = snapshot.game
    key = (game.id, game.version, get_language(), document.model_dump_json())
    return _made.get(key) or _made.put(key, tuple(files_of(snapshot, document)))


def _document(request: HttpRequest, snapshot: GameSnapshot) -> GameDocument:
    seen_by = perspective(snapshot, viewer_of(request, snapshot))
    return document_of(snapshot, seen_by, _address(request, snapshot.game))


def _address(request: HttpRequest, game: Game) -> str:
    return request.build_absolute_uri(game.get_absolute_url())


def _download(content: Any, media_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media_type, headers=headers)


@require_safe
def picture(request: HttpRequest, game_id: str, ply: int) -> HttpResponse:
    """Return the position after ``ply`` moves as SVG, as spectators see it."""

    def picture_of(snapshot: GameSnapshot) -> str | None:
        if ply > snapshot.last_ply:
            return None
        return public_picture(snapshot.rules, snapshot.standing_at(ply))

    return game_picture(request, game_id, picture_of, SVG)


@require_safe
def animation(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a finished game as an animated picture."""

    def picture_of(snapshot: GameSnapshot) -> bytes | None:
        game = snapshot.game
        return in_slot(request, animate, game.id, game.version) if game.over else None

    return game_picture(request, game_id, picture_of, "image/webp")


@cache_control(no_store=True)
@require_safe
def own_games(request: HttpRequest) -> HttpResponseBase:
    """Return the visitor's games as JSON lines, made in the slot."""
    player = require_player(request)
    EXPORTS_PER_PLAYER.check(str(player.pk))
    versions = games_of(player).aggregate(Count("pk"), Sum("version"))
    site = request.build_absolute_uri("/")
    packed = in_slot(request, _own_lines, player.pk, site, tuple(versions.values()))
    EXPORTS_PER_PLAYER.hit(str(player.pk))
    lines = zlib.decompress(packed).splitlines(keepends=True)
    headers = {"Content-Disposition": f'attachment; filename="{gettext("my-games")}.jsonl"'}
    return StreamingHttpResponse(lines, content_type=LINES, headers=headers)


def _own_lines(player_id: UUID, site: str, _versions: tuple[int | None, ...]) -> bytes:
    packer = zlib.compressobj(1)
    games = own_documents(Player(pk=player_id), lambda game: site + game.get_absolute_url()[1:])
    packed = [packer.compress(game.model_dump_json().encode() + b"\n") for game in games]
    return b"".join([*packed, packer.flush()])


@cache_control(public=True, max_age=3600)
@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": request.build_absolute_uri(),
        **GameDocument.model_json_schema(),
    }
    content = json.dumps(described, indent=1) + "\n"
    return HttpResponse(content, content_type="application/schema+json")


@cache_control(no_store=True)
@require_safe
def sheet(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a page for the printer, by default with the newest position, for spectators."""
    snapshot = find_game(request, game_id)
    if not snapshot.game.begun:
        return redirect(snapshot.game)
    requested = parse_ply(request.GET.get("ply", ""))
    ply = requested if 0 <= requested <= snapshot.last_ply else snapshot.last_ply
    count = len(snapshot.moves)
    context = {
        "game": snapshot.game,
        "ply": ply,
        "is_last": ply == snapshot.last_ply,
        "picture": public_picture(snapshot.rules, snapshot.standing_at(ply)),
        "players": seat_names(snapshot),
        "moves": _moves(snapshot),
        "size": "few" if count <= FEW else "many" if count <= MANY else "most",
        "result": snapshot.standing.result,
        "address": request.build_absolute_uri(snapshot.game.get_absolute_url()),
    }
    return render(request, "exchange/print.html", context)


def _moves(snapshot: GameSnapshot) -> list[tuple[str, str]]:
    names = {spec.key: translate(spec.name) for spec in snapshot.specs}
    texts = (display_move(move.text, snapshot.rules) for move in snapshot.moves)
    return [(names[move.seat], text) for move, text in zip(snapshot.moves, texts, strict=True)]


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
    """Return the pictures of different cells, with room above for what stands out of them."""
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
