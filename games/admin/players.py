"""Players in the admin, which staff find, suspend, rename or delete, and their seats."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from games.admin.change_lists import DayFilter, EndFilter, find_players
from games.admin.confirmed import ConfirmedAction, ReadOnly, kind_name, link, list_of, seat_name
from games.models import Account, EmailAddress, Holder, Player
from games.people import forgetting, personal_data
from games.people.access import Kind, note
from games.services import players

EXPORT = gettext_lazy("Export the data")
ACTIONS = (
    ConfirmedAction(
        "take_names_away",
        gettext_lazy("Remove names"),
        gettext_lazy("The players, and those who share their devices, are shown as guests."),
        lambda player, _reason: players.remove_names(player=player),
        "naming",
    ),
    ConfirmedAction(
        "warn",
        gettext_lazy("Warn"),
        gettext_lazy("They read the reason on their next page."),
        lambda player, reason: players.warn(player=player, reason=reason),
        "naming",
        fits=lambda player: not player.suspended,
    ),
    ConfirmedAction(
        "suspend",
        gettext_lazy("Suspend"),
        gettext_lazy("They can watch, but not play, and read why. Their games stay as they are."),
        lambda player, reason: players.suspend(player=player, suspended=True, reason=reason),
        "naming",
        fits=lambda player: not player.suspended,
    ),
    ConfirmedAction(
        "unsuspend",
        gettext_lazy("End the suspension"),
        gettext_lazy("They can play again."),
        lambda player, _reason: players.suspend(player=player, suspended=False),
        "naming",
        fits=lambda player: player.suspended,
    ),
    ConfirmedAction(
        "forget",
        gettext_lazy("Delete the data"),
        gettext_lazy(
            "Their names and rows are deleted for good. Games with others are resigned; all games "
            "stay, with a guest on the seats."
        ),
        lambda player, _reason: forgetting.forget_player(player=player),
        "forgetting",
        removes=True,
    ),
)


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """The list of players and the page of a player, with links to the player's games."""

    list_display = ("__str__", "id", "created", "state")
    list_filter = (DayFilter,)
    search_fields = ("name",)
    search_help_text = gettext_lazy("Id of a player, or the beginning of a name")
    found_by = frozenset({"id", "created", "from", "to"})
    fields = (
        *("id", "shown_name", "created", "state", "account_name", "address", "device_names"),
        *("held", "hosted", "packs"),
    )
    staff_actions = ACTIONS
    actions = ("export_data", *(action.for_admin() for action in ACTIONS))
    change_form_template = "admin/games/player/change_form.html"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        if not search_term.strip():
            return queryset, False
        return queryset.filter(pk__in=find_players(search_term)), False

    # Seats would lose their player in mid-game. `forget_player` puts a guest on them.
    has_delete_permission = ReadOnly.has_add_permission

    def has_naming_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("games.suspend_player"))

    def has_forgetting_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("games.forget_player"))

    @admin.action(description=EXPORT, permissions=["forgetting"])
    def export_data(
        self, request: HttpRequest, queryset: QuerySet[Player]
    ) -> StreamingHttpResponse | None:
        """Return all that is stored about one player, as the player could download it."""
        if len(chosen := list(queryset[:2])) != 1:
            self.message_user(request, _("Select one player."), messages.WARNING)
            return None
        with override(settings.LANGUAGE_CODE):
            self.log_change(request, chosen[0], str(EXPORT))
        note(chosen[0], Kind.STAFF, str(EXPORT))
        headers = {"Content-Disposition": 'attachment; filename="player.json"'}
        pieces = personal_data.write_data(chosen[0])
        return StreamingHttpResponse(pieces, content_type="application/json", headers=headers)

    @admin.display(description=gettext_lazy("name"))
    def shown_name(self, player: Player) -> str:
        return str(player)

    @admin.display(description=gettext_lazy("status"))
    def state(self, player: Player) -> str:
        if player.suspended and player.suspended_for:
            return _("suspended: %(reason)s") % {"reason": player.suspended_for}
        return _("suspended") if player.suspended else "–"

    @admin.display(description=gettext_lazy("account"))
    def account_name(self, player: Player) -> str:
        account = Account.objects.filter(player=player).first()
        return f"{account.name} ({account.created:%Y-%m-%d})" if account else "–"

    @admin.display(description=gettext_lazy("e-mail address"))
    def address(self, player: Player) -> str:
        """Return the confirmed e-mail address, or the one that waits to be confirmed."""
        found = EmailAddress.objects.filter(account__player=player).first()
        if found is None:
            return "–"
        return found.address or _("%(address)s (not confirmed)") % {"address": found.pending}

    @admin.display(description=gettext_lazy("devices"))
    def device_names(self, player: Player) -> str:
        """Return the devices without their ids, which sign in, with the day of their last use."""
        rows = (
            (device.name or "–", device.seen or "", _("signed out") if device.signed_out else "")
            for device in player.devices.order_by("created")
        )
        return format_html_join("", "<div>{} {} {}</div>", rows) or "–"

    @admin.display(description=gettext_lazy("seats"))
    def held(self, player: Player) -> str:
        return _list(list_of("holder", player=player.pk), _("All seats and their games"))

    @admin.display(description=gettext_lazy("games"))
    def hosted(self, player: Player) -> str:
        return _list(list_of("game", created_by=player.pk), _("Games set up by this player"))

    @admin.display(description=gettext_lazy("word packs"))
    def packs(self, player: Player) -> str:
        return _list(list_of("pack", player=player.pk), _("All word packs of this player"))

    def offered(self, request: HttpRequest, row: Player) -> list[Any]:
        export = {"name": "export_data", "label": EXPORT}
        may_export = "export_data" in self.get_actions(request)
        return super().offered(request, row) + ([export] if may_export else [])


def _list(address: str, text: str) -> str:
    return format_html('<a href="{}">{}</a>', address, text)


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

    # A game would lose its player.
    has_delete_permission = ReadOnly.has_add_permission

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
