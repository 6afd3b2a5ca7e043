"""open_port opens listeners that share one port."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from django.core.management.base import CommandError

from boardsite.server.uvicorn_server import HAS_REUSEPORT, LISTENERS, open_port

only_linux = pytest.mark.skipif(not HAS_REUSEPORT, reason="the port has one listener")


@pytest.fixture
def listeners() -> Iterator[list[socket.socket]]:
    opened = open_port("127.0.0.1", 0)
    yield opened
    for listener in opened:
        listener.close()


@only_linux
def test_all_listeners_share_one_port(listeners):
    assert len({listener.getsockname() for listener in listeners}) == 1
    assert len(listeners) == LISTENERS


@only_linux
def test_connections_are_balanced(listeners):
    for listener in listeners:
        listener.setblocking(False)
    address, used = listeners[0].getsockname(), set()
    for _ in range(200):
        with socket.create_connection(address):
            for number, listener in enumerate(listeners):
                if accepted := accept(listener):
                    accepted.close()
                    used.add(number)
    assert used == set(range(LISTENERS))


def test_a_taken_port_is_refused_in_a_sentence(listeners):
    port = listeners[0].getsockname()[1]
    with pytest.raises(CommandError, match=f"Port {port} on 127.0.0.1 cannot be used"):
        open_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused_in_a_sentence():
    with pytest.raises(CommandError, match=r"192\.0\.2\.7 is not this machine"):
        open_port("192.0.2.7", 0)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_out_of_range_is_refused_in_a_sentence(port):
    with pytest.raises(CommandError, match="There is no port"):
        open_port("127.0.0.1", port)


@only_linux
def test_connections_inherit_the_options_of_a_listener(listeners):
    for listener in listeners:
        listener.setblocking(False)
    with socket.create_connection(listeners[0].getsockname()):
        [accepted] = [connection for connection in map(accept, listeners) if connection]
        with accepted:
            for option in (socket.TCP_USER_TIMEOUT, socket.TCP_NOTSENT_LOWAT):
                value = listeners[0].getsockopt(socket.IPPROTO_TCP, option)
                assert accepted.getsockopt(socket.IPPROTO_TCP, option) == value > 0


def accept(listener: socket.socket) -> socket.socket | None:
    try:
        return listener.accept()[0]
    except BlockingIOError:
        return None
