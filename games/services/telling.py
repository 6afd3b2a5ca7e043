"""Telling players of their turns: who is to be told is derived from the rows, and claimed before
it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from django.db.models import F
from django.utils import timezone
from django.utils.translation import get_language

from games.contract import text
from games.models import Game, Holder, Move, Player, ToldTurn, WebHook
from games.models.hooks import HOOK_LENGTH
from games.outgoing import BadAddress, parse_address
from games.refusals import Refusal
from games.registry import all_rules
from games.storage.write_lock import write_transaction

PATIENCE = timedelta(seconds=20)
"""How long a game waits for a move before its player is told: most answer at the board."""
HOOKS_AT_ONCE, GAMES_A_HOOK = 50, 100
MOST_FAILURES = 20
"""Notices in a row that did not arrive, after which an address is forgotten."""


class BadHook(Refusal):
    """An address to which the site does not send."""

    reason = text("Enter an address that begins with https:// and is open to the internet.")


class Notice(NamedTuple):
    """A turn to tell. It holds no names, clues or keys: others may read along in a chat."""

    hook: WebHook
    game_id: str
    kind: str


def set_hook(*, player: Player, url: str, site: str) -> None:
    """Set the address to which a player's turns are told; '' removes it. Raises BadHook."""
    cleaned = url.strip()
    if cleaned:
        try:
            parse_address(cleaned)
        except BadAddress as error:
            raise BadHook from error
        if len(cleaned) > HOOK_LENGTH:
            raise BadHook
    with write_transaction():
        WebHook.objects.filter(player=player).delete()
        if cleaned:
            language = get_language() or "en"
            WebHook.objects.create(player=player, url=cleaned, site=site, language=language)


def hook_of(player: Player) -> WebHook | None:
    """Return the web hook of a player, if there is one."""
    return WebHook.objects.filter(player=player).first()


def hooks_after(last: int) -> list[WebHook]:
    """Return the next web hooks, by their keys."""
    return list(WebHook.objects.filter(pk__gt=last).order_by("pk")[:HOOKS_AT_ONCE])


def claim_notices(hook: WebHook) -> Iterator[Notice]:
    """Yield the turns that a player is to be told of, each claimed first: it is never told twice,
    also when the worker dies before it is sent."""
    for game in _waiting_games(hook):
        if _claim(hook, game):
            yield Notice(hook, game.pk, game.kind)


def _waiting_games(hook: WebHook) -> list[Game]:
    """Return the games that have waited for the player of a hook."""
    held = Holder.objects.filter(player=hook.player_id, ended=None, seat__game__begun=True)
    rows = held.order_by("-id").values_list("seat__game", "seat__key", "seat__game__to_move")
    ids = {game_id for game_id, key, to_move in rows[:GAMES_A_HOOK] if key in to_move}
    before = timezone.now() - PATIENCE
    waiting = Game.objects.filter(pk__in=ids, updated__lte=before, kind__in=list(all_rules()))
    return list(waiting.only("id", "kind").order_by("updated"))


def _claim(hook: WebHook, game: Game) -> bool:
    """Return whether a turn is now to be told: the first time, and again only after the player has
    moved in the game."""
    told = ToldTurn.objects.filter(game=game, player=hook.player_id)
    if (before := told.values_list("told", flat=True).first()) is None:
        with write_transaction():
            _, is_new = ToldTurn.objects.get_or_create(
                game=game, player_id=hook.player_id, defaults={"told": timezone.now()}
            )
        return is_new
    moves = Move.objects.filter(game=game, player=hook.player_id, played__gt=before)
    if not moves.exists():
        return False
    with write_transaction():
        return told.filter(told=before).update(told=timezone.now()) == 1


def note_sent(*, hook: WebHook, arrived: bool) -> None:
    """Count a notice that did not arrive; forget an address that fails again and again."""
    mine = WebHook.objects.filter(pk=hook.pk, url=hook.url)
    if arrived and not hook.failures:
        return
    with write_transaction():
        mine.update(failures=0 if arrived else F("failures") + 1)
        mine.filter(failures__gte=MOST_FAILURES).delete()
