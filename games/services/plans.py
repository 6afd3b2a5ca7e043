"""Plans of games that begin with one click, or from a position of another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.db.models import QuerySet

from games.contract import Options, Rules, SeatKey, SeatSpec, Setup
from games.models import Pack
from games.services.setup import INVITE, ME, NewGame, Plan, SeatChoices, plan_game
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import Variation, position_of

COMPUTER, FRIEND, DEVICE = "computer", "friend", "device"
OPPONENTS: Final = (COMPUTER, FRIEND, DEVICE)
"""The opponents for games that begin with one click."""


def default_level(rules: Rules) -> int:
    """Return the default level of computers, the second from below; 0 if the game has none."""
    levels: list[int] = [0, *rules.ladder]
    return levels[min(2, len(levels) - 1)]


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
    """Plan a game against one of `opponents`. Raises BadSetup."""
    specs = rules.seats(rules.clean(options))
    level = level or default_level(rules)
    new = NewGame(
        rules=rules,
        options=options,
        seating=seat_against(specs, first_seat(specs), opponent, level),
        lobby=opponent == FRIEND,
    )
    return plan_game(new, packs=packs)


def seat_against(
    specs: Sequence[SeatSpec], mine: SeatSpec, opponent: str, level: int
) -> SeatChoices:
    others = {COMPUTER: f"computer-{level}", FRIEND: INVITE, DEVICE: ME}[opponent]
    return {spec.key: ME if spec == mine else others for spec in specs}


def plan_continuation(
    *,
    snapshot: GameSnapshot,
    variation: Variation,
    opponent: str,
    level: int | None = None,
    seat: SeatKey | None = None,
) -> Plan:
    """Plan a game against one of `opponents` that begins at a position of another game, whose moves
    it has, on a ``seat`` or that to move. The caller has checked `can_play_on`."""
    game = snapshot.game
    moves = [*snapshot.moves[: variation.ply], *variation.moves[: variation.made]]
    plan = plan_from(
        rules=snapshot.rules,
        options=game.options,
        setup=game.setup,
        moves=[(move.seat, move.text) for move in moves],
        standing=Standing.of(position_of(snapshot, variation)),
        opponent=opponent,
        level=level or snapshot.seating.level,
        seat=seat,
    )
    return replace(plan, new=replace(plan.new, closed=game.closed), imported={})


def plan_from(
    *,
    rules: Rules,
    options: Options,
    setup: Setup,
    moves: Sequence[tuple[SeatKey, str]],
    standing: Standing,
    opponent: str,
    level: int | None,
    seat: SeatKey | None = None,
) -> Plan:
    """Plan a game against one of `opponents` that goes on after ``moves``. The player gets a
    ``seat``, by default the one to move."""
    specs, wanted = rules.seats(options), {seat} if seat else standing.to_move
    mine = next((spec for spec in specs if spec.key in wanted), specs[0])
    level, computer = level or default_level(rules), opponent == COMPUTER
    new = NewGame(
        rules=rules,
        options=options,
        seating=seat_against(specs, mine, opponent, level),
        hints=computer and rules.analysis,
        lobby=opponent == FRIEND,
    )
    levels = {spec.key: level if computer and spec != mine else None for spec in specs}
    return Plan(new=new, setup=setup, levels=levels, moves=moves, standing=standing)
