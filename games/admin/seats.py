"""The seats of players in the admin, which lead from a player to the player's games."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from games.admin.filters import EndFilter
from games.admin.links import kind_name, link, seat_name
from games.admin.read_only import ReadOnly
from games.models import Holder


@admin.register(Holder)
class HolderAdmin(ReadOnly):
    """Seats that players hold, the newest first."""

    list_display = ("game", "kind", "seat_called", "player_link", "name", "status", "joined")
    list_display_links = None
    list_filter = (EndFilter,)
    found_by = frozenset({"player", "status"})
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    sortable_by: ClassVar[tuple[str, ...]] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Holder]:
        rows = super().get_queryset(request).select_related("player", "seat__game")
        return rows.defer("seat__game__setup")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow staff with the permissions to view players and games."""
        return bool(request.user.has_perms(("games.view_player", "games.view_game")))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a game would lose its player."""
        return False

    @admin.display(description=gettext_lazy("game"))
    def game(self, holder: Holder) -> str:
        return link(holder.seat.game, holder.seat.game_id)

    @admin.display(description=gettext_lazy("kind"))
    def kind(self, holder: Holder) -> str:
        return kind_name(holder.seat.game)

    @admin.display(description=gettext_lazy("seat"))
    def seat_called(self, holder: Holder) -> str:
        return seat_name(holder.seat.game, holder.seat.key)

    @admin.display(description=gettext_lazy("player"))
    def player_link(self, holder: Holder) -> str:
        return link(holder.player)

    @admin.display(description=gettext_lazy("status"))
    def status(self, holder: Holder) -> str:
        return str(holder.seat.game.get_status_display())
