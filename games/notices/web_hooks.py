"""Notices to a web hook, in the format of Discord or in that of Slack and others."""

from __future__ import annotations

import http.client
import logging
from urllib.parse import urlsplit

from django.utils import translation

from games.core.outgoing import BadAddress, Unreachable, post_json
from games.core.translation import translate
from games.models import WebHook
from games.notices import texts
from games.notices.channels import Attempt, Outcome, failure_word
from games.notices.events import Notice

BUSY = {429, 503}
"""HTTP statuses with which a service asks to try again later."""

logger = logging.getLogger(__name__)


def send(hook: WebHook, notice: Notice) -> Attempt:
    """Post a notice to a web hook. A failed notice is sent again only if it certainly has not
    arrived."""
    try:
        status = post_json(hook.url, message(hook, notice))
    except Unreachable:
        return Attempt(Outcome.BUSY, "unreachable")
    except (BadAddress, OSError, http.client.HTTPException) as error:
        logger.info("a notice of the game %s was not sent: %s", notice.game_id, type(error))
        return Attempt(Outcome.FAILED, failure_word(error))
    if 200 <= status < 300:
        return Attempt(Outcome.ARRIVED)
    return Attempt(Outcome.BUSY if status in BUSY else Outcome.FAILED, str(status))


def message(hook: WebHook, notice: Notice) -> dict[str, object]:
    """Return a notice in the format of Discord, or in that of Slack and others."""
    with translation.override(hook.language):
        heading = f"{translate(texts.title(notice))}: {translate(texts.about(notice))}"
    sentence = f"{heading} {hook.site.rstrip('/')}{texts.path(notice)}"
    host = urlsplit(hook.url).hostname or ""
    if host == "discord.com" or host.endswith(".discord.com"):
        return {"content": sentence, "allowed_mentions": {"parse": []}}
    return {"text": sentence}
