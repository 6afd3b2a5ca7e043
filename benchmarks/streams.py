"""Measure how fast boards reach their viewers: ``python -m benchmarks.streams --help``.

Method. The site runs as `manage.py serve` does, in --processes of its own on 127.0.0.1, with a
SQLite file in a temporary folder. This process has all viewers and players: one thread with one
epoll, raw sockets, the requests of a browser, compressed answers. A time is taken when `recv` has
returned, so it includes the work of this process. The commit of a move is the moment when its hint
on the bus reaches a third process.

watchers  N streams of one game and a few moves, each after all streams have the board of the one
          before: the times of the first and the last board after the commit, and the growth of the
          server's resident memory divided by N. With Node.js also the time of the last board after
          the move was sent, for the server of the npm package boardgame.io.
return    These N streams are cut and come back at once: the time until the last one has the head of
          its answer (unchanged game), or a board (changed game).
rush      M streams on K games and a fixed rate of POSTs, even if answers fall behind: the time from
          when a POST was due until its answer was read, and from commit to board.
"""

from __future__ import annotations

import argparse
import socket
import statistics
import tempfile
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from benchmarks.load import Crowd, RunningSite, Stream, Table, commit_clock, run_site
from benchmarks.moves import complete_games, peer, peer_is_missing
from benchmarks.peer_watchers import last_boards

MOVES = 6
PATIENCE = 60.0


def main() -> None:
    """Run the measurements of the command line."""
    arguments = _arguments()
    with (
        tempfile.TemporaryDirectory() as folder,
        run_site(Path(folder), 1 + arguments.games, arguments.kind, arguments.processes) as site,
    ):
        if arguments.watchers:
            watchers(site, arguments.watchers)
        del site.tables[0]
        for rate in arguments.rates if arguments.streams else ():
            rush(site, arguments.streams, rate, arguments.seconds)
    if arguments.watchers and not arguments.alone:
        peer_watchers(arguments.kind, arguments.watchers)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", help="kind of game, by its folder's name")
    parser.add_argument("--processes", type=int, default=1, help="web processes of the site")
    parser.add_argument("--watchers", type=int, default=1000, help="streams of one game; 0: none")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--streams", type=int, default=500, help="streams in the rush; 0: none")
    parser.add_argument("--games", type=int, default=100, help="games in the rush")
    parser.add_argument("--rates", type=int, nargs="*", default=[20], help="moves a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each rush takes")
    return parser.parse_args()


def spread(times: Sequence[float]) -> str:
    """Return median, 99th percentile and maximum of seconds as text, in milliseconds."""
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"median {statistics.median(ordered) * 1e3:.1f} ms, "
        f"p99 {p99 * 1e3:.1f} ms, most {ordered[-1] * 1e3:.1f} ms"
    )


# --- watchers -------------------------------------------------------------------------------------


def watchers(site: RunningSite, count: int) -> None:
    """Measure one game with many watchers."""
    table = site.tables[0]
    crowd = Crowd(site.port, site.host)
    table.streams = [Stream(f"/g/{table.game_id}/events/") for _ in range(count)]
    _move_and_wait(site, crowd, [])
    before = site.memory()
    took = _come(crowd, table.streams)
    print(f"{count} watchers came in {took:.2f} s")
    first, last = [], []
    memory = (site.memory() - before) / count
    seconds = site.seconds()
    with commit_clock(site):
        sent = [
            -_move_and_wait(site, crowd, table.streams) + time.monotonic() for _ in range(MOVES)
        ]
    seconds = site.seconds() - seconds
    for number, commit in enumerate(table.commits):
        boards = [stream.boards[number - MOVES] for stream in table.streams]
        first.append(min(boards) - commit)
        last.append(max(boards) - commit)
    print(f"  first board after the commit: {spread(first)}")
    print(f"  last board after the commit:  {spread(last)}")
    print(f"  last board after the move was sent: {spread(sent)}")
    print(f"  the server's processor: {seconds / MOVES * 1e3:.0f} ms a move")
    print(f"  memory per stream: {memory / 1024:.1f} KB")
    _come_back(site, crowd, table)


def _come_back(site: RunningSite, crowd: Crowd, table: Table) -> None:
    for has, what in ((table.version, "with the newest board"), (1, "with an older board")):
        crowd.hang_up()
        time.sleep(2)
        crowd.connect(table.streams, has=has)
        began, waiting = time.monotonic(), set(table.streams)
        seconds = site.seconds()
        while waiting:
            for stream, board in crowd.turn(1.0):
                if isinstance(stream, Stream) and (board or has == table.version):
                    waiting.discard(stream)
            _give_up_after(began)
        took = time.monotonic() - began
        used = site.seconds() - seconds
        print(f"  all came back {what} in {took:.2f} s ({used:.2f} s of the server's processor)")
    crowd.hang_up()


def _come(crowd: Crowd, streams: list[Stream]) -> float:
    """Connect, and wait for the first board of each."""
    began = time.monotonic()
    for start in range(0, len(streams), 500):
        some = streams[start : start + 500]
        crowd.connect(some)
        waiting = set(some)
        while waiting:
            waiting -= {stream for stream, board in crowd.turn(1.0) if board}
            _give_up_after(began)
    return time.monotonic() - began


