"""Changes by staff: ending a game, freeing it when it is stuck, and hiding what players wrote."""

from __future__ import annotations

from copy import copy

from games.contract import RESIGN, VOID, Text, text
from games.core.refusals import Refusal
from games.models import Report
from games.services.play import apply_position, play_for_site
from games.services.versions import save_version
from games.state.snapshot import GameSnapshot, locked

HIDDEN = text("The staff of this site have hidden this.")


def check_not_hidden(address: str) -> None:
    """Raise Refusal if staff have hidden a page from all but its owner, after a report."""
    if Report.objects.filter(address=address, act=Report.Act.HIDE).exists():
        raise Refusal(HIDDEN)


DERIVED = ("to_move", "status", "result_json", "computer_to_move")


def end_game(*, game_id: str, reason: str = "", void: bool = False) -> GameSnapshot:
    """End a running game by letting the seats to move resign, one after the other, or call it off,
    and tell its players that staff did it, and why. Raises as `locked`, or Unreadable."""
    with locked(game_id, running=True) as snapshot:
        sentence = _told(reason)
        after = snapshot
        while waiting := after.standing.to_move:
            move = VOID if void else RESIGN
            after = play_for_site(after, min(waiting), move, note=sentence)
        return save_version(after, banner=sentence.to_json())


def _told(reason: str) -> Text:
    if reason:
        return text("The staff of this site ended this game: %(reason)s", reason=reason)
    return text("The staff of this site ended this game.")


def free_game(*, game_id: str) -> GameSnapshot:
    """Free a stuck game: end its lease, its questions and its marks, and derive again which seats
    are to move. Raises as `locked`, or Unreadable."""
    with locked(game_id, running=True) as snapshot:
        game = snapshot.game
        fresh = copy(game)
        apply_position(fresh, snapshot.standing, game.ply, snapshot.seating.thinking())
        changes = {name: getattr(fresh, name) for name in DERIVED}
        return save_version(
            snapshot,
            leased_until=None,
            undo_request=None,
            questions=None,
            marks=[],
            banner=None,
            fault=None,
            **changes,
        )
