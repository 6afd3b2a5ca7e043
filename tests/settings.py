"""The site's settings, for tests: nothing of theirs touches the site's own data."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_data = Path(tempfile.mkdtemp(prefix="boardsite-tests-"))
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["BOARDSITE_DATA"] = str(_data)
(_data / "static").mkdir()

from boardsite.settings import *  # noqa: E402, F403
from boardsite.settings import STORAGES  # noqa: E402

# Names of static files without hashes: the tests of pages need no collectstatic first.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
