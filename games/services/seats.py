"""Seats: who holds them, and the secret links that hand them out.

A link's token is 128 bits made from the server's key and the seat's salt: the database keeps
only its hash, and the server can show the same link again to whom it belongs. A used link is
worth nothing: claiming takes the salt away. Its hash stays, until there is another link, to know
again who has the seat by it.
"""

from __future__ import annotations

import hashlib
import secrets

from django.conf import settings
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from games.contract import SeatSpec, Text, text
from games.models import Game, Holder, Player, Seat
from games.refusals import GameEnded, NotYourSeat, Refusal, SeatTaken
from games.registry import all_rules
from games.signals import notify_changed
from games.storage.write_lock import write_transaction

TOKEN_BYTES = 16


def invitation_token(seat: Seat) -> str:
    """The secret of a seat's link; '' when the seat has none."""
    if not seat.token_salt:
        return ""
    digest = salted_hmac(
        "games.seat", f"{seat.pk}:{seat.token_salt}", settings.SECRET_KEY, algorithm="sha256"
    ).digest()
    return digest[:TOKEN_BYTES].hex()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def open_link(seat: Seat) -> None:
    """Give the seat a new link; an older one stops working. The caller saves and announces."""
    seat.token_salt = secrets.token_urlsafe(16)
    seat.token_hash = _hash(invitation_token(seat))


def _close_link(seat: Seat) -> None:
    seat.token_salt = ""
    seat.moving_from = None


def seat_of_token(token: str) -> Seat | None:
    """The seat that a link stands for, if it still does."""
    return _seats_of_token(token).exclude(token_salt="").first()


def seat_taken_with(*, token: str, player: Player) -> Seat | None:
    """The seat that a player has by a link which is used up."""
    return _seats_of_token(token).filter(token_salt="", players=player).first()


def _seats_of_token(token: str) -> QuerySet[Seat]:
    found = Seat.objects.select_related("game").filter(token_hash=_hash(token))
    return found.filter(game__kind__in=list(all_rules()))


def offer_move(*, game: Game, seat_key: str, player: Player) -> Seat:
    """Give the holder of a seat a link that moves it to another device. Raises NotYourSeat, or
    Refusal for the seat of a team: its one link, which goes on inviting, leads there already."""
    with write_transaction():
        seat = _lock(game.pk).seats.get(key=seat_key)
        if not seat.holders.filter(player=player).exists():
            raise NotYourSeat
        if _spec(seat).shared:
            raise Refusal(text("The invitation to a team works on every device: open it there."))
        seat.moving_from = player
        open_link(seat)
        seat.save()
    return seat


def withdraw_move(*, game: Game, seat_key: str, player: Player) -> None:
    """Take back the link that moves a seat to another device, if there is one. What others see does
    not change: the link is shown to the holder alone. Raises NotYourSeat."""
    with write_transaction():
        seat = _lock(game.pk).seats.get(key=seat_key)
        if not seat.holders.filter(player=player).exists():
            raise NotYourSeat
        # Any other link is not to this holder's device: the one of a team goes on inviting.
        if seat.moving_from_id == player.pk:
            _close_link(seat)
            seat.save()


def claim_seat(*, token: str, player: Player) -> Seat:
    """Take the seat of a link; who has it by that link keeps it. Raises SeatTaken when somebody
    else has, Refusal when the seat does not go together with one the player has."""
    with write_transaction():
        if offered := seat_of_token(token):
            _lock(offered.game_id)
        # Looked for again once nobody else can change the table.
        if seat := seat_of_token(token):
            _seat_player(seat, player)
        else:
            seat = seat_taken_with(token=token, player=player)
        if seat is None:
            raise SeatTaken(text("This invitation has been used already."))
    return seat


def take_listed_seat(*, game: Game, seat_key: str, player: Player) -> Seat:
    """Take a seat that is open to everybody; who has it already keeps it. Raises as
    `check_listed_seat`, or Refusal as `claim_seat`."""
    with write_transaction():
        seat = _lock(game.pk).seats.get(key=seat_key)
        if not seat.holders.filter(player=player).exists():
            check_listed_seat(seat)
            _seat_player(seat, player)
    return seat


def check_listed_seat(seat: Seat) -> None:
    """Raises SeatTaken, or GameEnded, unless a seat is open to everybody: the first of a team is
    found like that, the others by its invitation."""
    if not seat.listed or seat.holders.exists():
        raise SeatTaken
    if seat.game.over:
        raise GameEnded


def _lock(game_id: str) -> Game:
    """The game as it now is, with nobody else changing it or its seats until the transaction
    ends: as in `play_move`, a game's row is what every writer locks first."""
    return Game.objects.select_for_update().get(pk=game_id)


def _spec(seat: Seat) -> SeatSpec:
    return next(spec for spec in seat.game.specs if spec.key == seat.key)


def _seat_player(seat: Seat, player: Player) -> None:
    moved = seat.moving_from_id is not None
    if moved:
        seat.holders.filter(player=seat.moving_from_id).delete()
    if not seat.holders.filter(player=player).exists():
        _refuse_two_sights(seat, player)
        Holder.objects.create(seat=seat, player=player)
    # The link of a team goes on inviting.
    if not _spec(seat).shared:
        _close_link(seat)
        seat.listed = False
    seat.save()
    game = seat.game
    game.version += 1
    # Nobody need hear that somebody goes on at another device.
    if not moved:
        game.notice = _joined(seat, player).to_json()
    game.save(update_fields=["version", "notice", "updated"])
    notify_changed(game)


def _joined(seat: Seat, player: Player) -> Text:
    name = player.name or text("Guest")
    return text("%(name)s joins (%(seat)s).", name=name, seat=_spec(seat).name)


def _refuse_two_sights(seat: Seat, player: Player) -> None:
    """Nobody plays by what another seat sees: all seats that somebody has see the same."""
    sights = {spec.key: spec.information_set for spec in seat.game.specs}
    if len({*sights.values()}) == 1:
        return
    held = Seat.objects.filter(game=seat.game, players=player).values_list("key", flat=True)
    if any(sights[key] != sights[seat.key] for key in held):
        raise Refusal(text("You have a seat already that does not go together with this one."))
