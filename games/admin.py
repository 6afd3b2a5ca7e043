"""The admin: staff find, inspect and verify saved games; nobody plays here.

Secrets are hidden from staff as they are from players, except with the permission ``see_secrets``.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Game, Holder, Move, Player, Seat
from games.presentation.board import Board, build_board
from games.presentation.sprites import game_sprite_address
from games.registry import all_rules
from games.replay import Unreadable, rules_of, verify
from games.services import rename
from games.snapshot import GameSnapshot, read_snapshot
from games.translation import translate
from games.web.forms import parse_ply

SECRETS = "games.see_secrets"
VERIFIED_AT_ONCE = 500
_ADDRESS = re.compile(r"/g/(\w+)")


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Rows that only the services write."""

    found_by: ClassVar[frozenset[str]]
    """Fields by which an address may filter a list. Django allows every field of a row, and a
    filter on how a hidden value begins reveals that value in a few requests."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Whether the list may be narrowed by ``lookup``."""
        field = lookup.partition(LOOKUP_SEP)[0]
        return field in self.found_by and super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class KindFilter(admin.SimpleListFilter):
    """By kind of game, under the names that players know."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Every kind in the registry."""
        return [(rules.slug, translate(rules.name)) for rules in all_rules().values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """Return the games of that kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class MoveInline(admin.TabularInline):  # type: ignore[type-arg]  # not generic at run time
    """The moves of a game, as they were played."""

    model = Move
    fields = readonly_fields = ("ply", "seat_name", "text", "player", "played")
    can_delete = False
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Return the moves with their players and game, in one query."""
        rows = super().get_queryset(request).select_related("player", "game")
        return rows.defer("game__setup")

    @admin.display(description=gettext_lazy("seat"))
    def seat_name(self, move: Move) -> str:
        """Which seat made it, under the name that players know."""
        return _called(move.game, move.seat)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: `services.play_move` is the only way to add a move."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(Game)
class GameAdmin(ReadOnly):
    """Games: found, looked at ply by ply, and replayed."""

    list_display = ("id", "kind_name", "player_names", "status", "ply", "created", "updated")
    list_filter = (
        KindFilter,
        "status",
        "created",
        "updated",
        ("fault", admin.EmptyFieldListFilter),
    )
    found_by = frozenset(
        {"id", "kind", "status", "ply", "created_by", "created", "updated", "fault"}
    )
    search_fields = ("=id", "seats__players__name", "seats__players__id")
    search_help_text = gettext_lazy("Game id, or name or id of a player")
    date_hierarchy = "created"
    list_per_page = 50
    actions = ("verify_selected",)
    inlines = (MoveInline,)
    change_form_template = "admin/games/game/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """With the players that the list names, in two queries."""
        return super().get_queryset(request).prefetch_related("seats__players")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Search by a game's address as well: players send it when they ask about a game."""
        address = _ADDRESS.search(search_term)
        asked = address[1] if address else search_term
        found: tuple[QuerySet[Game], bool] = super().get_search_results(request, queryset, asked)
        return found

    def view_on_site(self, game: Game) -> str:
        """Where everybody sees it."""
        return game.get_absolute_url()

    def get_fields(self, request: HttpRequest, obj: Game | None = None) -> list[Any]:
        """Return the fields to show; the setup, which may hide a key, only to staff who may see
        secrets.
        """
        fields = ["id", "kind_name", "seating", "status", "ply", "outcome", "options"]
        fields += ["rules_version", "creator", "created", "updated"]
        return [*fields, "setup"] if request.user.has_perm(SECRETS) else fields

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def kind_name(self, game: Game) -> str:
        """Return the kind's name, or its slug when its folder is gone."""
        rules = all_rules().get(game.kind)
        return translate(rules.name) if rules else game.kind

    @admin.display(description=gettext_lazy("players"))
    def player_names(self, game: Game) -> str:
        """Return the names of the players, in the order of the seats."""
        return " · ".join(_sitting(seat) for seat in game.seats.all())

    @admin.display(description=gettext_lazy("players"))
    def seating(self, game: Game) -> str:
        """Return the seats with their players and turns, one line each."""
        turns = [] if game.over else game.to_move
        lines = (
            (_called(game, seat.key), _linked(seat), f" – {_('to move')}" * (seat.key in turns))
            for seat in game.seats.all()
        )
        return format_html_join("", "<div>{}: {}{}</div>", lines)

    @admin.display(description=gettext_lazy("created by"))
    def creator(self, game: Game) -> str:
        """Return the host; the model's own label has no translation."""
        if game.created_by is None:
            return "–"
        return _link(game.created_by)

    @admin.display(description=gettext_lazy("result"))
    def outcome(self, game: Game) -> str:
        """Return how the game ended; the stored value where that cannot be read."""
        try:
            return translate(game.result.reason) if game.result else "–"
        except ValueError:
            return str(game.result_json)

    @admin.action(description=gettext_lazy("Replay and verify"), permissions=["view"])
    def verify_selected(self, request: HttpRequest, queryset: QuerySet[Game]) -> None:
        """Replay the selected games; one message a game that fails, one for those that do not, and
        one for those that are too many for one request."""
        games = list(queryset[:VERIFIED_AT_ONCE])
        faults = [(game, fault) for game in games if (fault := _fault(game))]
        for game, fault in faults:
            sentence = _("Game %(id)s: %(fault)s") % {"id": game.id, "fault": fault}
            self.message_user(request, sentence, messages.ERROR)
        good = len(games) - len(faults)
        sentence = ngettext("%(n)s game is intact.", "%(n)s games are intact.", good) % {"n": good}
        self.message_user(request, sentence, messages.SUCCESS if good else messages.WARNING)
        if left := queryset.count() - len(games):
            sentence = ngettext(
                "%(n)s more selected game was not checked.",
                "%(n)s more selected games were not checked.",
                left,
            )
            self.message_user(request, sentence % {"n": left}, messages.WARNING)

    def get_urls(self) -> list[URLPattern]:
        """Django's own, and one to verify a game."""
        view = self.admin_site.admin_view(self.verify_view)
        return [
            path("<path:object_id>/verify/", view, name="games_game_verify"),
            *super().get_urls(),
        ]

    def verify_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Replay one game and report the outcome."""
        game = get_object_or_404(Game, pk=unquote(object_id))
        if request.method != "POST" or not self.has_view_permission(request, game):
            raise PermissionDenied
        if fault := _fault(game):
            self.message_user(request, fault, messages.ERROR)
        else:
            sentence = ngettext(
                "%(n)s move replayed; the stored result is right.",
                "%(n)s moves replayed; the stored result is right.",
                game.ply,
            )
            self.message_user(request, sentence % {"n": game.ply}, messages.SUCCESS)
        return redirect("admin:games_game_change", game.pk)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Return the page of a game, with its board at ``?ply=``."""
        game = Game.objects.filter(pk=unquote(object_id)).first()
        shown = _shown(request, game) if game else {}
        context = {**(extra_context or {}), **shown, "title": _("Game")}
        # Django's own list filters live in the query string; the ply is not one of them.
        return super().change_view(request, object_id, form_url, context)


def _called(game: Game, key: str) -> str:
    """Return a seat's name; its key when the folder of its kind of game is gone."""
    names = {spec.key: spec.name for spec in game.specs} if game.kind in all_rules() else {}
    return translate(names[key]) if key in names else key


def _link(player: Player) -> str:
    address = reverse("admin:games_player_change", args=[player.pk])
    return format_html('<a href="{}">{}</a>', address, player)


def _linked(seat: Seat) -> str:
    """Return the holders of a seat; people with links to their pages."""
    people = format_html_join(", ", "{}", ((_link(player),) for player in seat.players.all()))
    return people or _sitting(seat)


def _sitting(seat: Seat) -> str:
    if seat.computer:
        return _("computer %(level)s") % {"level": seat.computer}
    return ", ".join(str(player) for player in seat.players.all()) or "–"


def _fault(game: Game) -> str:
    """Return the fault of a stored game, naming the first move that does not replay, or ""."""
    fault = verify(game).fault
    return translate(fault) if fault else ""


def _shown(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Return the board for the page, and the plies around it."""
    shown: dict[str, Any] = {"game": game, "address": _page_of(game)}
    try:
        rules_of(game)
        snapshot = read_snapshot(game.pk)
        if snapshot.fault:
            shown["broken"] = translate(snapshot.fault.text)
        asked, last = parse_ply(request.GET.get("ply", "")), snapshot.last_ply
        ply = asked if 0 <= asked < last else last
        shown |= {"ply": ply, "previous_ply": ply - 1, "next_ply": ply + 1, "last_ply": last}
        shown["board"] = _board(snapshot, ply, secrets=request.user.has_perm(SECRETS))
    except Unreadable as error:
        shown["broken"] = translate(error.text)
    return shown


def _page_of(game: Game) -> str:
    return reverse("admin:games_game_change", args=[game.pk])


def _board(snapshot: GameSnapshot, ply: int, *, secrets: bool) -> Board:
    """Return the board as a spectator sees it, or with its secrets. Raises Unreadable."""
    seat = next((spec.key for spec in snapshot.specs if spec.secret), None) if secrets else None
    sprite = game_sprite_address(snapshot.game)
    return build_board(snapshot.rules, snapshot.at(ply), viewpoint=seat, sprite=sprite)


class HolderInline(admin.TabularInline):  # type: ignore[type-arg]  # not generic at run time
    """The seats of a player."""

    model = Holder
    fields = readonly_fields = ("seat_of_game", "joined")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Holder]:
        """With their games, in one query."""
        return super().get_queryset(request).select_related("player", "seat__game")

    @admin.display(description=gettext_lazy("seat"))
    def seat_of_game(self, holder: Holder) -> str:
        """Which seat of which game."""
        return f"{holder.seat.game}: {_called(holder.seat.game, holder.seat.key)}"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Players, to find their games."""

    list_display = ("name", "id", "created")
    search_fields = ("name", "=id")
    found_by = frozenset({"id", "name", "created"})
    inlines = (HolderInline,)
    fields = ("id", "name", "created")

    actions = ("take_names_away",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: a seat would lose its player in mid-game. A whole game may be deleted."""
        return False

    def has_naming_permission(self, request: HttpRequest) -> bool:
        """Return whether staff may take names away: the one change of a player that is offered."""
        return bool(request.user.has_perm("games.change_player"))

    @admin.action(description=gettext_lazy("Remove names"), permissions=["naming"])
    def take_names_away(self, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        """Remove the names of the selected players."""
        for player in queryset:
            rename(player=player, name="")
