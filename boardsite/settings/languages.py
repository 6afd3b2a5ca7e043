"""Languages and times."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from boardsite.settings.base import BASE_DIR, game_folders

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("nl", _("Dutch"))]
LOCALE_PATHS = [BASE_DIR / "locale", *game_folders("locale")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
