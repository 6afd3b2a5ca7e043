"""The pages where pupils' classes are compared, in the visitor's own browser.

They alone let the browser run WebAssembly and start a worker. The code of a pupil stays in the
browser: no view here reads a body."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from csp.constants import SELF
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.classes import comparison, playing
from games.classes.drawings import cell_drawings
from games.classes.recording import all_exercises, static_name
from games.classes.sentences import NOTHING, SENTENCES
from games.classes.wheel import make_wheel, wheel_name
from games.contract import Exercise, Rules
from games.core.translation import active_translator, translate
from games.services.setup import ME
from games.web.headers import content_policy
from games.web.request import HttpRequest
from games.web.slot import in_slot

HOUR = 3600
POLICY = "Content-Security-Policy"
WASM = "'wasm-unsafe-eval'"
INTERPRETER, LIBRARY = "vendor/pyodide/pyodide.asm.wasm", "vendor/pyodide/python_stdlib.zip"
VERSION = settings.VERSION or "0"
WHEEL = wheel_name(VERSION)
SECONDS = 10
"""Time that one run may take."""


@require_safe
def classes(request: HttpRequest) -> HttpResponse:
    exercises = [{"rules": rules, "exercise": exercise} for rules, exercise in all_exercises()]
    return render(request, "classes/classes.html", {"exercises": exercises})


@require_safe
def exercise(request: HttpRequest, slug: str, **more: object) -> HttpResponse:
    """Return the page of one exercise, with ``more`` values for its template. It works without
    scripts too: it then shows the command."""
    rules, found = playing.known_exercise(slug)
    context = {
        "rules": rules,
        "exercise": found,
        "values": _values(rules, found),
        "bytes": _bytes(),
        "drawings": in_slot(request, cell_drawings, slug, free=True),
        "seats": [f"seat-{seat.key}" for seat in rules.seats(rules.clean({}))],
        "me": ME,
        "wheel": request.build_absolute_uri(reverse("classes_wheel")),
        "seats_playing": playing.seats_of(rules, found.play) if found.play else (),
        "opponents": [rules.ladder[level] for level in playing.levels_of(rules, found.play)]
        if found.play
        else (),
        **more,
    }
    response = render(request, "classes/exercise.html", context)
    response[POLICY] = content_policy(update={"script-src": [WASM], "worker-src": [SELF]})
    return response


@cache_control(public=True, max_age=HOUR)
@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    """Return the Python files that the interpreter of the page needs, by path."""
    return JsonResponse(_sources())


@cache_control(public=True, max_age=HOUR)
@require_safe
def wheel(request: HttpRequest) -> HttpResponse:
    """Return the command as a file that pip installs."""
    return HttpResponse(_wheel(), content_type="application/zip")


@cache
def _wheel() -> bytes:
    return make_wheel(VERSION)


@cache
def _sources() -> dict[str, str]:
    folder = Path(comparison.__path__[0])
    parents = {"games/__init__.py": "", "games/classes/__init__.py": ""}
    files = {
        f"games/classes/comparison/{path.name}": path.read_text(encoding="utf-8")
        for path in sorted(folder.glob("*.py"))
    }
    return parents | files


@cache
def _bytes() -> int:
    """Return the size of the interpreter, for the bar that shows its loading."""
    return sum(Path(str(finders.find(name))).stat().st_size for name in (INTERPRETER, LIBRARY))


def _values(rules: Rules, exercise: Exercise) -> dict[str, Any]:
    """Return the values for the page's script: addresses, and sentences in the page's language."""
    sentence = active_translator().message
    return {
        "worker": static("classes/worker.js"),
        "sources": reverse("classes_sources"),
        "wasm": static(INTERPRETER),
        "library": static(LIBRARY),
        "record": static(static_name(rules, exercise)),
        "seconds": SECONDS,
        "board": reverse("class_board", args=[exercise.slug]),
        "move": reverse("class_move", args=[exercise.slug]),
        "transcripts": rules.transcript is not None,
        # The catalogue's placeholders are filled in by the script.
        "sentences": {code: sentence(wording.message) for code, wording in SENTENCES.items()},
        "verdicts": verdicts(),
        "words": _words() | {"nothing": translate(NOTHING)},
    }


def verdicts() -> dict[str, str]:
    """Return the words for the verdicts on a file, by their codes."""
    return {
        "right": _("right"),
        "different": _("different"),
        "stopped": _("stopped"),
        "unusable": _("cannot be run"),
    }


def _words() -> dict[str, str]:
    return {
        "running": _("Running …"),
        "right": _("Everything is right: the example and %(count)s runs."),
        "wrong": _("%(wrong)s of %(count)s runs differ."),
        "unreadable": _("Your code can’t be run yet."),
        "stopped": _("Stopped before the end."),
        "line": _("The error comes from line %(line)s of your code."),
        "printed": _("Your code prints something by itself, which is not compared."),
        "failed": _("The files of this page could not be loaded. Try again."),
        "copied": _("Copied"),
        "example": _("The document’s example"),
        "run": _("Run %(number)s"),
        "is_right": _("right"),
        "is_wrong": _("different"),
        "untried": _("not tried"),
        "too_many": _("Only the first 60 files were tried."),
        "lacks": _("Your file has no function choose."),
        "fails": _("Your function choose stops with %(error)s"),
        "illegal": _("Your function choose returned %(got)s, which is no legal move."),
    }
