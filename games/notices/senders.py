"""The senders of notices: they post to web hooks, and to the push services of browsers."""

from __future__ import annotations

import http.client
import json
import logging
from collections.abc import Callable, Collection, Sequence

from django.conf import settings
from django.utils import translation

from games.core.outgoing import BadAddress, Unreachable, post, post_json
from games.core.translation import translate
from games.models import PushSubscription, WebHook
from games.notices import texts, web_push
from games.notices.channels import Attempt, Outcome, failure_word
from games.notices.events import Notice

TTL = 7 * 24 * 3600
"""Seconds for which a notice waits for a device that is off."""
MOST_LINES = 10
"""Notices in a message, which chat programs limit to 2,000 characters."""
GONE = {404, 410}
BUSY, PUSH_BUSY = {429, 503}, {429, *range(500, 600)}
"""HTTP statuses with which a service asks to try again later."""

logger = logging.getLogger(__name__)


def send_to_hook(hook: WebHook, notices: Sequence[Notice]) -> Attempt:
    return _send(notices[0], lambda: post_json(hook.url, hook_message(hook, notices)), BUSY)


def send_to_device(subscription: PushSubscription, notices: Sequence[Notice]) -> Attempt:
    notice = notices[0]
    try:
        content = json.dumps(push_message(subscription, notices)).encode()
        body = web_push.encrypt(content, subscription.key, subscription.secret)
    except ValueError:
        # The subscription's key is invalid, so no notice can ever arrive.
        return Attempt(Outcome.GONE)
    headers = _headers(subscription, notice)
    return _send(notice, lambda: post(subscription.endpoint, body, headers), PUSH_BUSY, GONE)


def _send(
    notice: Notice, post: Callable[[], int], busy: Collection[int], gone: Collection[int] = ()
) -> Attempt:
    """Return the outcome of a post, tried again only if it certainly has not arrived."""
    try:
        status = post()
    except Unreachable:
        return Attempt(Outcome.BUSY, "unreachable")
    except (BadAddress, OSError, http.client.HTTPException) as error:
        logger.info("a notice of the game %s was not sent: %s", notice.game_id, type(error))
        return Attempt(Outcome.FAILED, failure_word(error))
    if 200 <= status < 300:
        return Attempt(Outcome.ARRIVED)
    if status in gone:
        return Attempt(Outcome.GONE)
    return Attempt(Outcome.BUSY if status in busy else Outcome.FAILED, str(status))


def hook_message(hook: WebHook, notices: Sequence[Notice]) -> dict[str, object]:
    """Return notices, a line each, in the format of Discord, or in that of Slack and others."""
    site = hook.site.rstrip("/")
    with translation.override(hook.language):
        lines = [f"{texts.sentence(notice)} {site}{texts.path(notice)}" for notice in notices]
    content = "\n".join([*lines[:MOST_LINES], *([f"… {site}/me/"] if lines[MOST_LINES:] else [])])
    host = hook.target
    if host == "discord.com" or host.endswith(".discord.com"):
        return {"content": content, "allowed_mentions": {"parse": []}}
    return {"text": content}


def push_message(subscription: PushSubscription, notices: Sequence[Notice]) -> dict[str, str]:
    """Return the content of a notice, which a later one of its game replaces, or of a digest."""
    notice = notices[0]
    with translation.override(subscription.language):
        if len(notices) > 1:
            title, lines = texts.heading(notices), map(texts.sentence, notices[:MOST_LINES])
            return {"title": title, "body": "\n".join(lines), "url": "/me/"}
        return {
            "title": translate(texts.title(notice)),
            "body": translate(texts.about(notice)),
            "url": texts.path(notice),
        }


def _headers(subscription: PushSubscription, notice: Notice) -> dict[str, str]:
    key, contact = settings.PUSH_KEY, settings.PUSH_CONTACT
    return {
        "Authorization": web_push.authorization(key, subscription.endpoint, contact),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TTL),
        "Urgency": "normal",
        # The push service keeps only the last notice of a game for a device that is off.
        "Topic": notice.game_id or "test",
    }
