"""The cast of the tests of pages and services: owner, opponent and stranger, each a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.test import Client

from games import services
from games.contract import Rules
from games.models import Game, Player, Seat
from games.registry import all_rules
from games.web.player_cookie import set_player_cookie


@dataclass
class Person:
    """A player and the browser that knows it."""

    player: Player
    client: Client


def person(name: str) -> Person:
    """Somebody new, whose browser already holds the signed cookie."""
    from django.http import HttpResponse

    player = services.new_player(name=name)
    client = Client()
    client.cookies = set_player_cookie(HttpResponse(), player).cookies
    return Person(player, client)


def a_game(
    owner: Person,
    *others: Person,
    rules: Rules | None = None,
    seating: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """A game of ``rules`` (any kind of two plain seats) in which the owner has the first seat and
    each of the others the next one; with no others the owner sits everywhere."""
    rules = rules or two_seats()
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


def a_game_with_moves(owner: Person, plies: int) -> Game:
    """A game on one device in which so many moves have been made."""
    game = a_game(owner)
    for _ in range(plies):
        post_move(owner, game)
    game.refresh_from_db()
    assert game.ply == plies
    return game


def a_finished_game(owner: Person, *others: Person) -> Game:
    """A game, as of `a_game`, that the owner gave up at once."""
    game = a_game(owner, *others)
    seat = game.seats.filter(players=owner.player).first().key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    return game


def a_game_with_an_invitation(owner: Person) -> Game:
    """A game whose second seat waits for who has its link."""
    rules = two_seats()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    return a_game(owner, rules=rules, seating={first: "me", second: "invite"})


def empty_seat(game: Game) -> Seat:
    """The one seat of a game that nobody has."""
    return game.seats.get(holders__isnull=True)


def invitation(seat: Seat) -> str:
    """The address of a seat's secret link."""
    return f"/join/{services.invitation_token(seat)}/"


def two_seats() -> Rules:
    """A kind of game with exactly two plain seats, for people and computers: found, not named."""
    return next(
        rules
        for rules in all_rules().values()
        if len(rules.seats(rules.clean({}))) == 2
        and rules.undo
        and rules.levels
        and not any(spec.secret for spec in rules.seats(rules.clean({})))
    )


def next_move(game: Game) -> tuple[str, str]:
    """A seat that is to move in ``game`` and a legal move of it."""
    from games.replay import position_at

    game.refresh_from_db()
    position = position_at(game, game.ply)
    seat = min(position.to_move())
    return seat, next(iter(position.legal_moves(seat)))


def post_move(who: Person, game: Game, **changes: Any) -> Any:
    """Post a legal move to the game, or what ``changes`` make of it; htmx=True as htmx does."""
    htmx = changes.pop("htmx", False)
    seat, move = next_move(game)
    data = {"seat": seat, "move": move, "ply": game.ply, "undone": game.undone, **changes}
    headers = {"HX-Request": "true"} if htmx else {}
    return who.client.post(f"/g/{game.id}/move/", data, headers=headers)


def post_undo(who: Person, game: Game) -> Any:
    """Post the wish to take back the last move of the game as it is."""
    game.refresh_from_db()
    sent = {"ply": game.ply, "undone": game.undone}
    return who.client.post(f"/g/{game.id}/undo/", sent)


def post_answer(who: Person, game: Game, agree: str, **changes: Any) -> Any:
    """Post an answer, yes or no, to the wish that stands, or to what ``changes`` make of it."""
    game.refresh_from_db()
    asker = game.undo_asked_by.partition(" ")[0]
    sent = {"agree": agree, "asker": asker, "ply": game.ply, "undone": game.undone, **changes}
    return who.client.post(f"/g/{game.id}/undo/answer/", sent)
