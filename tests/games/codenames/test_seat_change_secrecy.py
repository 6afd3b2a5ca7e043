"""After a change of seats of any kind, the bytes for everybody without a spymaster's seat are the
same for two keys: the former spymaster's browser and programs too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import count
from types import MappingProxyType

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Holder, Move, Sighting
from games.people.bots import make_token
from games.services import players, seat_changes, seats, staff
from games.services.insights import AnotherInformationSet
from games.storage.cache import clear_all
from tests.games.codenames.test_secrecy import (
    BLUE,
    BLUE_SPY,
    KEY,
    OTHER,
    PATHS,
    RED,
    RED_SPY,
    SEATS,
    SPOKEN,
    WAYS,
    Table,
    recorded,
)
from tests.support.players import Person, new_person
from tests.support.repeats import SOAK

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_time")]
NEW = "new device"


@pytest.fixture(autouse=True)
def without_rate_limits(settings: object) -> None:
    settings.RATE_LIMITS = False  # type: ignore[attr-defined]


def give_up(table: Table, seat: str) -> None:
    player = table.people[seat].player
    seat_changes.give_up_seat(game_id=table.game.id, seat_key=seat, player=player)


def come_back_as_operative(table: Table, seat: str) -> None:
    give_up(table, seat)
    give_up(table, RED)
    player = table.people[seat].player
    open_seat = table.game.seats.get(key=RED)
    seats.open_link(open_seat)
    open_seat.save()
    with pytest.raises(AnotherInformationSet):
        seats.claim_seat(token=seats.invitation_token(open_seat), player=player)


def hand_to_another_device(table: Table, seat: str) -> None:
    player = table.people[seat].player
    offered = seats.offer_seat(game_id=table.game.id, seat_key=seat, player=player)
    table.people[NEW] = new_person(NEW)
    seats.claim_seat(token=seats.invitation_token(offered), player=table.people[NEW].player)


def free_the_absent(table: Table, seat: str) -> None:
    game_id, gone = table.game.id, table.people[seat].player
    now = timezone.now()
    long_ago = now - timedelta(hours=1)
    Game.objects.filter(pk=game_id).update(created=long_ago)
    Holder.objects.filter(seat__game=game_id).update(joined=long_ago)
    Move.objects.filter(game=game_id).update(played=long_ago)
    clear_all()
    for name in SEATS:
        seen = long_ago if name == seat else now
        Sighting.objects.update_or_create(
            game_id=game_id, player=table.people[name].player, defaults={"seen": seen}
        )
    asking, *others = (name for name in SEATS if name != seat)
    seat_changes.ask_for_stand_in(
        game_id=game_id, seat_key=seat, player=table.people[asking].player
    )
    for name in others:
        seat_changes.answer_request(game_id=game_id, player=table.people[name].player, agree=True)
    assert not table.game.seats.filter(players=gone).exists()


def be_suspended(table: Table, seat: str) -> None:
    players.suspend(player=table.people[seat].player, suspended=True, reason="Told the key.")


def be_renamed_by_staff(table: Table, seat: str) -> None:
    players.remove_names(player=table.people[seat].player)
    staff.free_game(game_id=table.game.id)


Change = Callable[[Table, str], None]
CHANGES: Mapping[str, tuple[Change, str]] = MappingProxyType(
    {
        "a spymaster gives up the seat": (give_up, RED_SPY),
        "a spymaster wants to come back as operative": (come_back_as_operative, RED_SPY),
        "a spymaster's seat goes to another device": (hand_to_another_device, RED_SPY),
        "an absent spymaster's seat is freed": (free_the_absent, RED_SPY),
        "a spymaster is suspended": (be_suspended, RED_SPY),
        "staff rename a spymaster and free the game": (be_renamed_by_staff, BLUE_SPY),
        "an operative gives up the seat": (give_up, RED),
        "an absent operative's seat is freed": (free_the_absent, BLUE),
        "an operative is suspended": (be_suspended, RED),
    }
)


def holders_of_keys(table: Table) -> set[str]:
    """Return the names of the active holders of spymasters' seats."""
    held = table.game.seats.filter(key__in=(RED_SPY, BLUE_SPY))
    ids = set(held.filter(players__suspended=False).values_list("players", flat=True))
    return {name for name, person in table.people.items() if person.player.pk in ids}


def browser(person: Person) -> Client:
    client = Client()
    client.cookies = person.client.cookies.copy()
    return client


def ways(turn: int) -> Sequence[tuple[dict[str, str], dict[str, str]]]:
    """Return two ways to ask for an address, the next two with each turn; with SOAK=1 all."""
    return WAYS if SOAK else [WAYS[(2 * turn + one) % len(WAYS)] for one in (0, 1)]


def seen_by_all(
    table: Table, tokens: Mapping[str, str], key: str
) -> Iterator[tuple[str, str, bytes]]:
    """Yield the answers for everybody without a key, by name and address."""
    table.with_key(key)
    knows, turn = holders_of_keys(table), count()
    for name in [other for other in table.people if other not in knows]:
        for path in PATHS:
            for query, headers in ways(next(turn)):
                client = browser(table.people[name])
                answer = client.get(f"{table.address}{path}", query, headers=headers)
                yield name, path, recorded(answer)
        for seat in ("", RED_SPY, BLUE_SPY):
            headers = {"Authorization": f"Bearer {tokens.get(name, '')}"}
            answer = Client().get(f"/api/1/games/{table.game.id}", {"seat": seat}, headers=headers)
            yield name, f"API {seat}", recorded(answer)


@pytest.mark.parametrize("change", CHANGES)
def test_no_byte_depends_on_the_key_after_a_change_of_seats(change: str) -> None:
    make, seat = CHANGES[change]
    table = Table(SPOKEN)
    tokens = {
        name: make_token(player=person.player, name="bot") for name, person in table.people.items()
    }
    make(table, seat)
    one, two = (list(seen_by_all(table, tokens, key)) for key in (KEY, OTHER))
    assert len(one) == len(two)
    assert [(a[:2]) for a, b in zip(one, two, strict=True) if a != b] == []
    without = {name for name, _, _ in one}
    assert {RED, BLUE, "host", seat} - {RED_SPY, BLUE_SPY} <= without
    assert (seat in without) is (make is not be_renamed_by_staff)


def test_the_key_is_in_the_answers_for_those_who_hold_it() -> None:
    table = Table(SPOKEN)
    client = browser(table.people[RED_SPY])
    pages = []
    for key in (KEY, OTHER):
        table.with_key(key)
        pages.append(recorded(client.get(table.address)))
    assert pages[0] != pages[1]
