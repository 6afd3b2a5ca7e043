"""Games that were read: none is created that could not have been played here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from games.contract import (
    DRAW,
    RESIGN,
    BadSetup,
    BadTranscript,
    Explained,
    IllegalMove,
    MoveError,
    OlderRules,
    Position,
    Record,
    Rules,
    SeatKey,
    Setup,
    Text,
    display_excerpt,
    text,
)
from games.core.refusals import BadName
from games.models import NAME_LENGTH, Game, Player
from games.people.own_games import remove_from_lists
from games.presentation.documents import PRIVATE_OPTIONS
from games.services import plans
from games.services.plans import DEVICE
from games.services.players import BOT_MARK, clean_name
from games.services.setup import Plan, admit_setup, start_game
from games.state.snapshot import Standing
from games.storage.write_lock import write_transaction

LONGEST = 200
"""Characters of a name, an event or a place."""
Place = tuple[str | int, ...]
"""Where a fault is in a game: ("setup",), ("options",), ("seats",) or ("moves", index)."""


class Inadmissible(Explained):
    """Raised for a game that cannot be played here, at a place of its file."""

    def __init__(self, reason: Text, place: Place) -> None:
        self.place = place
        super().__init__(reason)


@dataclass(frozen=True, kw_only=True)
class ImportedGame:
    """A game that was read and checked; ``form`` is its format, ``version`` that of its rules."""

    rules: Rules
    record: Record
    standing: Standing
    form: Text
    version: int


def admit(
    rules: Rules, record: Record, form: Text, *, version: int | None = None, own: bool = False
) -> ImportedGame:
    """Return a checked game, by the rules of a ``version``, of today by default. The moves of one
    that was the site's ``own`` are replayed, and not judged again. Raises Inadmissible."""
    version = version or rules.version
    options = _checked(lambda: _options(rules, record.options), "options")
    setup = _checked(lambda: admit_setup(rules, options, record.setup), "setup")
    older = rules.older.get(version, OlderRules())
    standing = Standing.of(_play(rules, setup, record, older, own=own))
    if standing.result is None and any(spec.secret for spec in rules.seats(options)):
        reason = text("A game with secrets can be imported only after its end.")
        raise Inadmissible(reason, ("moves", max(0, len(record.moves) - 1)))
    keys = {spec.key for spec in rules.seats(options)}
    admitted = Record(
        options=options,
        setup=setup,
        moves=tuple((seat, " ".join(move.split())) for seat, move in record.moves),
        names={seat: name[:LONGEST] for seat, name in record.names.items() if seat in keys},
        day=record.day[:10],
        event=record.event[:LONGEST],
        place=record.place[:LONGEST],
        result=record.result[:LONGEST] if standing.result is None else "",
    )
    return ImportedGame(rules=rules, record=admitted, standing=standing, form=form, version=version)


def _checked(check: Callable[[], dict[str, Any]], place: str) -> dict[str, Any]:
    try:
        return check()
    except BadSetup as error:
        raise Inadmissible(error.text, (place,)) from error


def _options(rules: Rules, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return cleaned options without the texts of players and choices that need them."""
    private = [option for option in rules.options if option.kind in PRIVATE_OPTIONS]
    names = {option.name for option in private}
    kept = {name: value for name, value in given.items() if name not in names}
    for name, value in filter(None, (option.only_with for option in private)):
        if kept.get(name) == value:
            del kept[name]
    return rules.clean(kept)


def _play(rules: Rules, setup: Setup, record: Record, older: OlderRules, *, own: bool) -> Position:
    position = (older.start or rules.start)(setup)
    seats = {spec.key for spec in position.seats}
    for index, (seat, move) in enumerate(record.moves):
        try:
            if seat not in seats or (move == DRAW and not rules.draws):
                raise IllegalMove(text("There is no such seat or move in this game."))
            play = position.replay if own else position.play
            play(seat, older.move(" ".join(move.split())))
        except MoveError as error:
            reason = BadTranscript(index + 1, move, error.text).text
            raise Inadmissible(reason, ("moves", index)) from error
    return position


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
    *,
    player: Player,
    game: ImportedGame,
    opponent: str,
    level: int | None = None,
    game_id: str | None = None,
    source: Mapping[str, str] = MappingProxyType({}),
) -> Game:
    """Create a game with the moves of an imported one, against one of `opponents`. The player gets
    the seat to move, or on the same device all seats, with the names that were read. ``source`` is
    stored with it. The game ``game_id`` is created once. Raises RateLimited."""
    plan = _plan(game, opponent, level, source)
    with write_transaction():
        made = start_game(player=player, plan=plan, game_id=game_id)
        if source and not made.over:
            # It waits for nobody: the page of the file leads to it, and no list of running games.
            remove_from_lists(game_id=made.pk, player=player, removed=True)
    return made


def _shown_names(names: Mapping[SeatKey, str]) -> dict[SeatKey, str]:
    """Return the names of seats without those that this site may not show. On this device nobody
    is a bot."""
    shown = {}
    for seat, name in names.items():
        with suppress(BadName):
            shown[seat] = clean_name(display_excerpt(name.removesuffix(BOT_MARK), NAME_LENGTH))
    return shown


def _plan(game: ImportedGame, opponent: str, level: int | None, source: Mapping[str, str]) -> Plan:
    record = game.record
    names = dict(record.names) if opponent == DEVICE else {}
    about = {"day": record.day, "event": record.event, "place": record.place}
    plan = plans.plan_from(
        rules=game.rules,
        options=record.options,
        setup=record.setup,
        moves=record.moves,
        standing=game.standing,
        opponent=opponent,
        level=level,
    )
    imported = {**about, "result": record.result, "names": names, **source}
    return replace(plan, version=game.version, names=_shown_names(names), imported=imported)
