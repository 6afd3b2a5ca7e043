"""The open seats as feeds, Atom and JSON, from which a club's chat room hears of them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import IO, Any

from django.contrib.syndication.views import Feed
from django.urls import reverse_lazy
from django.utils.feedgenerator import Atom1Feed, SyndicationFeed
from django.utils.translation import gettext, gettext_lazy

from games.core.translation import translate
from games.state import lists
from games.state.lists import OpenGame


class JSONFeed(SyndicationFeed):
    """A feed in the format of https://www.jsonfeed.org/version/1.1/."""

    content_type = "application/feed+json; charset=utf-8"

    def write(self, outfile: IO[Any], encoding: str) -> None:
        """Write the feed. The reader takes no other encoding than UTF-8."""
        document = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": self.feed["title"],
            "home_page_url": self.feed["link"],
            "feed_url": self.feed["feed_url"],
            "items": [
                {
                    "id": item["unique_id"],
                    "url": item["link"],
                    "title": item["title"],
                    "content_text": item["description"],
                    "date_published": item["pubdate"].isoformat(),
                }
                for item in self.items
            ],
        }
        outfile.write(json.dumps(document, ensure_ascii=False))


class OpenSeats(Feed):  # type: ignore[type-arg]
    """An Atom feed of the games with open seats, as the front page lists them for strangers."""

    feed_type: type[SyndicationFeed] = Atom1Feed
    title = gettext_lazy("Looking for players")
    link = reverse_lazy("home")

    def items(self) -> list[OpenGame]:
        return lists.open_games(None)

    def item_title(self, item: OpenGame) -> str:
        names = {"game": translate(item.game.rules.name), "host": str(item.game.created_by or "")}
        return gettext("%(game)s, hosted by %(host)s") % names

    def item_description(self, item: OpenGame) -> str:
        return ", ".join(translate(seat.name) for seat in item.seats)

    def item_link(self, item: OpenGame) -> str:
        return item.game.get_absolute_url()

    def item_guid(self, item: OpenGame) -> str:
        return f"open-seats-{item.game.id}"

    def item_pubdate(self, item: OpenGame) -> datetime:
        return item.game.created

    item_updateddate = item_pubdate


class OpenSeatsAsJSON(OpenSeats):
    """The same as a JSON feed."""

    feed_type = JSONFeed
