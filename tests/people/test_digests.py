"""Digests: at most one e-mail an hour about a player's turns, each turn in one e-mail only."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import EmailAddress
from games.notices import channels, outgoing, texts
from games.notices.events import Notice
from games.people import emails
from tests.support.emails import deliver, let_an_hour_pass, let_pass, let_wait, link_in, subscribe
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    """Let tests ask for as many e-mails as they need."""
    settings.RATE_LIMITS = False


def test_one_e_mail_lists_all_waiting_games(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    games = [make_game(owner, opponent) for _ in range(3)]
    let_wait(owner, *games)
    (message,) = deliver()
    assert message.subject == "[Squarely] It’s your turn in 3 games"
    for game in games:
        address = f"http://testserver{game.get_absolute_url()}"
        assert f"{game.rules.name} with Otto: {address}" in message.body
    assert deliver() == []


def test_a_turn_is_in_one_digest_only(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    assert len(deliver()) == 1
    let_an_hour_pass()
    assert deliver() == []


def test_a_digest_is_sent_at_most_once_an_hour(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    assert len(deliver()) == 1
    later = make_game(owner, opponent)
    let_wait(owner, later)
    assert deliver() == []
    let_an_hour_pass()
    (message,) = deliver()
    assert later.get_absolute_url() in message.body


def test_the_next_turn_after_a_move_is_in_the_next_digest(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    game = make_game(owner, opponent)
    let_wait(owner, game)
    deliver()
    post_move(owner, game)
    post_move(opponent, game)
    let_pass(timedelta(minutes=30))
    let_wait(owner, game)
    let_an_hour_pass()
    assert len(deliver()) == 1


def test_a_player_who_has_moved_meanwhile_gets_no_digest(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    game = make_game(owner, opponent)
    let_wait(owner, game)
    post_move(owner, game)
    assert deliver() == []


def test_a_fresh_turn_waits_for_its_player_first(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    let_pass(-timedelta(minutes=6))
    assert deliver() == []


def test_the_players_of_digests_are_those_whose_turns_are_claimed(
    owner: Person, stranger: Person
) -> None:
    subscribe(owner)
    assert channels.players_after(None) == [owner.player.pk]
    emails.set_digests(player=owner.player, wanted=False)
    assert channels.players_after(None) == []


def test_an_unconfirmed_address_gets_no_digest(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    EmailAddress.objects.update(address="", key="", pending="olive@boards.example")
    let_wait(owner, make_game(owner, opponent))
    assert deliver() == []


def test_many_workers_claim_one_digest(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    claimed = [bool(outgoing.claim(EmailAddress.kind, [])) for _ in range(64)]
    assert claimed == [True] + 63 * [False]


def test_a_digest_that_a_dead_worker_had_claimed_is_not_sent(
    owner: Person, opponent: Person
) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    assert outgoing.claim(EmailAddress.kind, [])
    let_an_hour_pass()
    assert deliver() == []


@pytest.mark.parametrize("slug", list(all_rules()))
def test_a_digest_names_kinds_and_links_alone(slug: str, owner: Person) -> None:
    subscribe(owner)
    email = EmailAddress.objects.get()
    message = texts.digest(email, [Notice("bcdfg", slug)], "token")
    lines = [line for line in message.body.splitlines() if line]
    assert lines == [
        "It’s your turn in 1 game.",
        f"{all_rules()[slug].name}: http://testserver/g/bcdfg/",
        "All your games: http://testserver/me/",
        "No more e-mails about your games: http://testserver/email/turns/token/",
    ]


def test_one_click_unsubscribes_without_a_cookie(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    (message,) = deliver()
    headers = message.message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = headers["List-Unsubscribe"].strip("<>").removeprefix("http://testserver")
    assert link in message.body
    program = Client(enforce_csrf_checks=True)
    assert "at most one an hour" in program.get(link).text
    assert EmailAddress.objects.get().digests
    answer = program.post(link, {"List-Unsubscribe": "One-Click"})
    assert "no e-mails about your games" in answer.text
    assert not EmailAddress.objects.get().digests


def test_digests_are_turned_off_and_on_on_the_page(owner: Person) -> None:
    subscribe(owner)
    for wanted in ("off", "on"):
        owner.client.post("/me/account/email/turns/", {"digests": wanted})
        assert EmailAddress.objects.get().digests == (wanted == "on")


def test_turns_from_before_digests_were_turned_on_are_left_out(
    owner: Person, opponent: Person
) -> None:
    subscribe(owner)
    let_wait(owner, make_game(owner, opponent))
    for wanted in (False, True):
        emails.set_digests(player=owner.player, wanted=wanted)
    assert deliver() == []


def test_a_digest_is_in_the_language_of_the_account(owner: Person, opponent: Person) -> None:
    subscribe(owner)
    EmailAddress.objects.update(language="nl")
    let_wait(owner, make_game(owner, opponent))
    (message,) = deliver()
    assert message.subject == "[Squarely] Jij bent aan zet in 1 partij"
    assert link_in(message).startswith("/g/")
