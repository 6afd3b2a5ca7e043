"""The site's name, icons and manifest, and the previews of links in messengers."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path
from struct import unpack
from urllib.parse import urlencode

import pytest
import resvg_py
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games.core.registry import all_rules
from games.models import Game
from games.services import plans, seats
from tests.support.game_factory import make_game, make_game_with_open_seat, open_seat
from tests.support.game_requests import post_move, post_resign
from tests.support.kinds import (
    first_legal_moves,
    kinds_with_analysis,
    kinds_with_computers,
    kinds_with_secrets,
    seat_keys,
    two_player_rules,
)
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def static_file(name: str) -> bytes:
    found = finders.find(name)
    assert isinstance(found, str)
    return Path(found).read_bytes()


def png_size(content: bytes) -> tuple[int, int]:
    """Return the width and height in the header of a PNG."""
    width, height = unpack(">II", content[16:24])
    return width, height


def preview(page: str) -> dict[str, str]:
    """Return the values of a page's tags for previews; each tag is there once."""
    tags = re.findall(r'<meta property="og:([a-z:_]+)"\s+content="([^"]*)">', page)
    assert len({name for name, _ in tags}) == len(tags)
    return {name: unescape(value) for name, value in tags}


def start_in_lobby(owner: Person) -> Game:
    """Return a game whose players gather by its link."""
    owner.client.post(f"/new/{two_player_rules().slug}/start/", {"with": plans.FRIEND})
    return Game.objects.get()


def check_picture(client: Client, address: str) -> None:
    """Check that an address of a preview leads to a picture of the usual size, and that it is small
    enough for messengers."""
    response = client.get(address.removeprefix("http://testserver"))
    assert response["Content-Type"] == "image/png"
    assert png_size(response.content) == (1200, 630)
    assert len(response.content) < 100_000


def test_the_name_of_the_site_is_one_setting(client, settings):
    settings.SITE_NAME = "Tafel & Co"
    page = unescape(client.get("/").text)
    assert "<title>Tafel & Co: " in page
    assert "<span>Tafel & Co</span>" in page
    assert preview(page)["site_name"] == "Tafel & Co"
    assert client.get("/site.webmanifest").json()["name"] == "Tafel & Co"
    assert "Boardsite" not in page


@pytest.mark.parametrize("path", ["/", "/settings/"])
def test_a_page_of_the_site_has_a_preview(path, client):
    shown = preview(client.get(path).text)
    assert shown["title"] == "Squarely"
    assert shown["description"].endswith(".")
    check_picture(client, shown["image"])


def test_an_invitation_is_shown_with_its_host_and_its_game(owner, client):
    name = str(two_player_rules().name)
    token = seats.invitation_token(open_seat(make_game_with_open_seat(owner)))
    shown = preview(client.get(reverse("join", args=[token])).text)
    assert shown["title"] == f"Olive invites you to {name}"
    assert "seat" in shown["description"]
    check_picture(client, shown["image"])


def test_the_page_of_an_invitation_has_the_picture_of_its_game(owner, client):
    token = seats.invitation_token(open_seat(make_game_with_open_seat(owner)))
    page = client.get(reverse("join", args=[token])).text
    assert "<svg" in page.split('class="kind-picture"')[1].split("</div>")[0]


def test_a_lobby_is_shown_with_its_host_and_its_game(owner, client):
    address = reverse("invite", args=[seats.lobby_token(start_in_lobby(owner))])
    shown = preview(client.get(address).text)
    assert shown["title"] == f"Olive invites you to {two_player_rules().name}"
    check_picture(client, shown["image"])


def test_a_game_is_shown_with_its_players_and_its_turn(owner, opponent, client):
    game = make_game(owner, opponent)
    shown = preview(client.get(game.get_absolute_url()).text)
    assert shown["title"] == f"{two_player_rules().name}: Olive – Otto"
    assert "Olive" in shown["description"]
    check_picture(client, shown["image"])


@pytest.mark.parametrize("slug", kinds_with_computers())
def test_a_computer_is_named_in_the_preview(slug, owner, client):
    mine, *others = seat_keys(all_rules()[slug])
    seating = {mine: "me"} | dict.fromkeys(others, "computer-1")
    game = make_game(owner, rules=all_rules()[slug], seating=seating)
    title = preview(client.get(game.get_absolute_url()).text)["title"]
    assert "Olive" in title
    assert f"{all_rules()[slug].ladder[1].name} (computer)" in title


def test_a_game_without_names_is_shown_by_its_kind(client):
    client.post(f"/new/{two_player_rules().slug}/start/", {"with": plans.DEVICE})
    shown = preview(client.get(Game.objects.get().get_absolute_url()).text)
    assert shown["title"] == str(two_player_rules().name)


def finish(owner: Person, opponent: Person) -> Game:
    """Return a game that the owner has resigned after two moves."""
    game = make_game(owner, opponent)
    for person in (owner, opponent):
        post_move(person, game)
    post_resign(owner, game)
    return game


def test_the_preview_of_a_finished_game_says_who_has_won(owner, opponent, client):
    game = finish(owner, opponent)
    shown = preview(client.get(game.get_absolute_url()).text)
    assert shown["description"].startswith("\u2068Otto\u2069 wins.")
    assert shown["image"].endswith(f"/{game.ply}/picture.png")
    assert shown["image:alt"] == f"The board of {two_player_rules().name} after {game.ply} moves"
    check_picture(client, shown["image"])


