"""A player in this process: random moves through the site's WSGI application, without a server."""

from __future__ import annotations

import random
from io import BytesIO
from typing import Any, cast
from urllib.parse import urlencode

from django.http import HttpResponse

from games.contract import Position, Rules
from games.models import Player
from games.services import players, seats, setup
from games.services.marks import mark_move
from games.state.marks import step_to_confirm
from games.state.snapshot import read_snapshot
from games.web.player_cookie import set_player_cookie

TOKEN = "a" * 32


class MovePlayer:
    """A browser that holds all seats of its games and plays them at random; with ``each_seat`` one
    for each seat, so that the answer to a move is a board of a player who is not to move.

    ``seed`` decides the games: two players with the same one play the same moves."""

    def __init__(self, rules: Rules, seed: int = 1, *, each_seat: bool = False) -> None:
        from boardsite.asgi import django_application as application

        self._application = application
        self._rules = rules
        self._seats = [spec.key for spec in rules.seats(rules.clean({}))]
        names = ["Olive"] + [f"Olive {seat}" for seat in self._seats[1:] if each_seat]
        self._players = [players.new_player(name=name) for name in names]
        self._cookies = [_cookie_of(player) for player in self._players]
        self._rng = random.Random(seed)
        self._position: Position | None = None
        self._game_id = ""
        self._ply = 0

    def leave(self) -> None:
        """Play no more of this game: the next request belongs to a new one."""
        self._position = None

    def next_request(self) -> dict[str, Any]:
        """Return the WSGI environment of the next move."""
        position = self._position
        if position is None or not position.to_move():
            position = self._new_game()
        seat = min(position.to_move())
        move = self._rng.choice(sorted(position.legal_moves(seat)))
        sent = {"csrfmiddlewaretoken": TOKEN, "seat": seat, "move": move, "ply": self._ply}
        is_marked = len(self._players) > 1 and step_to_confirm(position, seat, move)
        position.play(seat, move)
        self._ply += 1
        body = urlencode(sent).encode()
        return {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": f"/g/{self._game_id}/move/",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_HOST": "localhost",
            "HTTP_COOKIE": self._cookies[self._seats.index(seat) % len(self._cookies)],
            "HTTP_HX_REQUEST": "true",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(body),
            "wsgi.errors": BytesIO(),
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "boardsite.mark": sent if is_marked else None,
        }

    def mark(self, environ: dict[str, Any]) -> None:
        """Mark the move of a request that has to name its mark, and name it."""
        if sent := environ["boardsite.mark"]:
            player = self._players[self._seats.index(sent["seat"])]
            marking = {name: sent[name] for name in ("seat", "move", "ply")}
            game_id = environ["PATH_INFO"].split("/")[2]
            (mark,) = mark_move(game_id=game_id, player=player, **marking).game.marks
            body = urlencode({**sent, "mark": mark["number"]}).encode()
            environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}

    def _new_game(self) -> Position:
        owner, *others = self._players
        invited = dict(zip(self._seats[1:], others, strict=False))
        game = setup.create_game(
            player=owner,
            new=setup.NewGame(
                rules=self._rules,
                options={},
                seating={seat: "invite" if seat in invited else "me" for seat in self._seats},
            ),
            rng=self._rng,
        )
        for seat, player in invited.items():
            token = seats.invitation_token(game.seats.get(key=seat))
            seats.claim_seat(token=token, player=player)
        self._game_id, self._ply = game.id, 0
        self._position = read_snapshot(game.id).position.copy()
        return self._position

    def send(self, environ: dict[str, Any]) -> bytes:
        """Send a request and return the body of its response, compressed."""
        status = []

        def start_response(line: str, headers: list[tuple[str, str]], _: Any = None) -> None:
            status.append(line)

        chunks = cast(Any, self._application)(environ, start_response)
        body = b"".join(chunks)
        chunks.close()
        if not status[0].startswith("200"):
            raise AssertionError(f"the move was answered {status[0]}")
        return body


def _cookie_of(player: Player) -> str:
    cookies = set_player_cookie(HttpResponse(), player).cookies
    known = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
    return f"{known}; csrftoken={TOKEN}"
