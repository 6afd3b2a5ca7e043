"""URLs of the whole site; those of the games app are in games.urls."""

from django.contrib import admin
from django.urls import include, path, re_path

from games.views.errors import not_found
from games.views.people.login import login

urlpatterns = [
    # This comes before the admin's own login, which has no rate limit.
    path("admin/login/", login),
    # The admin's redirect to any row fails on invalid keys, and nothing links to it.
    re_path(r"^admin/r/", not_found),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler500 = "games.views.errors.server_error"
