"""Addresses of the whole site; the games app has its own in games.urls."""

from django.contrib import admin
from django.urls import include, path

from games.views.login import login

urlpatterns = [
    # Before the admin's own, which checks as many passwords as are sent.
    path("admin/login/", login),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.server_error"
