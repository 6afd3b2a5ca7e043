"""Players: created when a browser first does something that must be remembered.

Staff may remove names, suspend players, and delete them (`games.people.forgetting`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from functools import cache
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import translation

from games.bus import notify_changed
from games.contract import Rules, SeatKey, blank_character, excess_combining_mark, text
from games.contract.unicode_text import is_mark, without_flag_tags, without_joiners
from games.core.look_alikes import skeleton
from games.core.refusals import BadName, NotYourSeat, Refusal
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import NAME_LENGTH, Bot, Device, Game, Holder, Player
from games.services.versions import save_without_activity
from games.state import identity
from games.state.identity import is_bot
from games.state.replay import Unreadable
from games.state.snapshot import GameSnapshot, locked, read_snapshot
from games.storage.write_lock import write_transaction

# Control, format (with the bidi overrides), surrogate and private-use characters.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# The emoji variation selector, which phones add to hearts, flags, keycaps and more.
_COLOUR = re.compile("(?<=[\u203c-\u3299\U0001f000-\U0001faff])\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)")


COMPUTER = skeleton("Computer")
BOT_MARK = " (bot)"
"""The end of the name of every bot, and of nobody else's, so that all pages and texts say it."""
_ENDS_AS_PROGRAM = re.compile(rf"[(\[{{<]\s*(bot|{COMPUTER})\s*[)\]}}>]$")
NO_SENTENCE = text("Write the reason: the player reads it.")
SILENCED = text("You can’t change your name while your team is guessing: it could be a hint.")


def clean_name(raw: str) -> str:
    """Return the name in its stored form: composed (NFC), with single spaces. Raises BadName."""
    if len(raw) > 10 * NAME_LENGTH:
        raise BadName(text("A name can have at most %(n)s characters.", n=NAME_LENGTH))
    name = " ".join(unicodedata.normalize("NFC", raw).split())
    visible = without_joiners(_COLOUR.sub("", without_flag_tags(name)))
    if _hides_something(visible):
        raise BadName(text("A name can’t contain invisible characters."))
    if len(name) > NAME_LENGTH:
        raise BadName(text("A name can have at most %(n)s characters.", n=NAME_LENGTH))
    if excess_combining_mark(visible) or _only_marks(visible):
        # They would be drawn over neighbouring lines or letters.
        raise BadName(text("That name has too many accents on one letter."))
    if name and _is_reserved(skeleton(name)):
        raise BadName(text("That’s how the game calls a seat or a computer. Choose another name."))
    return name


def _is_reserved(look: str) -> bool:
    if _ENDS_AS_PROGRAM.search(look) or f"{look} ".startswith((COMPUTER + " ", COMPUTER + "(")):
        return True
    return any(look in _names_of_seats(slug) for slug in all_rules())


@cache
def _names_of_seats(slug: str) -> Set[str]:
    """Return how a game's seats look in all languages: a namesake would be taken for one."""
    rules = all_rules()[slug]
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {skeleton(translate(spec.name)) for spec in rules.seats(rules.clean({}))}
    return found


def _hides_something(shown: str) -> bool:
    if blank_character(shown):
        return True
    return any(unicodedata.category(character) in _HIDDEN for character in shown)


def _only_marks(shown: str) -> bool:
    return shown != "" and all(is_mark(character) or character == " " for character in shown)


def new_player(*, name: str = "") -> Player:
    cleaned = clean_name(name)
    with write_transaction():
        return Player.objects.create(name=cleaned, name_folded=cleaned.casefold())


def first_player(*, player_id: UUID | None, name: str = "") -> Player:
    """Return the one player of a browser's first form, sent twice or once. Raises BadName."""
    cleaned = clean_name(name)
    with write_transaction():
        # The id of a device leads to the player of that device, which this one must not become.
        if player_id is None or Device.objects.filter(pk=player_id).exists():
            return new_player(name=cleaned)
        fields = {"name": cleaned, "name_folded": cleaned.casefold()}
        player, is_new = Player.objects.get_or_create(pk=player_id, defaults=fields)
        if is_new:
            return player
        return identity.first_player(player_id) or new_player(name=cleaned)


