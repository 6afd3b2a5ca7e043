"""A form from one of two tabs of a new browser, whose cookie is that of the other tab."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game
from games.services import plans
from tests.support.kinds import two_player_rules

pytestmark = pytest.mark.django_db

OPPONENT = plans.OPPONENTS[-1]
OWN = {"Sec-Fetch-Site": "same-origin"}
TOKEN = re.compile(r'csrfmiddlewaretoken" value="(\w+)')


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def stale(browser: Client) -> str:
    """Return the token of the first tab, after the second has replaced its cookie."""
    found = TOKEN.search(browser.get("/me/account/").text)
    assert found
    browser.cookies.clear()
    assert browser.get("/me/account/").cookies
    return found[1]


def address() -> str:
    return f"/new/{two_player_rules().slug}/start/"


@pytest.mark.parametrize(
    "headers", [OWN, {"Origin": "http://testserver"}], ids=["fetch metadata", "origin"]
)
def test_the_form_is_shown_again_and_works(browser, stale, headers):
    sent = {"with": OPPONENT, "note": '"><b>', "csrfmiddlewaretoken": stale}
    page = browser.post(address(), sent, headers=headers)
    assert page.status_code == 403
    assert "nothing has been done yet" in page.text
    assert f'action="{address()}"' in page.text
    assert 'name="note" value="&quot;&gt;&lt;b&gt;"' in page.text
    assert f'name="with" value="{OPPONENT}"' in page.text
    assert page["Cache-Control"] == "no-store"
    assert stale not in page.text
    assert not Game.objects.exists()
    [token] = set(re.findall(r'csrfmiddlewaretoken" value="(\w+)', page.text.split("<h1>")[1])[:1])
    again = browser.post(
        address(), {"with": OPPONENT, "csrfmiddlewaretoken": token}, headers=headers
    )
    assert again.status_code == 302
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://other.testserver"},
        {"Origin": "null"},
    ],
)
def test_the_form_of_another_site_is_not_shown(browser, stale, headers):
    sent = {"with": OPPONENT, "csrfmiddlewaretoken": stale}
    page = browser.post(address(), sent, headers=headers)
    assert page.status_code == 403
    assert 'name="with"' not in page.text


def test_a_password_is_not_repeated(browser, stale):
    sent = {"name": "Olive", "password": "four wise otters", "csrfmiddlewaretoken": stale}
    page = browser.post("/me/account/create/", sent, headers=OWN)
    assert page.status_code == 403
    assert "otters" not in page.text
