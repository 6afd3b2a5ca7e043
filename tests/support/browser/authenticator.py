"""An authenticator in software, which answers options for passkeys as browsers do."""

from __future__ import annotations

import json
import secrets
from hashlib import sha256
from struct import pack
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40
Options = dict[str, Any]


class Authenticator:
    """One passkey of one account. ``flags`` say that its owner is there and was checked."""

    def __init__(self, origin: str = "http://testserver") -> None:
        self.origin = origin
        self.key = generate_private_key(SECP256R1())
        self.id = secrets.token_bytes(16)
        self.signed = 0
        self.flags = PRESENT | VERIFIED

    def create(self, options: Options) -> str:
        """Return the answer to the options of a new passkey."""
        point = self.key.public_key().public_numbers()
        public = {
            1: 2,
            3: -7,
            -1: 1,
            -2: point.x.to_bytes(32, "big"),
            -3: point.y.to_bytes(32, "big"),
        }
        made = bytes(16) + pack(">H", len(self.id)) + self.id + encode_cbor(public)
        data = self._data(options["rp"]["id"], self.flags | WITH_KEY) + made
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._answer(clientDataJSON=client, attestationObject=attestation)

    def get(self, options: Options) -> str:
        """Return the answer to the options of signing in."""
        self.signed += 1
        data = self._data(options["rpId"], self.flags)
        client = self._client("webauthn.get", options)
        signature = self.key.sign(data + sha256(client).digest(), ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _data(self, site: str, flags: int) -> bytes:
        return sha256(site.encode()).digest() + pack(">BI", flags, self.signed)

    def _client(self, kind: str, options: Options) -> bytes:
        sent = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(sent).encode()

    def _answer(self, **response: bytes) -> str:
        encoded = {name: bytes_to_base64url(value) for name, value in response.items()}
        name = bytes_to_base64url(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": encoded})