def rename(*, player: Player, name: str) -> None:
    cleaned = clean_name(name)
    if cleaned != player.name:
        with write_transaction():
            check_silence(player)
            set_name(player, cleaned)
            count_versions(player)


def check_silence(player: Player) -> None:
    """Raise BadName while a new name of the player could be a hint: in a game where the player has
    a seat that may not speak. The caller holds the transaction."""
    secret = [slug for slug, rules in all_rules().items() if _has_secrets(rules)]
    games = player.seats.filter(game__kind__in=secret, game__begun=True)
    running = games.filter(game__status=Game.Status.RUNNING)
    for game_id in running.order_by().values_list("game", flat=True).distinct():
        with suppress(Unreadable):
            snapshot = read_snapshot(game_id)
            _check_seats(snapshot, player, snapshot.seats_of(player.pk))


def _has_secrets(rules: Rules) -> bool:
    return any(spec.secret for spec in rules.seats(rules.clean({})))


def _check_seats(snapshot: GameSnapshot, player: Player, seats: Iterable[SeatKey]) -> None:
    if snapshot.seating.is_solo(player.pk):
        return
    if any(not snapshot.position.may_speak(seat) for seat in seats):
        raise BadName(SILENCED)


def remove_names(*, player: Player) -> None:
    """Remove the names of a player and of others on the device. A bot remains one."""
    with write_transaction():
        set_name(player, BOT_MARK.strip() if is_bot(player.pk) else "")
        Bot.objects.filter(player=player).update(about="")
        Holder.objects.filter(player=player).exclude(name="").update(name="")
        count_versions(player)


def suspend(*, player: Player, suspended: bool, reason: str = "") -> None:
    """Suspend a player and its bots from all but watching, for a reason to read; or end that."""
    with write_transaction():
        for person in [player, *Player.objects.filter(bot__owner=player)]:
            person.suspended, person.suspended_for = suspended, reason if suspended else ""
            person.save(update_fields=["suspended", "suspended_for"])
            count_versions(person)


def warn(*, player: Player, reason: str) -> None:
    """Show a player who is not suspended a sentence of staff. Raises Refusal without one."""
    if not reason:
        raise Refusal(NO_SENTENCE)
    with write_transaction():
        Player.objects.filter(pk=player.pk, suspended=False).update(suspended_for=reason)


def end_warning(*, player: Player) -> None:
    with write_transaction():
        Player.objects.filter(pk=player.pk, suspended=False).update(suspended_for="")


def set_name(player: Player, name: str) -> None:
    """Store a clean name, and its folded form, in the caller's transaction."""
    player.name, player.name_folded = name, name.casefold()
    player.save(update_fields=["name", "name_folded"])


def name_seats(*, game_id: str, player: Player, names: Mapping[SeatKey, str]) -> GameSnapshot:
    """Name the people on the player's device, '' by default. Raises BadName, NotYourSeat."""
    cleaned = {key: clean_name(name) for key, name in names.items()}
    with locked(game_id) as snapshot:
        if not snapshot.seats_of(player.pk).issuperset(cleaned):
            raise NotYourSeat
        held = Holder.objects.filter(seat__game=snapshot.game, player=player)
        if snapshot.game.begun and not snapshot.game.over:
            named = dict(held.values_list("seat__key", "name"))
            _check_seats(
                snapshot, player, [key for key, name in cleaned.items() if named[key] != name]
            )
        changed = [
            held.filter(seat__key=key).exclude(name=name).update(name=name)
            for key, name in cleaned.items()
        ]
        return save_without_activity(snapshot) if any(changed) else snapshot


def count_versions(player: Player) -> None:
    """Count a version of each of the player's games, which show the name, and announce the running
    ones: there may be hundreds of others. The caller holds the transaction."""
    games = Game.objects.filter(pk__in=player.seats.values("game"))
    games.update(version=F("version") + 1)
    for game in games.filter(status=Game.Status.RUNNING):
        notify_changed(game)
