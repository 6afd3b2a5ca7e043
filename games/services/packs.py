"""Packs: named lists of texts that a player stores, shares by a link, and uses for games."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.urls import reverse

from games.contract import BadSetup, Deck, Option, Options, Rules, text
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import Pack, Player
from games.services.players import clean_name
from games.services.staff import check_not_hidden
from games.services.tokens import hash_token, make_token, new_salt
from games.state.row_faults import is_readable_pack
from games.storage.write_lock import write_transaction

MOST_TEXTS = 5_000
MOST_PACKS = 50
"""Packs of one player."""
ANEW = text("All words of this pack have been played. It begins anew.")


class BadPack(Refusal):
    """Raised for a pack that cannot be stored."""


@dataclass(frozen=True)
class PackDeal:
    """A locked pack, and the deck from which a game is dealt."""

    pack: Pack
    deck: Deck

    def save(self) -> None:
        """Store the dealt texts. The caller holds the transaction since `open_deal`."""
        self.pack.used = self.deck.used
        self.pack.save(update_fields=["used"])


# --- the packs of a player -------------------------------------------------------------


def packs_of(player: Player, kind: str | None = None) -> list[Pack]:
    kinds = [kind] if kind else list(all_rules())
    found = Pack.objects.filter(player=player, kind__in=kinds)
    return sorted(
        filter(is_readable_pack, found), key=lambda pack: (pack.name.casefold(), pack.created)
    )


def make_pack(*, player: Player, rules: Rules, name: str, pasted: str, language: str = "") -> Pack:
    """Store a new pack. Raises BadPack or BadName."""
    values = _read(rules, name, pasted, language)
    with write_transaction():
        _check_number(player)
        return Pack.objects.create(player=player, kind=rules.slug, **values)


def edit_pack(*, player: Player, pack_id: UUID, name: str, pasted: str, language: str = "") -> Pack:
    """Change a pack. Texts that stay count as used if they were before. Raises Pack.DoesNotExist,
    BadPack or BadName."""
    with write_transaction():
        pack = _lock(player.packs.all(), pack_id)
        values = _read(all_rules()[pack.kind], name, pasted, language)
        for field, value in values.items():
            setattr(pack, field, value)
        pack.used = Deck(pack.texts, pack.used).used
        pack.save()
    return pack


def delete_pack(*, pack_id: UUID, player: Player | None = None) -> None:
    """Delete a pack of the player, or for staff any pack. Games dealt from it keep their words."""
    packs = player.packs.all() if player else Pack.objects.all()
    with write_transaction():
        packs.filter(pk=pack_id).delete()


def _lock(packs: QuerySet[Pack], pack_id: UUID | str) -> Pack:
    """Return a pack, locked until the transaction ends. Raises Pack.DoesNotExist."""
    pack = packs.filter(kind__in=list(all_rules())).select_for_update().get(pk=pack_id)
    if not is_readable_pack(pack):
        raise Pack.DoesNotExist
    return pack


def _check_number(player: Player) -> None:
    if player.packs.count() >= MOST_PACKS:
        raise BadPack(
            text("You already have %(n)s word packs. Delete one of them first.", n=MOST_PACKS)
        )


def _read(rules: Rules, name: str, pasted: str, language: str) -> dict[str, Any]:
    """Return the values of a pack to store. Raises BadPack or BadName."""
    cleaned = clean_name(name)
    if not cleaned:
        raise BadPack(text("Give the word pack a name."))
    languages = {value for option in _languages(rules) for value, _ in option.choices}
    return {
        "name": cleaned,
        "texts": _read_texts(rules, pasted),
        "language": language if language in languages else "",
    }


def _languages(rules: Rules) -> list[Option]:
    return [option for option in rules.options if option.name == "language"]


def _read_texts(rules: Rules, pasted: str) -> list[str]:
    try:
        texts = list(rules.pack.read(pasted)) if rules.pack and rules.pack.read else []
    except BadSetup as error:
        raise BadPack(error.text) from error
    if not texts:
        raise BadPack(text("Type at least one word."))
    if len(texts) > MOST_TEXTS:
        raise BadPack(
            text(
                "A word pack can have at most %(n)s words. Yours has %(have)s.",
                n=MOST_TEXTS,
                have=len(texts),
            )
        )
    return texts


# --- links -----------------------------------------------------------------------------


def share_pack(*, player: Player, pack_id: UUID, shared: bool) -> Pack:
    """Give a pack a link, or withdraw its link. Raises Pack.DoesNotExist or Refusal."""
    with write_transaction():
        pack = _lock(player.packs.all(), pack_id)
        if shared:
            check_not_hidden(reverse("pack", args=[pack_id]))
        if shared != bool(pack.salt):
            pack.salt = new_salt() if shared else ""
            pack.hash = hash_token(pack_token(pack)) if shared else None
            pack.save(update_fields=["salt", "hash"])
    return pack


def pack_token(pack: Pack) -> str:
    return make_token("games.pack", pack.pk, pack.salt)


def pack_of_token(token: str) -> Pack | None:
    found = Pack.objects.filter(hash=hash_token(token), kind__in=list(all_rules()))
    return next(filter(is_readable_pack, found), None)


def copy_pack(*, player: Player, pack: Pack) -> Pack:
    """Give a player a pack with the same words, unless there is one already. Raises BadPack."""
    with write_transaction():
        for own in player.packs.filter(kind=pack.kind, name=pack.name):
            if own.texts == pack.texts:
                return own
        _check_number(player)
        return Pack.objects.create(
            player=player, kind=pack.kind, name=pack.name, texts=pack.texts, language=pack.language
        )


# --- deals -----------------------------------------------------------------------------


def dealing(rules: Rules, options: Options) -> AbstractContextManager[None]:
    """Return a transaction in which a game is dealt from a pack and stored, so that no other game
    gets the same words. Without a pack in the cleaned options, return a null context."""
    return write_transaction() if _takes_pack(rules, options) else nullcontext()


def _takes_pack(rules: Rules, options: Options) -> bool:
    return rules.pack is not None and rules.pack.is_chosen(options)


def open_deal(rules: Rules, options: Options, packs: QuerySet[Pack]) -> PackDeal | None:
    """Return the pack chosen in the options, locked until the transaction of `dealing` ends; None
    for a game without a pack. Raises BadSetup if it is not, or no longer, among ``packs``."""
    if rules.pack is None or not _takes_pack(rules, options):
        return None
    try:
        pack = _lock(packs.filter(kind=rules.slug), options[rules.pack.name])
    except ObjectDoesNotExist as error:
        raise rules.pack.refuse(text("That word pack no longer exists.")) from error
    return PackDeal(pack, Deck(pack.texts, pack.used, language=pack.language))
