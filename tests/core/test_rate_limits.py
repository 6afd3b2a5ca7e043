"""Rate limits: counts per key, expiry and eviction."""

from __future__ import annotations

import pytest

from games.core import rate_limits
from games.core.rate_limits import RateLimit, RateLimited
from games.web.client_address import address_key


def test_hits_within_the_limit_are_allowed():
    limit = RateLimit(3, 60)
    for _ in range(3):
        limit.hit("a")


def test_one_more_hit_is_refused():
    limit = RateLimit(3, 60)
    for _ in range(3):
        limit.hit("a")
    with pytest.raises(RateLimited):
        limit.hit("a")


def test_keys_are_counted_separately():
    limit = RateLimit(1, 60)
    limit.hit("a")
    limit.hit("b")


def test_hits_expire():
    limit = RateLimit(1, 0.0)
    for _ in range(5):
        limit.hit("a")


def test_the_least_recently_used_keys_are_forgotten(monkeypatch):
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 10)
    limit = RateLimit(1, 60)
    for number in range(100):
        limit.hit(str(number))
    assert len(limit._hits) == 10
    with pytest.raises(RateLimited):
        limit.hit("99")
    limit.hit("0")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:0:0:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("", "nonsense", True),
    ],
)
def test_ipv6_addresses_are_counted_by_their_network(one, other, same):
    assert (address_key(one) == address_key(other)) is same
