"""Games that were read and checked, as games of the site."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from games.contract import RESIGN, SeatKey, display_excerpt
from games.core.refusals import BadName
from games.exchange.admission import ImportedGame
from games.models import NAME_LENGTH, Game, Player
from games.services import plans
from games.services.plans import DEVICE, default_level, seat_against
from games.services.players import BOT_MARK, name_seats
from games.services.setup import ME, NewGame, Plan, start_game


def opponents(game: ImportedGame) -> Sequence[str]:
    """Return the opponents against whom an imported game can go on; only the visitor's own device
    shows one that is over."""
    if game.standing.result:
        return (DEVICE,)
    if any(move == RESIGN for _seat, move in game.record.moves):
        # The seats of those who have left the game cannot be given to others.
        return (DEVICE,)
    return plans.opponents(game.rules)


def create_imported(
    *, player: Player, game: ImportedGame, opponent: str, level: int | None = None
) -> Game:
    """Create a game with the moves of an imported one, against one of `opponents`. The player gets
    the seat to move, or on the same device all seats, with the names that were read. Raises
    RateLimited."""
    created = start_game(player=player, plan=_plan(game, opponent, level))
    for seat, name in game.record.names.items() if opponent == DEVICE else ():
        # On this device nobody is a bot. A name that this site may not show is left out.
        shown = display_excerpt(name.removesuffix(BOT_MARK), NAME_LENGTH)
        with suppress(BadName):
            name_seats(game_id=created.id, player=player, names={seat: shown})
    return created


def _plan(game: ImportedGame, opponent: str, level: int | None) -> Plan:
    rules, record, standing = game.rules, game.record, game.standing
    specs = rules.seats(record.options)
    level = level or default_level(rules)
    mine = next((spec for spec in specs if spec.key in standing.to_move), specs[0])
    against_computer = opponent == plans.COMPUTER
    levels: dict[SeatKey, int | None] = {
        spec.key: level if against_computer and spec != mine else None for spec in specs
    }
    seating = (
        {spec.key: ME for spec in specs}
        if opponent == DEVICE
        else seat_against(specs, mine, opponent, level)
    )
    new = NewGame(
        rules=rules,
        options=record.options,
        seating=seating,
        hints=against_computer and rules.analysis,
        lobby=opponent == plans.FRIEND,
    )
    names = dict(record.names) if opponent == DEVICE else {}
    about = {"day": record.day, "event": record.event, "place": record.place}
    return Plan(
        new=new,
        setup=record.setup,
        levels=levels,
        moves=record.moves,
        standing=standing,
        imported={**about, "result": record.result, "names": names},
    )
