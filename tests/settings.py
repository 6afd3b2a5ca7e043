"""The settings of tests, which touch no data of the site."""

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
# All clones of the repository share compiled searches: compiling them takes half a minute.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path.home() / ".cache" / "boardsite"))
# Each worker of the tests has a processor of its own. On small matrices a second thread of NumPy's
# library waits for the first, in a loop that takes many times the product's own time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from boardsite.settings import *  # noqa: E402, F403
from boardsite.settings import DATABASES, STORAGES, TEMPLATES  # noqa: E402

# Static files have no hashes in their names: pages are tested without collectstatic.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # The name keeps pytest-xdist from making files of other names.
    DATABASES["default"] |= {"ENGINE": "tests.support.sqlite", "TEST": {"NAME": ":memory:"}}
else:
    DATABASES["default"]["ENGINE"] = "tests.support.postgresql"
PACE_COMPUTERS = False
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if "COVERAGE_RUN" in os.environ:
    # Django's templates have the positions of their nodes only then.
    TEMPLATES[0]["OPTIONS"]["debug"] = True
# Django's test runner collects e-mails in `django.core.mail.outbox`.
HAS_EMAIL = True
DEFAULT_FROM_EMAIL = "boards@boards.example"
