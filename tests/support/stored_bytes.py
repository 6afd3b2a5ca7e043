"""Bytes that games take in the database, indexes included."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from django.db import connection

from games.contract import Rules
from games.models import Game, Player
from games.services import computers, play, players, setup
from games.state.snapshot import read_snapshot
from games.worker import jobs, leases
from tests.support.random_games import MAX_PLIES, play_randomly

GAMES = 60
PLIES = 12
SEATS = ("games_game", "games_seat", "games_holder")
ANALYSES = ("games_evaluation", "games_positionvalues")


class StoredBytes(NamedTuple):
    """Bytes of a game with its seats, of one of its moves, and of one of its positions in an
    analysis; 0 for a kind without analysis."""

    game: int
    move: int
    position: int


def measure_bytes(rules: Rules, options: Mapping[str, Any], *, seconds: float) -> StoredBytes:
    """Store the first moves of random games, and analyse three, resigned, with ``seconds`` a
    position."""
    before = _table_bytes()
    player = players.new_player(name="Player")
    games = [store_random_game(player, rules, options, seed) for seed in range(GAMES)]
    between = _table_bytes()
    plies = sum(game.ply for game in games)
    evaluated = sum(_analyse(player, game, seconds) for game in games[-3:])
    after = _table_bytes()
    return StoredBytes(
        sum(between[table] - before[table] for table in SEATS) // GAMES,
        (between["games_move"] - before["games_move"]) // plies,
        sum(after[table] - between[table] for table in ANALYSES) // max(1, evaluated),
    )


def store_random_game(
    player: Player, rules: Rules, options: Mapping[str, Any], seed: int, plies: int = PLIES
) -> Game:
    """Store the first moves of a random game of one player."""
    seating = {spec.key: "me" for spec in rules.seats(rules.clean(options))}
    game = setup.create_game(
        player=player, new=setup.NewGame(rules=rules, options=options, seating=seating)
    )
    position = read_snapshot(game.pk).position.copy()
    for ply, (seat, move) in enumerate(play_randomly(position, Random(seed), plies)):
        play.play_move(game_id=game.pk, seat=seat, text=move, ply=ply, player=player)
    game.refresh_from_db()
    return game


def _analyse(player: Player, game: Game, seconds: float) -> int:
    """Resign a game, evaluate each of its positions, and return their number."""
    if not game.rules.analysis:
        return 0
    seat = game.to_move[0]
    play.play_move(game_id=game.pk, seat=seat, text="resign", ply=game.ply, player=player)
    analyse_in(game, seconds)
    return game.ply + 2


def measure_whole_game(
    rules: Rules, options: Mapping[str, Any], *, seconds: float
) -> tuple[int, int, int]:
    """Return the plies of a random game, the bytes of the game and those of its analysis."""
    empty = _table_bytes()
    player = players.new_player(name="Player")
    game = store_random_game(player, rules, options, seed=1, plies=MAX_PLIES)
    played = _table_bytes()
    analyse_in(game, seconds)
    analysed = _table_bytes()
    return (
        game.ply,
        sum(played[table] - empty[table] for table in (*SEATS, "games_move")),
        sum(analysed[table] - played[table] for table in ANALYSES),
    )


def analyse_in(game: Game, seconds: float) -> None:
    """Evaluate every position of a game with ``seconds`` for each."""
    snapshot = read_snapshot(game.pk)
    computers.ask_evaluations(snapshot=snapshot, plies=range(snapshot.game.ply + 1))
    usual = jobs.SECONDS_A_GLANCE, jobs.SECONDS_A_PLY
    jobs.SECONDS_A_GLANCE, jobs.SECONDS_A_PLY = 0.01, seconds
    try:
        while job := leases.next_evaluation(hint=False):
            jobs.evaluate(job)
    finally:
        jobs.SECONDS_A_GLANCE, jobs.SECONDS_A_PLY = usual


def _table_bytes() -> dict[str, int]:
    """Return the bytes of each table with its indexes; with SQLite without the room that pages have
    left, which would hide how much a few rows take."""
    if connection.vendor == "sqlite":
        sql = "SELECT tbl_name, sum(payload) FROM dbstat JOIN sqlite_schema USING (name) GROUP BY 1"
    else:
        sql = "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return dict(cursor.fetchall())
