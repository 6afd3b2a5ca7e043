"""The switch of notices on the page of devices.

The push service of the browser vendor is not used: a stand-in for ``PushManager`` gives the page a
subscription. The service worker, its registration and the form are real.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import PushSubscription
from games.notices import web_push
from games.notices.events import Notice
from games.notices.senders import push_message
from tests.support.browser.accessibility import faults_in_all_looks as faults
from tests.support.browser.play import TIMEOUT_MS, start_solo_game
from tests.support.kinds import two_player_rules
from tests.support.repeats import LANGUAGES
from tests.support.servers.push_service import FakeBrowser
from tests.support.servers.site_process import query_database, serve, share_static

PAGE = "/me/devices/"
SWITCH = "#push button"
TROUBLE = "#push-trouble"
REGISTERED = "async () => Boolean(await navigator.serviceWorker.getRegistration())"
# Headless browsers deny notices, so the requests to show one are recorded.
NOTE_SHOWN = """() => {
  self.shown = new Promise((resolve) => {
    registration.showNotification = async (...notice) => resolve(notice);
  });
}"""
# Only a user's own click may open or focus a page, so these requests are recorded too.
CLICK = """async (url) => {
  const done = [];
  let work;
  clients.openWindow = async (path) => done.push(`open ${path}`);
  WindowClient.prototype.focus = async function () {
    done.push(`focus ${new URL(this.url).pathname}`);
  };
  const event = new ExtendableEvent("notificationclick");
  event.notification = { data: url, close: () => done.push("close") };
  event.waitUntil = (promise) => { work = promise; };
  dispatchEvent(event);
  await work;
  return done;
}"""
# The browser has a new subscription, and waits until the site has it.
CHANGE = """async ([endpoint, p256dh, auth]) => {
  let work;
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.newSubscription = { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
  event.waitUntil = (promise) => { work = promise; };
  dispatchEvent(event);
  await work;
}"""
KEY = web_push.new_key()
STAND_IN = """(() => {
  const subscription = () => {
    const known = localStorage.getItem("subscription");
    return known && {
      toJSON: () => JSON.parse(known),
      unsubscribe: async () => localStorage.removeItem("subscription"),
    };
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async (options) => {
    const [endpoint, p256dh, auth] = %s;
    localStorage.setItem("asked", options.applicationServerKey);
    localStorage.setItem("subscription", JSON.stringify({ endpoint, keys: { p256dh, auth } }));
    return subscription();
  };
})()"""


@pytest.fixture(scope="module")
def push_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of the site with a key."""
    return tmp_path_factory.mktemp("push-site")


@pytest.fixture(scope="module")
def push_site(push_data: Path, site_data: Path, site: str) -> Iterator[str]:
    """Run a site with a key of Web Push, and yield its address."""
    share_static(push_data, site_data)
    with serve(push_data, BOARDSITE_PUSH_KEY=KEY) as address:
        yield address


@pytest.fixture(params=LANGUAGES)
def visitor(request: pytest.FixtureRequest, browser: Browser, push_site: str) -> Iterator[Page]:
    """Return a page of a player."""
    context = browser.new_context(base_url=push_site, locale=request.param)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    start_solo_game(page, two_player_rules().slug)
    yield page
    context.close()


def allow_notices(page: Page, endpoint: str) -> None:
    """Let the browser allow notices, and give it a stand-in of its push service."""
    form = FakeBrowser().form(endpoint)
    page.add_init_script(STAND_IN % [form["endpoint"], form["p256dh"], form["auth"]])
    # The page asks for permission, and a headless browser has nobody to answer.
    page.add_init_script("Notification.requestPermission = async () => 'granted'")


def subscriptions(data: Path, endpoint: str) -> int:
    sql = "SELECT COUNT(*) FROM games_pushsubscription WHERE endpoint = ?"
    ((number,),) = query_database(data, sql, endpoint)
    return int(number)


def test_the_switch_turns_notices_on_and_off(visitor: Page, push_data: Path) -> None:
    endpoint = f"https://push.example/{uuid4()}"
    allow_notices(visitor, endpoint)
    visitor.goto(PAGE)
    found = faults(visitor)
    visitor.locator(SWITCH).press("Enter")
    expect(visitor.locator(f"{SWITCH}[name=off]")).to_be_visible()
    # The script of the new page takes the next press.
    visitor.wait_for_load_state()
    assert subscriptions(push_data, endpoint) == 1
    assert visitor.evaluate("localStorage.getItem('asked')") == web_push.public_key(KEY)
    assert visitor.evaluate(REGISTERED)
    found += faults(visitor)
    visitor.locator(SWITCH).press("Enter")
    expect(visitor.locator(f"{SWITCH}:not([name=off])")).to_be_visible()
    assert subscriptions(push_data, endpoint) == 0
    assert not visitor.evaluate(REGISTERED)
    assert found == []


def push_to(page: Page, values: Mapping[str, str]) -> None:
    """Let the browser receive a notice for the service worker of a page's site."""
    registered: list[str] = []
    session = page.context.new_cdp_session(page)
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registered.extend(
            registration["registrationId"] for registration in event["registrations"]
        ),
    )
    session.send("ServiceWorker.enable")
    # Each command to the page lets the events of the session arrive.
    for _ in range(1_000):
        if registered:
            break
        page.evaluate(REGISTERED)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": page.evaluate("location.origin"),
            "registrationId": registered[0],
            "data": json.dumps(values),
        },
    )


