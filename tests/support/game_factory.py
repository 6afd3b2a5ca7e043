"""Games in the database: new, some moves on, finished, or with an open seat."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from games.contract import Rules
from games.models import Game, Seat
from games.services import seats, setup
from games.state.snapshot import Standing
from tests.support.game_requests import post_move, post_resign
from tests.support.kinds import two_player_rules
from tests.support.players import Person
from tests.support.random_games import Variant, random_legal_move


def make_game(
    owner: Person,
    *others: Person,
    rules: Rules | None = None,
    seating: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """Return a new game in which the owner holds the first seat, and the others those after it.

    Without others the owner holds every seat. ``rules`` default to `two_player_rules`.
    """
    rules = rules or two_player_rules()
    specs = rules.seats(rules.clean(options))
    people = [owner, *others] if others else [owner] * len(specs)
    seating = seating or {
        spec.key: "me" if people[index : index + 1] == [owner] else "invite"
        for index, spec in enumerate(specs)
    }
    game = setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options=options,
            seating=seating,
            hints=False,
        ),
    )
    for spec, person in zip(specs, people, strict=False):
        if person is not owner:
            seat = Seat.objects.get(game=game, key=spec.key)
            seats.claim_seat(token=seats.invitation_token(seat), player=person.player)
    return game


def make_lobby(
    owner: Person,
    *,
    rules: Rules | None = None,
    seating: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """Return a game in its lobby, with the owner on the first seat without secrets."""
    rules = rules or two_player_rules()
    specs = rules.seats(rules.clean(options))
    mine = next(spec for spec in specs if not spec.secret)
    return setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options=options,
            seating=seating or {spec.key: "me" if spec is mine else "invite" for spec in specs},
            lobby=True,
        ),
    )


def make_game_with_moves(
    owner: Person, plies: int, *, rules: Rules | None = None, hints: bool = False
) -> Game:
    """Return a game of one player on all seats, with ``plies`` moves made."""
    game = make_game(owner, rules=rules)
    Game.objects.filter(pk=game.pk).update(hints=hints)
    for _ in range(plies):
        post_move(owner, game)
    game.refresh_from_db()
    assert game.ply == plies
    return game


def make_finished_game(owner: Person, *others: Person) -> Game:
    """Return a game as of `make_game` that the owner has resigned."""
    game = make_game(owner, *others)
    post_resign(owner, game)
    assert game.over
    return game


def largest_variant(rules: Rules) -> Variant:
    """Return the variant with the largest board."""
    most = {option.name: option.high for option in rules.options if option.kind == "number"}
    return Variant(rules, rules.clean(most))


def make_largest_game(owner: Person, rules: Rules) -> Game:
    """Return a game of one player on the largest board, played to its end at random."""
    rng, variant = Random(1), largest_variant(rules)
    options, dealt = dict(variant.options), variant.setup()
    position = rules.start(dealt)
    moves = []
    while position.to_move():
        moves.append(random_legal_move(position, rng))
        position.play(*moves[-1])
    seating = {spec.key: "me" for spec in rules.seats(options)}
    plan = setup.Plan(
        new=setup.NewGame(rules=rules, options=options, seating=seating, hints=False),
        setup=dict(dealt),
        levels=dict.fromkeys(seating),
        moves=moves,
        standing=Standing.of(position),
    )
    return setup.start_game(player=owner.player, plan=plan)


def make_game_with_open_seat(owner: Person) -> Game:
    """Return a game whose second seat is open to the holder of its invitation link."""
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    return make_game(owner, rules=rules, seating={first: "me", second: "invite"})


def open_seat(game: Game) -> Seat:
    """Return the one seat of a game that has no holder."""
    return game.seats.get(holders__isnull=True)


def invitation_path(seat: Seat) -> str:
    """Return the path of a seat's invitation link."""
    return f"/join/{seats.invitation_token(seat)}/"
