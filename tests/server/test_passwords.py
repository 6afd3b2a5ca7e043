"""Passwords are hashed by Argon2id, and those hashed before go on working."""

from __future__ import annotations

from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.test import override_settings

from boardsite import settings as site_settings

HASHERS = override_settings(PASSWORD_HASHERS=site_settings.PASSWORD_HASHERS)


@HASHERS
def test_passwords_are_hashed_by_argon2id() -> None:
    hashed = make_password("four wise otters")
    assert hashed.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password("four wise otters", hashed)
    assert not check_password("four wise ponies", hashed)


@HASHERS
def test_a_password_that_was_hashed_before_is_accepted() -> None:
    hashed = PBKDF2PasswordHasher().encode("four wise otters", "salt", 1)
    assert check_password("four wise otters", hashed)
