"""Classes of pupils: by one secret link pupils hand in the verdict of their own browser, by another
one the teacher reads. A row has a nickname and a verdict, and no player, cookie or address."""

from __future__ import annotations

import csv
import unicodedata
from functools import partial, wraps
from itertools import count
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from games.classes.playing import known_exercise
from games.classes.recording import RUNS
from games.classes.views import exercise, verdicts
from games.contract import text
from games.core.rate_limits import CLASSES_PER_ADDRESS, HAND_INS_PER_CLASS, SEATS
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import NICKNAME_LENGTH, PupilRow, SchoolClass
from games.services.tokens import hash_token, is_token, make_token, new_salt
from games.storage.write_lock import write_transaction
from games.views.common import View, form_action, show_page, status_of
from games.views.errors import page
from games.views.responses import qr_code
from games.web.client_address import client_address
from games.web.request import HttpRequest, parse_ply

HAND_IN, RESULTS = "hand_in", "results"
"""The two links, by the names of their columns and addresses."""
MOST_ROWS = 100
FIELDS = ("exercise", "name", "code", "right", "runs")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of cells that programs for tables take for formulas."""


class LinkGone(Refusal):
    status = 410
    reason = text("This link to a class of pupils is no longer valid.")


class BadRow(Refusal):
    """Raised for any field or value that is not handed in."""

    reason = text("That can’t be handed in.")


# --- services --------------------------------------------------------------------------


def make_class(*, exercise: str) -> SchoolClass:
    made = SchoolClass(exercise=exercise)
    _renew(made, HAND_IN)
    _renew(made, RESULTS)
    with write_transaction():
        made.save(force_insert=True)
    return made


def token_of(found: SchoolClass, link: str) -> str:
    return make_token(f"games.{link}", found.pk, getattr(found, f"{link}_salt"))


def _renew(found: SchoolClass, link: str) -> None:
    setattr(found, f"{link}_salt", new_salt())
    setattr(found, f"{link}_hash", hash_token(token_of(found, link)))


def class_of(link: str, token: str, *, lock: bool = False) -> SchoolClass:
    """Return the class of a link, with ``lock`` locked until the transaction ends. Raises
    LinkGone."""
    classes = SchoolClass.objects.select_for_update() if lock else SchoolClass.objects
    found = classes.filter(**{f"{link}_hash": hash_token(token[:64])}).first()
    if found is None:
        raise LinkGone
    return found


def store_row(*, token: str, key: str, sent: dict[str, str]) -> str:
    """Store the row of a pupil's key, in place of the one before, and return the nickname that it
    got. Raises Refusal."""
    name, (right, runs) = _nickname(sent["name"]), _counts(sent)
    with write_transaction():
        found = class_of(HAND_IN, token, lock=True)
        if found.closed:
            raise Refusal(text("Your teacher has closed this class."))
        if sent["exercise"] != found.exercise:
            raise BadRow
        own = found.rows.filter(key=_hash_key(found, key)).first()
        if own is None and found.rows.count() >= MOST_ROWS:
            raise Refusal(text("This class is full: it has %(n)s rows.", n=MOST_ROWS))
        row = own or PupilRow(school_class=found, key=_hash_key(found, key))
        if not row.renamed:
            row.name = _free_name(name, found.rows.exclude(pk=row.pk))
        row.code, row.right, row.runs = sent["code"], right, runs
        row.save()
        found.reported = timezone.now()
        found.save(update_fields=["reported"])
    return row.name


def delete_row(*, token: str, key: str) -> None:
    """Delete the row of a pupil's key, if there is one."""
    with write_transaction():
        found = class_of(HAND_IN, token, lock=True)
        found.rows.filter(key=_hash_key(found, key)).delete()


def change_class(*, token: str, act: str, row: int, name: str) -> SchoolClass:
    """Do an act of the teacher: ``rename`` or ``delete`` a row, ``empty``, ``close`` or ``open``
    the class, or make one of its links anew. Raises Refusal."""
    with write_transaction():
        found = class_of(RESULTS, token, lock=True)
        if act == "rename":
            free = _free_name(_nickname(name), found.rows.exclude(pk=row))
            found.rows.filter(pk=row).update(name=free, renamed=True)
        elif act == "delete":
            found.rows.filter(pk=row).delete()
        elif act == "empty":
            found.rows.all().delete()
        elif act in {"close", "open"}:
            found.closed = act == "close"
        elif act in {HAND_IN, RESULTS}:
            _renew(found, act)
        else:
            raise Refusal
        found.save()
    return found


def _hash_key(found: SchoolClass, key: str) -> str:
    """Return a hash of a pupil's key that is another one in each class."""
    return hash_token(f"{found.pk}:{key}")


def _nickname(written: str) -> str:
    name = " ".join(unicodedata.normalize("NFC", written[: 10 * NICKNAME_LENGTH]).split())
    signs = (sign == " " or sign.isalpha() or sign.isdecimal() for sign in name)
    if not 0 < len(name) <= NICKNAME_LENGTH or not all(signs):
        raise Refusal(
            text("A nickname has at most %(n)s letters, digits and spaces.", n=NICKNAME_LENGTH)
        )
    return name


