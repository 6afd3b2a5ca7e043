"""Notices to a device by Web Push."""

from __future__ import annotations

import http.client
import json
import logging

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from games.core.outgoing import BadAddress, Unreachable, post
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import PushSubscription
from games.notices import web_push
from games.notices.channels import Outcome
from games.notices.turn_notices import Notice

TTL = 7 * 24 * 3600
"""Seconds for which a notice waits for a device that is off."""
GONE = {404, 410}
TOO_MANY = 429

logger = logging.getLogger(__name__)


def send(subscription: PushSubscription, notice: Notice) -> Outcome:
    """Post a notice to the push service of a device. It is worth another try if the service is busy
    or cannot be reached."""
    try:
        content = json.dumps(message(subscription, notice)).encode()
        body = web_push.encrypt(content, subscription.key, subscription.secret)
    except ValueError:
        # The subscription's key is invalid, so no notice can ever arrive.
        return Outcome.GONE
    try:
        status = post(subscription.endpoint, body, _headers(subscription, notice))
    except Unreachable:
        return Outcome.BUSY
    except (BadAddress, OSError, http.client.HTTPException) as error:
        logger.info("a notice of the game %s was not sent: %s", notice.game_id, type(error))
        return Outcome.FAILED
    if status in GONE:
        return Outcome.GONE
    if status == TOO_MANY or status >= 500:
        return Outcome.BUSY
    return Outcome.ARRIVED if 200 <= status < 300 else Outcome.FAILED


def message(subscription: PushSubscription, notice: Notice) -> dict[str, str]:
    """Return the content of a notice. On the device, a later notice of the same game replaces
    it."""
    with translation.override(subscription.language):
        return {
            "title": gettext("Your turn"),
            "body": translate(all_rules()[notice.kind].name),
            "url": f"/g/{notice.game_id}/",
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
        "Topic": notice.game_id,
    }
