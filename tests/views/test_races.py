"""A merged or deleted player, or a pack that is deleted, while a request is under way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import HttpResponse

from games.core.registry import all_rules
from games.models import Game, Pack, Player
from games.people.forgetting import forget_player
from games.people.merging import merge_players
from games.puzzles import catalogue
from games.services.packs import pack_token, share_pack
from games.services.seats import invitation_token
from games.views.middleware import is_collision
from tests.support.game_factory import make_game, make_lobby
from tests.support.game_requests import next_legal_move
from tests.support.kinds import two_player_rules
from tests.support.packs import make_pack
from tests.support.players import Person, new_person

pytestmark = pytest.mark.services

Post = Callable[[], HttpResponse]
MOST_STATEMENTS = 60
"""More than any of these requests makes."""


class Meanwhile:
    """Does something once, after so many statements of the request outside a transaction."""

    def __init__(self, act: Callable[[], object], after: int) -> None:
        self.act, self.after, self.seen = act, after, 0

    def __call__(self, execute: Any, *arguments: Any) -> Any:
        result = execute(*arguments)
        if not connection.in_atomic_block and not arguments[0].startswith("BEGIN"):
            self.seen += 1
            if self.seen == self.after:
                self.act()
        return result


@contextmanager
def meanwhile(act: Callable[[], object], after: int) -> Iterator[Meanwhile]:
    """Let something happen while a request is under way."""
    between = Meanwhile(act, after)
    with connection.execute_wrapper(between):
        yield between


def move(person: Person) -> Post:
    game = make_game(person)
    seat, text = next_legal_move(game)
    sent = {"seat": seat, "move": text, "ply": 0}
    return lambda: person.client.post(f"/g/{game.id}/move/", sent)


def new_game(person: Person) -> Post:
    rules = two_player_rules()
    seats = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
    return lambda: person.client.post(f"/new/{rules.slug}/", {**seats, "name": "Another"})


def take_seat(person: Person, **sent: str) -> Post:
    rules = two_player_rules()
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    game = make_game(new_person("Host"), rules=rules, seating={first: "me", second: "invite"})
    token = invitation_token(game.seats.get(key=second))
    return lambda: person.client.post(f"/join/{token}/", sent)


def begin(person: Person) -> Post:
    game = make_lobby(person)
    return lambda: person.client.post(f"/g/{game.pk}/begin/")


def rename(person: Person) -> Post:
    return lambda: person.client.post("/settings/", {"name": "Another"})


def offer_device(person: Person) -> Post:
    return lambda: person.client.post("/me/devices/link/")


def make_account(person: Person) -> Post:
    sent = {"name": person.player.name, "password": "correct horse battery"}
    return lambda: person.client.post("/me/account/create/", sent)


def publish(person: Person) -> Post:
    return lambda: person.client.post("/me/public/", {"public": "1"})


def copy_pack(person: Person) -> Post:
    host = new_person("Host")
    pack = make_pack(host, _with_pack())
    token = pack_token(share_pack(player=host.player, pack_id=pack.pk, shared=True))
    return lambda: person.client.post(f"/pack/{token}/")


def set_hook(person: Person) -> Post:
    return lambda: person.client.post("/me/devices/hook/", {"url": "https://example.com/"})


def take_pack(person: Person) -> Post:
    pack = make_pack(person, _with_pack())
    return lambda: person.client.post(f"/me/packs/{pack.pk}/share/")


def solve(person: Person) -> Post:
    puzzle = catalogue.entries(catalogue.kinds_with_puzzles()[0])[0]
    return lambda: person.client.post(f"/puzzles/{puzzle.id}/", {"reveal": "1", "move": "z9"})


ACTIONS = (
    move,
    new_game,
    take_seat,
    begin,
    rename,
    offer_device,
    make_account,
    publish,
    copy_pack,
    set_hook,
    take_pack,
    solve,
)


def _with_pack() -> Any:
    return next(rules for rules in all_rules().values() if rules.pack)


def delete(player: Player) -> None:
    forget_player(player=Player.objects.get(pk=player.pk))


def merge(player: Player) -> None:
    merge_players(source=player, target=new_person("Other").player)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [delete, merge])
@pytest.mark.parametrize("action", ACTIONS)
def test_a_player_who_is_gone_at_any_moment_of_a_request_gets_a_sentence(
    action: Callable[[Person], Post], change: Callable[[Player], None]
) -> None:
    for after in range(1, MOST_STATEMENTS):
        person = new_person("Olive")
        post = action(person)
        with meanwhile(lambda who=person.player: change(who), after) as between:
            response = post()
        assert response.status_code < 500
        if between.seen < after:
            return
    raise AssertionError("the request makes more statements than the test allows")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["share", "", "delete"])
def test_a_pack_that_is_deleted_at_any_moment_of_a_request_is_not_found(address: str) -> None:
    for after in range(1, MOST_STATEMENTS):
        person = new_person("Olive")
        pack = make_pack(person, _with_pack())
        path = f"/me/packs/{pack.pk}/{address}/".replace("//", "/")
        sent = {"name": "Other", "words": "one\ntwo"}
        with meanwhile(lambda key=pack.pk: Pack.objects.filter(pk=key).delete(), after) as between:
            response = person.client.post(path, sent)
        assert response.status_code in {302, 404}
        if between.seen < after:
            return
    raise AssertionError("the request makes more statements than the test allows")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
@pytest.mark.django_db(transaction=True)
def test_a_deadlock_is_tried_again(owner: Person) -> None:
    post = take_seat(owner)
    game = Game.objects.get()
    with _locked_the_other_way_round(owner.player, game):
        assert post().status_code == 302
    assert owner.player.seats.filter(game=game).exists()


@contextmanager
def _locked_the_other_way_round(player: Player, game: Game) -> Iterator[None]:
    """Lock a player, and wait for a game once the request waits for the player."""
    ready, answered = Event(), Event()

    def lock() -> None:
        # Closed at the end, since the connection is this thread's own.
        with closing(connection), transaction.atomic(), connection.cursor() as cursor:
            # The request is the one that is refused.
            cursor.execute("SET LOCAL deadlock_timeout = '60s'")
            list(Player.objects.select_for_update().filter(pk=player.pk))
            ready.set()
            waiting = 0
            while not waiting and not answered.is_set():
                cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
                (waiting,) = cursor.fetchone()
            list(Game.objects.select_for_update().filter(pk=game.pk))

    other = Thread(target=lock)
    other.start()
    ready.wait()
    try:
        yield
    finally:
        answered.set()
        other.join()


@pytest.mark.django_db(transaction=True)
def test_only_a_row_that_is_gone_or_there_already_is_a_collision(owner: Person) -> None:
    for collides, values in ((True, {"pk": owner.player.pk}), (False, {"name": None})):
        with pytest.raises(IntegrityError) as raised, transaction.atomic():
            Player.objects.bulk_create([Player(**values)])
        assert is_collision(raised.value) is collides
