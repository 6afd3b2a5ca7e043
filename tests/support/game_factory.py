"""Games in the database: new, some moves on, finished, or with an open seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import services
from games.contract import Rules
from games.models import Game, Seat
from games.registry import all_rules
from tests.support.players import Person
from tests.support.posts import post_move


def make_game(
    owner: Person,
    *others: Person,
    rules: Rules | None = None,
    seating: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """A game of ``rules`` (any kind of two plain seats) in which the owner has the first seat and
    each of the others the next one; with no others the owner sits everywhere."""
    rules = rules or two_player_rules()
    specs = rules.seats(rules.clean(options))
    people = [owner, *others] if others else [owner] * len(specs)
    chosen = seating or {
        spec.key: "me" if people[index : index + 1] == [owner] else "invite"
        for index, spec in enumerate(specs)
    }
    game = services.create_game(
        player=owner.player, rules=rules, options=options, seating=chosen, hints=False
    )
    for spec, somebody in zip(specs, people, strict=False):
        if somebody is not owner:
            seat = Seat.objects.get(game=game, key=spec.key)
            services.claim_seat(token=services.invitation_token(seat), player=somebody.player)
    return game


def make_game_with_moves(owner: Person, plies: int) -> Game:
    """A game on one device in which so many moves have been made."""
    game = make_game(owner)
    for _ in range(plies):
        post_move(owner, game)
    game.refresh_from_db()
    assert game.ply == plies
    return game


def make_finished_game(owner: Person, *others: Person) -> Game:
    """A game, as of `a_game`, that the owner gave up at once."""
    game = make_game(owner, *others)
    seat = game.seats.filter(players=owner.player).first().key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    return game


def make_game_with_open_seat(owner: Person) -> Game:
    """A game whose second seat waits for who has its link."""
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    return make_game(owner, rules=rules, seating={first: "me", second: "invite"})


def open_seat(game: Game) -> Seat:
    """The one seat of a game that nobody has."""
    return game.seats.get(holders__isnull=True)


def invitation_path(seat: Seat) -> str:
    """The address of a seat's secret link."""
    return f"/join/{services.invitation_token(seat)}/"


def two_player_rules() -> Rules:
    """A kind of game with exactly two plain seats, for people and computers: found, not named."""
    return next(
        rules
        for rules in all_rules().values()
        if len(rules.seats(rules.clean({}))) == 2
        and rules.undo
        and rules.levels
        and not any(spec.secret for spec in rules.seats(rules.clean({})))
    )