def _move_and_wait(site: RunningSite, crowd: Crowd, streams: list[Stream]) -> float:
    """Make a move, wait until every stream has one more board, and return when it was sent."""
    table = site.tables[0]
    waiting = set(streams)
    with socket.create_connection(("127.0.0.1", site.port)) as connection:
        began = time.monotonic()
        connection.sendall(table.request(site.cookie, site.host))
        while waiting:
            waiting -= {stream for stream, board in crowd.turn(1.0) if board}
            _give_up_after(began)
        _check(connection.recv(65536))
    return began


def _check(answer: bytes) -> None:
    if not answer.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(answer[:2000].decode(errors="replace"))


def _give_up_after(began: float) -> None:
    if time.monotonic() - began > PATIENCE:
        raise TimeoutError("some streams got no board")


def peer_watchers(kind: str, count: int) -> None:
    """Measure watchers of boardgame.io's server, with matches in memory."""
    why_not = peer_is_missing(kind)
    if why_not:
        print(f"boardgame.io: {why_not}")
        return
    plies = complete_games(kind, 1)[0]
    with peer(kind, []) as (_, port):
        took = last_boards(port, kind, count, plies, MOVES)
    print(f"boardgame.io, in memory, {count} watchers")
    print(f"  last board after the move was sent: {spread(took)}")


# --- rush -----------------------------------------------------------------------------------------


class Poster:
    """A connection on which moves are posted, one at a time."""

    def __init__(self, site: RunningSite) -> None:
        self.socket = socket.create_connection(("127.0.0.1", site.port))
        self.due = 0.0
        self._answer = b""

    def post(self, request: bytes, due: float) -> None:
        self.due, self._answer = due, b""
        self.socket.sendall(request)

    def answered(self) -> bool:
        """Read from the connection and return whether the answer is complete."""
        self._answer += self.socket.recv(65536)
        head, found, body = self._answer.partition(b"\r\n\r\n")
        if not found:
            return False
        _check(head)
        length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length"))
        return len(body) >= int(length.split(b":")[1])


def rush(site: RunningSite, streams: int, rate: int, seconds: float, connections: int = 32) -> None:
    """Measure many games with moves at a fixed rate."""
    crowd = Crowd(site.port, site.host)
    everybody: list[Stream] = []
    for table in site.tables:
        table.streams.clear()
    for number in range(streams):
        table = site.tables[number % len(site.tables)]
        table.streams.append(Stream(f"/g/{table.game_id}/events/"))
        everybody.append(table.streams[-1])
    _come(crowd, everybody)
    for stream in everybody:
        stream.boards.clear()
    posters = [Poster(site) for _ in range(connections)]
    used = site.seconds()
    with commit_clock(site):
        took, answers = _post_at_rate(site, crowd, posters, rate, seconds)
    used = site.seconds() - used
    commits = sum(len(table.commits) for table in site.tables)
    boards = sum(len(stream.boards) for stream in everybody)
    print(
        f"{streams} streams of {len(site.tables)} games, {rate} moves/s asked, "
        f"{commits / took:.0f} done; server used {used / took:.2f} processors"
    )
    print(f"  answers to moves: {spread(answers)}")
    print(f"  boards: {spread([delay for table in site.tables for delay in _delays(table)])}")
    expected = sum(len(table.commits) * len(table.streams) for table in site.tables)
    print(f"  boards sent: {boards} of {expected} (a newer one replaces one that waits)")
    crowd.hang_up()


def _delays(table: Table) -> list[float]:
    """Return the delay of each board after its commit. If a stream has skipped boards, the last
    commit before the board counts."""
    commits, delays = table.commits, []
    for stream in table.streams:
        if len(stream.boards) == len(commits):
            delays += [board - at for at, board in zip(commits, stream.boards, strict=True)]
        else:
            delays += [
                board - commits[max(0, bisect_right(commits, board) - 1)] for board in stream.boards
            ]
    return delays


def _next(tables: deque[Table]) -> Table:
    """Return the next game in turn, and drop games that are over."""
    while not tables[0].position.to_move():
        tables.popleft()
    tables.rotate(-1)
    return tables[-1]


def _post_at_rate(
    site: RunningSite, crowd: Crowd, posters: list[Poster], rate: int, seconds: float
) -> tuple[float, list[float]]:
    """Post moves at a fixed rate, one game after another, and return the duration of the run, and
    of each answer since its move was due."""
    by_file = {poster.socket.fileno(): poster for poster in posters}
    for file in by_file:
        crowd.epoll.register(file, 1)
    idle, tables = deque(posters), deque(site.tables)
    answers: list[float] = []
    began = time.monotonic()
    sent, wanted = 0, int(rate * seconds)
    while len(answers) < wanted:
        now = time.monotonic()
        while idle and sent < wanted and now >= (due := began + sent / rate):
            idle.popleft().post(_next(tables).request(site.cookie, site.host), due)
            sent += 1
        for who, _ in crowd.turn(0.001):
            if isinstance(who, int) and by_file[who].answered():
                answers.append(time.monotonic() - by_file[who].due)
                idle.append(by_file[who])
        if now - began > seconds + PATIENCE:
            break
    took = time.monotonic() - began
    for poster in posters:
        crowd.epoll.unregister(poster.socket.fileno())
        poster.socket.close()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        for _ in crowd.turn(0.05):
            pass
    return took, answers


if __name__ == "__main__":
    main()
