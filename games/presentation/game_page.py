"""A game's page: the board and everything around it that changes with a move, as values of
templates. It depends only on a snapshot and a `Perspective`, so that one rendering serves all
viewers with the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from games.contract import Rules, SeatKey, Text
from games.models import Game
from games.presentation.board import Board, build_board
from games.presentation.jinja import render
from games.presentation.lobby import build_lobby
from games.presentation.move_list import MoveList, move_list
from games.presentation.page_parts import (
    Actions,
    HandOver,
    Hints,
    Menu,
    actions,
    build_hints,
    hand_over,
    menu,
)
from games.presentation.pictures import game_sprite_address
from games.presentation.player_bars import (
    Addresses,
    Levels,
    PlayerBars,
    addresses,
    levels,
    player_bars,
    seat_rows,
)
from games.presentation.sight import Sight, sight
from games.presentation.turn import (
    MissedMoves,
    News,
    Prompts,
    Title,
    Turn,
    build_news,
    build_prompts,
    build_title,
    build_turn,
    missed_moves,
    read_out,
)
from games.presentation.visibility import Perspective
from games.state.marks import Mark, read_marks
from games.state.snapshot import GameSnapshot
from games.storage.cache import LRUCache


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """The value of `_board.jinja`, and of the page around it. Its parts are the values of the
    templates that are named in their classes.

    ``to`` are the addresses of the game, and ``address`` leads to this page. ``over`` says that the
    shown position is the end. ``seat`` is the one for which the board's forms act, even when it is
    not to move; None: a spectator. ``confirms`` are the clicks that show their move before they
    play it: ``taps``, ``always`` or ``auto``. ``empty_seats`` are the keys of the seats that nobody
    has, with spaces between, and ``read_out`` are the sentences for screen readers."""

    snapshot: GameSnapshot
    perspective: Perspective
    game: Game
    to: Addresses
    address: str
    ply: int
    over: bool
    board: Board
    seat: SeatKey | None
    confirms: str
    empty_seats: str
    title: Title
    turn: Turn
    news: News
    read_out: Sequence[Text]
    bars: PlayerBars
    levels: Levels | None
    prompts: Prompts
    hand_over: HandOver
    hints: Hints
    actions: Actions
    menu: Menu
    listed: MoveList

    @property
    def shows_secrets(self) -> bool:
        secret = {spec.key for spec in self.snapshot.specs if spec.secret}
        return not self.game.over and self.board.viewpoint in secret

    @property
    def waits(self) -> bool:
        """Whether the viewer of an earlier ply plays against others, who may move meanwhile."""
        if self.game.over or self.snapshot.fault:
            return False
        return 0 < len(self.perspective.seats) < len(self.snapshot.specs)

    @property
    def waited_for(self) -> bool:
        """Whether it is the viewer's turn in the game while the page shows an earlier ply."""
        return self.waits and not self.perspective.seats.isdisjoint(self.game.to_move)


def build_page(
    snapshot: GameSnapshot,
    seen_by: Perspective,
    *,
    ply: int | None = None,
    chosen: Sequence[str] = (),
    all_moves: bool = False,
) -> GamePage:
    """Return the page of a game from one perspective, with ``ply`` after so many moves, for reading
    only. All moves are listed on demand, and to show that ply. Raises as `GameSnapshot.at`."""
    seen = sight(snapshot, seen_by, ply)
    marks = read_marks(snapshot) if seen.live and snapshot.game.marks else []
    missed = missed_moves(seen)
    board = _board(seen, chosen, marks, missed)
    rows, prompts = seat_rows(seen), build_prompts(seen)
    turn = build_turn(seen, board)
    news = build_news(seen, board, prompts, marks=marks, missed=missed.sentences)
    to, hints = addresses(snapshot.game.id, snapshot.game.kind), build_hints(seen, turn)
    listed = move_list(seen, whole=all_moves)
    return GamePage(
        snapshot=snapshot,
        perspective=seen_by,
        game=snapshot.game,
        to=to,
        address=to.game + (f"?seat={seen_by.asked}" if seen_by.asked else ""),
        ply=seen.ply,
        over=seen.over,
        board=board,
        seat=seen.seat,
        confirms=confirms(snapshot.rules, seen_by),
        empty_seats=" ".join([row.spec.key for row in rows if row.empty]),
        title=build_title(snapshot.rules, turn, news, prompts, seen_by.again),
        turn=turn,
        news=news,
        read_out=read_out(turn, news, prompts, marked=seen_by.marked),
        bars=player_bars(seen, rows, board.view["scores"]),
        levels=levels(seen),
        prompts=prompts,
        hand_over=hand_over(seen, rows, board),
        hints=hints,
        actions=actions(seen, turn, hints, listed, prompts, news.again),
        menu=menu(seen, hints, rows, prompts),
        listed=listed,
    )


def confirms(rules: Rules, seen_by: Perspective) -> str:
    """Return the clicks that show their move first: by ``auto`` where nothing goes back."""
    return "taps" if seen_by.confirm == "auto" and not rules.undo else seen_by.confirm


def _board(seen: Sight, chosen: Sequence[str], marks: Sequence[Mark], missed: MissedMoves) -> Board:
    return build_board(
        seen.snapshot.rules,
        seen.standing,
        viewpoint=seen.viewpoint,
        seat=seen.acting,
        chosen=chosen,
        live=seen.live,
        touched=missed.cells,
        marks=marks,
        marked=seen.seen_by.marked,
        sprite=game_sprite_address(seen.snapshot.game),
    )


Key = tuple[str, int, Perspective]
MOST, MOST_BYTES = 500, 16 * 2**20
"""Limits of the cache: the number limits small boards, the size limits large ones."""


class _Rendering:
    __slots__ = ("html", "lock")

    def __init__(self) -> None:
        self.lock = Lock()
        self.html = b""


_renderings: LRUCache[Key, _Rendering] = LRUCache(
    MOST, size_of=lambda rendering: len(rendering.html), max_size=MOST_BYTES
)


def render_update(snapshot: GameSnapshot, seen_by: Perspective) -> bytes:
    """Return title, board or lobby, and status for a perspective, whose language is active."""
    key = (snapshot.game.id, snapshot.game.version, seen_by)
    rendering = _renderings.setdefault(key, _Rendering())
    with rendering.lock:
        if not rendering.html:
            rendering.html = _render(snapshot, seen_by)
            _renderings.put(key, rendering)
        return rendering.html


def render_answer(
    page: GamePage, *, refused: Text | None = None, mistyped: bool = False, stepping: bool = False
) -> str:
    """Return title, board and status of a page. A refusal is shown at the field of the ``mistyped``
    move or above the buttons; ``stepping`` reads out the prompt of a half-chosen move."""
    return render(
        "board/_answer.jinja", page=page, refused=refused, mistyped=mistyped, stepping=stepping
    )


def _render(snapshot: GameSnapshot, seen_by: Perspective) -> bytes:
    if seen_by.lobby:
        lobby = build_lobby(snapshot, seen_by)
        return render("lobby/_lobby_answer.jinja", lobby=lobby).encode()
    return render_answer(build_page(snapshot, seen_by)).encode()
