"""Staff actions that change rows: confirmed on a page of their own, then logged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from games.admin.read_only import page_of
from games.contract import MoveError
from games.core.refusals import Refusal
from games.core.translation import translate
from games.models import Player
from games.people.access import Kind, note
from games.state.replay import Unreadable
from games.state.snapshot import KindGone

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

AT_ONCE = 100
"""Rows that one action may change: more would take longer than a request should."""

REASON_LENGTH = 200
Act = Callable[[Any, str], object]
"""Changes one row by a service, for a reason, which may be ''. Raises Refusal, MoveError,
Unreadable or KindGone."""


def _always(_row: Any) -> bool:
    return True


@dataclass(frozen=True)
class ConfirmedAction:
    """An action on selected rows: its name, its service, and the required permission.

    ``removes`` says that the action deletes the row, so that its page is gone afterwards. The page
    of a row offers the action if it ``fits`` the row."""

    name: str
    label: StrPromise
    consequence: StrPromise
    act: Act
    permission: str
    removes: bool = False
    fits: Callable[[Any], bool] = _always

    def for_admin(self) -> Callable[..., HttpResponse | None]:
        """Return the function that Django's admin calls."""

        def run(model_admin: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
            return self._run(model_admin, request, rows)

        run.__name__ = self.name
        return admin.action(run, permissions=[self.permission], description=self.label)

    def _run(
        self, model_admin: Any, request: HttpRequest, rows: QuerySet[Any]
    ) -> HttpResponse | None:
        selected = list(rows[: AT_ONCE + 1])
        if len(selected) > AT_ONCE:
            sentence = _("Select at most %(n)s at once.") % {"n": AT_ONCE}
            model_admin.message_user(request, sentence, messages.WARNING)
            return None
        if "post" not in request.POST:
            return self._ask(model_admin, request, selected)
        done = sum(self._change(model_admin, request, row) for row in selected)
        sentence = ngettext("Done for %(n)s row.", "Done for %(n)s rows.", done) % {"n": done}
        if done:
            model_admin.message_user(request, sentence, messages.SUCCESS)
        if "page" in request.POST and not self.removes and len(selected) == 1:
            return redirect(page_of(selected[0]))
        return None

    def _ask(self, model_admin: Any, request: HttpRequest, selected: list[Model]) -> HttpResponse:
        context = {
            **model_admin.admin_site.each_context(request),
            "title": self.label,
            "action": self,
            "rows": selected,
            "opts": model_admin.opts,
            "action_checkbox_name": ACTION_CHECKBOX_NAME,
            "from_page": "page" in request.POST,
            "reason_length": REASON_LENGTH,
            "media": model_admin.media,
        }
        return TemplateResponse(request, "admin/games/confirm.html", context)

    def _change(self, model_admin: Any, request: HttpRequest, row: Any) -> bool:
        reason = " ".join(request.POST.get("reason", "").split())[:REASON_LENGTH]
        with override(settings.LANGUAGE_CODE):
            label = f"{self.label}: {reason}" if reason else str(self.label)
        # Logged first: the row may be gone afterwards.
        entry = model_admin.log_change(request, row, label)
        try:
            self.act(row, reason)
        except KindGone:
            fault = _("This site no longer has the rules of this game.")
        except (MoveError, Refusal, Unreadable) as error:
            fault = translate(error.text)
        else:
            if self.removes:
                _forget_names(entry)
            elif isinstance(row, Player):
                note(row, Kind.STAFF, label)
            return True
        entry.delete()
        sentence = _("%(row)s: %(reason)s") % {"row": row, "reason": fault}
        model_admin.message_user(request, sentence, messages.ERROR)
        return False


def offered(
    model_admin: Any, request: HttpRequest, row: Any, actions: Iterable[ConfirmedAction]
) -> list[ConfirmedAction]:
    allowed = model_admin.get_actions(request) if row else {}
    return [action for action in actions if action.name in allowed and action.fits(row)]


def _forget_names(entry: LogEntry) -> None:
    """Leave only the id of a removed row in the log."""
    same = LogEntry.objects.filter(content_type_id=entry.content_type_id, object_id=entry.object_id)
    same.update(object_repr=entry.object_id)
