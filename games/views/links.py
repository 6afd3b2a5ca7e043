"""The links on a game's page: to seats, and for watchers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from games.contract import SeatSpec, Text
from games.models import Account, Game, Player, Seat
from games.presentation.clock_faces import server_time
from games.presentation.sharing import frame_code, game_preview
from games.services import lobby, quick_messages, seats, start
from games.state.lists import is_first_of_kind
from games.state.questions import NEWCOMER, pending_request
from games.state.seat_claims import Claim, stands_in
from games.state.seat_rights import is_closed, seat_rights
from games.state.snapshot import GameSnapshot
from games.web.request import HttpRequest


@dataclass(frozen=True)
class Link:
    """A secret link to a seat, for the host or the holder of the seat."""

    spec: SeatSpec
    address: str
    code: str
    moves: bool
    empty: bool

    @property
    def wanted(self) -> bool:
        """Whether it is shown first, because the game waits for it or the holder asked for it."""
        return self.empty or self.moves


@dataclass(frozen=True)
class GroupLink:
    """The link to the lobby of a running game, with which latecomers take seats. ``wanted`` says
    that a seat is empty; otherwise they can only join teams."""

    address: str
    code: str
    wanted: bool


def group_link(
    request: HttpRequest, snapshot: GameSnapshot, player: Player | None
) -> GroupLink | None:
    """Return the link with which the host and the holders of seats invite latecomers; None if no
    seat is free or the game had no lobby."""
    game, token = snapshot.game, start.lobby_token(snapshot.game)
    if player is None or game.over or not token:
        return None
    hosts = game.created_by_id == player.pk or snapshot.seats_of(player.pk)
    free = any(lobby.is_free(snapshot, spec.key) for spec in snapshot.specs)
    if not hosts or not free or stands_in(snapshot, player.pk):
        return None
    return GroupLink(
        request.build_absolute_uri(reverse("invite", args=[token])),
        reverse("invite_code", args=[token]),
        wanted=any(
            lobby.is_free(snapshot, key) and place.empty
            for key, place in snapshot.seating.places.items()
        ),
    )


def links(request: HttpRequest, snapshot: GameSnapshot, player: Player | None) -> list[Link]:
    """Return the links that a player may hand out: as the host, those to empty seats and to teams;
    for every player, those that move the player's own seats to another device."""
    game = snapshot.game
    if player is None or game.over:
        return []
    rows = game.seats.exclude(token_salt="").prefetch_related("holders")
    return [
        Link(
            snapshot.spec(seat.key),
            _address(request, seat, "join"),
            _address(request, seat, "join_code"),
            moves=seat.moving_from_id == player.pk,
            empty=not seat.holders.all(),
        )
        for seat in rows
        if _may_hand_out(seat, game, player, snapshot.spec(seat.key))
        and (seat.moving_from_id or not is_closed(snapshot, seat.key))
    ]


def _may_hand_out(seat: Seat, game: Game, player: Player, spec: SeatSpec) -> bool:
    if seat.moving_from_id is not None:
        return seat.moving_from_id == player.pk
    return game.created_by_id == player.pk and (spec.shared or not seat.holders.all())


def _address(request: HttpRequest, seat: Seat, name: str) -> str:
    path = reverse(name, args=[seats.invitation_token(seat)])
    return request.build_absolute_uri(path)


def page_context(
    request: HttpRequest, snapshot: GameSnapshot, player: Player | None
) -> dict[str, Any]:
    """Return the values of the page around a board for the visitor's player."""
    offered, game = links(request, snapshot, player), snapshot.game
    group = group_link(request, snapshot, player)
    if group:
        # One link serves everybody, apart from the link that offers a seat to another device.
        offered = [link for link in offered if link.moves]
    return {
        "links": offered,
        "group": group,
        "aim": _aim(snapshot, player),
        "returning": _askable_seats(snapshot, player),
        "claims": _claims(snapshot, player),
        "asked_back": _asked_back(snapshot, player),
        "quick_messages": quick_messages.QUICK_MESSAGES,
        "held": len(snapshot.seats_of(player.pk if player else None)),
        "more_links": any(not link.wanted for link in offered) or (group and not group.wanted),
        "watch_address": request.build_absolute_uri(game.get_absolute_url()),
        "embed_code": frame_code(snapshot, request.build_absolute_uri("/")),
        "preview": game_preview(snapshot),
        "server_time": server_time(),
    }


def _askable_seats(
    snapshot: GameSnapshot, player: Player | None
) -> list[tuple[SeatSpec, str | None]]:
    """Return the seats for which the visitor may ask, with the names of the absent guests, None for
    an empty seat."""
    keys = seat_rights(snapshot, player.pk if player else None).open_to_newcomers
    people = {person for key in keys for person in snapshot.seating.people_on(key)}
    owners = set(Account.objects.filter(player__in=people).values_list("player", flat=True))
    places = snapshot.seating.places
    return [
        (snapshot.spec(key), next(iter(places[key].players.values()), None))
        for key in keys
        if owners.isdisjoint(places[key].players)
    ]


def _claims(snapshot: GameSnapshot, player: Player | None) -> list[Claim]:
    return seat_rights(snapshot, player.pk).returns if player and snapshot.game.claims else []


def _asked_back(snapshot: GameSnapshot, player: Player | None) -> bool:
    request = pending_request(snapshot, NEWCOMER) if player else None
    return request is not None and player is not None and request.newcomer == player.pk


def _aim(snapshot: GameSnapshot, player: Player | None) -> Text | None:
    """Return the aim of a game for a player of its kind for the first time, until the first
    move."""
    held = snapshot.seats_of(player.pk) if player else frozenset()
    if player is None or not held or any(move.seat in held for move in snapshot.moves):
        return None
    return snapshot.rules.tagline if is_first_of_kind(snapshot.game, player) else None
