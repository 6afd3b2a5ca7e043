"""Compression: fast deflate for answers to moves and events of streams, brotli for whole pages.

For a board of 12 KB, ISA-L (python-isal) at level 1 takes a quarter of the time of zlib at level 6,
for one of 90 KB a twentieth, and its output is a tenth larger. For the page of a game, the output
of Brotli at level 5 is a tenth smaller than zlib's, in half a millisecond; higher levels soon get
slow and gain little."""

from __future__ import annotations

import secrets
import struct
from zlib import DEFLATED, MAX_WBITS, Z_SYNC_FLUSH, crc32

import brotli
from isal import isal_zlib

LEVEL = 1
BROTLI_LEVEL = 5
MAX_RANDOM_BYTES = 100
"""The maximum number of random bytes in the header, which hide how well a secret in the page
compresses (BREACH), as in Django's `GZipMiddleware`."""

# RFC 1952: magic, deflate, FNAME, no time, no extra flags, unknown system.
_GZIP_HEADER = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff"


def gzip(content: bytes) -> bytes:
    """Return ``content`` as one gzip member (RFC 1952) of a random length."""
    name = b"a" * secrets.randbelow(MAX_RANDOM_BYTES) + b"\0"
    packer = isal_zlib.compressobj(LEVEL, DEFLATED, -MAX_WBITS)
    packed = packer.compress(content) + packer.flush()
    return b"".join(
        (_GZIP_HEADER, name, packed, struct.pack("<LL", crc32(content), len(content) & 0xFFFFFFFF))
    )


def brotli_page(content: bytes) -> bytes:
    """Return ``content`` as a brotli stream (RFC 7932) of a random length: before its end it has a
    block of metadata, which decoders skip."""
    packer = brotli.Compressor(quality=BROTLI_LEVEL, mode=brotli.MODE_TEXT)
    packed: bytes = packer.process(content) + packer.flush()
    end: bytes = packer.finish()
    return packed + _metadata(1 + secrets.randbelow(MAX_RANDOM_BYTES)) + end


def _metadata(length: int) -> bytes:
    # RFC 7932, 9.2, from the lowest bit: not the last block, no content, reserved, a length of one
    # byte, the length.
    head = 0 | 0b11 << 1 | 0 << 3 | 1 << 4 | (length - 1) << 6
    return head.to_bytes(2, "little") + b"a" * length


def deflate_block(content: bytes) -> bytes:
    """Return ``content`` as deflate blocks that refer to nothing before them and end on a whole
    byte, so that they can follow one another in any stream."""
    packer = isal_zlib.compressobj(LEVEL, DEFLATED, -MAX_WBITS)
    packed: bytes = packer.compress(content) + packer.flush(Z_SYNC_FLUSH)
    return packed
