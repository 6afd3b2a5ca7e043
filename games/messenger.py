"""The part of a worker that sends notices: found and claimed in the worker's own turn, posted by
threads, so that no computer waits for a slow address."""

from __future__ import annotations

import http.client
import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from urllib.parse import urlsplit

from django.utils import translation
from django.utils.translation import gettext

from games import services
from games.models import WebHook
from games.outgoing import BadAddress, post_json
from games.registry import all_rules
from games.services.telling import Notice
from games.translation import translate

THREADS = 2
EVERY_SECONDS = 5.0
"""Between two looks at the next web hooks."""
MOST_WAITING = 200
"""Notices that wait for a thread; the others are left in the rows."""

logger = logging.getLogger(__name__)


class Messenger:
    """Sends the notices of turns."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="notices")
        self._sending: list[tuple[WebHook, Future[bool]]] = []
        self._last = 0
        self._next_look = 0.0

    def work(self) -> bool:
        """Note what was sent, and claim and send the next notices; False when there was nothing to
        do. Raises an error of django.db when the database does not answer."""
        noted = self._note_sent()
        if time.monotonic() < self._next_look or len(self._sending) >= MOST_WAITING:
            return noted
        hooks = services.hooks_after(self._last)
        self._last = hooks[-1].pk if hooks else 0
        # From the first one again, after a while.
        self._next_look = 0.0 if hooks else time.monotonic() + EVERY_SECONDS
        for hook in hooks:
            for notice in services.claim_notices(hook):
                self._sending.append((hook, self._threads.submit(send, notice)))
        return bool(hooks) or noted

    def close(self) -> None:
        """Send no more than what threads are sending now."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _note_sent(self) -> bool:
        done = [each for each in self._sending if each[1].done()]
        self._sending = [each for each in self._sending if not each[1].done()]
        for hook, sent in done:
            services.note_sent(hook=hook, arrived=sent.result())
        return bool(done)


def send(notice: Notice) -> bool:
    """Post a notice; return whether it arrived. It is sent once, whatever happens."""
    try:
        status = post_json(notice.hook.url, message(notice))
    except (BadAddress, OSError, http.client.HTTPException) as error:
        logger.info("a notice of the game %s was not sent: %s", notice.game_id, type(error))
        return False
    return 200 <= status < 300


def message(notice: Notice) -> dict[str, object]:
    """Return a notice as Discord reads it, or as Slack and others do."""
    with translation.override(notice.hook.language):
        game = translate(all_rules()[notice.kind].name)
        told = gettext("Your turn: %(game)s") % {"game": game}
    sentence = f"{told} {notice.hook.site}g/{notice.game_id}/"
    host = urlsplit(notice.hook.url).hostname or ""
    if host == "discord.com" or host.endswith(".discord.com"):
        return {"content": sentence, "allowed_mentions": {"parse": []}}
    return {"text": sentence}
