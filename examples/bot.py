"""A bot that plays random legal moves in all games of its token's player, of any kind.

TOKEN=… python bot.py https://boards.example [ends of addresses of invitations]

With --seek it also takes seats that are open to bots, while it plays fewer than four games.
"""

import json
import os
import random
import sys
import threading
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SEEK = "--seek"


def ask(path, **body):
    """Send a request, a POST if there is a body, and return the open response."""
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body else None
    return urlopen(Request(f"{sys.argv[1].rstrip('/')}/api/1/{path}", data, headers), timeout=60)


def choose(state, seat):
    """Return a random legal move."""
    return random.choice(state["legal_moves"][seat])


def follow(game, choose):
    """Play a game to its end. Each event has its whole state."""
    event = b""
    for line in ask(f"games/{game}/events"):
        name, _, value = line.strip().partition(b": ")
        event = value if name == b"event" else event
        if name != b"data" or event not in {b"state", b"change"}:
            continue
        state = json.loads(value)
        mine = sorted({*state["to_move"]} & {*state["your_seats"]})
        if state["over"]:
            return
        if mine:
            # A seat with secrets shows them, and its moves, only if it is asked for.
            seen = state if mine[0] in state["legal_moves"] else {}
            seen = seen or json.load(ask(f"games/{game}?seat={mine[0]}"))
            if mine[0] in seen["legal_moves"]:
                move = {"seat": mine[0], "move": choose(seen, mine[0])}
                try:
                    ask(f"games/{game}/moves", **move, ply=seen["ply"], undone=seen["undone"])
                except HTTPError as refused:
                    # Somebody was faster, and the stream sends the new state.
                    print(refused.read().decode(), file=sys.stderr)


def seek():
    """Take an open seat, if there is one."""
    for game in json.load(ask("open-seats"))[:1]:
        try:
            ask(f"games/{game['id']}/seats/{game['seats'][0]}", take=True)
        except HTTPError as refused:
            print(refused.read().decode(), file=sys.stderr)


def run(choose, invitations=()):
    """Take the seats of some invitations, then follow every game of the player."""
    for token in {*invitations} - {SEEK}:
        ask("join", token=token)
    followed = {}
    while True:
        if SEEK in invitations and sum(thread.is_alive() for thread in followed.values()) < 4:
            seek()
        for game in json.load(ask("games")):
            thread = followed.get(game["id"])
            if game["your_seats"] and not (thread and thread.is_alive()):
                thread = threading.Thread(target=follow, args=(game["id"], choose), daemon=True)
                followed[game["id"]] = thread
                thread.start()
        time.sleep(2)


if __name__ == "__main__":
    run(choose, sys.argv[2:])
