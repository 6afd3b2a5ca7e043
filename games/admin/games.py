"""Games in the admin: staff find, inspect, replay, end and export them. The page of a game has its
board at any ply, its moves, and its fault."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.admin.change_lists import (
    DayFilter,
    KeysetChangeList,
    KindFilter,
    StatusFilter,
    TroubleFilter,
    find_games,
)
from games.admin.confirmed import (
    ConfirmedAction,
    ReadOnly,
    kind_name,
    link,
    page_of,
    seat_name,
    seat_names,
    sitting,
)
from games.admin.statistics import read_statistics
from games.contract import Text
from games.core.clocks import Clock
from games.core.translation import translate
from games.models import Game, Player
from games.people.own_games import documents
from games.presentation.board import Board, build_board
from games.presentation.pictures import game_sprite_address
from games.services import staff
from games.services.verification import mark_fault
from games.state.replay import Unreadable, replay_fresh, rules_of, verify
from games.state.row_faults import mend_row
from games.state.snapshot import GameSnapshot, Standing, read_uncached
from games.storage.compiled_queries import in_portions
from games.web.request import parse_ply

SECRETS = "games.see_secrets"


def sees_secrets(request: HttpRequest) -> bool:
    """Return whether staff may see the secrets of games and have asked for those of this one."""
    return "secrets" in request.GET and bool(request.user.has_perm(SECRETS))


def fault_of(game: Game) -> str:
    """Replay a stored game and return its fault, which names the first move that does not replay,
    or ''. The mark of a game that is well again is removed."""
    found = verify(game)
    if game.fault and not found.fault:
        mark_fault(game_id=game.pk)
    return translate(found.fault) if found.fault else ""


def page_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    context: dict[str, Any] = {"game": game, "address": page_of(game), "moves": _moves(game)}
    seen = sees_secrets(request)
    try:
        rules_of(game)
        snapshot = read_uncached(game.pk)
        if snapshot.fault:
            context["broken"] = translate(snapshot.fault.text)
            context["broken_ply"] = snapshot.fault.plies + 1
        requested, last = parse_ply(request.GET.get("ply", "")), snapshot.last_ply
        ply = requested if 0 <= requested < last else last
        context |= {"ply": ply, "previous_ply": ply - 1, "next_ply": ply + 1, "last_ply": last}
        context["board"] = _board(snapshot, ply, secrets=seen)
        context |= {"kept": "&secrets" * seen, "asks": not seen and request.user.has_perm(SECRETS)}
    except Unreadable as error:
        context["broken"] = translate(error.text)
    return context


def _moves(game: Game) -> list[dict[str, Any]]:
    """Return the moves as rows of a table, each with the seconds since the one before."""
    names, before, rows = seat_names(game), mend_row(game).created, []
    for move in game.moves.select_related("player").order_by("ply"):
        rows.append(
            {
                "ply": move.ply,
                "at": f"?ply={move.ply}",
                "seat": names.get(move.seat, move.seat),
                "text": move.text,
                "player": link(move.player) if move.player else "–",
                "played": move.played,
                "seconds": round((move.played - before).total_seconds()),
            }
        )
        before = move.played
    return rows


def _board(snapshot: GameSnapshot, ply: int, *, secrets: bool) -> Board:
    """Return the board as a spectator sees it, or with its secrets. Raises Unreadable."""
    seat = next((spec.key for spec in snapshot.specs if spec.secret), None) if secrets else None
    sprite = game_sprite_address(snapshot.game)
    position = replay_fresh(snapshot.game, snapshot.moves[:ply])
    return build_board(snapshot.rules, Standing.of(position), viewpoint=seat, sprite=sprite)


VERIFIED_AT_ONCE = 500
SECRETS_SEEN = "Saw the secrets"
"""In the history of a game, which is in the site's language."""


def _goes_on(game: Game) -> bool:
    return game.begun and not game.over


def _download(games: QuerySet[Game], *, secrets: bool = False) -> HttpResponseBase:
    """Return games as JSON lines, with ``secrets`` with their setups, which may hold a key."""
    lines = (
        game.model_dump_json() + "\n"
        for portion in in_portions(games)
        for game in documents(portion, staff=True, secrets=secrets)
    )
    headers = {"Content-Disposition": 'attachment; filename="games.jsonl"'}
    media_type = "application/jsonl; charset=utf-8"
    return StreamingHttpResponse(lines, content_type=media_type, headers=headers)


