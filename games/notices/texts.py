"""The sentences of notices, for all channels."""

from __future__ import annotations

import re

from games.contract import Text, text
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import NoticeKind, Outgoing
from games.notices.events import Notice

MOST_NAMES = 3
# Chat programs read names as links, mentions or markup: letters, digits and few signs stay.
_MARKUP = re.compile(r"[^\w \-'’]|_")


def title(notice: Notice) -> Text:
    """Return the event in a few words."""
    if not notice.game_id:
        return text("This is a test")
    if notice.event == Outgoing.OPEN_SEATS:
        return text("Looking for players")
    name: str | Text = plain_name(notice.name) or text("Guest")
    return {
        NoticeKind.TURN: text("Your turn"),
        NoticeKind.SEAT_TAKEN: text("%(name)s took a seat", name=name),
        NoticeKind.LOBBY_FULL: text("Everyone is here"),
        NoticeKind.BEGUN: text("The game has begun"),
        NoticeKind.DRAW_OFFERED: text("%(name)s offers a draw", name=name),
        NoticeKind.UNDO_ASKED: text("%(name)s asks for undo", name=name),
        NoticeKind.VOID_ASKED: text("%(name)s wants to call the game off", name=name),
        NoticeKind.REMATCH_OFFERED: text("%(name)s offers a rematch", name=name),
        NoticeKind.LITTLE_TIME: text("You have little time left"),
        NoticeKind.SEAT_ASKED: text("You’re away, and someone wants your seat"),
        NoticeKind.OVER: text("The game is over"),
    }[NoticeKind(notice.event)]


def about(notice: Notice) -> Text:
    """Return the kind of the game and the names of the other people."""
    if not notice.game_id:
        return text("Notices reach you here.")
    game = all_rules()[notice.kind].name
    if notice.event == Outgoing.OPEN_SEATS:
        host = plain_name(notice.name)
        return text("%(game)s, hosted by %(host)s", game=game, host=host) if host else game
    named = [plain_name(name) or translate(text("Guest")) for name in notice.names]
    if not named:
        return game
    more = ["…"] if len(named) > MOST_NAMES else []
    return text("%(game)s with %(names)s", game=game, names=", ".join(named[:MOST_NAMES] + more))


def path(notice: Notice) -> str:
    return f"/g/{notice.game_id}/" if notice.game_id else "/me/devices/"


def plain_name(name: str) -> str:
    """Return a name without the characters that chat programs take for markup or addresses."""
    return " ".join(_MARKUP.sub(" ", name).split())
