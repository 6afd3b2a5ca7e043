"""The base of the admin's pages: rows that only the services write, in lists without counts, and
staff actions that change them, confirmed on a page of their own, then logged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import unquote
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from games.admin.change_lists import KeysetChangeList
from games.contract import MoveError
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player, Seat
from games.people.access import Kind, logger, note
from games.state.replay import Unreadable, read_specs, rules_of
from games.state.snapshot import KindGone


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Rows that only the services write."""

    found_by: ClassVar[frozenset[str]]
    """Indexed fields by which the query string may filter a list. Django would allow every field,
    and filtering by the first characters of a hidden value reveals it in a few requests."""

    staff_actions: ClassVar[tuple[ConfirmedAction, ...]] = ()
    """The actions that the page of a row offers."""

    ordering: ClassVar[tuple[str, ...]] = ("-created",)
    sortable_by: ClassVar[tuple[str, ...]] = ("created",)
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    change_list_template = "admin/games/change_list.html"

    class Media:
        css: ClassVar[dict[str, tuple[str, ...]]] = {"all": ("site/admin.css",)}

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[KeysetChangeList]:
        return KeysetChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        field = lookup.partition(LOOKUP_SEP)[0]
        return field in self.found_by and super().lookup_allowed(lookup, value, request)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        """Log an act of staff in the history of its row and among the security events."""
        row = f"{self.opts.model_name} {obj.pk}"
        logger.info("security: staff, user %s, %s: %s", request.user.pk, row, message)
        return super().log_change(request, obj, message)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        context = {"title": capfirst(self.opts.verbose_name), **(extra_context or {})}
        if "offered" not in context:
            row = self.get_object(request, unquote(object_id))
            context["offered"] = self.offered(request, row) if row else []
        return super().change_view(request, object_id, form_url, context)

    def offered(self, request: HttpRequest, row: Any) -> list[Any]:
        """Return the actions that the page of a row offers."""
        allowed = self.get_actions(request)
        return [each for each in self.staff_actions if each.name in allowed and each.fits(row)]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_add_permission


def kind_name(game: Game) -> str:
    """Return the name of a game's kind, or its slug if its folder is gone."""
    rules = all_rules().get(game.kind)
    return translate(rules.name) if rules else game.kind


def seat_names(game: Game) -> dict[str, str]:
    """Return the names of a game's seats; none for a kind that is gone or unreadable options."""
    try:
        return {spec.key: translate(spec.name) for spec in read_specs(game, rules_of(game))}
    except Unreadable:
        return {}


def seat_name(game: Game, key: str) -> str:
    return seat_names(game).get(key, key)


def page_of(row: Game | Player) -> str:
    return reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])


def list_of(model: str, **filters: Any) -> str:
    return f"{reverse(f'admin:games_{model}_changelist')}?{urlencode(filters)}"


def link(row: Game | Player, text: str = "") -> str:
    return format_html('<a href="{}">{}</a>', page_of(row), text or row)


def sitting(seat: Seat) -> str:
    """Return the holders of a seat, with links to the pages of people."""
    if seat.computer:
        return _("computer %(level)s") % {"level": seat.computer}
    return format_html_join(", ", "{}", ((link(player),) for player in seat.players.all())) or "–"


if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

AT_ONCE = 100
"""Rows that one action may change: more would take longer than a request should."""

REASON_LENGTH = 200
Act = Callable[[Any, str], object]
"""Changes one row by a service, for a reason, or refuses: see `ConfirmedAction`."""


def _always(_row: Any) -> bool:
    return True


@dataclass(frozen=True)
class ConfirmedAction:
    """An action on selected rows, which may remove them, and is on the pages of those that it
    ``fits``."""

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


def _forget_names(entry: LogEntry) -> None:
    """Leave only the id of a removed row in the log."""
    same = LogEntry.objects.filter(content_type_id=entry.content_type_id, object_id=entry.object_id)
    same.update(object_repr=entry.object_id)
