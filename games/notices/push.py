"""Notices to a device by Web Push."""

from __future__ import annotations

import http.client
import json
import logging

from django.conf import settings
from django.utils import translation

from games.core.outgoing import BadAddress, Unreachable, post
from games.core.translation import translate
from games.models import PushSubscription
from games.notices import texts, web_push
from games.notices.channels import Attempt, Outcome, failure_word
from games.notices.events import Notice

TTL = 7 * 24 * 3600
"""Seconds for which a notice waits for a device that is off."""
GONE = {404, 410}
TOO_MANY = 429

logger = logging.getLogger(__name__)


def send(subscription: PushSubscription, notice: Notice) -> Attempt:
    """Post a notice to the push service of a device. It is worth another try if the service is busy
    or cannot be reached."""
    try:
        content = json.dumps(message(subscription, notice)).encode()
        body = web_push.encrypt(content, subscription.key, subscription.secret)
    except ValueError:
        # The subscription's key is invalid, so no notice can ever arrive.
        return Attempt(Outcome.GONE)
    try:
        status = post(subscription.endpoint, body, _headers(subscription, notice))
    except Unreachable:
        return Attempt(Outcome.BUSY, "unreachable")
    except (BadAddress, OSError, http.client.HTTPException) as error:
        logger.info("a notice of the game %s was not sent: %s", notice.game_id, type(error))
        return Attempt(Outcome.FAILED, failure_word(error))
    if 200 <= status < 300:
        return Attempt(Outcome.ARRIVED)
    if status in GONE:
        return Attempt(Outcome.GONE)
    is_busy = status == TOO_MANY or status >= 500
    return Attempt(Outcome.BUSY if is_busy else Outcome.FAILED, str(status))


def message(subscription: PushSubscription, notice: Notice) -> dict[str, str]:
    """Return the content of a notice. On the device, a later notice of the same game replaces
    it."""
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
