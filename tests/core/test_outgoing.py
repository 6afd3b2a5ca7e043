"""Requests to addresses of visitors go to public addresses alone, resolved once."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from time import sleep
from typing import Any

import pytest

from games.core import outgoing
from games.core.outgoing import BadAddress, is_public, open_socket, public_address


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names resolve to one list of addresses after the other; return the names."""
    hosts: list[str] = []

    def getaddrinfo(host: str, port: int, **options: object) -> list[object]:
        found = answers[min(len(hosts), len(answers) - 1)]
        hosts.append(host)
        return [(0, 0, 0, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return hosts


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "::7f00:1",
        "::808:808",
        "::ffff:0:7f00:1",
        "64:ff9b:1::7f00:1",
        "fec0::1",
        "100::1",
        "4000::1",
        "2001:db8::1",
        "3fff::1",
        "5f00::1",
    ],
)
def test_an_address_of_a_private_network_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, ["1.1.1.1", "127.0.0.1"])
    with pytest.raises(BadAddress):
        public_address("hooks.example")


def test_the_connection_goes_to_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hosts = resolve_to(monkeypatch, ["1.1.1.1"], ["127.0.0.1"])
    connected: list[object] = []

    def connect(address: object, timeout: float) -> socket.socket:
        connected.append(address)
        raise OSError

    monkeypatch.setattr(outgoing.socket, "create_connection", connect)
    with pytest.raises(OSError):
        open_socket("hooks.example")
    assert connected == [("1.1.1.1", 443)]
    assert hosts == ["hooks.example"]


def test_a_host_that_answers_a_little_now_and_then_meets_the_deadline(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(outgoing, "DEADLINE_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        origin = f"http://127.0.0.1:{server.getsockname()[1]}"
        settings.PRIVATE_ORIGINS = [origin]

        def drip() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                for _ in range(600):
                    connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                    sleep(0.1)

        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(TimeoutError):
            outgoing.post(f"{origin}/hook", b"{}", {})
        thread.join(30)
        assert not thread.is_alive()
