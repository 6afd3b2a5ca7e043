"""The devices of a player: another browser joins by a link, and each can be signed out."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from games.contract import text
from games.models import Device, DeviceLink, Player, PushSubscription
from games.refusals import Refusal
from games.services.merging import merge_players
from games.services.tokens import hash_token, make_token, new_salt
from games.signals import notify_devices
from games.storage.write_lock import write_transaction

LINK_LASTS = timedelta(minutes=10)


class LinkSpent(Refusal):
    """The link is used up, withdrawn or too old."""

    status = 409
    reason = text("This link has been used, withdrawn or has expired. Make a new one.")


def register_device(*, player: Player, device_id: UUID, name: str) -> Device:
    """Store the browser in use as a device of its player, seen today."""
    with write_transaction():
        changes = {"name": name, "seen": timezone.now().date()}
        device, is_new = Device.objects.get_or_create(
            pk=device_id, defaults={"player": player, **changes}
        )
        if not is_new and (device.seen != changes["seen"] or device.name != name):
            Device.objects.filter(pk=device_id, player=player).update(**changes)
    return device


def add_device(*, player: Player, name: str) -> Device:
    """Store a browser that joins a player."""
    with write_transaction():
        # The first browser has no row as long as it is the only one.
        Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
        return Device.objects.create(player=player, name=name, seen=timezone.now().date())


def devices_of(player: Player) -> list[Device]:
    """Return the devices that are signed in, the last seen first."""
    return list(player.devices.filter(signed_out=None).order_by("-seen", "-created"))


def offer_device(*, player: Player) -> DeviceLink:
    """Make a link by which another browser joins; an earlier one stops working."""
    link = DeviceLink(player=player, salt=new_salt(), expires=timezone.now() + LINK_LASTS)
    link.hash = hash_token(device_token(link))
    with write_transaction():
        DeviceLink.objects.filter(player=player).delete()
        link.save(force_insert=True)
    return link


def withdraw_device(*, player: Player) -> None:
    """Withdraw the link, if there is one."""
    with write_transaction():
        DeviceLink.objects.filter(player=player, device=None).delete()


def device_token(link: DeviceLink) -> str:
    """Return the secret of a link; '' when it is used up."""
    return make_token("games.device", link.player_id, link.salt)


def open_device_link(player: Player) -> DeviceLink | None:
    """Return the link of a player that still works."""
    open_links = DeviceLink.objects.exclude(salt="").filter(expires__gt=timezone.now())
    return open_links.filter(player=player).first()


def link_of_token(token: str) -> DeviceLink | None:
    """Return the link with this token as long as it works."""
    found = DeviceLink.objects.select_related("player").filter(hash=hash_token(token))
    return found.exclude(salt="").filter(expires__gt=timezone.now()).first()


def claim_device(*, token: str, device: Device | None, claimant: str, name: str) -> Device:
    """Join a browser to the player of a link, and return its device: the one it was, whose player's
    games are added to those of the link, or a new one. Raises LinkSpent, or Refusal as
    `merge_players`."""
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
            merge_players(source=device.player, target=link.player)
        link.device = device
        link.salt, link.claimant = "", claimant
        link.save()
    return link.device


def sign_out_others(*, player: Player, device_id: UUID) -> None:
    """Sign out all devices of a player but one."""
    with write_transaction():
        # The first device may have no row yet.
        Device.objects.get_or_create(pk=player.pk, defaults={"player": player})
        player.devices.exclude(pk=device_id).update(signed_out=timezone.now())
        others = PushSubscription.objects.filter(device__player=player)
        others.exclude(device=device_id).delete()
        notify_devices(player)


def sign_out(*, player: Player, device_id: UUID) -> None:
    """Sign a device of the player out. A device of another player stays as it is."""
    with write_transaction():
        signed_in = Device.objects.filter(pk=device_id, player=player, signed_out=None)
        if signed_in.update(signed_out=timezone.now()):
            PushSubscription.objects.filter(device=device_id).delete()
            notify_devices(player)
