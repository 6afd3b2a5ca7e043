"""Watchers of a match at boardgame.io's server, for `benchmarks.streams`.

They are spectators on socket.io, in one epoll like the watchers of this site, and answer pings."""

from __future__ import annotations

import http.client
import json
import os
import random
import select
import socket
import time
from base64 import b64encode
from collections.abc import Sequence

from benchmarks.players import Plies

PING, PONG = b"\x81\x012", "3"
BATCH = 200


class Spectator:
    """A connection that follows a match; ``player`` is '0', '1', or None for a spectator."""

    def __init__(self, port: int, kind: str, match: str, player: str | None, secret: str | None):
        self._space = kind
        self.boards: list[float] = []
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        key = b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        self._until(b'"pingTimeout"')
        self._send(f"40/{kind},")
        self._until(b'"sid"')
        self.emit("sync", match, player, secret, 2)
        self._until(b'"sync"')
        self.socket.setblocking(False)

    def emit(self, *event: object) -> None:
        """Send an event of socket.io."""
        self._send(f"42/{self._space},{json.dumps(event)}")

    def take(self, now: float) -> bool:
        """Read, answer a ping, and return whether a board has come."""
        content = self.socket.recv(65536)
        if not content:
            raise ConnectionError("the peer has hung up")
        if PING in content:
            self._send(PONG)
        board = b'["update"' in content
        if board:
            self.boards.append(now)
        return board

    def _until(self, found: bytes) -> None:
        content = b""
        while found not in content:
            content += self.socket.recv(65536)

    def _send(self, text: str) -> None:
        # RFC 6455: a final text frame, masked as a client must.
        data, mask = text.encode(), random.randbytes(4)
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.socket.sendall(
            head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        )


def last_boards(port: int, kind: str, count: int, plies: Plies, moves: int) -> list[float]:
    """Return for each move the seconds from sending it until the last of ``count`` watchers had its
    board."""
    match, secrets = _new_match(port, kind)
    players = [Spectator(port, kind, match, str(who), secret) for who, secret in enumerate(secrets)]
    with select.epoll() as epoll:
        everybody = {player.socket.fileno(): player for player in players}
        for player in players:
            epoll.register(player.socket, select.EPOLLIN)
        while len(everybody) < count + len(players):
            for _ in range(min(BATCH, count + len(players) - len(everybody))):
                spectator = Spectator(port, kind, match, None, None)
                everybody[spectator.socket.fileno()] = spectator
                epoll.register(spectator.socket, select.EPOLLIN)
            _turn(epoll, everybody, 0.0)
        took = [
            _move(epoll, everybody, players[who], (match, ply, who, move, secrets[who]))
            for ply, (who, move) in enumerate(plies[:moves])
        ]
    for spectator in everybody.values():
        spectator.socket.close()
    return took


def _move(
    epoll: select.epoll,
    everybody: dict[int, Spectator],
    mover: Spectator,
    made: tuple[str, int, int, str, str],
) -> float:
    match, ply, who, move, secret = made
    payload = {"type": "place", "args": [move], "playerID": str(who), "credentials": secret}
    waiting, began = set(everybody.values()), time.monotonic()
    mover.emit("update", {"type": "MAKE_MOVE", "payload": payload}, ply, match, str(who))
    while waiting:
        waiting -= _turn(epoll, everybody, 1.0)
        if time.monotonic() - began > 60:
            raise TimeoutError("some watchers got no board")
    return time.monotonic() - began


def _turn(epoll: select.epoll, everybody: dict[int, Spectator], seconds: float) -> set[Spectator]:
    """Return the watchers that got a board."""
    found = [everybody[file] for file, _ in epoll.poll(seconds, 1024)]
    return {spectator for spectator in found if spectator.take(time.monotonic())}


def _new_match(port: int, kind: str) -> tuple[str, Sequence[str]]:
    """Create a match of two and return its id and the credentials of both players."""
    match = _post(port, f"/games/{kind}/create", {"numPlayers": 2})["matchID"]
    join = f"/games/{kind}/{match}/join"
    joined = [_post(port, join, {"playerID": str(who), "playerName": "O"}) for who in range(2)]
    return match, [seat["playerCredentials"] for seat in joined]


def _post(port: int, path: str, sent: dict[str, object]) -> dict[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", path, json.dumps(sent), {"Content-Type": "application/json"})
    answer: dict[str, str] = json.loads(connection.getresponse().read())
    connection.close()
    return answer
