"""Pages are sent in the best encoding that the browser accepts, their lengths blurred."""

from __future__ import annotations

import gzip

import brotli
import pytest

from games.web.headers import brotli_page
from tests.support.players import Person

DECODERS = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip")]
)
def test_a_page_is_compressed_as_the_browser_accepts(
    owner: Person, accepted: str, encoding: str
) -> None:
    response = owner.client.get("/", headers={"Accept-Encoding": accepted})
    assert response["Content-Encoding"] == encoding
    assert "Accept-Encoding" in response["Vary"]
    assert int(response["Content-Length"]) == len(response.content)
    assert b"</html>" in DECODERS[encoding](response.content)


def test_a_page_is_sent_as_it_is_to_a_client_that_accepts_no_encoding(owner: Person) -> None:
    response = owner.client.get("/")
    assert "Content-Encoding" not in response
    assert b"</html>" in response.content


@pytest.mark.parametrize("content", [b"", b"a", b"<p>Hello</p>" * 10_000])
def test_pages_compressed_with_brotli_are_read_back(content: bytes) -> None:
    assert brotli.decompress(brotli_page(content)) == content


def test_the_same_page_has_different_compressed_lengths() -> None:
    assert len({len(brotli_page(b"<p>Hello</p>")) for _ in range(100)}) > 1
