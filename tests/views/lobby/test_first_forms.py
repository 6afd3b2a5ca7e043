"""First forms of a new browser: sent twice, they make one player."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games.models import Account, Player
from games.people.devices import add_device, sign_out
from games.people.merging import merge_players
from games.services.seats import lobby_token
from games.state.identity import FIRST_FORM
from games.web.player_cookie import read_device_id
from tests.support.game_factory import (
    invitation_path,
    make_game,
    make_game_with_open_seat,
    make_lobby,
    open_seat,
)
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.players import Person, new_person

TOKEN = {"csrfmiddlewaretoken": "of one page"}
pytestmark = [pytest.mark.django_db, pytest.mark.services]


def new_browser(page: str) -> Client:
    """Return a browser without a player that has just opened a page with a form."""
    browser = Client()
    assert browser.get(page).status_code == 200
    assert set(browser.cookies) == {settings.CSRF_COOKIE_NAME}
    return browser


def post_twice(browser: Client, page: str, fields: dict[str, Any]) -> list[HttpResponse]:
    """Send a form twice, the second time with the cookies from before the first answer."""
    before, fields = browser.cookies.output(), {**fields, **TOKEN}
    first = browser.post(page, fields)
    browser.cookies = SimpleCookie()
    browser.cookies.load(before.replace("Set-Cookie: ", ""))
    return [first, browser.post(page, fields)]


def seat_pages(owner: Person) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the addresses of pages that offer a seat, each with the fields of its form."""
    first, second = seat_keys(two_player_rules())
    invited = open_seat(make_game_with_open_seat(owner))
    listed = open_seat(make_game(owner, seating={first: "me", second: "listed"}))
    lobby = make_lobby(owner)
    return {
        "invitation": (invitation_path(invited), {}),
        "listed": (f"/g/{listed.game_id}/sit/?seat={listed.key}", {}),
        "lobby": (f"/invite/{lobby_token(lobby)}/", {"seat": second}),
    }


@pytest.mark.parametrize("page", ["invitation", "listed", "lobby"])
def test_a_double_click_on_a_seat_leaves_its_browser_with_the_seat(owner, page):
    address, fields = seat_pages(owner)[page]
    browser = new_browser(address)
    answers = post_twice(browser, address, {"name": "Nora", **fields})
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert [str(player) for player in Player.objects.exclude(pk=owner.player.pk)] == ["Nora"]
    nora = Player.objects.get(name="Nora")
    assert nora.seats.count() == 1
    assert read_device_id(browser.get("/").wsgi_request) == nora.pk


def test_the_cookie_of_forms_signs_nobody_in(owner):
    pages = seat_pages(owner)
    browser = new_browser(pages["invitation"][0])
    before = browser.cookies[settings.CSRF_COOKIE_NAME].value
    browser.post(pages["invitation"][0], {"name": "Nora", **TOKEN})
    thief = Client()
    for sent in ({}, {"csrfmiddlewaretoken": "of another page"}):
        thief.cookies = SimpleCookie({settings.CSRF_COOKIE_NAME: before})
        address, fields = pages["listed"]
        thief.post(address, {"name": "Nora", **fields, **sent})
        thief.post("/me/account/", sent)
    nora = Player.objects.filter(name="Nora").order_by("created").first()
    assert read_device_id(thief.get("/").wsgi_request) != nora.pk
    assert nora.seats.count() == 1


def test_the_codes_of_an_account_that_is_made_twice_are_those_that_are_shown():
    browser = new_browser("/me/account/")
    fields = {"name": "Nora", "password": "an uncommon sentence"}
    answers = post_twice(browser, "/me/account/create/", fields)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert Account.objects.get().player == Player.objects.get()
    assert browser.get("/me/account/").text.count("Nora")


def test_two_browsers_are_two_players(owner):
    pages = seat_pages(owner)
    for page in ("invitation", "listed"):
        address, fields = pages[page]
        new_browser(address).post(address, {"name": "Nora", **fields})
    assert Player.objects.filter(name="Nora").count() == 2


def send_again(owner: Person, meanwhile: Callable[[Player], object]) -> Client:
    """Send the first form of a browser, and once more without the cookie of its player."""
    address, _ = seat_pages(owner)["invitation"]
    browser = new_browser(address)
    before = browser.cookies[settings.CSRF_COOKIE_NAME].value
    browser.post(address, {"name": "Nora", **TOKEN})
    meanwhile(Player.objects.get(name="Nora"))
    browser.cookies = SimpleCookie({settings.CSRF_COOKIE_NAME: before})
    browser.post(address, {"name": "Nora", **TOKEN})
    return browser


def test_a_form_of_yesterday_does_not_recognize_its_player(owner):
    yesterday = timezone.now() - 2 * FIRST_FORM
    browser = send_again(
        owner, lambda nora: Player.objects.filter(pk=nora.pk).update(created=yesterday)
    )
    assert settings.PLAYER_COOKIE not in browser.cookies


def test_a_browser_whose_player_was_merged_does_not_become_that_player_without_its_cookie(owner):
    other = new_person("Other").player
    browser = send_again(owner, lambda nora: merge_players(source=nora, target=other))
    assert other.seats.count() == 1
    assert settings.PLAYER_COOKIE not in browser.cookies


def test_a_browser_that_was_signed_out_begins_anew_with_one_player(owner):
    pages = seat_pages(owner)
    browser = new_browser(pages["invitation"][0])
    browser.post(pages["invitation"][0], {"name": "Nora"})
    nora = Player.objects.get(name="Nora")
    add_device(player=nora, name="another")
    sign_out(player=nora, device_id=nora.pk)
    answers = post_twice(browser, pages["listed"][0], {"name": "Nora"})
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Player.objects.filter(name="Nora").count() == 2


@pytest.mark.parametrize("site", ["", "cross-site", "same-site", "none"])
def test_a_form_of_another_site_is_refused(owner, site):
    address, _ = seat_pages(owner)["invitation"]
    browser = Client(enforce_csrf_checks=True)
    browser.get(address)
    assert browser.post(address, headers={"Sec-Fetch-Site": site}).status_code == 403


def test_a_browser_without_cookies_is_told_so(owner):
    address, _ = seat_pages(owner)["invitation"]
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post(address, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 403
    assert "didn’t send this site’s cookies" in answer.text
