"""Variations: moves that are tried out after a position of a game, and those that are kept.

In an address a variation is text: its moves, separated by commas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.contract import Position, Rules, SeatKey, SeatSpec, Text
from games.models import Game, KeptVariation
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot

LONGEST = 40
"""Moves of the longest variation, each with at most ten characters in the text."""


@dataclass(frozen=True)
class Variation:
    """The ``moves`` tried out after ``ply`` moves of a game, of which the first ``made`` are on the
    board. Without moves it stands for the position of the game itself."""

    ply: int
    moves: Sequence[StoredMove] = ()
    made: int = 0

    @property
    def line(self) -> str:
        """The tried moves on the board as text, by which their evaluation is stored."""
        return join_moves(move.text for move in self.moves[: self.made])

    @property
    def whole(self) -> str:
        """All moves as text, including those that are not on the board."""
        return join_moves(move.text for move in self.moves)

    @property
    def line_before(self) -> str:
        return join_moves(move.text for move in self.moves[: max(0, self.made - 1)])

    @property
    def last(self) -> StoredMove | None:
        return self.moves[self.made - 1] if self.made else None

    @property
    def is_full(self) -> bool:
        return self.made >= LONGEST


def listed_variations(game: Game, player_id: UUID | None) -> QuerySet[KeptVariation]:
    """Return the kept variations that the analysis of a game lists for a player: those of players
    with an account, and the player's own. A player of the game may have hidden some."""
    known = Q(player__account__isnull=False)
    listed = known | Q(listed_until__gt=timezone.now()) | Q(player=player_id)
    return KeptVariation.objects.filter(listed, game=game).exclude(hidden=True)


def join_moves(moves: Iterable[str]) -> str:
    return ",".join(moves)


def read_variation(
    snapshot: GameSnapshot, ply: int, written: str, made: int | None = None
) -> Variation:
    """Return the variation in an address, up to its first illegal move, since an undo may have
    changed the game. ``made`` moves are on the board, by default all."""
    position, moves = snapshot.at(ply).copy(), list[StoredMove]()
    for text in written[: 10 * LONGEST].split(",")[:LONGEST]:
        seat = min(position.to_move(), default="")
        if text not in position.legal_moves(seat):
            break
        position.play(seat, text)
        moves.append(StoredMove(0, ply + len(moves) + 1, seat, text))
    count = len(moves) if made is None or not 0 <= made <= len(moves) else made
    return Variation(ply, moves, count)


def with_tried_move(snapshot: GameSnapshot, before: Variation, text: str) -> Variation | None:
    """Return the variation after trying out a move. If it is the next move of the game or of the
    variation anyway, step forward instead. Return None for an illegal move."""
    if not before.moves and [move.text for move in snapshot.moves[before.ply :][:1]] == [text]:
        return Variation(before.ply + 1)
    if before.moves[before.made :] and before.moves[before.made].text == text:
        return replace(before, made=before.made + 1)
    after = read_variation(snapshot, before.ply, join_moves(filter(None, [before.line, text])))
    return after if after.made == before.made + 1 else None


def position_of(snapshot: GameSnapshot, variation: Variation) -> Position:
    """Return a new position, with the moves that are on the board played."""
    return play_line(snapshot.at(variation.ply), variation.line)


def can_play_on(snapshot: GameSnapshot, position: Position) -> bool:
    """Return whether a new game can begin at a position of this game: the moves determine it, and
    no seat has secrets."""
    return _is_determined(snapshot) and bool(position.to_move())


def _is_determined(snapshot: GameSnapshot) -> bool:
    is_of_today = snapshot.game.rules_version == snapshot.rules.version
    return is_of_today and is_determined(snapshot.rules, snapshot.specs)


def is_determined(rules: Rules, specs: Iterable[SeatSpec]) -> bool:
    """Return whether moves determine a position of a kind, and no seat has secrets."""
    return rules.transcript is not None and not any(spec.secret for spec in specs)


def can_restart(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of ``held`` may go on in a new game with a link, because the only
    other player may have lost the browser. The running game stays."""
    seating, game = snapshot.seating, snapshot.game
    two = len(held) == 1 and len(seating.places) == 2 and len(seating.people()) == 2
    return two and game.begun and not game.over and _is_determined(snapshot)


def play_line(position: Position, line: str) -> Position:
    """Return a copy of ``position`` after the moves of a variation's text. Raises MoveError."""
    position = position.copy()
    for text in line.split(",") if line else ():
        position.play(min(position.to_move(), default=""), text)
    return position


def may_analyse(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may analyse a game: everybody once it is
    over; before that its players, if hints are allowed or nobody plays against them."""
    return snapshot.rules.analysis and may_explore(snapshot, held)


def may_explore(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may try out moves in a game, by the rules of
    `may_analyse`, even if its kind has no analysis."""
    game = snapshot.game
    return game.over or (bool(held) and (game.hints or snapshot.seating.only(held)))


def never_evaluable(snapshot: GameSnapshot) -> Text | None:
    """Return why no position of a game can be evaluated, None if one can. The position before the
    newest is tried too, since in the newest one nobody may be left."""
    ply = snapshot.last_ply
    newest, before = snapshot.at(ply), snapshot.at(max(0, ply - 1))
    return newest.why_not_evaluable() and before.why_not_evaluable()
