"""Word packs and classes of pupils in the admin, and reports of visitors, the inbox of staff."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import resolve, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from games.admin.change_lists import DayFilter
from games.admin.confirmed import ConfirmedAction, ReadOnly, link
from games.models import Pack, Report, SchoolClass
from games.people.reports import handle
from games.services import packs

ACTIONS = (
    ConfirmedAction(
        "delete_packs",
        gettext_lazy("Delete word packs"),
        gettext_lazy(
            "They are deleted for good, and their links with them. Games keep their words; so do "
            "copies of other players."
        ),
        lambda pack, _reason: packs.delete_pack(pack_id=pack.pk),
        "deleting",
        removes=True,
    ),
)


@admin.register(Pack)
class PackAdmin(ReadOnly):
    """Word packs of players, the newest first."""

    list_display = ("name", "player_link", "number", "is_shared", "created")
    list_filter = (DayFilter,)
    found_by = frozenset({"id", "player", "created", "from", "to"})
    fields = ("name", "player_link", "kind", "language", "number", "is_shared", "created", "words")
    staff_actions = ACTIONS
    actions = tuple(action.for_admin() for action in ACTIONS)
    change_form_template = "admin/games/player/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Pack]:
        return super().get_queryset(request).select_related("player")

    # The action of this page asks first, and leaves only an id in the log.
    has_delete_permission = ReadOnly.has_add_permission

    def has_deleting_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("games.delete_pack"))

    @admin.display(description=gettext_lazy("player"))
    def player_link(self, pack: Pack) -> str:
        return link(pack.player)

    @admin.display(description=gettext_lazy("number of words"))
    def number(self, pack: Pack) -> int:
        return len(pack.texts)

    @admin.display(description=gettext_lazy("shared by a link"), boolean=True)
    def is_shared(self, pack: Pack) -> bool:
        return bool(pack.salt)

    @admin.display(description=gettext_lazy("words"))
    def words(self, pack: Pack) -> str:
        return ", ".join(pack.texts)


@admin.register(SchoolClass)
class SchoolClassAdmin(ReadOnly):
    """Classes of pupils, which staff read when one is reported."""

    list_display = ("__str__", "created", "reported", "closed")
    found_by = frozenset({"id", "created"})
    fields = ("exercise", "created", "reported", "closed", "nicknames")

    @admin.display(description=gettext_lazy("nicknames"))
    def nicknames(self, pupils: SchoolClass) -> str:
        return ", ".join(pupils.rows.order_by("name").values_list("name", flat=True))


CONSEQUENCES = {
    Report.Act.HIDE: gettext_lazy(
        "Nobody sees it but its owner, or the players of a game, who can’t show it again until you "
        "close the report. Of a player the public page is turned off; a bot leaves the list. A "
        "class of pupils is deleted, with all that was handed in."
    ),
    Report.Act.WARN: gettext_lazy("The author reads the reason on the next page."),
    Report.Act.SUSPEND: gettext_lazy("The author can watch, but not play, and reads why."),
    Report.Act.CLOSE: gettext_lazy("Nothing happens to the page or its author."),
}


HANDLING = tuple(
    ConfirmedAction(act.value, act.label, sentence, partial(handle, act), "naming")
    for act, sentence in CONSEQUENCES.items()
)


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """Reports, those that wait first."""

    list_display = ("__str__", "page", "reason", "text", "times", "about", "created", "act")
    found_by = frozenset({"id"})
    fields = ("page", "reason", "text", "times", "about", "reporter", "created", "act", "handled")
    ordering: ClassVar[tuple[str, ...]] = ("act",)
    sortable_by: ClassVar[tuple[str, ...]] = ("act",)
    list_select_related = ("about",)
    staff_actions = HANDLING
    actions = tuple(action.for_admin() for action in HANDLING)
    change_form_template = "admin/games/player/change_form.html"

    def has_naming_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("games.suspend_player"))

    @admin.display(description=gettext_lazy("page"))
    def page(self, report: Report) -> str:
        """Return a link to the page, in the admin for a pack or a game, which may be closed."""
        address, found = report.address, resolve(report.address)
        if found.url_name in {"game", "pack"}:
            address = reverse(f"admin:games_{found.url_name}_change", args=[*found.kwargs.values()])
        return format_html('<a href="{}">{}</a>', address, address)
