"""A board stands in pages of other sites, as strangers see it; no other page does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.core.registry import all_rules
from games.models import Game, KeptVariation
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from games.services import lobby
from games.state.snapshot import read_snapshot
from games.state.variations import read_variation
from games.storage.cache import clear_all
from games.variations import keep_variation
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_resign
from tests.support.kinds import first_legal_moves, one_step_rules_with_hints
from tests.support.players import Person

SLUGS = sorted(all_rules())


def embedded(game: Game, ply: int | str = "", person: Person | None = None) -> Any:
    client = person.client if person else Client()
    return client.get(f"/g/{game.id}/{ply}{'/' if ply != '' else ''}embed/")


def may_be_framed(response: Any) -> bool:
    policy = response["Content-Security-Policy"]
    return "frame-ancestors *" in policy and "X-Frame-Options" not in response


@pytest.mark.parametrize("slug", SLUGS)
def test_any_position_of_a_game_may_stand_in_a_frame(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    assert may_be_framed(embedded(game))
    assert may_be_framed(embedded(game, 0))


def test_no_other_page_of_a_game_may_stand_in_a_frame(owner, opponent):
    game = make_finished_game(owner, opponent)
    pages = ("", "1/", "analysis/", "export/", "board/", "1/picture.svg")
    for page in pages:
        response = owner.client.get(f"/g/{game.id}/{page}")
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_frame_shows_a_player_what_it_shows_strangers(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    assert embedded(game, person=owner).content == embedded(game).content
    assert b"<form" not in embedded(game, person=owner).content


def test_a_frame_follows_a_running_game_only(owner, opponent):
    running, ended = make_game(owner), make_finished_game(owner, opponent)
    assert f'data-game="/g/{running.id}/"' in embedded(running).text
    assert "data-game" not in embedded(ended).text


def test_a_closed_game_and_a_lobby_stand_in_no_frame(owner, opponent):
    game = make_game(owner, opponent)
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    assert embedded(game, person=owner).status_code == 404
    assert embedded(make_lobby(owner)).status_code == 404


def test_the_code_of_the_frame_is_on_the_page_of_the_game_and_of_its_files(owner):
    game = make_game(owner)
    address = f"http://testserver/g/{game.id}/embed/"
    assert f"&lt;iframe src=&quot;{address}&quot;" in owner.client.get(f"/g/{game.id}/").text
    chosen = owner.client.get(f"/g/{game.id}/export/?ply=0").text
    assert f"http://testserver/g/{game.id}/0/embed/&quot;" in chosen


def test_a_program_finds_the_frame_of_a_page_by_oembed(owner, opponent):
    game = make_finished_game(owner, opponent)
    page = Client().get(f"/g/{game.id}/1/").text
    link = re.search(r'type="application/json\+oembed"\s+href="([^"]+)"', page)
    about = Client().get(f"{link[1]}&maxwidth=300").json()
    assert (about["version"], about["type"], about["width"]) == ("1.0", "rich", 300)
    assert f'src="http://testserver/g/{game.id}/1/embed/"' in about["html"]
    assert about["thumbnail_url"] == f"http://testserver/g/{game.id}/1/picture.png"


def oembed(address: str, **asked: int) -> Any:
    return Client().get(reverse("oembed"), {"url": f"http://testserver{address}", **asked})


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ({}, (400, 540)),
        ({"maxwidth": 900, "maxheight": 900}, (400, 540)),
        ({"maxwidth": 260}, (260, 400)),
        ({"maxwidth": 90}, (90, 230)),
        ({"maxheight": 300}, (400, 300)),
    ],
)
def test_a_frame_is_never_larger_than_the_page_around_it_asks(asked, size, owner, opponent):
    game = make_finished_game(owner, opponent)
    about = oembed(game.get_absolute_url(), **asked).json()
    assert (about["width"], about["height"]) == size
    assert f'width="{size[0]}" height="{size[1]}"' in about["html"]


def puzzles() -> list[Entry]:
    return [catalogue.entries(rules, "en")[0] for rules in catalogue.kinds_with_puzzles()]


def test_a_puzzle_stands_in_a_frame_and_is_found_by_oembed(db):
    for entry in puzzles():
        address = entry.get_absolute_url()
        framed = Client().get(f"{address}embed/")
        assert may_be_framed(framed)
        assert f'href="{address}"' in framed.text
        about = oembed(address).json()
        assert f'src="http://testserver{address}embed/"' in about["html"]
        assert about["thumbnail_url"] == f"http://testserver{address}picture.png"
        link = re.search(r'json\+oembed"\s+href="([^"]+)"', Client().get(address).text)
        assert Client().get(link[1]).json() == about


@pytest.fixture
def kept(owner, opponent) -> tuple[str, KeptVariation]:
    rules = one_step_rules_with_hints()
    game = make_game(owner, opponent, rules=rules)
    post_resign(owner, game)
    snapshot = read_snapshot(game.id)
    move = first_legal_moves(rules)[0]
    variation = read_variation(snapshot, 0, move)
    row = keep_variation(
        player=owner.player, snapshot=snapshot, variation=variation, name="Sharper"
    )
    return f"/g/{game.id}/variations/{row.pk}/", row


def test_a_kept_variation_stands_in_a_frame_and_is_found_by_oembed(kept):
    address, row = kept
    framed = Client().get(f"{address}embed/")
    assert may_be_framed(framed)
    assert "Sharper" in framed.text
    about = oembed(address).json()
    assert about["title"] == "Sharper"
    assert f'src="http://testserver{address}embed/"' in about["html"]
    link = re.search(r'json\+oembed"\s+href="([^"]+)"', Client().get(address).text)
    assert Client().get(link[1]).json() == about
    row.delete()
    assert Client().get(f"{address}embed/").status_code == 404
    assert oembed(address).status_code == 404


def test_a_variation_of_a_closed_game_stands_in_no_frame(kept, owner):
    address, row = kept
    Game.objects.filter(pk=row.game_id).update(closed=True)
    clear_all()
    assert owner.client.get(f"{address}embed/").status_code == 404
    assert oembed(address).status_code == 404


def test_pages_of_other_sites_may_show_the_pictures(owner, opponent, kept):
    game, puzzle = make_finished_game(owner, opponent), puzzles()[0]
    addresses = [f"/g/{game.id}/{name}" for name in ("1/picture.png", "1/picture.svg")]
    addresses += [f"/g/{game.id}/animation.webp", f"{puzzle.get_absolute_url()}picture.png"]
    addresses += [f"/rules/{game.kind}/picture.png", "/share.png"]
    addresses += [oembed(kept[0]).json()["thumbnail_url"]]
    for address in addresses:
        response = Client().get(address)
        assert response.status_code == 200, address
        assert response["Cross-Origin-Resource-Policy"] == "cross-origin", address


@pytest.mark.parametrize(
    "address",
    ["", "http://elsewhere.example/g/x/", "http://testserver/settings/", "http://[/", "x:/g/x/1/"],
)
def test_oembed_knows_no_other_pages(address, db):
    assert Client().get(reverse("oembed"), {"url": address}).status_code == 404
