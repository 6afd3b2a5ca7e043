"""Staff accounts and the admin's addresses of stored games."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client

from games.models import Game

GAME_LIST = "/admin/games/game/"


def log_in_staff(*permissions: str, name: str = "clerk") -> Client:
    """Return a client that is logged in as staff with these permissions."""
    user = User.objects.create_user(name, password="x", is_staff=True)
    found = Permission.objects.filter(content_type__app_label="games", codename__in=permissions)
    assert found.count() == len(set(permissions))
    user.user_permissions.set(found)
    client = Client()
    client.force_login(user)
    return client


def change_page(game: Game) -> str:
    """Return the address of a game in the admin."""
    return f"{GAME_LIST}{game.pk}/change/"


def verify_page(game: Game) -> str:
    """Return the address that verifies a game."""
    return f"{GAME_LIST}{game.pk}/verify/"
