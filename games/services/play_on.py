"""New games that begin at a position of another game."""

from __future__ import annotations

from games.contract import SeatKey
from games.services.quick_start import COMPUTER, FRIEND, default_level, seat_against
from games.services.setup import NewGame, Plan
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import Variation, position_of


def plan_continuation(
    *, snapshot: GameSnapshot, variation: Variation, opponent: str, level: int | None = None
) -> Plan:
    """Plan a game against one of `opponents` that begins at a position of another game, with the
    moves up to it as its first moves. The player gets the seat to move.

    The caller has checked `can_play_on`."""
    rules, game = snapshot.rules, snapshot.game
    standing = Standing.of(position_of(snapshot, variation))
    level = level or snapshot.seating.level or default_level(rules)
    mine = snapshot.spec(min(standing.to_move))
    against_computer = opponent == COMPUTER
    levels: dict[SeatKey, int | None] = {
        spec.key: level if against_computer and spec != mine else None for spec in snapshot.specs
    }
    moves = [*snapshot.moves[: variation.ply], *variation.moves[: variation.made]]
    new = NewGame(
        rules=rules,
        options=game.options,
        seating=seat_against(snapshot.specs, mine, opponent, level),
        hints=against_computer and rules.analysis,
        lobby=opponent == FRIEND,
        closed=game.closed,
    )
    played = [(move.seat, move.text) for move in moves]
    return Plan(
        new=new, setup=game.setup, levels=levels, moves=played, standing=standing, imported={}
    )
