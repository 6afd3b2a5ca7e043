"""The sockets on which the site takes connections."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from django.core.management.base import CommandError

from boardsite.server.listeners import DOORS, SPREADS, open_port

only_linux = pytest.mark.skipif(not SPREADS, reason="one socket has the port")


@pytest.fixture
def doors() -> Iterator[list[socket.socket]]:
    opened = open_port("127.0.0.1", 0)
    yield opened
    for door in opened:
        door.close()


@only_linux
def test_all_listen_at_one_port(doors):
    assert len({door.getsockname() for door in doors}) == 1
    assert len(doors) == DOORS


@only_linux
def test_connections_wait_at_all_of_them(doors):
    for door in doors:
        door.setblocking(False)
    address, waited_at = doors[0].getsockname(), set()
    for _ in range(200):
        with socket.create_connection(address):
            for number, door in enumerate(doors):
                if accepted := accepted_at(door):
                    accepted.close()
                    waited_at.add(number)
    assert waited_at == set(range(DOORS))


def test_a_port_that_is_taken_is_refused_in_a_sentence(doors):
    port = doors[0].getsockname()[1]
    with pytest.raises(CommandError, match=f"Port {port} on 127.0.0.1 cannot be used"):
        open_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused_for_what_it_is():
    with pytest.raises(CommandError, match=r"192\.0\.2\.7 is not this machine"):
        open_port("192.0.2.7", 0)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_does_not_exist_is_refused_in_a_sentence(port):
    with pytest.raises(CommandError, match="There is no port"):
        open_port("127.0.0.1", port)


@only_linux
def test_connections_inherit_when_a_silent_other_side_counts_as_gone(doors):
    for door in doors:
        door.setblocking(False)
    with socket.create_connection(doors[0].getsockname()):
        [accepted] = [each for each in map(accepted_at, doors) if each]
        with accepted:
            for option in (socket.TCP_USER_TIMEOUT, socket.TCP_NOTSENT_LOWAT):
                asked = doors[0].getsockopt(socket.IPPROTO_TCP, option)
                assert accepted.getsockopt(socket.IPPROTO_TCP, option) == asked > 0


def accepted_at(door: socket.socket) -> socket.socket | None:
    try:
        return door.accept()[0]
    except BlockingIOError:
        return None
