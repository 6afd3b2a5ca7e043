"""Notices to a web hook, in the format of Discord or in that of Slack and others."""

from __future__ import annotations

import http.client
import logging
from urllib.parse import urlsplit

from django.utils import translation
from django.utils.translation import gettext

from games.core.outgoing import BadAddress, Unreachable, post_json
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import WebHook
from games.notices.channels import Outcome
from games.notices.turn_notices import Notice

BUSY = {429, 503}
"""HTTP statuses with which a service asks to try again later."""

logger = logging.getLogger(__name__)


def send(hook: WebHook, notice: Notice) -> Outcome:
    """Post a notice to a web hook. A failed notice is sent again only if it certainly has not
    arrived."""
    try:
        status = post_json(hook.url, message(hook, notice))
    except Unreachable:
        return Outcome.BUSY
    except (BadAddress, OSError, http.client.HTTPException) as error:
        logger.info("a notice of the game %s was not sent: %s", notice.game_id, type(error))
        return Outcome.FAILED
    if status in BUSY:
        return Outcome.BUSY
    return Outcome.ARRIVED if 200 <= status < 300 else Outcome.FAILED


def message(hook: WebHook, notice: Notice) -> dict[str, object]:
    """Return a notice in the format of Discord, or in that of Slack and others."""
    with translation.override(hook.language):
        game = translate(all_rules()[notice.kind].name)
        told = gettext("Your turn: %(game)s") % {"game": game}
    sentence = f"{told} {hook.site}g/{notice.game_id}/"
    host = urlsplit(hook.url).hostname or ""
    if host == "discord.com" or host.endswith(".discord.com"):
        return {"content": sentence, "allowed_mentions": {"parse": []}}
    return {"text": sentence}