def test_a_pushed_notice_is_shown_and_a_click_on_it_opens_the_game(visitor: Page) -> None:
    game = urlsplit(visitor.url).path
    allow_notices(visitor, f"https://push.example/{uuid4()}")
    visitor.goto(PAGE)
    language = visitor.locator("html").get_attribute("lang") or ""
    with visitor.context.expect_event("serviceworker") as started:
        visitor.locator(SWITCH).press("Enter")
    expect(visitor.locator(f"{SWITCH}[name=off]")).to_be_visible()
    worker = started.value
    worker.evaluate(NOTE_SHOWN)
    notice = Notice(game.split("/")[2], two_player_rules().slug)
    sent = push_message(PushSubscription(language=language), [notice])
    push_to(visitor, sent)
    options = {"body": sent["body"], "tag": game, "data": game}
    assert worker.evaluate("shown") == [sent["title"], options]
    assert worker.evaluate(CLICK, game) == ["close", f"open {game}"]
    assert worker.evaluate(CLICK, PAGE) == ["close", f"focus {PAGE}"]
    # An open front page shows the game, so that there is no second window.
    visitor.goto("/")
    assert worker.evaluate(CLICK, game) == ["close", f"focus {game}"]


def test_the_site_hears_of_a_subscription_that_the_browser_has_changed(
    visitor: Page, push_data: Path
) -> None:
    old, new = (f"https://push.example/{uuid4()}" for _ in range(2))
    allow_notices(visitor, old)
    visitor.goto(PAGE)
    with visitor.context.expect_event("serviceworker") as started:
        visitor.locator(SWITCH).press("Enter")
    expect(visitor.locator(f"{SWITCH}[name=off]")).to_be_visible()
    form = FakeBrowser().form(new)
    started.value.evaluate(CHANGE, [form["endpoint"], form["p256dh"], form["auth"]])
    assert (subscriptions(push_data, old), subscriptions(push_data, new)) == (0, 1)


def test_a_browser_that_blocks_notices_is_told_how_to_allow_them(visitor: Page) -> None:
    visitor.add_init_script("Notification.requestPermission = async () => 'denied'")
    visitor.goto(PAGE)
    visitor.locator(SWITCH).press("Enter")
    expect(visitor.locator(TROUBLE)).to_be_visible()
    expect(visitor.locator(f"{SWITCH}:not([name=off])")).to_be_visible()
    assert not visitor.evaluate(REGISTERED)
    assert faults(visitor) == []


def test_a_site_without_a_key_offers_no_notices(page: Page) -> None:
    start_solo_game(page, two_player_rules().slug)
    page.goto(PAGE)
    expect(page.locator("form[action*=link]")).to_be_visible()
    expect(page.locator("#push")).to_have_count(0)