def test_the_preview_of_an_earlier_position_is_its_own(owner, opponent, client):
    game = finish(owner, opponent)
    shown = preview(client.get(f"{game.get_absolute_url()}1/").text)
    assert shown["url"] == f"http://testserver{game.get_absolute_url()}1/"
    assert shown["image"].endswith("/1/picture.png")
    assert "wins" not in shown["description"]
    assert "Otto" in shown["description"]


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_an_analysis_and_a_variation_have_previews_of_their_own(slug, owner, client):
    rules = all_rules()[slug]
    game = make_game(owner, rules=rules)
    post_move(owner, game)
    post_resign(owner, game)
    address = reverse("analysis", args=[game.id])
    tried = first_legal_moves(rules)[-1]
    pages = [address, f"{address}?ply=1", f"{address}?ply=0&line={tried}"]
    shown = [preview(unescape(client.get(page).text)) for page in pages]
    assert [found["url"] for found in shown] == [
        f"http://testserver{page}" for page in pages[:2]
    ] + [f"http://testserver{address}?{urlencode({'ply': 0, 'line': tried}, safe=',')}"]
    assert len({found["image"] for found in shown[1:]}) == 2
    assert "Tried out from the start" in shown[2]["description"]
    for found in shown:
        assert found["title"].startswith("Analysis – ")
        check_picture(client, found["image"])


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_an_analysis_offers_the_link_to_its_position(slug, owner, client):
    rules = all_rules()[slug]
    game = make_game(owner, rules=rules)
    post_move(owner, game)
    post_resign(owner, game)
    address = f"{reverse('analysis', args=[game.id])}?ply=1"
    owner.client.post(reverse("analysis", args=[game.id]))
    page = client.get(address).text
    field = page.split('id="share"')[1]
    assert f'value="http://testserver{address}"' in field.split(">")[0]
    assert 'data-share="Share"' in field.split("</button>")[0]


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_the_picture_of_a_variation_is_for_viewers_of_the_analysis(slug, owner, opponent, client):
    game = make_game(owner, opponent, rules=all_rules()[slug])
    path = reverse("analysis_picture", args=[game.id])
    assert client.get(path, {"ply": 0}).status_code == 404
    post_resign(owner, game)
    assert client.get(path, {"ply": 0}).status_code == 200
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("slug", list(all_rules()))
def test_the_rules_have_a_preview_with_the_picture_of_the_game(slug, client):
    page = client.get(reverse("rules", args=[slug])).text
    shown = preview(page)
    assert shown["title"] == f"How to play {all_rules()[slug].name}"
    assert shown["description"] == str(all_rules()[slug].tagline)
    assert f'<meta name="description" content="{escape(shown["description"])}">' in page
    check_picture(client, shown["image"])


@pytest.mark.parametrize(("language", "locale"), [("en", "en_GB"), ("nl", "nl_NL")])
def test_a_preview_is_in_the_language_of_its_page(language, locale, client):
    page = client.get("/settings/", headers={"Accept-Language": language}).text
    assert preview(page)["locale"] == locale


def test_only_the_page_of_an_invitation_has_its_token_in_its_preview(owner, stranger, client):
    token = seats.invitation_token(open_seat(make_game_with_open_seat(owner)))
    path = reverse("join", args=[token])
    assert preview(client.get(path).text)["url"] == f"http://testserver{path}"
    rules = reverse("rules", args=[two_player_rules().slug])
    # The pages that an invitation leads to, and those that know the way back to it.
    game = stranger.client.post(path)["Location"]
    for page in (game, f"/settings/?next={path}", f"{rules}?next={path}"):
        shown = preview(stranger.client.get(page).text)
        assert token not in "".join(shown.values())


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_a_preview_is_the_same_for_everybody(slug, owner, stranger):
    game = make_game(owner, rules=all_rules()[slug])
    secret = next(key for key in seat_keys(all_rules()[slug]))
    for path in (f"{game.get_absolute_url()}?seat={secret}", f"{game.get_absolute_url()}0/"):
        seen = [preview(person.client.get(path).text) for person in (owner, stranger)]
        assert seen[0] == seen[1]


def test_search_engines_list_neither_games_nor_invitations(owner, client):
    game = make_game_with_open_seat(owner)
    token = seats.invitation_token(open_seat(game))
    for address in (game.get_absolute_url(), f"{game.get_absolute_url()}0/", f"/join/{token}/"):
        assert '<meta name="robots" content="noindex">' in client.get(address).text
    robots = client.get("/robots.txt").text
    assert "Disallow: /admin/\n" in robots
    # Messengers that make previews obey this file too.
    assert not re.search(r"Disallow: /(g/|join/|invite/)?$", robots, re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_manifest_makes_the_site_installable(language, client):
    headers = {"Accept-Language": language}
    page = client.get("/", headers=headers).text
    address = re.findall(r'<link rel="manifest" href="([^"]+)">', page)[0]
    response = client.get(address, headers=headers)
    manifest = response.json()
    assert response["Content-Type"] == "application/manifest+json"
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert manifest["lang"] == language
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200


def test_the_icons_have_the_sizes_of_the_manifest(client):
    for icon in client.get("/site.webmanifest").json()["icons"]:
        content = static_file(icon["src"].split("/static/")[1])
        if icon["type"] == "image/png":
            assert "{}x{}".format(*png_size(content)) == icon["sizes"]
        else:
            assert resvg_py.svg_to_bytes(svg_string=content.decode())


def test_the_header_has_the_sign_of_the_icon(client):
    def shapes(svg: str) -> list[str]:
        return re.findall(r"<(?:rect|circle) [^>]*>", svg)

    icon = static_file("site/icon.svg").decode()
    brand = client.get("/").text.split('class="brand"')[1].split("</a>")[0]
    assert shapes(brand) == shapes(icon)
