"""Word packs in the admin: staff find them by player, read and delete them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from games.admin.confirmed import ConfirmedAction, ReadOnly, link, offered
from games.admin.filters import DayFilter
from games.models import Pack
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
    actions = tuple(action.for_admin() for action in ACTIONS)
    change_form_template = "admin/games/player/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Pack]:
        return super().get_queryset(request).select_related("player")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: the action of this page asks first, and leaves only an id in the log."""
        return False

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

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        pack = self.get_object(request, object_id)
        context = {**(extra_context or {}), "offered": offered(self, request, pack, ACTIONS)}
        return super().change_view(request, object_id, form_url, context)