ACTIONS = (
    ConfirmedAction(
        "free",
        gettext_lazy("Free"),
        gettext_lazy(
            "A computer that thinks about the game, an open takeback request and marked moves are "
            "forgotten, so that the game goes on."
        ),
        lambda game, _reason: staff.free_game(game_id=game.pk),
        "ending",
        fits=_goes_on,
    ),
    ConfirmedAction(
        "end",
        gettext_lazy("End"),
        gettext_lazy("The side to move resigns. Of several sides, one after the other."),
        lambda game, reason: staff.end_game(game_id=game.pk, reason=reason),
        "ending",
        fits=_goes_on,
    ),
    ConfirmedAction(
        "call_off",
        gettext_lazy("Call off"),
        gettext_lazy("The game ends without a result, and counts for nobody."),
        lambda game, reason: staff.end_game(game_id=game.pk, reason=reason, void=True),
        "ending",
        fits=_goes_on,
    ),
)


@admin.register(Game)
class GameAdmin(ReadOnly):
    """The list of games and the page of a game, with its position at every ply."""

    list_display = ("id", "kind_name", "player_names", "status", "ply", "created", "updated")
    list_filter = (KindFilter, StatusFilter, TroubleFilter, DayFilter)
    found_by = frozenset({"id", "kind", "status", "trouble", "created_by", "created", "from", "to"})
    search_fields = ("id",)
    search_help_text = gettext_lazy(
        "Id or address of a game, id of a player, or the beginning of a name"
    )
    staff_actions = ACTIONS
    actions = ("verify_selected", "export", *(action.for_admin() for action in ACTIONS))
    change_form_template = "admin/games/game/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games with the players that the list shows, in two queries."""
        return super().get_queryset(request).prefetch_related("seats__players")

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Game | None:
        game = super().get_object(request, object_id, from_field)
        return mend_row(game) if game else None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Search by a game's address as well, since players send it when they ask about a game."""
        if not search_term.strip():
            return queryset, False
        return queryset.filter(pk__in=find_games(search_term)), False

    def view_on_site(self, game: Game) -> str:
        return game.get_absolute_url()

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the rows deleted with a game: the permission to delete a game covers its seats."""
        deleted, counts, _lacking, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, set(), protected

    def has_ending_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("games.end_game"))

    def get_fields(self, request: HttpRequest, obj: Game | None = None) -> list[Any]:
        """Return the fields to show. The setup, which may contain a key, is shown only to staff who
        have asked for the secrets, which is in the history of the game."""
        fields = ["id", "kind_name", "seating", "status", "ply", "outcome", "marked_fault"]
        fields += ["time_control", "begun", "closed", "hints", "takebacks", "former"]
        fields += ["options", "rules_version", "creator", "created", "updated"]
        return [*fields, "setup"] if sees_secrets(request) else fields

    @admin.display(description=gettext_lazy("kind"))
    def kind_name(self, game: Game) -> str:
        return kind_name(game)

    @admin.display(description=gettext_lazy("players"))
    def player_names(self, game: Game) -> str:
        return format_html_join(" · ", "{}", ((sitting(seat),) for seat in game.seats.all()))

    @admin.display(description=gettext_lazy("players"))
    def seating(self, game: Game) -> str:
        """Return the seats with their players and whose turn it is, one line each."""
        turns = [] if game.over else game.to_move
        lines = (
            (seat_name(game, seat.key), sitting(seat), f" – {_('to move')}" * (seat.key in turns))
            for seat in game.seats.all()
        )
        return format_html_join("", "<div>{}: {}{}</div>", lines)

    @admin.display(description=gettext_lazy("created by"))
    def creator(self, game: Game) -> str:
        """Return the host, under a label that is translated."""
        return "–" if game.created_by is None else link(game.created_by)

    @admin.display(description=gettext_lazy("time control"))
    def time_control(self, game: Game) -> str:
        """Return the time control with the time that each side had left at its last change."""
        clock = game.clock
        if clock is None:
            return "–"
        left = [
            f"{side} {ms // 60_000}:{ms // 1_000 % 60:02}" for side, ms in clock["left"].items()
        ]
        control = Clock.from_json(clock).control
        return format_html("{} ({})", translate(control.name), ", ".join(left))

    @admin.display(description=gettext_lazy("moves taken back"))
    def takebacks(self, game: Game) -> str:
        return str(game.undone)

    @admin.display(description=gettext_lazy("players who have left"))
    def former(self, game: Game) -> str:
        """Return the players of moves without a seat any more."""
        seated = {player.pk for seat in game.seats.all() for player in seat.players.all()}
        moved = game.moves.exclude(player=None).order_by().values_list("player", flat=True)
        gone = Player.objects.filter(pk__in=set(moved) - seated)
        return format_html_join(", ", "{}", ((link(player),) for player in gone)) or "–"

    @admin.display(description=gettext_lazy("result"))
    def outcome(self, game: Game) -> str:
        """Return how the game ended, or the stored value if it cannot be parsed."""
        try:
            return translate(game.result.reason) if game.result else "–"
        except ValueError:
            return str(game.result_json)

    @admin.display(description=gettext_lazy("fault"))
    def marked_fault(self, game: Game) -> str:
        """Return the fault found by `verify_games --mark`, with a link to the ply before it."""
        if not game.fault:
            return "–"
        try:
            plies, reason = int(game.fault["plies"]), Text.from_json(game.fault["reason"])
        except (KeyError, TypeError, ValueError):
            return str(game.fault)
        before = f"{page_of(game)}?ply={plies}"
        sentence = _("After move %(ply)s") % {"ply": plies}
        return format_html('<a href="{}">{}</a>: {}', before, sentence, translate(reason))

    @admin.action(description=gettext_lazy("Replay and verify"), permissions=["view"])
    def verify_selected(self, request: HttpRequest, queryset: QuerySet[Game]) -> None:
        """Replay the selected games. Show a message for each game that fails, one for the number of
        sound games, and one if there are too many games for one request."""
        games = list(queryset[:VERIFIED_AT_ONCE])
        faults = [(game, fault) for game in games if (fault := fault_of(game))]
        for game, fault in faults:
            sentence = _("Game %(id)s: %(fault)s") % {"id": game.id, "fault": fault}
            self.message_user(request, sentence, messages.ERROR)
        good = len(games) - len(faults)
        sentence = ngettext("%(n)s game is intact.", "%(n)s games are intact.", good) % {"n": good}
        self.message_user(request, sentence, messages.SUCCESS if good else messages.WARNING)
        if len(games) == VERIFIED_AT_ONCE and (left := queryset.count() - len(games)):
            sentence = ngettext(
                "%(n)s more selected game was not checked.",
                "%(n)s more selected games were not checked.",
                left,
            )
            self.message_user(request, sentence % {"n": left}, messages.WARNING)

    @admin.action(description=gettext_lazy("Export as JSON lines"), permissions=["view"])
    def export(self, request: HttpRequest, queryset: QuerySet[Game]) -> HttpResponseBase:
        secrets = request.user.has_perm(SECRETS)
        if secrets:
            for game in queryset:
                self.log_change(request, game, SECRETS_SEEN)
        return _download(queryset, secrets=secrets)

    def get_urls(self) -> list[URLPattern]:
        """Return Django's URLs, and those of the statistics, the export and one verification."""
        view = self.admin_site.admin_view
        return [
            path("statistics/", view(self.statistics_view), name="games_statistics"),
            path("export/", view(self.export_view), name="games_export"),
            path("<path:object_id>/verify/", view(self.verify_view), name="games_game_verify"),
            *super().get_urls(),
        ]

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """Return all games that match the filters as a file, without secrets."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            changes = cast(KeysetChangeList, self.get_changelist_instance(request))
        except IncorrectLookupParameters as error:
            raise BadRequest from error
        return _download(changes.matching())

    def statistics_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": _("Statistics"),
            "statistics": read_statistics(),
            "opts": self.opts,
            "media": self.media,
        }
        return TemplateResponse(request, "admin/games/statistics.html", context)

    def verify_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        game = get_object_or_404(Game, pk=unquote(object_id))
        if request.method != "POST" or not self.has_view_permission(request, game):
            raise PermissionDenied
        if fault := fault_of(game):
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
    ) -> Any:
        """Return the page of a game, with its board at ``?ply=`` and the actions of staff."""
        game = Game.objects.filter(pk=unquote(object_id)).first()
        may_see = game is not None and self.has_view_permission(request, game)
        context = page_context(request, game) if game and may_see else {}
        if context and sees_secrets(request) and request.method == "GET":
            self.log_change(request, game, SECRETS_SEEN)
        context["offered"] = self.offered(request, game) if game else []
        context = {**(extra_context or {}), **context}
        # Django's own list filters live in the query string; the ply is not one of them.
        return super().change_view(request, object_id, form_url, context)
