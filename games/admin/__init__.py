"""The admin, in which staff find, inspect and verify games, and look after players.

Secrets are hidden from staff as from players, except with the permission ``see_secrets``. Lists are
read through an index, and none counts its rows."""

from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.admin.games import GameAdmin
from games.admin.packs import PackAdmin, ReportAdmin
from games.admin.players import HolderAdmin, PlayerAdmin

admin.site.site_header = admin.site.site_title = settings.SITE_NAME
admin.site.index_title = _("Staff")
admin.site.index_template = "admin/games/index.html"
# Without the sidebar: there are few tables, and the lists need the width.
admin.site.enable_nav_sidebar = False
