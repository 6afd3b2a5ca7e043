"""Addresses of the whole site; the games app has its own in games.urls."""

from django.contrib import admin
from django.urls import include, path, re_path

from games.views.errors import not_found
from games.views.login import login

urlpatterns = [
    # Before the admin's own, which checks as many passwords as are sent.
    path("admin/login/", login),
    # The admin's way to whatever row: it fails on keys that are none, and nothing leads there.
    re_path(r"^admin/r/", not_found),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.server_error"
