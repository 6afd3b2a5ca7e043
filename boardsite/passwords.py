"""How passwords are hashed."""

from __future__ import annotations

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with the memory that OWASP recommends. Django's default of 100 MB is too much for a
    small server that checks several passwords at a time."""

    memory_cost = 19 * 1024
    parallelism = 1
