"""Staff log in; whoever guesses, or only wants to keep the site busy, is stopped before that."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.rate_limits import RateLimit
from games.views import login as view

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"
RIGHT = {"username": "clerk", "password": "right", "next": "/admin/"}


@pytest.fixture(autouse=True)
def quotas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two attempts a name, three an address; nobody has tried."""
    monkeypatch.setattr(view, "LOGINS_PER_NAME", RateLimit(2, 60))
    monkeypatch.setattr(view, "LOGINS_PER_ADDRESS", RateLimit(3, 60))
    User.objects.create_user("clerk", password="right", is_staff=True)


def attempt(client: Client, address: str = "192.0.2.1", **changes: str) -> int:
    return client.post(LOGIN, RIGHT | changes, REMOTE_ADDR=address).status_code


def test_staff_log_in(client):
    assert LOGIN in client.get("/admin/")["Location"]
    assert client.get(LOGIN).status_code == 200
    assert attempt(client) == 302
    assert client.get("/admin/").status_code == 200


def test_a_wrong_password_is_refused_with_a_sentence(client):
    response = client.post(LOGIN, RIGHT | {"password": "wrong"})
    assert response.status_code == 200
    assert "Please enter the correct" in response.text


def test_attempts_on_one_name_are_limited_across_addresses(client):
    guesses = [attempt(client, f"192.0.2.{n}", password="wrong") for n in range(2)]
    response = client.post(LOGIN, RIGHT, REMOTE_ADDR="192.0.2.9")
    assert [*guesses, response.status_code] == [200, 200, 429]
    assert "Too many requests" in response.text
    assert client.get("/admin/").status_code == 302


def test_attempts_from_one_address_are_limited_across_names(client):
    guesses = [attempt(client, username=f"clerk{n}") for n in range(3)]
    assert [*guesses, attempt(client)] == [200, 200, 200, 429]
    assert attempt(client, "192.0.2.2") == 302


@pytest.mark.parametrize("normalize_input", [" clerk", "clerk ", "\uff43lerk"])
def test_another_spelling_of_a_name_counts_as_the_same_name(client, normalize_input):
    for n in range(2):
        attempt(client, f"192.0.2.{n}", username=normalize_input, password="wrong")
    assert attempt(client, "192.0.2.9") == 429


def test_pages_are_served_while_passwords_are_checked_one_by_one(client, monkeypatch):
    responses = []

    def checking(request):
        responses.extend([attempt(Client(), "192.0.2.2"), Client().get("/").status_code])
        return own(request)

    own = view.admin.site.login
    monkeypatch.setattr(view.admin.site, "login", checking, raising=False)
    assert attempt(client) == 302
    assert responses == [429, 200]


def test_a_failed_check_frees_the_place_for_the_next(client):
    attempt(client, password="wrong")
    assert attempt(client) == 302