def _counts(sent: dict[str, str]) -> tuple[int, int]:
    """Return the right runs and all runs. Raises BadRow, also for a verdict that they belie."""
    right, runs = parse_ply(sent["right"]), parse_ply(sent["runs"])
    known = sent["code"] in verdicts() and runs == RUNS + 1 and 0 <= right <= runs
    if not known or (sent["code"] == "right") != (right == runs):
        raise BadRow
    return right, runs


def _free_name(name: str, others: QuerySet[PupilRow]) -> str:
    """Return a nickname, with a number if another row has it."""
    taken = {other.casefold() for other in others.values_list("name", flat=True)}
    numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(free for free in numbered if free.casefold() not in taken)


# --- pages -----------------------------------------------------------------------------


def _secret(view: View) -> View:
    """Keep a page out of caches, searches and referrers. Browsers then hide where a form comes
    from. It needs no CSRF token: its right is in the address, and in no cookie."""

    @csrf_exempt
    @wraps(view)
    def secret(request: HttpRequest, token: str) -> HttpResponse:
        try:
            response = view(request, token=token)
        except LinkGone as gone:
            response = page(request, gone.status, text("This link no longer works"), gone.text)
        response["Referrer-Policy"], response["X-Robots-Tag"] = "no-referrer", "noindex"
        response["Cache-Control"] = "no-store"
        return response

    return secret


@require_POST
def new_class(request: HttpRequest) -> HttpResponse:
    """Make a class for the chosen ``exercise``. Raises Http404 or RateLimited."""
    _rules, chosen = known_exercise(request.POST.get("exercise", ""))
    CLASSES_PER_ADDRESS.hit(client_address(request))
    return redirect(RESULTS, token_of(make_class(exercise=chosen.slug), RESULTS))


def _hand_in_page(request: HttpRequest, token: str) -> HttpResponse:
    found = class_of(HAND_IN, token)
    more = {"pupils": found, "nickname_length": NICKNAME_LENGTH, "seats_playing": ()}
    return exercise(request, found.exercise, **more)


def _not_handed_in(request: HttpRequest, token: str, refused: Refusal) -> HttpResponse:
    if request.method != "POST":
        raise refused
    return JsonResponse({"refused": translate(refused.text)}, status=status_of(refused))


@_secret
@form_action(_not_handed_in, asks=_hand_in_page)
def hand_in(request: HttpRequest, token: str) -> HttpResponse:
    """Show the exercise of a class (GET), and store or delete the row of a browser's key (POST)."""
    HAND_INS_PER_CLASS.hit(class_of(HAND_IN, token).pk)
    sent = request.POST.dict()
    once = all(len(values) == 1 for _name, values in request.POST.lists())
    if request.GET or request.FILES or not once or not is_token(key := sent.pop("key", "")):
        raise BadRow
    if not sent:
        delete_row(token=token, key=key)
        return JsonResponse({"name": ""})
    if sent.keys() != set(FIELDS):
        raise BadRow
    return JsonResponse({"name": store_row(token=token, key=key, sent=sent)})


hand_in_code = _secret(qr_code(HAND_IN, partial(class_of, HAND_IN)))


def _results_page(request: HttpRequest, token: str, refused: Refusal | None = None) -> HttpResponse:
    found = class_of(RESULTS, token)
    rules, own = known_exercise(found.exercise)
    link = token_of(found, HAND_IN)
    context = {
        "pupils": found,
        "rules": rules,
        "exercise": own,
        "head": _head(),
        "rows": [(row, _cells(row)[1:]) for row in found.rows.order_by("name")],
        "link": request.build_absolute_uri(reverse(HAND_IN, args=[link])),
        "code": reverse("hand_in_code", args=[link]),
        "own_link": request.build_absolute_uri(request.path),
        "table": reverse("results_table", args=[token]),
        "nickname_length": NICKNAME_LENGTH,
        "unused_days": settings.KEEP_DAYS["unused classes"],
        "days": settings.KEEP_DAYS["classes"],
    }
    return show_page(request, "classes/results.html", context, refused)


def _head() -> list[str]:
    return [_("Nickname"), _("Verdict"), _("Right runs"), _("Runs"), _("Handed in")]


def _cells(row: PupilRow) -> list[Any]:
    at = timezone.localtime(row.at)
    return [
        row.name,
        verdicts().get(row.code, row.code),
        row.right,
        row.runs,
        f"{at:%Y-%m-%d %H:%M}",
    ]


@_secret
@form_action(_results_page, limits=SEATS, asks=_results_page)
def results(request: HttpRequest, token: str) -> str:
    """Show the teacher of a class its rows (GET), and do an act upon them (POST)."""
    sent = request.POST
    act, row, name = sent.get("act", ""), parse_ply(sent.get("row", "")), sent.get("name", "")
    found = change_class(token=token, act=act, row=row, name=name)
    return reverse(RESULTS, args=[token_of(found, RESULTS)])


@_secret
@require_safe
def results_table(request: HttpRequest, token: str) -> HttpResponse:
    """Return the rows of a class as CSV."""
    found = class_of(RESULTS, token)
    # Excel reads UTF-8 only after this mark.
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.exercise}.csv"'
    rows = [_head(), *(_cells(row) for row in found.rows.order_by("name"))]
    csv.writer(response).writerows([_plain(cell) for cell in row] for row in rows)
    return response


def _plain(cell: object) -> str:
    written = str(cell)
    return f"'{written}" if written.startswith(FORMULA) else written
