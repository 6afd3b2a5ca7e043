"""How passwords are hashed, and which are refused."""

from __future__ import annotations

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LEAST = 8
"""Characters of a password that are no blanks."""
BESIDE_NAME = 5
"""Characters of a password beside the name."""


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with the memory that OWASP recommends, a fifth of Django's."""

    memory_cost = 19 * 1024
    parallelism = 1


class NotBlankValidator:
    """Refuses passwords that are long by their blanks alone."""

    def validate(self, password: str, user: object = None) -> None:
        if len("".join(password.split())) < LEAST:
            raise ValidationError(self.get_help_text(), code="password_blank")

    def get_help_text(self) -> str:
        return _("Blanks don’t count among the 8 characters of a password.")


class NotNameValidator:
    """Refuses passwords that are little more than the name, once or repeated."""

    def validate(self, password: str, user: object = None) -> None:
        name = getattr(user, "name", "") or getattr(user, "username", "")
        rest = password.casefold().replace(name.casefold() or " ", "")
        if len(rest) < BESIDE_NAME:
            raise ValidationError(self.get_help_text(), code="password_name")

    def get_help_text(self) -> str:
        return _("The name doesn’t count among the characters of a password.")
