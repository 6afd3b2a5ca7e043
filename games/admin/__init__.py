"""The admin: staff find, inspect and verify saved games, and look after players; nobody plays here.

Secrets are hidden from staff as they are from players, except with the permission ``see_secrets``.
Every list is read by an index and counts nothing, see `games.admin.keyset`.
"""

from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin.games import GameAdmin
from games.admin.packs import PackAdmin
from games.admin.players import PlayerAdmin
from games.admin.seats import HolderAdmin

__all__ = ["GameAdmin", "HolderAdmin", "PackAdmin", "PlayerAdmin"]

admin.site.site_header = admin.site.site_title = settings.SITE_NAME
admin.site.index_title = _("Staff")
# There are few tables, and the lists need the width.
admin.site.enable_nav_sidebar = False
