"""The devices of a player: another browser joins by a link, and each device can be signed out."""

from __future__ import annotations

import time
from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from games.contract import text
from games.core.refusals import Refusal
from games.models import Account, Device, DeviceLink, Player, PushSubscription, SecurityEvent
from games.people.access import Kind, note, stop_programs
from games.people.merging import merge_players
from games.services.tokens import hash_token, make_token, new_salt
from games.state.identity import notify_devices
from games.storage.cache import LRUCache
from games.storage.write_lock import write_transaction

LINK_LASTS = timedelta(minutes=10)
SEEN_EVERY = 15 * 60.0
"""Seconds for which a process does not note a device again."""

_noted: LRUCache[UUID | str, float] = LRUCache(20_000)


class LinkSpent(Refusal):
    """Raised for a link that is used up, withdrawn or too old."""

    status = 410
    reason = text("This link has been used, withdrawn or has expired. Make a new one.")


class HasAccount(Refusal):
    """Raised for a visitor with an account: a stranger's link would carry it away."""

    status = 403
    reason = text(
        "You’re signed in to your account here, and a link can’t move it. To use the account on the"
        " device that made the link, sign in there."
    )


def has_account(player: Player) -> bool:
    return Account.objects.filter(player=player).exists()


def register_device(*, player: Player, device_id: UUID, name: str) -> Device:
    """Store the visitor's browser as a device of its player, seen today."""
    with write_transaction():
        changes = {"name": name, "seen": timezone.now().date()}
        device, is_new = Device.objects.get_or_create(
            pk=device_id, defaults={"player": player, **changes}
        )
        if not is_new and (device.seen != changes["seen"] or device.name != name):
            Device.objects.filter(pk=device_id, player=player).update(**changes)
    return device


def is_noted(key: UUID | str) -> bool:
    """Return whether this process has just noted the use of a device or token, else note it."""
    now = time.monotonic()
    noted = _noted.get(key)
    if noted is not None and now - noted < SEEN_EVERY:
        return True
    _noted.put(key, now)
    return False


def note_device(device_id: UUID) -> None:
    """Store that a device is in use. The only browser of a player has no row, and is not noted."""
    if is_noted(device_id):
        return
    device = Device.objects.filter(pk=device_id, signed_out=None)
    if device.exists():
        with write_transaction():
            device.update(seen_at=timezone.now())


def add_device(*, player: Player, name: str) -> Device:
    with write_transaction():
        # The first browser has no row while it is the only one.
        Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
        return Device.objects.create(player=player, name=name, seen=timezone.now().date())


def join_player(
    *, player: Player, device: Device | None, name: str, kind: SecurityEvent.Kind = Kind.SIGN_IN
) -> Device:
    """Make a browser a new device of a player, and return it: the cookie changes, so that copies of
    the one before end. Notices that the browser shows go on; a player that it had is merged.
    Raises Refusal as `merge_players`."""
    with write_transaction():
        joined = add_device(player=player, name=name)
        if device is not None:
            PushSubscription.objects.filter(device=device).update(device=joined)
            if device.player_id == player.pk:
                _sign_out(player, Device.objects.filter(pk=device.pk))
            else:
                merge_players(source=device.player, target=player)
        note(player, kind, name)
    return joined


def devices_of(player: Player) -> list[Device]:
    return list(player.devices.filter(signed_out=None).order_by("-seen", "-created"))


def offer_device(*, player: Player) -> DeviceLink:
    """Make a link with which another browser joins; an earlier link stops working."""
    link = DeviceLink(player=player, salt=new_salt(), expires=timezone.now() + LINK_LASTS)
    link.hash = hash_token(device_token(link))
    with write_transaction():
        DeviceLink.objects.filter(player=player).delete()
        link.save(force_insert=True)
    return link


def withdraw_device(*, player: Player) -> None:
    with write_transaction():
        DeviceLink.objects.filter(player=player, device=None).delete()


def device_token(link: DeviceLink) -> str:
    return make_token("games.device", link.player_id, link.salt)


def open_device_link(player: Player) -> DeviceLink | None:
    open_links = DeviceLink.objects.exclude(salt="").filter(expires__gt=timezone.now())
    return open_links.filter(player=player).first()


def link_of_token(token: str) -> DeviceLink | None:
    found = DeviceLink.objects.select_related("player").filter(hash=hash_token(token))
    return found.exclude(salt="").filter(expires__gt=timezone.now()).first()


def claim_device(*, token: str, device: Device | None, claimant: str, name: str) -> Device:
    """Make a browser a device of the player of a link, and return the device. If the browser has a
    player already, that player is merged into the player of the link. Raises LinkSpent, HasAccount
    for a player with an account, or Refusal as `merge_players`."""
    with write_transaction():
        locked = DeviceLink.objects.select_for_update(of=("self",)).select_related("player")
        link = locked.filter(hash=hash_token(token)).first()
        if link is None:
            raise LinkSpent
        if link.expires <= timezone.now():
            raise LinkSpent
        if link.device is not None and claimant and link.claimant == claimant:
            return link.device
        if not link.salt:
            raise LinkSpent
        if device and device.player_id != link.player_id and has_account(device.player):
            raise HasAccount
        link.device = join_player(player=link.player, device=device, name=name, kind=Kind.DEVICE)
        link.salt, link.claimant = "", claimant
        link.save()
    return link.device


def end_others(*, player: Player, device_id: UUID, keep_bots: bool = False) -> None:
    """End all that can act for a player but one device: other devices, tokens, the web hook, links
    for devices, and also bots unless ``keep_bots``."""
    with write_transaction():
        # The first device may not have a row yet.
        Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
        _sign_out(player, player.devices.exclude(pk=device_id))
        DeviceLink.objects.filter(player=player).delete()
        stop_programs(player, keep_bots=keep_bots)


def keep_only(*, device: Device) -> Device:
    """End all that can act for a player but one device, as `end_others`, and return the device.
    That of an account gets a new cookie; a guest who lost the answer could not sign in again."""
    player = device.player
    with write_transaction():
        if has_account(player):
            device = join_player(player=player, device=device, name=device.name, kind=Kind.ENDED)
        else:
            note(player, Kind.ENDED, device.name)
        end_others(player=player, device_id=device.pk)
    return device


def sign_out(*, player: Player, device_id: UUID) -> None:
    with write_transaction():
        device = player.devices.filter(pk=device_id, signed_out=None)
        for name in device.values_list("name", flat=True):
            note(player, Kind.SIGN_OUT, name)
        _sign_out(player, device)


def _sign_out(player: Player, devices: QuerySet[Device]) -> None:
    PushSubscription.objects.filter(device__in=devices).delete()
    devices.filter(signed_out=None).update(signed_out=timezone.now())
    notify_devices(player)
