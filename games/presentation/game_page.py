"""A game's page: the board and everything around it that changes with a move.

A page depends only on a snapshot and a `Perspective`, never on the request or the database, so that
one rendering serves all viewers with the same perspective.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.contract import TIMEOUT, SeatKey, SeatSpec, Text, ntext
from games.presentation.absence import Absence, absence, can_give_up
from games.presentation.analysis import may_analyse, never_evaluable
from games.presentation.board import build_board
from games.presentation.clock_faces import ClockFace, clock_faces, server_time
from games.presentation.levels import level_names
from games.presentation.missed_moves import MissedMoves, missed_moves
from games.presentation.move_list import LISTED_PLIES
from games.presentation.move_notes import MoveNote, move_notes
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
from games.state.absence import computer_fits
from games.state.draw_offers import can_offer
from games.state.marks import read_marks
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot, Standing


@dataclass(frozen=True, kw_only=True)
class GamePage(PageSentences):
    """The values of `_board.jinja` and of the page around it.

    ``seat`` is the one for which the board's forms act, even when it is not to move; None: a
    spectator. ``hints`` says whether they are allowed, and ``why_not_evaluable`` why there are none
    yet. ``missed`` describes the moves of others since the viewer's last one, without the
    newest."""

    ply: int
    seats: Sequence[SeatRow]
    moves: Sequence[StoredMove]
    secrets: Sequence[SeatSpec]
    notes: Sequence[MoveNote]
    hints: bool
    why_not_evaluable: Text | None
    seat: SeatKey | None
    can_resign: bool
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
    def levels(self) -> list[tuple[int, Text]]:
        """The levels that the viewer may give the computers, with their names."""
        alone = self.board.live and self.perspective.seats and self.perspective.is_solo
        fixed = not alone or self.snapshot.changeable_level is None
        return [] if fixed else level_names(self.snapshot.rules)

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

    @cached_property
    def mine_to_move(self) -> bool:
        """Whether a seat of the viewer is to move."""
        return any(line.mine and line.to_move for line in self.seats)

    @cached_property
    def bars(self) -> PlayerBars:
        """The players around the board."""
        return player_bars(self.seats, self.board.view["scores"])

    @cached_property
    def clocks(self) -> Mapping[str, ClockFace]:
        """The clocks by side, of a game that has them."""
        return clock_faces(self.game) if self.board.live else {}

    @cached_property
    def absent(self) -> Absence | None:
        """The absent player for whom the viewer need not wait any longer."""
        return absence(self.snapshot, self.perspective) if self.board.live else None

    @property
    def can_close(self) -> bool:
        """Whether the viewer may close the game to watchers, or open it again."""
        return self.board.live and self.perspective.hosts

    @property
    def can_give_up(self) -> bool:
        """Whether the viewer may leave a seat to others."""
        return self.board.live and can_give_up(self.snapshot, self.perspective)

    @property
    def computer_fits(self) -> bool:
        """Whether a computer can take a seat."""
        return computer_fits(self.snapshot)

    @property
    def server_time(self) -> int:
        """The server's time, with which the page's script corrects the clocks."""
        return server_time()

    @cached_property
    def can_analyse(self) -> bool:
        """Whether the viewer may analyse the game, and it has something to analyse."""
        if self.ply == 0 or not may_analyse(self.snapshot, self.perspective.seats):
            return False
        return never_evaluable(self.snapshot) is None

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

    @property
    def can_undo(self) -> bool:
        """Whether the viewer may undo a move, or ask the others for it."""
        mine = any(move.seat in self.perspective.seats for move in self.moves)
        minds = self.game.over and not self.perspective.is_solo
        if self.moves and self.moves[-1].text == TIMEOUT:
            return False
        return self.board.live and self.snapshot.rules.undo and mine and not minds

    @property
    def opened(self) -> bool:
        """Whether a shared device is showing the secrets of one of its seats."""
        return self.board.viewpoint in [spec.key for spec in self.secrets]

    @property
    def hand_overs(self) -> list[SeatRow]:
        """The secret seats to whose players a shared device can be handed; none after the end of
        the game, and while the opened seat is to act.
        """
        if not self.secrets or self.result or (self.opened and self.board.stage):
            return []
        secrets = {spec.key for spec in self.secrets} - {self.board.viewpoint}
        return [line for line in self.seats if line.spec.key in secrets]

    @property
    def can_offer_draw(self) -> bool:
        """Whether the viewer may offer a draw."""
        offers = self.board.live and self.seat is not None and not self.draw
        return offers and can_offer(self.snapshot, self.perspective.seats)

    @property
    def can_speak(self) -> bool:
        """Whether the viewer may send messages to other players."""
        position, seat = self.snapshot.position, self.seat
        alone = self.perspective.is_solo or not self.board.live
        return seat is not None and not alone and position.may_speak(seat)

    @property
    def hidden_moves(self) -> int:
        """How many moves are not listed."""
        return max(0, self.game.ply - len(self.moves))

    @property
    def earlier(self) -> Text:
        """The sentence that says how many moves are not listed."""
        return ntext("%(n)s earlier move", "%(n)s earlier moves", n=self.hidden_moves)

    @property
    def may_sit_down(self) -> bool:
        """Whether the viewer may take a listed seat. Players are not offered a second seat, even in
        games that would allow it.
        """
        return self.board.live and self.result is None and not self.perspective.seats


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
    standing = snapshot.standing_at(game.ply if ply is None else ply)
    position, to_move, result = standing
    look = viewpoint(specs, seen_by, to_move)
    seat = _acting(specs, seen_by, look, to_move) if now else None
    speaks = (seat or look) if now else None
    whole = all_moves or (ply is not None and ply <= game.ply - LISTED_PLIES)
    moves = snapshot.moves if whole else snapshot.moves[-LISTED_PLIES:]
    marks = read_marks(snapshot) if now and game.marks else []
    missed = missed_moves(snapshot, seen_by.seats, look) if now else MissedMoves()
    return GamePage(
        snapshot=snapshot,
        perspective=seen_by,
        board=build_board(
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
        ),
        ply=game.ply if ply is None else ply,
        seats=seat_rows(snapshot, seen_by, to_move, result),
        moves=moves,
        result=result,
        turn=turn_sentence(snapshot, seen_by, look, to_move, result),
        secrets=[snapshot.spec(key) for key in secret_seats(specs, seen_by.seats)],
        notes=move_notes(snapshot, moves) if now and game.over else [],
        hints=now and game.hints and snapshot.rules.analysis and not game.over,
        why_not_evaluable=position.why_not_evaluable(),
        asking=undo_prompt(snapshot, seen_by) if now else None,
        seat=speaks,
        can_resign=_may_resign(standing, speaks),
        rematch=snapshot.rematch if now else None,
        missed=missed.told,
        marks=marks,
    )


def _may_resign(standing: Standing, seat: SeatKey | None) -> bool:
    if seat is None or standing.result:
        return False
    return standing.position.is_active(seat)


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
