"""An e-mail address is confirmed, resets a forgotten password and gets digests: by keyboard,
through the worker of a site and a mail server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.accessibility import faults_in_all_looks
from tests.support.browser.play import NewContext, claim_seat, set_up_game, unfold
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.repeats import LANGUAGES
from tests.support.servers.site_process import query_database, serve, share_static
from tests.support.servers.smtp_server import MailServer, run_mail_server

PASSWORD, NEW_PASSWORD = "four wise otters", "five wise otters"
SECONDS = 60.0


@pytest.fixture(scope="module")
def mail_server() -> Iterator[MailServer]:
    """Run a mail server."""
    with run_mail_server() as server:
        yield server


@pytest.fixture(scope="module")
def mail_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of the site that sends e-mails."""
    return tmp_path_factory.mktemp("mail-site")


@pytest.fixture(scope="module")
def mail_site(
    mail_data: Path, site_data: Path, site: str, mail_server: MailServer
) -> Iterator[str]:
    """Run a site that sends e-mails, and yield its address."""
    share_static(mail_data, site_data)
    smtp = f"smtp://127.0.0.1:{mail_server.port}"
    sender = "Boards <boards@boards.example>"
    with serve(mail_data, BOARDSITE_SMTP=smtp, BOARDSITE_MAIL_FROM=sender) as address:
        yield address


@pytest.fixture(params=LANGUAGES)
def visitor(request: pytest.FixtureRequest, browser: Browser, mail_site: str) -> Iterator[Page]:
    """Return a page of the site."""
    context = browser.new_context(base_url=mail_site, locale=request.param)
    yield context.new_page()
    context.close()


def links_of(message: Message) -> list[str]:
    body = message.get_payload(decode=True)
    assert isinstance(body, bytes)
    return re.findall(r"https?://\S+", body.decode())


def wait_for_email(server: MailServer, address: str, n: int) -> Message:
    """Wait for the e-mail number ``n`` to an address, and return it."""
    end = monotonic() + SECONDS
    while monotonic() < end:
        found = [message for message in server.received if message["To"] == address]
        if len(found) >= n:
            return found[n - 1]
        sleep(0.05)
    raise AssertionError(f"{address} got no e-mail")


def create_account(page: Page, name: str) -> None:
    page.goto("/me/account/")
    page.locator("#new-name").fill(name)
    page.locator("#new-password").fill(PASSWORD)
    page.locator("#new-password").press("Enter")
    expect(page.locator(".codes code")).to_have_count(8)


def confirm_address(page: Page, server: MailServer, address: str) -> list[str]:
    """Enter an address and open the link that it gets; return the faults of the pages."""
    page.goto("/me/account/")
    unfold(page, "#email")
    page.locator("#email").fill(address)
    page.locator("#password-email").fill(PASSWORD)
    page.locator("#password-email").press("Enter")
    page.wait_for_url("**/?done=email")
    found = faults_in_all_looks(page)
    page.goto(links_of(wait_for_email(server, address, 1))[0])
    found += faults_in_all_looks(page)
    page.locator("main form button").press("Enter")
    page.wait_for_url("**/?done=confirmed")
    return found + faults_in_all_looks(page)


def test_an_address_replaces_a_forgotten_password(
    visitor: Page, new_context: NewContext, mail_server: MailServer
) -> None:
    name = f"Olive {mail_server.port} {len(mail_server.received)}"
    address = f"olive{len(mail_server.received)}@boards.example"
    create_account(visitor, name)
    found = confirm_address(visitor, mail_server, address)
    visitor.goto("/me/account/recover/")
    found += faults_in_all_looks(visitor)
    visitor.locator("#who").fill(address)
    visitor.locator("#who").press("Enter")
    visitor.wait_for_url("**/?done=sent")
    found += faults_in_all_looks(visitor)
    link = links_of(wait_for_email(mail_server, address, 2))[0]
    visitor.goto(link)
    found += faults_in_all_looks(visitor)
    # This part works without scripts, but axe itself needs them.
    other = new_context(java_script_enabled=False).new_page()
    other.goto(link)
    other.locator("#password").fill(NEW_PASSWORD)
    other.locator("#password").press("Enter")
    other.wait_for_url("**/me/")
    visitor.goto(link)
    expect(visitor.get_by_role("alert")).to_be_visible()
    found += faults_in_all_looks(visitor)
    visitor.goto("/me/account/")
    expect(visitor.locator("#new-name")).to_be_visible()
    assert found == []


def test_a_worker_sends_a_digest_that_a_link_ends(
    visitor: Page, mail_server: MailServer, mail_data: Path, new_context: NewContext
) -> None:
    name = f"Otto {mail_server.port} {len(mail_server.received)}"
    address = f"otto{len(mail_server.received)}@boards.example"
    create_account(visitor, name)
    assert confirm_address(visitor, mail_server, address) == []
    first, second = seat_keys(two_player_rules())
    set_up_game(visitor, two_player_rules().slug, {first: "me", second: "invite"}, {})
    claim_seat(new_context().new_page(), visitor)
    let_games_wait(mail_data)
    message = wait_for_email(mail_server, address, 2)
    assert links_of(message)[0] == visitor.url.split("?")[0]
    visitor.goto(message["List-Unsubscribe"].strip(" \r\n<>"))
    found = faults_in_all_looks(visitor)
    visitor.locator("main form button").press("Enter")
    expect(visitor.get_by_role("status")).to_be_visible()
    assert found + faults_in_all_looks(visitor) == []


def let_games_wait(data: Path) -> None:
    """Let all games wait for a day, and the e-mails about them be due."""
    day_ago = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
    query_database(data, "UPDATE games_game SET updated = ?", day_ago)
    waiting = "FROM games_outgoing WHERE kind = 'turn' AND claimed IS NULL"
    end = monotonic() + SECONDS
    while not query_database(data, f"SELECT 1 {waiting}"):
        assert monotonic() < end
        sleep(0.05)
    # A notice of today would wait as long as its game is on the screen.
    changed = "UPDATE games_outgoing SET due = ?, created = ? WHERE kind = 'turn'"
    query_database(data, changed, day_ago, day_ago)
