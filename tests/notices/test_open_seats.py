"""The web hook of the site gets at most one message about an open seat."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game, Outgoing, WebHook
from games.notices import senders
from games.notices.channels import Attempt, Outcome, site_hook
from games.notices.events import APART, note_open_seats
from games.people.bots import make_bot
from games.services import seats
from games.services.lobby import close_to_watchers, sit_down, stand_up
from games.worker import outbox
from games.worker.outbox import Outbox
from tests.notices.test_turn_notices import Receiver, work_until_sent
from tests.notices.test_turn_notices import receiver as receiver
from tests.support.game_factory import make_game, make_lobby
from tests.support.kinds import kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.letters import claim_all
from tests.support.players import Person, new_person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

URL = "https://hooks.example/secret-path"


@pytest.fixture(autouse=True)
def hook(settings: Any) -> None:
    settings.OPEN_SEATS_HOOK, settings.SITE_ADDRESS = URL, "https://boards.example"


def offer(host: Person, choice: str = "listed") -> Game:
    """Return a game with an open seat, offered for a minute."""
    first, second = seat_keys(two_player_rules())
    game = make_game(host, rules=two_player_rules(), seating={first: "me", second: choice})
    created(game, timedelta(minutes=1))
    return game


def created(game: Game, ago: timedelta) -> None:
    Game.objects.filter(pk=game.pk).update(created=timezone.now() - ago)


def claimed() -> list[str]:
    """Return the games of the messages that are due within an hour."""
    found: list[str] = []
    while games := claimed_now():
        found += games
        pause()
    return found


def claimed_now() -> list[str]:
    note_open_seats()
    return [notice.game_id for notice in claim_all()]


def pause() -> None:
    Outgoing.objects.update(created=F("created") - APART)


@pytest.mark.parametrize("choice", ["listed", "listed-bots"])
def test_an_open_seat_causes_one_message(owner: Person, choice: str) -> None:
    game = offer(owner, choice)
    assert claimed() == [game.pk]
    assert claimed() == []


def test_a_seat_that_becomes_free_again_causes_no_other_message(
    owner: Person, opponent: Person
) -> None:
    rules = all_rules()[kinds_with_shared_seats()[0]]
    game = make_lobby(owner, rules=rules, seating=dict.fromkeys(seat_keys(rules), "listed"))
    created(game, timedelta(minutes=1))
    assert claimed() == [game.pk]
    sit_down(game_id=game.pk, seat_key=seat_keys(rules)[0], player=opponent.player)
    stand_up(game_id=game.pk, player=opponent.player)
    assert claimed() == []


def test_a_seat_that_is_taken_at_once_causes_no_message(owner: Person, opponent: Person) -> None:
    game = offer(owner)
    created(game, timedelta(seconds=1))
    assert claimed() == []
    created(game, timedelta(minutes=1))
    seats.take_free_seat(
        game_id=game.pk, seat_key=seat_keys(two_player_rules())[1], player=opponent.player
    )
    assert claimed() == []


def test_invitations_old_games_and_closed_games_cause_no_message(owner: Person) -> None:
    offer(owner, "invite")
    created(offer(owner), timedelta(hours=2))
    closed = offer(new_person("Cleo"))
    close_to_watchers(game_id=closed.pk, player=closed.created_by, closed=True)
    assert claimed() == []


def test_a_host_of_many_games_does_not_flood_the_room(owner: Person) -> None:
    for _ in range(5):
        offer(owner)
    assert len(claimed()) == 2
    assert claimed() == []


def test_of_one_address_two_games_are_announced_also_if_those_found_players(
    owner: Person, opponent: Person
) -> None:
    for person in (owner, opponent, new_person("Cleo")):
        game = offer(person)
        Game.objects.filter(pk=game.pk).update(origin="one address")
        assert claimed() == ([] if person.player.name == "Cleo" else [game.pk])
        seats.take_free_seat(
            game_id=game.pk,
            seat_key=seat_keys(two_player_rules())[1],
            player=new_person("Guest").player,
        )


def test_the_room_hears_of_one_game_in_five_minutes(owner: Person, opponent: Person) -> None:
    games = [offer(person).pk for person in (owner, opponent)]
    assert claimed_now() == games[:1]
    assert claimed_now() == []
    pause()
    assert claimed_now() == games[1:]


def test_nothing_is_claimed_without_a_hook(owner: Person, settings: Any) -> None:
    settings.OPEN_SEATS_HOOK = ""
    game = offer(owner)
    assert claimed() == [] and site_hook() is None
    settings.OPEN_SEATS_HOOK = URL
    assert claimed() == [game.pk]


def test_the_message_names_the_game_and_its_host_and_links_to_it(owner: Person) -> None:
    bot = make_bot(owner=owner.player, name="*Randy*", about="", kinds=[two_player_rules().slug])
    game = offer(Person(bot.player, owner.client))
    note_open_seats()
    (notice,) = claim_all()
    hook = site_hook()
    assert hook
    sent = senders.hook_message(hook, [notice])["text"]
    name = two_player_rules().name
    assert sent == (
        f"Looking for players: {name}, hosted by Randy bot https://boards.example/g/{game.pk}/"
    )


def test_the_worker_posts_each_message_once(
    owner: Person, opponent: Person, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "EVERY_SECONDS", 0.0)
    games = [offer(person) for person in (owner, opponent)]
    worker = Outbox()
    for _ in range(6):
        work_until_sent(worker)
        pause()
    worker.close()
    posted = [body["text"] for _path, body in receiver.received]
    assert len(posted) == 2
    assert all(any(game.pk in sentence for sentence in posted) for game in games)


def test_the_log_says_that_the_hook_failed_without_its_address(
    owner: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(outbox, "EVERY_SECONDS", 0.0)
    failed = outbox.Sender(1, lambda *_: Attempt(Outcome.FAILED, "404"))
    monkeypatch.setitem(outbox.SENDERS, WebHook.kind, failed)
    offer(owner)
    worker = Outbox()
    for _ in range(4):
        work_until_sent(worker)
    worker.close()
    assert "The web hook of the site has failed: 404" in caplog.text
    assert "secret-path" not in caplog.text
