"""Hosts: only the site's own name and port are answered."""

from __future__ import annotations

import pytest
from django.core.exceptions import DisallowedHost
from django.test import RequestFactory

from games.live import streams
from games.web.client_address import check_host

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("host", "https", "status"),
    [
        ("boards.example", True, 200),
        ("boards.example:443", True, 200),
        ("boards.example:8443", True, 400),
        ("boards.example:80", True, 400),
        ("boards.example.", True, 400),
        ("boards.example.:443", True, 400),
        ("boards.example", False, 200),
        ("boards.example:8000", False, 200),
        ("boards.example.", False, 400),
    ],
)
def test_only_the_sites_own_name_and_port_are_answered(client, settings, host, https, status):
    settings.ALLOWED_HOSTS = ["boards.example"]
    settings.HTTPS = https
    assert client.get("/", headers={"host": host}).status_code == status


@pytest.mark.parametrize("host", ["boards.example", "boards.example:8443"])
def test_the_port_of_the_site_can_be_another_one(settings, host):
    settings.ALLOWED_HOSTS, settings.HTTPS, settings.PORT = ["boards.example"], True, 8443
    request = RequestFactory().get("/", headers={"host": host})
    if host.endswith("8443"):
        check_host(request)
    else:
        with pytest.raises(DisallowedHost):
            check_host(request)


def test_a_stream_at_another_port_is_refused(settings):
    settings.ALLOWED_HOSTS, settings.HTTPS = ["boards.example"], True
    scope = {"headers": [(b"host", b"boards.example:8443")], "query_string": b""}
    with pytest.raises(DisallowedHost):
        streams._parse(scope)
