"""Fixtures of the tests of views."""

from __future__ import annotations

import pytest

from games.core import rate_limits
from games.core.rate_limits import RateLimit
from games.views.people import account, email, passkeys
from games.worker import mailer

LIMITS = {
    passkeys: ("PASSKEYS_PER_ADDRESS", "PASSWORDS_PER_PLAYER"),
    account: ("SIGN_INS_PER_ADDRESS", "SIGN_INS_PER_NAME_AND_ADDRESS", "PASSWORDS_PER_PLAYER"),
    email: ("EMAILS_PER_ADDRESS", "EMAILS_PER_PLAYER", "SIGN_INS_PER_ADDRESS"),
    mailer: ("EMAILS_PER_EMAIL_ADDRESS",),
}


@pytest.fixture
def unused_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin with limits that nothing has been counted against."""
    for module, names in LIMITS.items():
        for name in names:
            monkeypatch.setattr(module, name, RateLimit(getattr(rate_limits, name).limit, 3600.0))
