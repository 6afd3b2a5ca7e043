"""A class of pupils: handing in by one secret link, and reading by another one."""

from __future__ import annotations

import csv
import logging
import re
from datetime import timedelta
from html import unescape
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boardsite.logs import RedactingFormatter
from games.classes.recording import all_exercises, read_record
from games.core.rate_limits import CLASSES_PER_ADDRESS, HAND_INS_PER_CLASS
from games.models import PupilRow, Report, SchoolClass
from tests.support.players import new_person
from tests.support.staff import log_in_staff

pytestmark = pytest.mark.django_db

RULES, EXERCISE = next(all_exercises())
RIGHT = {"code": "right", "right": "41", "runs": "41"}
WRONG = {"code": "different", "right": "7", "runs": "41"}
SEM, SOFIE = "5e" * 16, "50" * 16
"""Keys of browsers."""
WHOLE = {"exercise": EXERCISE.slug, "name": "Sem", "key": SEM, **RIGHT}


@pytest.fixture
def results() -> str:
    """Make a class as a teacher does, and return the address of its results."""
    answer = Client().post("/classes/new/", {"exercise": EXERCISE.slug})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.fixture
def link(results: str) -> str:
    return link_of(results)


def link_of(results: str) -> str:
    """Return the link for pupils, which the teacher's page shows."""
    [address] = re.findall(r'id="pupils-link"[^>]*value="([^"]*)"', Client().get(results).text)
    return str(urlsplit(address).path)


def hand_in(link: str, key: str = SEM, **changes: str) -> Any:
    return Client().post(link, WHOLE | {"key": key} | changes)


def act(results: str, what: str, row: str = "", **sent: Any) -> Any:
    pk = PupilRow.objects.get(name=row).pk if row else ""
    return Client().post(results, {"act": what, "row": pk, **sent})


def names() -> list[str]:
    return list(PupilRow.objects.order_by("name").values_list("name", flat=True))


def test_a_teacher_reads_what_a_pupil_has_handed_in(results: str, link: str) -> None:
    assert hand_in(link, **WRONG).json() == {"name": "Sem"}
    page = Client().get(results).text
    assert 'value="Sem"' in page
    assert "<td>different</td><td>7</td><td>41</td>" in re.sub(r"\s*\n\s*", "", page)


def test_every_exercise_can_be_that_of_a_class() -> None:
    page = Client().get("/classes/").text
    for rules, exercise in all_exercises():
        assert f'<option value="{exercise.slug}">' in page
        made = Client().post("/classes/new/", {"exercise": exercise.slug})
        pupils = Client().get(link_of(made["Location"])).text
        assert 'id="code-form"' in pupils
        assert f'data-exercise="{exercise.slug}"' in pupils
        assert len(read_record(rules, exercise)["runs"]) == int(RIGHT["runs"])
    assert Client().post("/classes/new/", {"exercise": "ludo"}).status_code == 404


def test_a_browser_replaces_and_deletes_its_own_row_alone(link: str) -> None:
    hand_in(link)
    hand_in(link, SOFIE, name="Sofie", **WRONG)
    assert hand_in(link, SOFIE, name="Sofie V").json() == {"name": "Sofie V"}
    assert names() == ["Sem", "Sofie V"]
    assert PupilRow.objects.get(name="Sofie V").code == "right"
    assert Client().post(link, {"key": SEM}).json() == {"name": ""}
    assert names() == ["Sofie V"]


def test_equal_names_get_a_number(link: str) -> None:
    sent = enumerate(("Sem", "sem", " Sem ", "Sofie"))
    got = [hand_in(link, f"{number:032x}", name=name).json() for number, name in sent]
    assert got == [{"name": name} for name in ("Sem", "sem (2)", "Sem (3)", "Sofie")]
    assert hand_in(link, f"{1:032x}", name="sem").json() == {"name": "sem (2)"}


def test_the_page_of_pupils_shows_no_row(link: str) -> None:
    hand_in(link, name="Sofie")
    hand_in(link, SOFIE, name="Noor 7")
    page = Client().get(link).text
    assert "Sofie" not in page
    assert "Noor" not in page
    # Nor does the key of another pupil's row come back.
    assert hand_in(link, "ab" * 16, name="Bo").content == b'{"name": "Bo"}'


