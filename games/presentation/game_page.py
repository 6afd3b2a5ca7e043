"""A game's table: the board with everything around it that changes when somebody moves.

What a table shows depends on the game's version and on a `ViewerContext` alone, never on the
request, so that one rendering serves everybody who sees the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from games import move_list, undo_requests
from games.contract import Position, Result, SeatKey, SeatSpec, Text, ntext, text
from games.models import Game, Player
from games.move_list import MoveEntry
from games.presentation.analysis import may_analyse, never_valued
from games.presentation.board import Board, build_board, news
from games.presentation.missed_moves import MissedMoves, missed_moves
from games.presentation.move_notes import MoveNote, move_notes
from games.presentation.outcome import ending, outcome
from games.presentation.visibility import Viewer, secret_seats, viewpoint
from games.seating import Occupancy


@dataclass(frozen=True, slots=True)
class ViewerContext:
    """How somebody sees a game: the seats held, the seat asked for, and the way of clicking.

    ``free_undo``: nobody else minds when a move is taken back."""

    viewer: Viewer
    confirm: str = "touch"
    free_undo: bool = False


def viewer_context(
    held: frozenset[SeatKey], asked: SeatKey | None, confirm: str, *, alone: bool
) -> ViewerContext:
    """How a holder of the seats ``held`` sees a game; nobody else holds any if ``alone``.

    What makes no difference is left out, so that those who see the same are equal: a seat asked
    for in vain, and who else holds seats to whom holds none."""
    viewer = Viewer(held, asked if asked in held else None)
    return ViewerContext(viewer, confirm, alone and bool(held))


@dataclass(frozen=True)
class SeatRow:
    """One seat beside the board."""

    spec: SeatSpec
    players: Sequence[str]
    computer: int | None
    listed: bool
    mine: bool
    to_move: bool
    won: bool

    @property
    def empty(self) -> bool:
        """Whether nobody sits there yet."""
        return not self.players and self.computer is None


@dataclass(frozen=True)
class UndoPrompt:
    """A wish to take moves back, and whether who looks has it, or answers it."""

    seat: SeatKey
    told: Text
    waiting: Sequence[SeatSpec]
    mine: bool
    answers: bool


@dataclass(frozen=True)
class GamePage:
    """What `_board.jinja` and the page around it show.

    ``seat`` is the one that the board's forms speak for, if only out of turn; None: a spectator.
    ``hints`` are allowed, and ``why_not_evaluable`` says why there are none as yet.
    ``missed`` tells each move that others made since who looks did, but for the last."""

    game: Game
    board: Board
    ply: int
    seats: Sequence[SeatRow]
    moves: Sequence[MoveEntry]
    result: Result | None
    turn: Text
    secrets: Sequence[SeatSpec]
    seen: ViewerContext
    notes: Sequence[MoveNote]
    hints: bool
    why_not_evaluable: Text | None
    asking: UndoPrompt | None
    seat: SeatKey | None
    can_resign: bool
    again: Game | None
    missed: Sequence[Sequence[Text]]

    @property
    def now(self) -> bool:
        """Whether this is the game as it stands, not an earlier ply."""
        return self.ply == self.game.ply

    @property
    def shows_secrets(self) -> bool:
        """Whether it shows what others must not see, of a game that goes on."""
        secret = {spec.key for spec in self.game.specs if spec.secret}
        return not self.game.over and self.board.viewpoint in secret

    @property
    def address(self) -> str:
        """Where it is seen as it is here."""
        asked = self.seen.viewer.asked
        return self.game.get_absolute_url() + (f"?seat={asked}" if asked else "")

    @property
    def previous(self) -> int:
        """The ply before."""
        return self.ply - 1

    @property
    def next(self) -> int:
        """The ply after."""
        return self.ply + 1

    @property
    def mine_to_move(self) -> bool:
        """Whether a seat of who looks is to move."""
        return any(line.mine and line.to_move for line in self.seats)

    @property
    def can_analyse(self) -> bool:
        """Whether who looks may have the game analysed, and there is something to analyse."""
        if self.ply == 0 or not may_analyse(self.game, self.seen.viewer.seats):
            return False
        return never_valued(self.game) is None

    @property
    def waits(self) -> bool:
        """Whether who looks at an earlier ply plays in the game, and not alone on this device: then
        others may move, and it is the turn of who looks."""
        return not self.game.over and 0 < len(self.seen.viewer.seats) < len(self.game.specs)

    @property
    def waited_for(self) -> bool:
        """Whether it is their turn now, whatever ply is looked at."""
        return self.waits and not self.seen.viewer.seats.isdisjoint(self.game.to_move)

    @property
    def can_undo(self) -> bool:
        """Whether who looks can take a move back, or ask for it."""
        mine = any(move.seat in self.seen.viewer.seats for move in self.moves)
        minds = self.game.over and not self.seen.free_undo
        return self.board.live and self.game.rules.undo and mine and not minds

    @property
    def opened(self) -> bool:
        """Whether a shared device shows what one of its seats keeps secret."""
        return self.board.viewpoint in [spec.key for spec in self.secrets]

    @property
    def hand_over(self) -> str:
        """Where the device is handed over to who may see a secret: ``first``, if that is to be
        done before a move is made, or ``last``; nowhere at the end, nor beside what whoever has
        opened the secret is asked to do."""
        if not self.secrets or self.result or (self.opened and self.board.stage):
            return ""
        waiting = {line.spec.key for line in self.seats if line.to_move}
        asked = not self.opened and any(spec.key in waiting for spec in self.secrets)
        return "first" if asked else "last"

    @property
    def notice(self) -> Text | None:
        """What the site has to say of the game."""
        notice = self.game.notice
        return Text.from_json(notice) if notice and self.board.live else None

    @property
    def hidden_moves(self) -> int:
        """How many moves are not listed."""
        return max(0, self.game.ply - len(self.moves))

    @property
    def earlier(self) -> Text:
        """A sentence that says how many moves are not listed."""
        return ntext("%(n)s earlier move", "%(n)s earlier moves", n=self.hidden_moves)

    @property
    def may_sit_down(self) -> bool:
        """Whether who looks may take a seat that is offered to anybody: nobody is offered another,
        though the rules of some games would allow it."""
        return self.board.live and self.result is None and not self.seen.viewer.seats

    @property
    def announcement(self) -> list[Text]:
        """The sentences that tell the last move and whose turn it is, or first who won and why."""
        if self.result is None:
            return [*self._tidings, self.turn]
        if self.again:
            return [self.plays_again]
        return [*self.ending, *self.news]

    @property
    def ending(self) -> list[Text]:
        """Who won, and why, once it is over."""
        return ending(self.turn, self.result) if self.result else []

    @property
    def _tidings(self) -> list[Text]:
        """What has happened last: a wish, what became of it, or a move."""
        if self.asking:
            return [self.asking.told]
        return [self.notice] if self.notice else self.news

    @property
    def plays_again(self) -> Text:
        """Who has begun the next game, for the others to follow."""
        by = self.again and self.again.created_by
        return text("%(name)s plays again.", name=str(by or gettext("Guest")))

    @property
    def news(self) -> list[Text]:
        """The sentences that tell the last move, but for what is said of the end anyway."""
        reason = self.result.reason if self.result else None
        return [sentence for sentence in news(self.board.view) if sentence != reason]


def build_page(
    game: Game,
    position: Position,
    seen: ViewerContext,
    *,
    ply: int | None = None,
    chosen: Sequence[str] = (),
    all_moves: bool = False,
) -> GamePage:
    """The table of ``game`` as ``seen``; with ``ply``, the position after so many moves, which is
    there to be looked at and not to be played, even if it is the newest. All moves are listed if
    asked for, and where the last ones are not those up to that position."""
    now, specs = ply is None, game.specs
    to_move, result = position.to_move(), position.result()
    look = viewpoint(specs, seen.viewer, to_move)
    seat = _acting(specs, seen.viewer, look, to_move) if now else None
    speaks = (seat or look) if now else None
    whole = all_moves or (ply is not None and ply <= game.ply - move_list.LISTED_PLIES)
    moves = move_list.all_moves(game) if whole else move_list.last_moves(game)
    before = missed_moves(game, moves, seen.viewer.seats, look) if now else MissedMoves()
    return GamePage(
        game=game,
        board=build_board(
            game.rules,
            position,
            viewpoint=look,
            seat=seat,
            chosen=chosen,
            live=now,
            touched=before.cells,
        ),
        ply=game.ply if ply is None else ply,
        seats=[_line(spec, game.seating.places[spec.key], seen, to_move, result) for spec in specs],
        moves=moves,
        result=result,
        turn=_turn(game, seen, look, to_move, result),
        secrets=[spec for spec in specs if spec.key in secret_seats(specs, seen.viewer)],
        seen=seen,
        notes=move_notes(game, moves) if now and game.over else [],
        hints=now and game.hints and game.rules.analysis and not game.over,
        why_not_evaluable=position.why_not_evaluable(),
        asking=_asking(game, seen) if now else None,
        seat=speaks,
        can_resign=speaks is not None and position.is_active(speaks),
        again=game.next_game if now and seen.viewer.seats else None,
        missed=before.told,
    )


def _acting(
    specs: Sequence[SeatSpec], viewer: Viewer, look: SeatKey | None, to_move: frozenset[SeatKey]
) -> SeatKey | None:
    """The held seat that the board's buttons move: the one looked through, if it is to move.

    Nobody moves an open seat while the same screen shows what another one keeps secret."""
    if look in to_move:
        return look
    if any(spec.secret for spec in specs if spec.key == look):
        return None
    open_seats = {spec.key for spec in specs if not spec.secret}
    return next(iter(sorted(viewer.seats & to_move & open_seats)), None)


def _line(
    spec: SeatSpec,
    place: Occupancy,
    seen: ViewerContext,
    to_move: frozenset[SeatKey],
    result: Result | None,
) -> SeatRow:
    return SeatRow(
        spec=spec,
        players=[name or gettext("Guest") for name in place.players.values()],
        computer=place.computer,
        listed=place.listed,
        mine=spec.key in seen.viewer.seats,
        to_move=spec.key in to_move,
        won=result is not None and spec.key in result.winners,
    )


def _turn(
    game: Game,
    seen: ViewerContext,
    look: SeatKey | None,
    to_move: frozenset[SeatKey],
    result: Result | None,
) -> Text:
    """Whose turn it is, or who won: of seats that may both move, the one that is looked through,
    if it sees secrets, and else their side."""
    specs = game.specs
    if result is not None:
        return outcome(specs, seen.viewer.seats, result)
    mine = seen.viewer.seats & to_move
    if len(seen.viewer.seats) == 1 and mine:
        return text("Your turn.")
    waiting = [spec for spec in specs if spec.key in to_move]
    opened = next((spec for spec in waiting if spec.secret and spec.key == look), None)
    sides = {spec.side for spec in waiting}
    if opened is None and len(waiting) > 1 and len(sides) == 1 and waiting[0].side_name:
        return text("%(seat)s to move.", seat=waiting[0].side_name)
    first = opened or next((spec for spec in waiting if not spec.secret), waiting[0])
    return text("%(seat)s to move.", seat=_called(game, seen, first))


def _called(game: Game, seen: ViewerContext, spec: SeatSpec) -> Text:
    """A seat by its name. Where there are more than two, with that of whoever else has it: nobody
    remembers who is the fourth player, and on a telephone the list of seats is further down."""
    people = list(game.seating.places[spec.key].players.values())
    if len(game.specs) <= 2 or spec.key in seen.viewer.seats or len(people) != 1 or not people[0]:
        return spec.name
    # Isolated: a name from the right to the left turns nothing else around.
    return text("%(seat)s (%(name)s)", seat=spec.name, name=f"\u2068{people[0]}\u2069")


def _asking(game: Game, seen: ViewerContext) -> UndoPrompt | None:
    wish = undo_requests.pending(game)
    if wish is None:
        return None
    specs = {spec.key: spec for spec in game.specs}
    told = ntext(
        "%(seat)s asks to take %(n)s move back.",
        "%(seat)s asks to take %(n)s moves back.",
        n=game.ply - wish.ply,
        seat=_called(game, seen, specs[wish.asker]),
    )
    return UndoPrompt(
        seat=wish.asker,
        told=told,
        waiting=[specs[seat] for seat in wish.waiting],
        mine=wish.asker in seen.viewer.seats,
        answers=not seen.viewer.seats.isdisjoint(wish.waiting),
    )


def names(game: Game) -> dict[SeatKey, str]:
    """Who sits where, for lists: names joined, '' for an empty seat."""
    rows: Any = game.seats.prefetch_related("players")
    return {row.key: ", ".join(str(player) for player in row.players.all()) for row in rows}


def seats_of(game: Game, player: Player | None) -> frozenset[SeatKey]:
    """The seats that a player holds in a game."""
    if not player:
        return frozenset()
    return game.seating.held_by(player.pk)
