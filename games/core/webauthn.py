"""The cryptography of passkeys (Web Authentication), discoverable and with user verification. The
library is imported where it is used, since not every site has it installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

AVAILABLE = find_spec("webauthn") is not None
LONGEST_ID = 1364
"""Characters in base64 of 1,023 bytes, the longest id that the standard allows."""
LONGEST_PUBLIC_KEY = 1024
"""Bytes; an RSA key of 4096 bits has about 530."""


class NotVerified(Exception):
    """An answer that is malformed, wrongly signed, or made for another challenge or site."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site to which browsers bind passkeys; ``id`` is its host name."""

    origin: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class NewPasskey:
    credential_id: str
    public_key: bytes
    sign_count: int


def creation_options(
    party: RelyingParty, challenge: bytes, *, name: str, handle: bytes, known: Iterable[str]
) -> dict[str, Any]:
    """Return the options of ``navigator.credentials.create``. An account's ``handle`` is always the
    same; an authenticator with a ``known`` credential makes no second one."""
    from webauthn import base64url_to_bytes, generate_registration_options
    from webauthn.helpers import options_to_json_dict, structs

    options = generate_registration_options(
        rp_id=party.id,
        rp_name=party.name,
        user_name=name,
        user_id=handle,
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(known_id))
            for known_id in known
        ],
    )
    return options_to_json_dict(options)


def request_options(party: RelyingParty, challenge: bytes) -> dict[str, Any]:
    """Return the options of ``navigator.credentials.get`` as JSON values, for any account."""
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict, structs

    required = structs.UserVerificationRequirement.REQUIRED
    options = generate_authentication_options(
        rp_id=party.id, challenge=challenge, user_verification=required
    )
    return options_to_json_dict(options)


@contextmanager
def _verified() -> Iterator[None]:
    """Raise NotVerified for any error of the library, which have no common class."""
    try:
        yield
    except Exception as error:
        raise NotVerified from error


def verify_creation(party: RelyingParty, challenge: bytes, answer: str) -> NewPasskey:
    """Return the passkey that a browser has made, from its JSON. Raises NotVerified."""
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    with _verified():
        made = verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    credential_id, key = bytes_to_base64url(made.credential_id), made.credential_public_key
    if len(credential_id) > LONGEST_ID or len(key) > LONGEST_PUBLIC_KEY:
        raise NotVerified
    return NewPasskey(credential_id, key, made.sign_count)


def credential_of(answer: str) -> str:
    """Return the id of the passkey that signed an answer. Raises NotVerified."""
    from webauthn.helpers import parse_authentication_credential_json

    with _verified():
        return parse_authentication_credential_json(answer).id


def verify_request(
    party: RelyingParty, challenge: bytes, answer: str, *, public_key: bytes, sign_count: int
) -> int:
    """Verify the JSON answer of a browser and return how often the authenticator has signed. Raises
    NotVerified, also if that count has not grown, which means that the key was copied."""
    from webauthn import verify_authentication_response

    with _verified():
        return verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        ).new_sign_count