def test_the_links_do_not_stand_in_for_each_other(results: str, link: str) -> None:
    as_results = link.replace("/hand-in/", "/results/")
    assert Client().get(as_results).status_code == 410
    assert Client().post(as_results, {"act": "empty"}).status_code == 410
    assert Client().get(as_results + "table.csv").status_code == 410
    assert Client().get(results.replace("/results/", "/hand-in/")).status_code == 410
    assert results.split("/")[2] not in Client().get(link).text


VALUES = {
    "name": ("", "x" * 21, "Sem!", "=Sem", "Sem\u200b", "\u0301"),
    "exercise": ("ludo", list(all_exercises())[-1][1].slug),
    "code": ("Traceback", "", "different"),
    "right": ("40", "42", "-1", "forty"),
    "runs": ("40",),
    "key": ("sem", ""),
    "output": ("x",),
    "source": ("class Board: pass",),
    "error": ("",),
}


@pytest.mark.parametrize("field", VALUES)
def test_any_other_field_or_value_is_refused_with_a_sentence(link: str, field: str) -> None:
    for value in VALUES[field]:
        answer = hand_in(link, **{field: value})
        assert (answer.status_code, answer.json()["refused"][-1]) == (422, ".")
    assert names() == []


def test_a_missing_a_second_or_another_kind_of_field_is_refused(link: str) -> None:
    for name in WHOLE.keys() - {"key"}:
        part = {field: value for field, value in WHOLE.items() if field != name}
        assert Client().post(link, part).status_code == 422
    assert Client().post(link, WHOLE | {"name": ["Sem", "Bo"]}).status_code == 422
    assert Client().post(link + "?error=x", WHOLE).status_code == 422
    assert Client().post(link, WHOLE | {"code": StringIO("class Board: pass")}).status_code == 422
    assert Client().post(link, WHOLE, content_type="application/json").status_code == 422
    assert names() == []


def test_letters_of_all_languages_make_a_nickname(link: str) -> None:
    for number, name in enumerate(("Zoë", "Zoe\u0308 van A", "Łukasz 2", "محمد", "小明")):
        assert hand_in(link, f"{number:032x}", name=name).status_code == 200
    assert names() == sorted(["Zoë", "Zoë van A", "Łukasz 2", "محمد", "小明"])


def test_a_row_has_no_player_cookie_or_address(link: str) -> None:
    person = new_person("Vera")
    assert person.client.post(link, WHOLE, REMOTE_ADDR="192.0.2.7").status_code == 200
    columns = ["id", "school_class", "key", "name", "renamed", "code", "right", "runs", "at"]
    assert [field.name for field in PupilRow._meta.get_fields()] == columns
    row = " ".join(map(str, PupilRow.objects.values_list().get()))
    cookies = [morsel.value for morsel in person.client.cookies.values()]
    for secret in (SEM, "192.0.2.7", str(person.player.pk), *filter(None, cookies)):
        assert secret not in row
    related = {relation.related_model for relation in PupilRow._meta.fields if relation.is_relation}
    assert related == {SchoolClass}
    assert not [field for field in SchoolClass._meta.fields if field.is_relation]


def test_the_same_key_is_another_hash_in_each_class(link: str) -> None:
    hand_in(link)
    made = Client().post("/classes/new/", {"exercise": EXERCISE.slug})
    hand_in(link_of(made["Location"]))
    assert len(set(PupilRow.objects.values_list("key", flat=True))) == 2


def test_sixty_pupils_behind_one_address_hand_in_at_once(link: str, settings: Any) -> None:
    settings.RATE_LIMITS = True
    answers = [hand_in(link, f"{number:032x}", name=f"Sem {number}") for number in range(60)]
    assert {answer.status_code for answer in answers} == {200}


def test_a_class_has_at_most_a_hundred_rows(link: str) -> None:
    pupils = SchoolClass.objects.get()
    PupilRow.objects.bulk_create(
        PupilRow(
            school_class=pupils, key=str(n), name=f"Pupil {n}", code="right", right=41, runs=41
        )
        for n in range(99)
    )
    assert hand_in(link).status_code == 200
    refused = hand_in(link, SOFIE, name="Sofie")
    assert (refused.status_code, "100" in refused.json()["refused"]) == (422, True)
    assert hand_in(link, **WRONG).status_code == 200


def test_three_hundred_reports_a_minute_are_counted_by_class(link: str, settings: Any) -> None:
    settings.RATE_LIMITS = True
    pupils = SchoolClass.objects.get()
    assert (HAND_INS_PER_CLASS.limit, HAND_INS_PER_CLASS.seconds) == (300, 60)
    HAND_INS_PER_CLASS.charge(pupils.pk, 300)
    answer = hand_in(link)
    assert (answer.status_code, answer.has_header("Retry-After")) == (429, True)
    assert answer.json()["refused"].endswith(".")


