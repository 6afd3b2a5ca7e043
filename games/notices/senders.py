"""The senders of notices: they post to web hooks, and to the push services of browsers."""

from __future__ import annotations

import http.client
import json
import logging
from collections.abc import Callable, Collection

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
GONE = {404, 410}
BUSY, PUSH_BUSY = {429, 503}, {429, *range(500, 600)}
"""HTTP statuses with which a service asks to try again later."""

logger = logging.getLogger(__name__)


def send_to_hook(hook: WebHook, notice: Notice) -> Attempt:
    return _send(notice, lambda: post_json(hook.url, hook_message(hook, notice)), BUSY)


def send_to_device(subscription: PushSubscription, notice: Notice) -> Attempt:
    try:
        content = json.dumps(push_message(subscription, notice)).encode()
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


def hook_message(hook: WebHook, notice: Notice) -> dict[str, object]:
    """Return a notice in the format of Discord, or in that of Slack and others."""
    with translation.override(hook.language):
        heading = f"{translate(texts.title(notice))}: {translate(texts.about(notice))}"
    sentence = f"{heading} {hook.site.rstrip('/')}{texts.path(notice)}"
    host = hook.target
    if host == "discord.com" or host.endswith(".discord.com"):
        return {"content": sentence, "allowed_mentions": {"parse": []}}
    return {"text": sentence}


def push_message(subscription: PushSubscription, notice: Notice) -> dict[str, str]:
    """Return the content of a notice, which a later one of its game replaces."""
    with translation.override(subscription.language):
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
