"""The devices of a player: another browser joins by a link, and each device can be signed out."""

from __future__ import annotations

import time
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from games.contract import text
from games.core.refusals import Refusal
from games.models import Account, Device, DeviceLink, Player, PushSubscription
from games.people.merging import merge_players
from games.services.tokens import hash_token, make_token, new_salt
from games.state.identity import notify_devices
from games.storage.cache import LRUCache
from games.storage.write_lock import write_transaction

LINK_LASTS = timedelta(minutes=10)
SEEN_EVERY = 15 * 60.0
"""Seconds for which a process does not note a device again."""

_noted: LRUCache[UUID, float] = LRUCache(20_000)


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


def note_device(device_id: UUID) -> None:
    """Store that a device is in use. The only browser of a player has no row, and is not noted."""
    now = time.monotonic()
    noted = _noted.get(device_id)
    if noted is not None and now - noted < SEEN_EVERY:
        return
    _noted.put(device_id, now)
    device = Device.objects.filter(pk=device_id, signed_out=None)
    if device.exists():
        with write_transaction():
            device.update(seen_at=timezone.now())


def add_device(*, player: Player, name: str) -> Device:
    with write_transaction():
        # The first browser has no row while it is the only one.
        Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
        return Device.objects.create(player=player, name=name, seen=timezone.now().date())


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
        if link.device is not None and claimant and link.claimant == claimant:
            return link.device
        if not link.salt or link.expires <= timezone.now():
            raise LinkSpent
        if device is None:
            device = add_device(player=link.player, name=name)
        elif device.player_id != link.player_id:
            if has_account(device.player):
                raise HasAccount
            merge_players(source=device.player, target=link.player)
        link.device = device
        link.salt, link.claimant = "", claimant
        link.save()
    return link.device


def sign_out_others(*, player: Player, device_id: UUID) -> None:
    with write_transaction():
        # The first device may not have a row yet.
        Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
        player.devices.exclude(pk=device_id).update(signed_out=timezone.now())
        others = PushSubscription.objects.filter(device__player=player)
        others.exclude(device=device_id).delete()
        notify_devices(player)


def sign_out(*, player: Player, device_id: UUID) -> None:
    with write_transaction():
        signed_in = Device.objects.filter(pk=device_id, player=player, signed_out=None)
        if signed_in.update(signed_out=timezone.now()):
            PushSubscription.objects.filter(device=device_id).delete()
            notify_devices(player)
