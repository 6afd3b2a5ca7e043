"""The base of the admin's pages: rows that only the services write, in lists without counts."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.admin.keyset import KeysetChangeList
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player, Seat
from games.people.access import logger
from games.state.replay import Unreadable, read_specs


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Rows that only the services write."""

    found_by: ClassVar[frozenset[str]]
    """Indexed fields by which the query string may filter a list. Django would allow every field,
    and filtering by the first characters of a hidden value reveals it in a few requests."""

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

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def kind_name(game: Game) -> str:
    """Return the name of a game's kind, or its slug if its folder is gone."""
    rules = all_rules().get(game.kind)
    return translate(rules.name) if rules else game.kind


def seat_names(game: Game) -> dict[str, str]:
    """Return the names of a game's seats; none if the folder of its kind is gone or its options are
    unreadable."""
    try:
        return {spec.key: translate(spec.name) for spec in read_specs(game)}
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
