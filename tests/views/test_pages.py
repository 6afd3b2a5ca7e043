"""Pages of games at every ply, rules, pictures, headers and errors."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import Player
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import get_game_page, post_move, post_resign
from tests.support.html import attributes_of, only, select, text_of
from tests.support.kinds import default_specs

pytestmark = pytest.mark.django_db


def test_every_page_responds_to_head(owner):
    game = make_game(owner)
    for address in ("/", game.get_absolute_url(), f"{game.get_absolute_url()}0/picture.png"):
        get, head = owner.client.get(address), owner.client.head(address)
        assert (head.status_code, head.content) == (200, b"")
        assert head["Content-Type"] == get["Content-Type"]


def test_a_visitor_can_watch_a_game(owner, opponent, client):
    game = make_game(owner, opponent)
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert 'name="move" value' not in page.text.split('id="board"')[1].split("</section>")[0]


def test_every_ply_has_a_page(owner):
    game = make_game_with_moves(owner, 4)
    for ply in range(5):
        page = owner.client.get(f"/g/{game.id}/{ply}/").text
        assert f"</span>{ply} / 4</span>" in page


def test_a_ply_that_was_not_played_is_not_found(owner):
    game = make_game(owner)
    for ply in (1, 10**6, 10**30):
        assert owner.client.get(f"/g/{game.id}/{ply}/").status_code == 404


def test_a_spectator_has_no_field_for_moves(owner, opponent, stranger):
    address = make_game(owner, opponent).get_absolute_url()
    for person in (owner, opponent):
        field = only(person.client.get(address).text, "input", id="typed-move")
        assert "required" in attributes_of(field)
    for client in (stranger.client, Client()):
        assert "typed-move" not in client.get(address).text


def test_the_player_to_move_is_named_once_beside_the_board(owner, opponent, stranger):
    address = make_game(owner, opponent).get_absolute_url()
    pages = [person.client.get(address).text for person in (owner, opponent, stranger)]
    turns = [only(page, "p", class_="whose").children[0] for page in pages]
    assert len(set(turns)) == 3
    for page, turn in zip(pages, turns, strict=True):
        assert page.count(f">{turn}<") == 1


def test_the_move_list_links_every_ply(owner):
    game = make_game_with_moves(owner, 3)
    page = get_game_page(owner, game)
    for ply in (1, 2, 3):
        assert f'href="/g/{game.id}/{ply}/"' in page


def test_polling_an_unchanged_board_gets_304(owner, client):
    game = make_game(owner)
    first = client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"})
    tag = {"HX-Request": "true", "If-None-Match": first["ETag"]}
    assert client.get(f"/g/{game.id}/board/", headers=tag).status_code == 304
    post_move(owner, game)
    again = client.get(f"/g/{game.id}/board/", headers=tag)
    assert again.status_code == 200
    assert 'data-ply="1"' in again.text


def test_polling_after_a_change_of_settings_gets_the_board_again(owner):
    game = make_game(owner)
    first = owner.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"})
    owner.client.post("/settings/", {"theme": "auto", "confirm": "always", "sound": "off"})
    tag = {"HX-Request": "true", "If-None-Match": first["ETag"]}
    again = owner.client.get(f"/g/{game.id}/board/", headers=tag)
    assert again.status_code == 200
    assert 'data-confirm="always"' in again.text


def test_a_half_chosen_move_is_in_the_address(owner):
    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        page = get_game_page(owner, game)
        for button in select(page, "button", form="steps", name="chosen")[:1]:
            chosen = attributes_of(button)["value"]
            half = owner.client.get(game.get_absolute_url(), {"chosen": chosen}).text
            assert 'id="b-back"' in half
            assert game.moves.count() == 0


@pytest.mark.parametrize(
    "chosen", ["nonsense", "z9 z9 z9", "٣", "x" * 5000, "<script>", "a1 " * 99]
)
def test_an_unknown_step_in_the_address_shows_the_plain_board(owner, chosen):
    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        page = owner.client.get(game.get_absolute_url(), {"chosen": chosen})
        assert page.status_code == 200
        assert "<script>a" not in page.text


@pytest.mark.parametrize("slug", all_rules())
def test_rules_are_explained_with_boards(slug, client):
    page = client.get(f"/rules/{slug}/").text
    assert page.count('<table class="grid') >= len(all_rules()[slug].examples) > 0


def test_ids_are_unique_on_every_page(owner):
    for slug, rules in all_rules().items():
        game = make_game(owner, rules=rules)
        for address in ("/", f"/new/{slug}/", f"/rules/{slug}/", game.get_absolute_url()):
            ids = re.findall(r'\sid="([^"]*)"', owner.client.get(address).text)
            assert len(ids) == len(set(ids)), address


def test_a_large_body_is_refused_before_it_is_read(client):
    response = client.post("/settings/", {"theme": "x" * 140_000})
    assert response.status_code == 413
    assert "more than this site accepts" in response.text


@pytest.mark.parametrize("address", ["/nowhere/", "/g/x/", "/g/%00/", "/g/" + "a" * 300 + "/"])
def test_an_unknown_address_is_not_found(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert "Page not found" in response.text


def test_every_page_has_security_headers(owner, client):
    game = make_game(owner)
    for address in ("/", game.get_absolute_url(), "/nowhere/", f"/g/{game.id}/move/", "/settings/"):
        response = client.get(address)
        assert "default-src 'none'" in response["Content-Security-Policy"]
        assert "unsafe" not in response["Content-Security-Policy"]
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["X-Frame-Options"] == "DENY"
        assert response["Referrer-Policy"] == "same-origin"


def test_no_page_needs_inline_styles_or_scripts(owner):
    for slug, rules in all_rules().items():
        game = make_game(owner, rules=rules)
        for address in ("/", f"/new/{slug}/", f"/rules/{slug}/", game.get_absolute_url()):
            page = owner.client.get(address).text
            inline = r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\s(src=|type=.application/json))"
            assert not re.search(inline, page), address


def test_a_new_browser_gets_a_player_with_its_first_post(client):
    for address in ("/", "/settings/", f"/new/{next(iter(all_rules()))}/"):
        client.get(address)
    assert not Player.objects.exists()
    assert "player" not in client.cookies


def test_secret_seats_of_a_shared_device_are_opened_on_request(owner):
    for rules in all_rules().values():
        specs = default_specs(rules)
        secret = next((spec for spec in specs if spec.secret), None)
        if secret is None:
            continue
        game = make_game(owner, rules=rules)
        plain = get_game_page(owner, game)
        opened = owner.client.get(game.get_absolute_url(), {"seat": secret.key}).text
        assert "show the board" in plain
        assert "Hide" in opened
        assert Client().get(game.get_absolute_url(), {"seat": secret.key}).text.count("Hide") == 0


@pytest.mark.parametrize("slug", all_rules())
def test_every_position_has_a_picture_for_previews_of_links(owner, client, slug):
    def picture(ply: int) -> bytes:
        page = client.get(f"/g/{game.id}/{ply}/").text
        address = re.search(r'og:image" content="http://testserver([^"]+)"', page)[1]
        return client.get(address).content

    game = make_game(owner, rules=all_rules()[slug])
    pictures = [picture(0)]
    # Where hands are hidden, a spectator's picture may stay the same for some moves.
    while len(set(pictures)) == 1 and not game.over:
        post_move(owner, game)
        game.refresh_from_db()
        pictures.append(picture(game.ply))
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    assert len(set(pictures)) == 2


def test_the_picture_of_a_secret_game_is_that_of_a_spectator(owner):
    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        address = f"/g/{game.id}/0/picture.png"
        secret = next((spec.key for spec in game.specs if spec.secret), None)
        picture = owner.client.get(address, {"seat": secret} if secret else {}).content
        assert picture == Client().get(address).content


def test_the_page_of_a_ply_offers_no_moves_even_at_the_newest(owner):
    game = make_game(owner)
    post_move(owner, game)
    assert 'name="move"' in get_game_page(owner, game)
    for ply in (0, 1):
        page = owner.client.get(f"{game.get_absolute_url()}{ply}/").text
        assert 'name="move"' not in page
        assert 'name="chosen"' not in page


@pytest.mark.parametrize("slug", all_rules())
def test_the_title_of_a_game_has_no_full_stop_before_its_name(slug, client):
    rules = all_rules()[slug]
    data = {f"seat-{spec.key}": "me" for spec in default_specs(rules)}
    page = client.post(f"/new/{slug}/", data, follow=True).text
    title = page.split("<title>")[1].split("</title>")[0]
    assert re.fullmatch(rf"● [^.]+ to move – {rules.name}", title)


def test_the_parts_of_a_game_have_headings_at_every_ply(owner):
    game = make_game(owner)
    parts = ["Players", "Game status", "Moves"]
    for address, expected in ((game.get_absolute_url(), parts), (f"/g/{game.id}/0/", parts[::2])):
        page = owner.client.get(address).text
        assert [text_of(heading) for heading in select(page, "h2", class_="hidden")] == expected


def test_a_finished_game_offers_a_rematch_first(owner):
    game = make_game(owner)
    post_resign(owner, game)
    actions = get_game_page(owner, game).split('class="actions"')[1]
    assert re.findall(r'id="(b-[a-z]+)"', actions)[0] == "b-rematch"


def test_the_board_at_an_earlier_ply_is_the_one_that_was_sent_then(owner):
    game = make_game(owner)
    headers = {"HX-Request": "true"}
    post_move(owner, game)
    sent = owner.client.get(f"/g/{game.id}/board/", headers=headers).text
    post_move(owner, game)
    again = owner.client.get(f"/g/{game.id}/board/?ply=1", headers=headers).text
    assert again.replace('data-version="3"', 'data-version="2"') == sent


def test_a_board_at_a_ply_without_a_later_one_is_not_found(owner):
    game = make_game(owner)
    for ply in ("0", "1", "-1", "x"):
        assert owner.client.get(f"/g/{game.id}/board/?ply={ply}").status_code == 404
