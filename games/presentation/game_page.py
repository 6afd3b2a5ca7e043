"""A game's page: the board and everything around it that changes with a move.

A page depends only on a snapshot and a `Perspective`, never on the request or the database, so that
one rendering serves all viewers with the same perspective.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.contract import SeatKey, SeatSpec, Text
from games.presentation.absence import Absence, absence
from games.presentation.board import build_board
from games.presentation.clock_faces import ClockFace, clock_faces, server_time
from games.presentation.missed_moves import MissedMoves, missed_moves
from games.presentation.move_list import LISTED_PLIES
from games.presentation.page_parts import (
    Actions,
    HandOver,
    MoveList,
    actions,
    can_analyse,
    draw_offer,
    hand_over,
    levels,
    move_list,
)
from games.presentation.page_sentences import PageSentences
from games.presentation.player_bars import PlayerBars, player_bars
from games.presentation.sharing import sharing_title
from games.presentation.sprites import game_sprite_address
from games.presentation.turn import (
    SeatRow,
    seat_rows,
    turn_sentence,
    undo_prompt,
)
from games.presentation.visibility import Perspective, secret_seats, viewpoint
from games.state.marks import read_marks
from games.state.snapshot import GameSnapshot


@dataclass(frozen=True, kw_only=True)
class GamePage(PageSentences):
    """The values of `_board.jinja` and of the page around it. Its parts are the values of the
    templates that are named after them.

    ``seat`` is the one for which the board's forms act, even when it is not to move; None: a
    spectator. ``hints`` says whether they are allowed, and ``why_not_evaluable`` why there are none
    yet. ``missed`` describes the moves of others since the viewer's last one, without the
    newest."""

    ply: int
    seat: SeatKey | None
    mine_to_move: bool
    seats: Sequence[SeatRow]
    bars: PlayerBars
    clocks: Mapping[str, ClockFace]
    levels: Sequence[tuple[int, Text]]
    listed: MoveList
    actions: Actions
    hand_over: HandOver
    absent: Absence | None
    hints: bool
    why_not_evaluable: Text | None
    missed: Sequence[Sequence[Text]]

    @property
    def now(self) -> bool:
        """Whether this page shows the current position, not an earlier ply."""
        return self.ply == self.game.ply

    @property
    def last_ply(self) -> int:
        """The last ply that has a page."""
        return self.snapshot.last_ply

    @property
    def shows_secrets(self) -> bool:
        """Whether the page shows secrets of a running game."""
        secret = {spec.key for spec in self.snapshot.specs if spec.secret}
        return not self.game.over and self.board.viewpoint in secret

    @cached_property
    def address(self) -> str:
        """The address that leads to this page."""
        asked = self.perspective.asked
        return self.game.get_absolute_url() + (f"?seat={asked}" if asked else "")

    @cached_property
    def empty_seats(self) -> str:
        """The keys of the seats that nobody has, with spaces between."""
        return " ".join(seat.spec.key for seat in self.seats if seat.empty)

    @property
    def sharing_title(self) -> str:
        """The title of link previews: the game and its players."""
        return sharing_title(self.snapshot)

    @property
    def previous(self) -> int:
        """The ply before."""
        return self.ply - 1

    @property
    def next(self) -> int:
        """The ply after."""
        return self.ply + 1

    @property
    def server_time(self) -> int:
        """The server's time, with which the page's script corrects the clocks."""
        return server_time()

    @property
    def waits(self) -> bool:
        """Whether the viewer of an earlier ply plays against other people, whose moves may make it
        the viewer's turn.
        """
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
    """Return the page of a game from one perspective.

    With ``ply`` it shows the position after so many moves, for reading only, even if it is the
    newest. All moves are listed on demand, and if the last ones alone would not include the moves
    up to that position. Raises as `GameSnapshot.at`.
    """
    now, game, specs = ply is None, snapshot.game, snapshot.specs
    shown = game.ply if ply is None else ply
    standing = snapshot.standing_at(shown)
    position, to_move, result = standing
    look = viewpoint(specs, seen_by, to_move)
    seat = _acting(specs, seen_by, look, to_move) if now else None
    marks = read_marks(snapshot) if now and game.marks else []
    missed = missed_moves(snapshot, seen_by.seats, look) if now else MissedMoves()
    board = build_board(
        snapshot.rules,
        standing,
        viewpoint=look,
        seat=seat,
        chosen=chosen,
        live=now,
        touched=missed.cells,
        marks=marks,
        marked=seen_by.marked,
        sprite=game_sprite_address(game),
    )
    rows = seat_rows(snapshot, seen_by, to_move, result)
    listed = move_list(snapshot, whole=all_moves or (not now and shown <= game.ply - LISTED_PLIES))
    speaks = (seat or look) if now else None
    draw = draw_offer(snapshot, seen_by) if now else None
    secrets = [snapshot.spec(key) for key in secret_seats(specs, seen_by.seats)]
    return GamePage(
        snapshot=snapshot,
        perspective=seen_by,
        board=board,
        ply=shown,
        result=result,
        turn=turn_sentence(snapshot, seen_by, look, to_move, result, now=now),
        seat=speaks,
        mine_to_move=any(row.mine and row.to_move for row in rows),
        seats=rows,
        bars=player_bars(rows, board.view["scores"]),
        clocks=clock_faces(game) if now else {},
        levels=levels(snapshot, seen_by) if now else [],
        listed=listed,
        actions=actions(snapshot, seen_by, standing, seat=speaks, moves=listed.moves, draw=draw)
        if now
        else Actions(analyse=shown > 0 and can_analyse(snapshot, seen_by)),
        hand_over=hand_over(secrets, rows, board, over=result is not None),
        asking=undo_prompt(snapshot, seen_by) if now else None,
        draw=draw,
        absent=absence(snapshot, seen_by) if now else None,
        rematch=snapshot.rematch if now else None,
        marks=marks,
        hints=now and game.hints and snapshot.rules.analysis and not game.over,
        why_not_evaluable=position.why_not_evaluable(),
        missed=missed.told,
    )


def _acting(
    specs: Sequence[SeatSpec],
    seen_by: Perspective,
    look: SeatKey | None,
    to_move: frozenset[SeatKey],
) -> SeatKey | None:
    """Return the held seat for which the board's buttons move: the viewpoint, if it is to move.

    The same screen must not offer the moves of a public seat while it shows the secrets of
    another."""
    if look in to_move:
        return look
    if any(spec.secret for spec in specs if spec.key == look):
        return None
    open_seats = {spec.key for spec in specs if not spec.secret}
    return next(iter(sorted(seen_by.seats & to_move & open_seats)), None)
