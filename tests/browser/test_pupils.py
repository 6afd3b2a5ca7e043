"""A class of pupils in two browsers: what leaves the pupil's, and what the site then holds."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from django.apps import apps
from playwright.sync_api import Page, Request, expect

from games.classes.recording import all_exercises
from tests.support.browser.play import NewContext
from tests.support.pupils import pupil
from tests.support.servers.site_process import query_database

EXERCISE = next(exercise.slug for _rules, exercise in all_exercises() if exercise.name)
MARK = "zebrafinch"
FAULTY = f"""\
{pupil(EXERCISE)}
# {MARK}
print("{MARK}")
raise ValueError("{MARK}")
"""


def test_only_a_verdict_leaves_the_browser_of_a_pupil(
    page: Page, new_context: NewContext, site_data: Path
) -> None:
    page.goto("/classes/")
    page.locator("#class-exercise").select_option(EXERCISE)
    page.locator("form[action='/classes/new/'] button").click()
    link = page.locator("#pupils-link").input_value()
    own = new_context().new_page()
    requests: list[Request] = []
    own.on("request", lambda request: requests.append(request))  # noqa: PLW0108  # a bound method cannot be a handler
    own.goto(link)
    own.fill("#code", FAULTY)
    own.click("#run")
    expect(own.locator("#problem")).to_contain_text(MARK, timeout=60_000)
    for nickname, answer in (("Sem!", "letters, digits and spaces"), ("Sem", "you are: Sem")):
        own.fill("#nickname", nickname)
        own.locator("#hand-in button").first.click()
        expect(own.locator("#hand-in-status")).to_contain_text(answer)

    refused, sent = (request for request in requests if request.method != "GET")
    assert (refused.method, sent.method, sent.url) == ("POST", "POST", link)
    fields = dict(parse_qsl(sent.post_data or "", strict_parsing=True))
    assert len(fields.pop("key")) == 32
    verdict = {"code": "unusable", "right": "0", "runs": "41"}
    assert fields == {"exercise": EXERCISE, "name": "Sem", **verdict}
    assert not {"cookie", "referer"} & sent.all_headers().keys()
    heard = [request.url + (request.post_data or "") for request in requests]
    assert not [line for line in heard if MARK in line]
    tables = [model._meta.db_table for model in apps.get_models()]
    rows = [
        row for table in tables for row in query_database(site_data, f'SELECT * FROM "{table}"')
    ]  # names of our own
    assert any("Sem" in row for row in rows)
    assert MARK not in str(rows)
    log = "".join(path.read_text() for path in site_data.glob("*.log"))
    assert "/hand-in/…" in log
    for secret in (MARK, "Sem", urlsplit(link).path.split("/")[2]):
        assert secret not in log

    page.reload()
    expect(page.locator("tbody tr")).to_contain_text("cannot be run")
    own.reload()
    expect(own.locator("#nickname")).to_have_value("Sem")
    own.click("#take-back")
    expect(own.locator("#hand-in-status")).to_have_text("Your row is deleted.")
    page.reload()
    expect(page.locator("tbody")).to_have_text("Nobody has handed in yet.")
