"""Columns of games, and rows beside them, with values that the site cannot have written: they were
changed by hand. A game is read without them, and `verify` names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from games.contract import SeatSpec, Text, text
from games.core.clocks import Clock
from games.core.registry import all_rules
from games.core.seating import SEAT_COLUMNS, Occupancy, Seating
from games.models import Bot, Game, Holder, KeptVariation, Pack, Player
from games.state.outcomes import COLUMNS as OUTCOME
from games.state.outcomes import outcome_of
from games.state.questions import KINDS, MOVES, SEAT, stored

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _are_marks(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(mark, dict) and {"player", "seat", "move"} <= set(mark) for mark in value
    )


def _is_clock(value: Any) -> bool:
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        clock = Clock.from_json(value)
        times = [*clock.left.values(), clock.since]
        # A side that runs without a time would fail at the next move.
        return all(type(ms) is int for ms in times) and set(clock.running) <= set(clock.left)
    return False


def _is_undo_request(value: Any) -> bool:
    is_whole = isinstance(value, dict) and isinstance(value.get("asker"), str)
    return is_whole and is_list_of_texts(value.get("accepted"))


def _is_banner(value: Any) -> bool:
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        Text.from_json(value)
        return "lasting" not in value or bool(Text.from_json(value["lasting"]))
    return False


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_freeing(value: Any) -> bool:
    keys = {"seat", "asker", "waiting", "newcomer"}
    return isinstance(value, dict) and keys <= set(value) and is_list_of_texts(value["waiting"])


def _are_questions(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and each.get("kind") in KINDS
        and isinstance(each.get("asker"), str)
        and is_list_of_texts(each.get("agreed", []))
        and (each["kind"] != SEAT or _is_freeing(each))
        for each in value or [None]
    )


def _are_claims(value: Any) -> bool:
    keys = {"seat", "player", "joined", "since", "by"}
    is_list = isinstance(value, list) and all(isinstance(claim, dict) for claim in value)
    return is_list and all(keys <= set(claim) for claim in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_moment(value: Any) -> bool:
    return isinstance(value, datetime)


COLUMNS: Mapping[str, tuple[Callable[[Any], bool], Any]] = {
    "ply": (_is_count, 0),
    "undone": (_is_count, 0),
    "marks": (_are_marks, []),
    "clock": (_is_clock, None),
    "undo_request": (_is_undo_request, None),
    "questions": (_are_questions, None),
    "banner": (_is_banner, None),
    "attendance": (_is_mapping, None),
    "freeing": (_is_freeing, None),
    "newcomer": (_is_freeing, None),
    "claims": (_are_claims, None),
    "imported": (_is_mapping, {}),
    "to_move": (is_list_of_texts, []),
    "created": (_is_moment, LONG_AGO),
    "updated": (_is_moment, LONG_AGO),
}
"""The columns that have a structure: how it is recognized, and what a game is read with instead."""
NULLABLE = {field.name for field in Game._meta.fields if field.null}


def mend_row(game: Game) -> Game:
    """Replace the columns of a game that cannot be read, in memory alone, and return the game."""
    for name in _unreadable(game):
        setattr(game, name, COLUMNS[name][1])
    # Only a lobby has a link for a group before its game begins; an imported game has moves there.
    game.begun = game.begun or not game.lobby_hash
    return game


def mend_seating(seating: Seating, specs: Collection[SeatSpec]) -> Seating:
    """Return a seating with exactly the seats that the rules describe."""
    keys = [spec.key for spec in specs]
    if list(seating.places) == keys:
        return seating
    return Seating({key: seating.places.get(key, Occupancy(None, False)) for key in keys})


def _unreadable_column(name: str) -> Text:
    return text("the column “%(name)s” is unreadable", name=name)


def row_fault(game: Game, specs: Collection[SeatSpec]) -> Text | None:
    """Return in words the first column or seat of a game that the site cannot have written."""
    if unreadable := _unreadable(game):
        return _unreadable_column(unreadable[0])
    # A game is read with the version that it has, which proves that its rows belong together.
    if not _is_count(game.version):
        return _unreadable_column("version")
    if game.status not in Game.Status.values:
        return _unreadable_column("status")
    keys, sides = {spec.key for spec in specs}, {spec.side for spec in specs}
    levels = dict(game.seats.values_list("key", "computer"))
    if set(levels) != keys:
        return text("the stored seats are not those of the rules")
    if any(level is not None and level not in game.rules.ladder for level in levels.values()):
        return text("a seat has a computer of an unknown level")
    if game.clock is not None and set(game.clock["left"]) != sides:
        return text("the clock is not one of these sides")
    if any((question := stored(game, kind)) and question["asker"] not in keys for kind in MOVES):
        return text("a seat that does not exist asks a question")
    waits = any(levels.get(key) is not None for key in game.to_move) and not game.over
    advised = waits and any(not mark["player"] for mark in game.marks)
    if game.fault is None and game.computer_to_move != waits and not advised:
        return text("the stored turn of a computer differs from the replay")
    return _relation_fault(game)


def _relation_fault(game: Game) -> Text | None:
    """Return in words the first fault of the rows that refer to a game, or to which it refers."""
    database = game._state.db
    players = Player.objects.using(database)
    if game.created_by_id and not players.filter(pk=game.created_by_id).exists():
        return text("the host of the game does not exist")
    holders = Holder.objects.using(database).filter(seat__game=game.pk).order_by()
    if _without(holders, "player", players).exists():
        return text("the player of a seat does not exist")
    if holders.filter(ended__isnull=game.over).exists():
        return text("a seat differs from the game in whether it has ended")
    if game.over and _has_other_outcomes(game, holders):
        return text("a seat differs from the game in how it has ended")
    if game.leased_by is not None and not re.fullmatch(r".*:\d+", str(game.leased_by)):
        return _unreadable_column("leased_by")
    return None


def _has_other_outcomes(game: Game, holders: QuerySet[Holder]) -> bool:
    stored = holders.filter(kind__isnull=False)
    rows = game.seats.order_by("index", "holders__id").values_list(*SEAT_COLUMNS)
    seating = mend_seating(Seating.of_rows(rows), game.specs)
    return any(
        tuple(outcome) != outcome_of(game, seating, player_id, seat)
        for player_id, seat, *outcome in stored.values_list("player", "seat__key", *OUTCOME)
    )


def _without(rows: QuerySet[Any], name: str, others: QuerySet[Any]) -> QuerySet[Any]:
    return rows.filter(~Exists(others.filter(pk=OuterRef(f"{name}_id"))))


def other_faults() -> Iterator[tuple[str, Text]]:
    """Yield packs, bots and kept variations that the site cannot have written, with reasons."""
    gone = text("it belongs to a row that does not exist")
    owned: Mapping[type[Any], Collection[str]] = {
        Pack: ["player"], Bot: ["player", "owner"], KeptVariation: ["player", "game"]
    }  # fmt: skip
    for model, names in owned.items():
        for name in names:
            others = model._meta.get_field(name).related_model._default_manager.all()
            for row in _without(model._default_manager.order_by(), name, others):
                yield f"{model._meta.model_name} {row.pk}", gone
    for pack in Pack.objects.filter(kind__in=list(all_rules())).iterator():
        if not is_readable_pack(pack):
            yield f"pack {pack.pk}", _unreadable_column("texts")
    for bot in Bot.objects.iterator():
        if not is_list_of_texts(bot.kinds):
            yield f"bot {bot.pk}", _unreadable_column("kinds")


def is_readable_pack(pack: Pack) -> bool:
    """Return whether games can be dealt from a pack."""
    return is_list_of_texts(pack.texts) and is_list_of_texts(pack.used)


def _unreadable(game: Game) -> list[str]:
    return [
        name
        for name, (is_readable, _) in COLUMNS.items()
        if ((value := getattr(game, name)) is not None or name not in NULLABLE)
        and not is_readable(value)
    ]
