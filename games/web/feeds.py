"""Feeds of the site: with an author, absolute ids, and 304 for readers that have the newest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed

from games.web.headers import for_anywhere, unless_known


class AtomFeed(Atom1Feed):
    """Atom in which an empty feed stays the same."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else datetime(2026, 1, 1, tzinfo=UTC)


class SiteFeed(Feed):  # type: ignore[type-arg]
    """A feed whose entries have by default their absolute addresses as ids."""

    feed_type: Any = AtomFeed

    def author_name(self) -> str:
        return str(settings.SITE_NAME)

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return unless_known(request, for_anywhere(super().__call__(request, *args, **kwargs)))
