"""A bot that plays random legal moves in all games of its token's player, of any kind.

TOKEN=… python bot.py https://boards.example [ends of addresses of invitations]

With --seek it also takes seats that are open to bots, while it plays fewer than four games. While
the site is down, or asks for fewer requests, it waits and goes on.
"""

import json
import os
import random
import sys
import time
from contextlib import contextmanager
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SEEK = "--seek"
LOST = (OSError, HTTPException, ValueError)
"""The errors of a connection, or of an answer, that has broken off."""


def send(path, **body):
    """Send a request once, a POST if there is a body, and return the open response."""
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    return urlopen(Request(f"{sys.argv[1].rstrip('/')}/api/1/{path}", data, headers), timeout=30)


def patiently(act):
    """Return ``act()``, tried again until the site answers. Raises HTTPError for a refusal."""
    pause = 1.0
    while True:
        wait = pause
        try:
            return act()
        except HTTPError as refused:
            if refused.code != 429 and refused.code < 500:
                raise
            told = refused.headers.get("Retry-After", "")
            wait = float(told) if told.isdecimal() else pause
            print(f"the site answers {refused.code}: on in {wait:.0f} s", file=sys.stderr)
        except LOST as lost:
            print(f"the site does not answer: {lost}", file=sys.stderr)
        time.sleep(wait)
        pause = min(2 * pause, 10.0)


def ask(path, **body):
    """Send a request and return its answer. A move that is sent twice is played once."""

    def once():
        with send(path, **body) as response:
            return json.load(response)

    return patiently(once)


def states():
    """Yield the state of each game whenever it changes, and None every few seconds."""
    while True:
        try:
            with patiently(lambda: send("events")) as stream:
                yield from events(stream)
        except HTTPError:
            raise
        except LOST as lost:
            print(f"the stream has broken: {lost}", file=sys.stderr)
        # The next stream begins with the whole states.
        yield None
        time.sleep(1)


def events(stream):
    """Yield the states of a stream, and None for its other events."""
    event = b""
    for line in stream:
        name, _, value = line.strip().partition(b":")
        if name == b"event":
            event = value.strip()
        elif name == b"data":
            yield json.loads(value) if event == b"state" else None


def choose(state, seat):
    """Return a random legal move."""
    return random.choice(state["legal_moves"][seat])


def play(state, choose):
    """Play a move in a game that waits for one."""
    mine = sorted({*state["to_move"]} & {*state["your_seats"]})
    if state["over"] or not mine:
        return
    # A seat with secrets shows them, and its moves, only if it is asked for.
    seen = state if mine[0] in state["legal_moves"] else ask(f"games/{state['id']}?seat={mine[0]}")
    if mine[0] in seen["legal_moves"]:
        move = {"seat": mine[0], "move": choose(seen, mine[0])}
        ask(f"games/{state['id']}/moves", **move, ply=seen["ply"], undone=seen["undone"])


def seek(running):
    """Take an open seat, if there is one and few games are running."""
    for game in ask("open-seats")[:1] if len(running) < 4 else ():
        ask(f"games/{game['id']}/seats/{game['seats'][0]}", take=True)


@contextmanager
def shown_refusals():
    """Print a refusal, as that another player was faster: the stream sends the new state."""
    try:
        yield
    except HTTPError as refused:
        print(refused.read().decode(), file=sys.stderr)


def run(choose, invitations=()):
    """Take the seats of some invitations, then play in every game of the player."""
    running = set()
    for token in {*invitations} - {SEEK}:
        with shown_refusals():
            ask("join", token=token)
    for state in states():
        with shown_refusals():
            if state is None and SEEK in invitations:
                seek(running)
            if state is not None:
                (running.discard if state["over"] else running.add)(state["id"])
                play(state, choose)


if __name__ == "__main__":
    run(choose, sys.argv[2:])
