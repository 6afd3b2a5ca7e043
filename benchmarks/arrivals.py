"""Measure how many visitors of a small site meet a person: ``python -m benchmarks.arrivals -h``.

Model. On each of --days seeded days --arrivals visitors come, two thirds of them around half past
eight in the evening. A visitor likes each kind with a chance of a half and stays for 15 minutes on
average. A half are seekers, which wait for 3 minutes on average and then play a computer; the rest
play one at once. All look at the front page first. At the sight of a person waiting for a liked
kind a seeker joins, and another visitor with a chance of a half.

before  A seeker opens a seat of one liked kind, which later visitors see on the front page.
after   A seeker presses *Find an opponent* for all liked kinds, and visitors at a game against a
        computer have the line of `games.services.seeking` on their streams.

Two have met live if both have the page of their game, or its lobby, open when it begins. *Untold*
is how long a visitor at a computer's game has had no line while a seeker waited for that kind.

Method. The site runs as `manage.py serve` does, and its waits are divided by --haste. All visitors
are in this process, each with a connection for each request, an address and cookies of its own, and
a stream for each open page. The clock of the days is divided by --haste, too. Of a pause without
events only SETTLED is waited for, since every wait of the site has ended then."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from html import unescape
from random import Random
from urllib.parse import urlencode, urlsplit

from benchmarks.load import ROOT

SETTLED, LEFT = 10.0, 45.0
"""Seconds after which nothing changes any more, and after a visitor has left."""
STAY, PATIENCE = 15 * 60.0, 3 * 60.0
JOINS, LIKES, LOOKS = 0.5, 0.5, 0.5


@dataclass
class Result:
    """The figures of an arm: visitors, those that met a person, those seated with a ghost
    that had left, and the seconds for which visitors stayed untold."""

    visitors: int = 0
    met: int = 0
    ghosts: int = 0
    untold: list[float] = field(default_factory=list)


class Browser:
    """The requests of one visitor, with an address and cookies of its own."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        self._address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self._token = f"{number:032}"
        self._cookies = {"csrftoken": self._token}

    async def request(
        self, path: str, form: list[tuple[str, str]] | None = None
    ) -> tuple[int, str, str]:
        """Return the status, the last path and the text of a page, after redirects."""
        for _ in range(5):
            sent = [("csrfmiddlewaretoken", self._token), *(form or [])]
            body = "" if form is None else urlencode(sent)
            kind = "application/x-www-form-urlencoded"
            extra = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
            reader, writer = await self._send("POST" if body else "GET", path, extra, body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            text = (await reader.read()).decode()
            writer.close()
            for name, value in re.findall(r"(?i)set-cookie: ([^=]+)=([^;\r]*)", head):
                self._cookies[name] = value
            if not (found := re.search(r"(?i)\r\nlocation: (\S+)", head)):
                return int(head.split()[1]), path, text
            path, form = found[1], None
        raise RuntimeError(f"{path} redirects for ever")

    async def open_stream(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await self._send("GET", path, "Accept: text/event-stream\r\n", "")

    async def _send(
        self, method: str, path: str, extra: str, body: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: {cookies}\r\n"
            f"X-Forwarded-For: {self._address}\r\nConnection: close\r\n{extra}\r\n{body}".encode()
        )
        return reader, writer


@dataclass
class Plan:
    """The plan of a visitor of a day, the same in both arms."""

    comes: float
    stays: float
    waits: float
    likes: list[str]
    looks: bool
    joins: bool


def plans_of(day: int, arrivals: int, kinds: list[str]) -> list[Plan]:
    """Return the visitors of a seeded day, in their order."""
    rng, found = Random(day), []
    for _ in range(arrivals):
        evening = rng.random() < 2 / 3
        hour = rng.gauss(20.5, 1.5) if evening else rng.uniform(8, 24)
        likes = [kind for kind in kinds if rng.random() < LIKES] or [rng.choice(kinds)]
        rng.shuffle(likes)
        stays, waits = max(120.0, rng.expovariate(1 / STAY)), rng.expovariate(1 / PATIENCE)
        looks, joins = rng.random() < LOOKS, rng.random() < JOINS
        found.append(Plan(hour * 3600, stays, max(30.0, waits), likes, looks, joins))
    return sorted(found, key=lambda plan: plan.comes)


class Visitor:
    """A visitor at the site: ``game`` is the one whose page is open, ``kind`` that of one against a
    computer, ``waits_for`` the kinds for which an opponent is looked for."""

    def __init__(self, day: Day, plan: Plan, number: int) -> None:
        self.day, self.plan, self.number = day, plan, number
        self.browser = Browser(day.port, number)
        self.game, self.kind, self.line = "", "", ""
        self.waits_for: list[str] = []
        self.met = False
        self._stream: asyncio.Task[None] | None = None

    async def come(self) -> None:
        _, _, page = await self.browser.request("/")
        if self.day.after:
            joined = await self._come_after(page)
        else:
            joined = await self._come_before(page)
        if not (joined or self.waits_for):
            await self.play_computer()

    async def _come_after(self, page: str) -> bool:
        if self.plan.looks:
            wishes = [("kinds", self.day.wishes[kind]) for kind in self.plan.likes]
            return await self._sit("/seek/", wishes, self.plan.likes)
        return await self._join(_line(page))

    async def _come_before(self, page: str) -> bool:
        offers = re.findall(
            r'href="(/g/\w+/sit/)\?seat=([\w-]+)">\s*<strong>([^<]+)</strong>', page
        )
        wanted = self.plan.likes if self.plan.looks or self.plan.joins else []
        for path, seat, name in offers:
            liked = self.day.names.get(name) in wanted
            if liked and await self._sit(path, [("seat", seat)], []):
                return True
        if not self.plan.looks:
            return False
        kind = self.plan.likes[0]
        form = [("lobby", "1"), ("time", "10+5"), *self.day.fields[kind]]
        return await self._sit(f"/new/{kind}/", form, [kind])

    async def _join(self, line: str) -> bool:
        """Join a seeker by the line, if the visitor would; return whether they have met."""
        wanted = self.plan.joins and line and self.day.kind_of(line) in self.plan.likes
        return bool(wanted) and await self._sit("/seek/", [("join", line)], [])

    async def _sit(self, path: str, form: list[tuple[str, str]], waits_for: list[str]) -> bool:
        """Send a form that leads to a begun game, or to a lobby in which to wait."""
        status, _, page = await self.browser.request(path, form)
        found = re.search(r'data-game="(/g/\w+/)"', page) or re.search(
            r'action="(/g/\w+/)move/', page
        )
        if status != 200 or not found:
            return False
        self.close()
        self.game, self.kind, self.line = found[1], "", ""
        if 'data-lobby="open"' in page:
            self.waits_for = waits_for
            self.listen(f"{self.game}events/?lobby=guest")
            return False
        self.waits_for = []
        self.day.meet(self)
        return True

    async def play_computer(self) -> None:
        self.kind = self.plan.likes[0]
        form = [("with", "computer")]
        _, path, page = await self.browser.request(f"/new/{self.kind}/start/", form)
        self.game, self.line = path, _line(page)
        if self.day.after:
            self.listen(f"{path}events/?someone={self.kind}")
        self.day.note_untold()
        await self._join(self.line)

    async def give_up(self) -> None:
        """Wait for nobody any longer, and play a computer."""
        if self.waits_for:
            self.waits_for = []
            await self.browser.request(f"{self.game}leave/", [])
            self.close()
            await self.play_computer()

    def leave(self) -> None:
        self.waits_for, self.kind, self.game = [], "", ""
        self.close()

    def listen(self, path: str) -> None:
        self.close()
        self._stream = asyncio.create_task(self._follow(path))

    def close(self) -> None:
        if self._stream and self._stream is not asyncio.current_task():
            self._stream.cancel()
        self._stream = None

    async def _follow(self, path: str) -> None:
        reader, writer = await self.browser.open_stream(path)
        task = asyncio.current_task()
        with closing(writer), suppress(asyncio.IncompleteReadError):
            while self._stream is task:
                event = (await reader.readuntil(b"\n\n")).decode()
                if "event: someone" in event:
                    self.line = _line(event)
                    self.day.note_untold()
                    await self._join(self.line)
                elif 'data-lobby="begun"' in event and self.waits_for:
                    self.waits_for = []


def _line(page: str) -> str:
    found = re.search(r'name="join" value="([^"]+)"', page)
    return unescape(found[1]) if found else ""


class Day:
    """The site and its visitors, in one arm."""

    def __init__(self, port: int, haste: int, *, after: bool) -> None:
        self.port, self.haste, self.after = port, haste, after
        self.here: list[Visitor] = []
        self.result = Result()
        self.now = 0.0
        self._since: dict[int, float] = {}
        self._pairs: dict[str, set[int]] = {}
        self.wishes, self.names, self.fields = _described()

    def kind_of(self, line: str) -> str:
        key = line.split()[1]
        return next(kind for kind, wish in self.wishes.items() if wish == key)

    def meet(self, newcomer: Visitor) -> None:
        """Count two that have met, or one seated with a ghost."""
        others = [each for each in self.here if each is not newcomer]
        partner = next((each for each in others if each.game == newcomer.game), None)
        if partner is None:
            self.result.ghosts += 1
            return
        partner.waits_for = []
        pair = self._pairs.setdefault(newcomer.game, {newcomer.number, partner.number})
        if newcomer.number not in pair or partner.number not in pair:
            raise RuntimeError(f"A third one has come to {newcomer.game}")
        for each in (newcomer, partner):
            self.result.met += not each.met
            each.met = True
        self.note_untold()

    def note_untold(self) -> None:
        """Note how long visitors at a computer's game had no line, though a seeker waits."""
        now = asyncio.get_running_loop().time() * self.haste
        for visitor in self.here:
            sought = any(
                visitor.kind in other.waits_for for other in self.here if other is not visitor
            )
            if visitor.kind and sought and not visitor.line:
                self._since.setdefault(visitor.number, now)
            elif (since := self._since.pop(visitor.number, None)) is not None:
                self.result.untold.append(now - since)

    async def run(self, days: Sequence[int], arrivals: int) -> None:
        for day in days:
            plans = plans_of(day, arrivals, list(self.wishes))
            events: list[tuple[float, int, str]] = []
            for number, plan in enumerate(plans):
                events += [(plan.comes, number, "come"), (plan.comes + plan.stays, number, "leave")]
                if plan.looks and plan.waits < plan.stays:
                    events.append((plan.comes + plan.waits, number, "give_up"))
            visitors = [
                Visitor(self, plan, day * arrivals + number) for number, plan in enumerate(plans)
            ]
            await self._play(sorted(events), visitors)
            self.result.visitors += arrivals

    async def _play(self, events: list[tuple[float, int, str]], visitors: list[Visitor]) -> None:
        loop, settled = asyncio.get_running_loop(), SETTLED
        self.now = events[0][0]
        for at, number, act in events:
            pause = min(at - self.now, settled)
            await asyncio.sleep(max(0.0, pause) / self.haste)
            began, visitor = loop.time(), visitors[number]
            self.now, settled = at, max(SETTLED, settled - pause)
            if act == "come":
                self.here.append(visitor)
                await visitor.come()
            elif act == "give_up":
                await visitor.give_up()
            else:
                settled = LEFT if visitor.waits_for else settled
                visitor.leave()
                self.here.remove(visitor)
            self.note_untold()
            self.now += (loop.time() - began) * self.haste


def _described() -> tuple[dict[str, str], dict[str, str], dict[str, list[tuple[str, str]]]]:
    """Return the usual wish, the name, and the fields of a game with an open seat of each kind."""
    from games.core.registry import all_rules
    from games.core.translation import translate
    from games.services.seeking import all_wishes, plan_seek, usual_wish

    wishes = {slug: wish for slug, rules in all_rules().items() if (wish := usual_wish(rules))}
    names = {translate(all_rules()[slug].name): slug for slug in wishes}
    sent = {}
    for slug, wish in wishes.items():
        rules, plan = all_rules()[slug], plan_seek([all_wishes()[wish]], "now")
        options = rules.clean(all_wishes()[wish].options)
        plain = [(name, str(value)) for name, value in options.items() if value is not None]
        seats = [(f"seat-{key}", choice) for key, choice in plan.new.seating.items()]
        level = max((level for level in plan.levels.values() if level), default=1)
        sent[slug] = [*plain, *seats, ("level", str(level))]
    return wishes, names, sent


@contextmanager
def run_site(haste: int) -> Iterator[int]:
    """Serve an empty site whose waits are divided, and yield its port."""
    with tempfile.TemporaryDirectory() as folder:
        added = {"BOARDSITE_DATA": folder, "BOARDSITE_HASTE": str(haste)}
        environment = {**os.environ, **added, "BOARDSITE_RATE_LIMITS": "0"}
        command = [sys.executable, "manage.py", "serve", "--port", "0", "--computers", "0"]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stdout is not None
                found = next(filter(None, (re.search(r":(\d+) ", line) for line in server.stdout)))
                yield int(found[1])
            finally:
                server.terminate()


def run(
    days: Sequence[int], arrivals: int, haste: int, *, after: bool, address: str = ""
) -> Result:
    """Return the figures of one arm, at a site of its own or at an ``address``."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "boardsite.settings")
    import django

    django.setup()
    if address:
        day = Day(urlsplit(address).port or 80, haste, after=after)
        asyncio.run(day.run(days, arrivals))
        return day.result
    with run_site(haste) as port:
        return run(days, arrivals, haste, after=after, address=f"http://127.0.0.1:{port}")


def main() -> None:
    """Run both arms and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--days", type=int, default=200)
    parser.add_argument("--arrivals", type=int, default=20, help="visitors a day")
    parser.add_argument("--haste", type=int, default=100, help="divides all times")
    parser.add_argument("--first", type=int, default=0, help="seed of the first day")
    parser.add_argument("--only", choices=("before", "after"), help="only one of the two arms")
    chosen = parser.parse_args()
    days = range(chosen.first, chosen.first + chosen.days)
    for arm in (chosen.only,) if chosen.only else ("before", "after"):
        result = run(days, chosen.arrivals, chosen.haste, after=arm == "after")
        print(f"{arm}: {_sentence(result)}", flush=True)


def _sentence(result: Result) -> str:
    share = 100 * result.met / result.visitors
    found = (
        f"{result.visitors} visitors; {result.met} met a person live "
        f"({share:.1f} %), {result.ghosts} were seated with one that had left"
    )
    late = [round(each) for each in sorted(result.untold)[-5:]]
    return f"{found}; untold {len(result.untold)} times, the longest {late} s"


if __name__ == "__main__":
    main()
