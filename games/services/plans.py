"""Plans of games that begin with one click, or from a position of another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet

from games.contract import Options, Rules, SeatKey, SeatSpec
from games.models import Pack
from games.services.setup import INVITE, ME, NewGame, Plan, SeatChoices, plan_game
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import Variation, position_of

COMPUTER, FRIEND, DEVICE = "computer", "friend", "device"
OPPONENTS: Final = (COMPUTER, FRIEND, DEVICE)
"""The opponents for games that begin with one click."""
EASY: Final = 2


def default_level(rules: Rules) -> int:
    """Return the default level of computers, an easy one; 0 if the game has none."""
    return min(EASY, rules.levels)


def first_seat(specs: Sequence[SeatSpec]) -> SeatSpec:
    """Return the default seat of a visitor: the first without secrets."""
    return next((spec for spec in specs if not spec.secret), specs[0])


def opponents(rules: Rules) -> Sequence[str]:
    """Return the opponents with whom a kind of game can begin at once."""
    return OPPONENTS if rules.levels else OPPONENTS[1:]


def plan_quick_game(
    *,
    rules: Rules,
    opponent: str,
    options: Options,
    level: int | None = None,
    packs: QuerySet[Pack] | None = None,
) -> Plan:
    """Plan a game against one of `opponents`, with default options. Raises BadSetup."""
    specs = rules.seats(rules.clean(options))
    level = level or default_level(rules)
    seating = seat_against(specs, first_seat(specs), opponent, level)
    new = NewGame(rules=rules, options=options, seating=seating, lobby=opponent == FRIEND)
    return plan_game(new, packs=packs)


def seat_against(
    specs: Sequence[SeatSpec], mine: SeatSpec, opponent: str, level: int
) -> SeatChoices:
    others = {COMPUTER: f"computer-{level}", FRIEND: INVITE, DEVICE: ME}[opponent]
    return {spec.key: ME if spec == mine else others for spec in specs}


def plan_continuation(
    *, snapshot: GameSnapshot, variation: Variation, opponent: str, level: int | None = None
) -> Plan:
    """Plan a game against one of `opponents` that begins at a position of another one, whose moves
    it has. The player gets the seat to move. The caller has checked `can_play_on`."""
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
