"""The sentences of notices, for all channels, and the e-mails of the site, in plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from email.utils import make_msgid, parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, ngettext

from games.contract import Text, text
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import EmailAddress, NoticeKind, Outgoing
from games.notices.events import Notice

MOST_NAMES = 3
# Chat programs read names as links, mentions or markup: letters, digits and few signs stay.
_MARKUP = re.compile(r"[^\w \-'’]|_")


def title(notice: Notice) -> Text:
    """Return the event in a few words."""
    if not notice.game_id:
        is_day = notice.event == NoticeKind.DAY
        return text("Today’s puzzles") if is_day else text("This is a test")
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
        NoticeKind.CHALLENGED: text("%(name)s asks you for a game", name=name),
        NoticeKind.LITTLE_TIME: text("You have little time left"),
        NoticeKind.SEAT_ASKED: text("You’re away, and someone wants your seat"),
        NoticeKind.OVER: _ending(notice),
        NoticeKind.DAY: text("Today’s puzzles"),
    }[NoticeKind(notice.event)]


def _ending(notice: Notice) -> Text:
    if notice.name:
        return text("%(name)s won", name=plain_name(notice.name))
    ends = {"won": text("You won"), "lost": text("You lost"), "drawn": text("The game is a draw")}
    ends["void"] = text("The game was called off")
    return ends.get(notice.result, text("The game is over"))


def about(notice: Notice) -> Text:
    """Return the kind of the game and the names of the other people, but not that in the title."""
    if not notice.game_id:
        if notice.event == NoticeKind.DAY:
            return text("One of each game, and your streak goes on.")
        return text("Notices reach you here.")
    game = all_rules()[notice.kind].name
    if notice.event == Outgoing.OPEN_SEATS:
        host = plain_name(notice.name)
        return text("%(game)s, hosted by %(host)s", game=game, host=host) if host else game
    others = [name for name in notice.names if not name or name != notice.name]
    named = [plain_name(name) or translate(text("Guest")) for name in others]
    if not named:
        return game
    more = ["…"] if len(named) > MOST_NAMES else []
    return text("%(game)s with %(names)s", game=game, names=", ".join(named[:MOST_NAMES] + more))


def sentence(notice: Notice) -> str:
    return f"{translate(title(notice))}: {translate(about(notice))}"


def heading(notices: Sequence[Notice]) -> str:
    """Return the title of a digest: the number of turns in it, or its first event."""
    turns = sum(notice.event == NoticeKind.TURN for notice in notices)
    if not turns:
        return translate(title(notices[0]))
    words = ngettext("It’s your turn in %(n)s game", "It’s your turn in %(n)s games", turns)
    return words % {"n": turns}


def path(notice: Notice) -> str:
    if notice.event == NoticeKind.CHALLENGED:
        return "/me/"
    if notice.event == NoticeKind.DAY:
        return reverse("today")
    return f"/g/{notice.game_id}/" if notice.game_id else "/me/devices/"


def plain_name(name: str) -> str:
    """Return a name without the characters that chat programs take for markup or addresses."""
    return " ".join(_MARKUP.sub(" ", name).split())


def confirmation(email: EmailAddress, token: str) -> EmailMessage:
    """Return the e-mail with which an address is confirmed. It contains no text typed by the
    visitor, since the address may be a stranger's."""
    with translation.override(email.language):
        parts = [
            gettext("Open this link within an hour to confirm your e-mail address at %(site)s:")
            % {"site": settings.SITE_NAME},
            _link(email, "confirm_email", token),
            gettext("If you didn’t ask for this, ignore this e-mail. No more will follow."),
        ]
        return _message(email.pending, gettext("Confirm your e-mail address"), parts)


def recovery(email: EmailAddress, token: str) -> EmailMessage:
    values = {"name": email.account.name, "site": settings.SITE_NAME}
    with translation.override(email.language):
        parts = [
            gettext(
                "Open this link within an hour to choose a new password for %(name)s at %(site)s:"
            )
            % values,
            _link(email, "recover_by_email", token),
            gettext(
                "If you didn’t ask for this, ignore this e-mail. Your password stays the same."
            ),
        ]
        return _message(email.address, gettext("Choose a new password"), parts)


def check(email: EmailAddress) -> EmailMessage:
    with translation.override(email.language):
        notice = Notice("", "")
        return _message(email.address, translate(title(notice)), [translate(about(notice))])


def digest(email: EmailAddress, notices: Sequence[Notice], token: str) -> EmailMessage:
    """Return the e-mail about the turns and other events of a player, each with its link."""
    off = _link(email, "unsubscribe", token)
    with translation.override(email.language):
        subject = heading(notices)
        lines = [_line(email, notice) for notice in notices[:MOST_LINES]]
        parts = [
            f"{subject}.",
            "\n".join(lines),
            gettext("All your games: %(link)s") % {"link": f"{email.site}me/"},
            gettext("No more e-mails about your games: %(link)s") % {"link": off},
        ]
        # RFC 8058: mail programs unsubscribe with a POST to the link, without opening it.
        headers = {
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        return _message(email.address, subject, parts, headers)


MOST_LINES = 20
"""Games that a digest lists; a link leads to all of them."""


def _line(email: EmailAddress, notice: Notice) -> str:
    line = translate(about(notice)) if notice.event == NoticeKind.TURN else sentence(notice)
    return f"{line}: {email.site.rstrip('/')}{path(notice)}"


def _link(email: EmailAddress, name: str, token: str) -> str:
    return email.site.rstrip("/") + reverse(name, args=[token])


def _message(
    to: str, subject: str, parts: Sequence[str], headers: Mapping[str, str] | None = None
) -> EmailMessage:
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    return EmailMessage(
        subject=f"{settings.EMAIL_SUBJECT_PREFIX}{subject}",
        body="\n\n".join(parts) + "\n",
        to=[to],
        headers={
            # Django would put the name of this machine in it.
            "Message-ID": make_msgid(domain=domain),
            "Auto-Submitted": "auto-generated",
            **(headers or {}),
        },
    )
