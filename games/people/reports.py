"""Reports of players' words, and the acts of staff upon them."""

from __future__ import annotations

from django.conf import settings
from django.db.models import F
from django.urls import resolve
from django.utils import timezone
from django.utils.translation import override

from games.contract import text
from games.core.refusals import Refusal
from games.models import REPORT_LENGTH, Game, KeptVariation, Pack, Player, Report, SchoolClass
from games.people.access import Kind, note
from games.services.lobby import close_to_watchers
from games.services.players import suspend, warn
from games.storage.write_lock import write_transaction

Act = Report.Act
NO_REASON = text("Choose a reason.")
TOO_LONG = text("That’s too long: at most %(n)s characters.", n=REPORT_LENGTH)
NOBODY = text("The report names no player. Act on the page of the player.")


def make_report(
    *, address: str, about: Player | None, reporter: Player | None, reason: str, words: str = ""
) -> None:
    """Store a report, or count it if one of the same words waits. Raises Refusal."""
    if reason not in Report.Reason.values:
        raise Refusal(NO_REASON)
    if len(words := " ".join(words.split())) > REPORT_LENGTH:
        raise Refusal(TOO_LONG)
    with write_transaction():
        same = Report.objects.filter(address=address, about=about, act="")
        own = reporter and same.filter(reporter=reporter).exists()
        if not own and not same.update(times=F("times") + 1):
            Report.objects.create(
                address=address, about=about, reporter=reporter, reason=reason, text=words
            )


def handle(act: Report.Act, report: Report, reason: str = "") -> None:
    """Do an act of staff upon a report, and note it for the author of the words. Raises Refusal."""
    author = report.about
    with write_transaction(), override(settings.LANGUAGE_CODE):
        if act == Act.HIDE:
            _hide(resolve(report.address).kwargs)
        elif act != Act.CLOSE and author is None:
            raise Refusal(NOBODY)
        elif act == Act.WARN and author:
            warn(player=author, reason=reason)
        elif act == Act.SUSPEND and author:
            suspend(player=author, suspended=True, reason=reason)
        if author and act != Act.CLOSE:
            note(author, Kind.STAFF, f"{act.label}: {reason or report.address}")
        Report.objects.filter(pk=report.pk).update(act=act, handled=timezone.now())


def _hide(parts: dict[str, str]) -> None:
    """Show a thing to nobody but its owner or the players of a game; delete a class of pupils."""
    if "object_id" in parts:
        SchoolClass.objects.filter(pk=parts["object_id"]).delete()
    elif "key" in parts:
        KeptVariation.objects.filter(pk=parts["key"]).update(hidden=True)
    elif "pack_id" in parts:
        Pack.objects.filter(pk=parts["pack_id"]).update(salt="", hash=None)
    elif "public_id" in parts:
        Player.objects.filter(public_id=parts["public_id"]).update(public_id=None)
    elif Game.objects.filter(pk=parts["game_id"]).exists():
        close_to_watchers(game_id=parts["game_id"], player=None, closed=True)


def waiting_reports() -> int:
    return Report.objects.filter(act="").count()
