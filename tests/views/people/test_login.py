"""The login of staff, and its limits on guesses and on concurrent password checks."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.core import rate_limits
from games.core.rate_limits import RateLimit
from games.views.people import login as login_view

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"
CREDENTIALS = {"username": "clerk", "password": "right", "next": "/admin/"}


@pytest.fixture(autouse=True)
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow two attempts per name and three in all from an address, and three from a browser that
    has logged in."""
    monkeypatch.setattr(login_view, "LOGINS_PER_NAME_AND_ADDRESS", RateLimit(2, 60))
    monkeypatch.setattr(login_view, "LOGINS_PER_KNOWN_BROWSER", RateLimit(3, 60))
    monkeypatch.setattr(login_view, "LOGINS_PER_ADDRESS", RateLimit(3, 60))
    User.objects.create_user("clerk", password="right", is_staff=True)


def attempt(client: Client, address: str = "192.0.2.1", **changes: str) -> int:
    return client.post(LOGIN, CREDENTIALS | changes, REMOTE_ADDR=address).status_code


def test_staff_log_in(client):
    assert LOGIN in client.get("/admin/")["Location"]
    assert client.get(LOGIN).status_code == 200
    assert attempt(client) == 302
    assert client.get("/admin/").status_code == 200


def test_a_wrong_password_is_refused_with_a_sentence(client):
    response = client.post(LOGIN, CREDENTIALS | {"password": "wrong"})
    assert response.status_code == 200
    assert "Please enter the correct" in response.text


def test_attempts_on_one_name_are_limited_for_each_address(client):
    guesses = [attempt(client, password="wrong") for _ in range(2)]
    response = client.post(LOGIN, CREDENTIALS, REMOTE_ADDR="192.0.2.1")
    assert [*guesses, response.status_code] == [200, 200, 429]
    assert "Too many requests" in response.text
    assert client.get("/admin/").status_code == 302


def test_guesses_elsewhere_do_not_lock_the_owner_of_a_name_out(client):
    for n in range(2, 30):
        attempt(Client(), f"192.0.2.{n}", password="wrong")
    assert attempt(client) == 302


def test_guesses_from_many_addresses_are_slowed(client, monkeypatch):
    monkeypatch.setattr(rate_limits, "GUESSES_PER_NAME", RateLimit(5, 3600))
    monkeypatch.setattr(rate_limits, "GUESSES_PER_NAME_AND_ADDRESS", RateLimit(0, 3600))
    crowd = [f"192.0.2.{number}" for number in range(6)]
    statuses = [attempt(Client(), address, password="wrong") for address in crowd]
    assert statuses == [200] * 5 + [429]


def test_a_browser_that_has_logged_in_is_let_in_beside_guesses_from_its_address(client):
    assert attempt(client) == 302
    client.post("/admin/logout/")
    assert [attempt(Client(), password="wrong") for _ in range(3)] == [200, 429, 429]
    assert attempt(client) == 302


def test_attempts_from_a_browser_that_has_logged_in_are_limited(client):
    assert attempt(client) == 302
    guesses = [attempt(client, password="wrong") for _ in range(4)]
    assert guesses == [200, 200, 200, 429]


def test_a_browser_is_known_for_its_own_name_alone(client):
    assert attempt(client) == 302
    client.post("/admin/logout/")
    guesses = [attempt(client, username="other", password="wrong") for _ in range(3)]
    assert guesses == [200, 200, 429]


def test_attempts_from_one_address_are_limited_across_names(client):
    guesses = [attempt(client, username=f"clerk{n}") for n in range(3)]
    assert [*guesses, attempt(client)] == [200, 200, 200, 429]
    assert attempt(client, "192.0.2.2") == 302


@pytest.mark.parametrize("spelling", [" clerk", "clerk ", "\uff43lerk"])
def test_another_spelling_of_a_name_counts_as_the_same_name(client, spelling):
    for _ in range(2):
        attempt(client, username=spelling, password="wrong")
    assert attempt(client) == 429


def test_pages_are_served_while_passwords_are_checked_one_by_one(client, monkeypatch):
    responses = []

    def check_password(request):
        responses.extend([attempt(Client(), "192.0.2.2"), Client().get("/").status_code])
        return original(request)

    original = login_view.admin.site.login
    monkeypatch.setattr(login_view.admin.site, "login", check_password, raising=False)
    assert attempt(client) == 302
    assert responses == [429, 200]


def test_a_failed_check_frees_the_place_for_the_next(client):
    attempt(client, password="wrong")
    assert attempt(client) == 302