def test_five_classes_a_day_and_address(settings: Any) -> None:
    settings.RATE_LIMITS = True
    assert (CLASSES_PER_ADDRESS.limit, CLASSES_PER_ADDRESS.seconds) == (5, 24 * 3600)
    sent, one, other = {"exercise": EXERCISE.slug}, "192.0.2.9", "192.0.2.10"
    tries = [Client().post("/classes/new/", sent, REMOTE_ADDR=one) for _ in range(6)]
    assert [answer.status_code for answer in tries] == [302] * 5 + [429]
    assert Client().post("/classes/new/", sent, REMOTE_ADDR=other).status_code == 302


def test_a_name_that_the_teacher_gives_stays(results: str, link: str) -> None:
    hand_in(link)
    hand_in(link, SOFIE, name="Sofie")
    assert act(results, "rename", row="Sem", name="Sofie").status_code == 302
    assert names() == ["Sofie", "Sofie (2)"]
    assert hand_in(link).json() == {"name": "Sofie (2)"}
    refused = act(results, "rename", row="Sofie", name="Sofie!")
    assert (refused.status_code, "letters" in refused.text) == (422, True)


def test_the_teacher_deletes_a_row_and_all_rows(results: str, link: str) -> None:
    for number, name in enumerate(("Sem", "Sofie", "Bo")):
        hand_in(link, f"{number:032x}", name=name)
    act(results, "delete", row="Sem")
    assert names() == ["Bo", "Sofie"]
    act(results, "empty")
    assert names() == []
    assert hand_in(link).status_code == 200


def test_a_closed_class_takes_nothing_more_but_lets_a_pupil_go(results: str, link: str) -> None:
    hand_in(link)
    act(results, "close")
    assert "Your teacher has closed this class." in Client().get(link).text
    assert hand_in(link, **WRONG).status_code == 422
    assert Client().post(link, {"key": SEM}).status_code == 200
    act(results, "open")
    assert hand_in(link).status_code == 200


def test_each_link_can_be_made_anew(results: str, link: str) -> None:
    hand_in(link)
    act(results, "hand_in")
    assert Client().get(link).status_code == hand_in(link).status_code == 410
    # A browser keeps its row all the same.
    assert hand_in(link_of(results), name="Bo").status_code == 200
    assert names() == ["Bo"]
    moved = act(results, "results")["Location"]
    assert Client().get(results).status_code == act(results, "empty").status_code == 410
    assert 'value="Bo"' in Client().get(moved).text
    assert act(moved, "burn").status_code == 422


def test_another_class_is_out_of_reach(results: str, link: str) -> None:
    hand_in(link)
    other = Client().post("/classes/new/", {"exercise": EXERCISE.slug})["Location"]
    assert "Sem" not in Client().get(other).text
    for name in ("rename", "delete"):
        act(other, name, row="Sem", name="Bo")
    act(other, "empty")
    assert Client().post(link_of(other), {"key": SEM}).status_code == 200
    assert names() == ["Sem"]


def test_the_table_is_harmless_in_programs_for_tables(results: str, link: str) -> None:
    hand_in(link, **WRONG)
    for number, sign in enumerate("=+-@"):
        hand_in(link, f"{number:032x}", name=f"Bo {number}")
        PupilRow.objects.filter(name=f"Bo {number}").update(name=f"{sign}1")
    answer = Client().get(results + "table.csv")
    assert answer["Content-Disposition"] == f'attachment; filename="{EXERCISE.slug}.csv"'
    head, *rows = csv.reader(StringIO(answer.content.decode("utf-8-sig")))
    assert head[:4] == ["Nickname", "Verdict", "Right runs", "Runs"]
    assert ["Sem", "different", "7", "41"] in [row[:4] for row in rows]
    assert sorted(row[0] for row in rows) == ["'+1", "'-1", "'=1", "'@1", "Sem"]


def test_the_code_of_the_link_is_an_image(results: str, link: str) -> None:
    assert f'src="{link}code.svg"' in Client().get(results).text
    assert Client().get(link + "code.svg")["Content-Type"] == "image/svg+xml"
    assert Client().get("/hand-in/other/code.svg").status_code == 410


def test_no_page_of_a_class_is_stored_listed_or_told_to_others(results: str, link: str) -> None:
    for address in (results, link, results + "table.csv", link + "code.svg", "/results/gone/"):
        answer = Client().get(address)
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex"
        assert answer["Referrer-Policy"] == "no-referrer"


def test_forms_of_a_page_without_referrers_are_taken(results: str, link: str) -> None:
    client = Client(enforce_csrf_checks=True, HTTP_ORIGIN="null")
    assert client.post(results, {"act": "close"}).status_code == 302
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', client.get(link).text)
    assert token
    sent = {"language": "nl", "next": link, "csrfmiddlewaretoken": token[1]}
    assert client.post("/language/", sent)["Location"] == link
    assert "Je docent heeft deze klas gesloten." in client.get(link).text


def test_queries_and_logs_hold_no_token_or_key(
    results: str, link: str, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        CaptureQueriesContext(
            connection,
        ) as queries,
    ):
        hand_in(link)
        hand_in(link, name="Sem!")
        act(results, "burn")
    written = [RedactingFormatter().format(record) for record in caplog.records]
    assert any("/hand-in/…" in line for line in written)
    assert any("/results/…" in line for line in written)
    for secret in (link.split("/")[2], results.split("/")[2], SEM):
        assert not any(secret in line for line in written)
        assert not any(secret in query["sql"] for query in queries)


@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_pages_are_in_both_languages(results: str, link: str, language: str) -> None:
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    sentences = {
        "/classes/": ("Make two links", "Twee links maken"),
        link: ("marks come from the files", "cijfers komen van de bestanden"),
        results: ("A green is a pupil’s own word.", "Groen is wat een leerling zelf zegt."),
    }
    for address, (english, dutch) in sentences.items():
        page = unescape(client.get(address).text)
        assert ((english in page), (dutch in page)) == (language == "en", language == "nl")


def test_staff_delete_a_reported_class(results: str, link: str) -> None:
    hand_in(link, name="Rude word")
    pupils = SchoolClass.objects.get()
    for address in (results, link):
        [report] = re.findall(r'href="(/report/[^"]*)">', Client().get(address).text)
        assert report == f"/report/?of=/admin/games/schoolclass/{pupils.pk}/change/"
        of = report.partition("=")[2]
        assert of in Client().get(report).text
        assert Client().post("/report/", {"of": of, "reason": "abuse"}).status_code == 200
    row = Report.objects.get()
    assert (row.times, row.about) == (2, None)
    assert Client().get(row.address).status_code == 302
    staff = log_in_staff("view_report", "suspend_player", "view_schoolclass")
    assert "Rude word" in staff.get(row.address).text
    sent = {"action": "hide", "_selected_action": row.pk, "post": "yes", "reason": ""}
    staff.post("/admin/games/report/", sent)
    assert (SchoolClass.objects.count(), PupilRow.objects.count()) == (0, 0)
    assert Client().get(results).status_code == Client().get(link).status_code == 410
    assert Client().get("/report/?of=/admin/games/schoolclass/other/change/").status_code == 404


@pytest.mark.parametrize(
    ("reported", "made", "left"), [(29, 179, 1), (31, 31, 0), (1, 181, 0), (29, 29, 1)]
)
def test_a_class_goes_with_its_rows(
    link: str, reported: int, made: int, left: int, settings: Any, tmp_path: Any
) -> None:
    settings.DATA_DIR = tmp_path
    assert (settings.KEEP_DAYS["unused classes"], settings.KEEP_DAYS["classes"]) == (30, 180)
    hand_in(link)
    now = timezone.now()
    SchoolClass.objects.update(
        reported=now - timedelta(days=reported), created=now - timedelta(days=made)
    )
    call_command("tidy", stdout=StringIO())
    assert SchoolClass.objects.count() == PupilRow.objects.count() == left


def test_a_report_keeps_a_class(link: str) -> None:
    old = timezone.now() - timedelta(days=29)
    SchoolClass.objects.update(reported=old, created=old)
    hand_in(link)
    assert SchoolClass.objects.get().reported > old + timedelta(days=28)


def test_a_host_keeps_classes_for_ever(results: str, settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    assert "All of this is deleted 30 days after" in Client().get(results).text
    settings.KEEP_DAYS = {**settings.KEEP_DAYS, "unused classes": 0, "classes": 0}
    SchoolClass.objects.update(reported="2001-01-01T00:00Z", created="2001-01-01T00:00Z")
    call_command("tidy", stdout=StringIO())
    assert SchoolClass.objects.exists()
    assert "deleted" not in Client().get(results).text
