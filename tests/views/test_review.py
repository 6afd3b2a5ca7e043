"""What the pages of a position and of an analysis say: of the move, and of where one is."""

from __future__ import annotations

import re

import pytest

from games.contract import text
from games.models import Evaluation, Game
from games.presentation import game_page
from games.registry import all_rules
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import next_legal_move, post_move
from tests.support.kinds import two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

ANALYSED = next(rules for rules in all_rules().values() if rules.analysis)


def give_up(who: Person, game: Game) -> None:
    seat = game.seats.filter(players=who.player).first()
    game.refresh_from_db()
    sent = {"seat": seat.key, "ply": game.ply} if seat else {}
    who.client.post(f"/g/{game.id}/resign/", sent)
    game.refresh_from_db()


@pytest.fixture
def mistaken(owner: Person) -> Game:
    """A finished game whose first move was a mistake, and is known to be one."""
    game = make_game(owner, rules=ANALYSED)
    seat, move = next_legal_move(game)
    post_move(owner, game)
    give_up(owner, game)
    values = [
        {"move": name, "value": value, "shown": text(f"worth {value}").to_json(), "why": None}
        for name, value in (("another", 9), (move, 0))
    ]
    values_row = {"seat": seat, "mistake": 3, "moves": values, "regions": []}
    Evaluation.objects.create(game=game, ply=0, move_id=0, done=True, values=values_row)
    return game


def test_the_move_played_is_called_the_mistake_and_not_the_better_one(mistaken, owner):
    page = owner.client.get(f"/g/{mistaken.id}/analysis/", {"ply": 1}).text
    card = page.split('<div class="turn">')[1].split("</div>")[0]
    played, better = card.split("<p>Better: ")
    row = page.split("<tbody>\n<tr")[1].split("</tr>")[0].split("<td>")
    assert "mistake</span>" in played
    assert "mistake</span>" in row[0]
    assert "mistake" not in better.split("</p>")[0]
    assert "<b>another</b> worth 9" in row[-1]
    assert "mistake" not in row[-1]


def test_a_past_position_shows_no_thinking_computer(owner):
    rules = two_player_rules()
    seats = [spec.key for spec in rules.seats(rules.clean({}))]
    game = make_game(owner, rules=rules, seating=dict.fromkeys(seats, "me"))
    computer, _ = next_legal_move(game)
    post_move(owner, game)
    game.seats.filter(key=computer).update(computer=1)
    game.seats.get(key=computer).holders.all().delete()
    game.refresh_from_db()
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    assert "is thinking" not in owner.client.get(f"/g/{game.id}/0/").text


@pytest.mark.parametrize("slug", all_rules())
def test_there_is_no_empty_card_before_the_first_move(slug, owner):
    game = make_game(owner, rules=all_rules()[slug])
    post_move(owner, game)
    assert '<div class="turn"></div>' not in owner.client.get(f"/g/{game.id}/0/").text


def test_an_analysis_shows_no_empty_card_before_the_first_move(mistaken, owner):
    page = owner.client.get(f"/g/{mistaken.id}/analysis/", {"ply": 0}).text
    assert not re.search(r'<div class="turn">\s*</div>', page)


def test_every_past_position_links_to_the_last_one(mistaken, owner):
    for page, link in (
        (f"/g/{mistaken.id}/0/", f"/g/{mistaken.id}/2/"),
        ("analysis/?ply=0", "?ply=2"),
    ):
        address = page if page.startswith("/") else f"/g/{mistaken.id}/{page}"
        assert f'href="{link}">»<' in owner.client.get(address).text


@pytest.mark.parametrize(
    ("ply", "ends"),
    [(0, [True, True, False, False]), (1, [False] * 4), (2, [False, False, True, True])],
)
def test_the_buttons_from_move_to_move_stay_in_place(ply, ends, mistaken, owner):
    for address in (f"/g/{mistaken.id}/{ply}/", f"/g/{mistaken.id}/analysis/?ply={ply}"):
        nav = owner.client.get(address).text.split('class="plies"')[1].split("</nav>")[0]
        buttons = re.findall(r"<a class=\"button quiet\"([^>]*)>(.)<", nav)
        assert [sign for _, sign in buttons] == ["«", "‹", "›", "»"]
        assert ["aria-disabled" in told for told, _ in buttons] == ends
        assert ["href" not in told for told, _ in buttons] == ends


def test_the_link_back_to_the_game_tells_whether_it_is_over(owner):
    game = make_game(owner)
    post_move(owner, game)
    running = owner.client.get(f"/g/{game.id}/0/").text
    give_up(owner, game)
    ended = owner.client.get(f"/g/{game.id}/0/").text
    assert "The game now" in running
    assert "The game now" not in ended
    assert "The end of the game" in ended


def test_a_mistake_in_the_graph_is_a_link_to_its_move(mistaken, owner):
    graph = owner.client.get(f"/g/{mistaken.id}/analysis/").text.split("<svg viewBox")[-1]
    link = graph.split("</svg>")[0].split("<a ")[1].split("</a>")[0]
    assert 'href="?ply=1"' in link
    assert re.search(r"<title>1\. .+: mistake</title>", link)


def test_the_analysis_names_the_side_of_a_value_and_marks_mistakes(mistaken, owner):
    page = owner.client.get(f"/g/{mistaken.id}/analysis/?ply=1").text
    assert "Worth is for whoever made the move." in page
    assert '– <span class="mistake-mark">mistake</span></p>' in page


def mover_first(game: Game, one: Person, other: Person) -> tuple[Person, Person]:
    seat, _ = next_legal_move(game)
    mover = game.seats.get(key=seat).players.get()
    return (one, other) if mover == one.player else (other, one)


def test_a_past_position_tells_your_turn_to_that_player_alone(owner, opponent, stranger):
    game = make_game(owner, opponent)
    people = (*mover_first(game, owner, opponent), stranger)
    pages = [who.client.get(f"/g/{game.id}/0/").text for who in people]
    shown = [page.split("<template")[0] for page in pages]
    assert ["Your turn." in page for page in shown] == [True, False, False]
    assert ["<title>●" in page for page in pages] == [True, False, False]


def test_an_analysis_of_a_running_game_tells_your_turn(owner, opponent):
    game = make_game(owner, opponent, rules=ANALYSED)
    Game.objects.filter(pk=game.pk).update(hints=True)
    people = mover_first(game, owner, opponent)
    pages = [who.client.get(f"/g/{game.id}/analysis/").text for who in people]
    parts = [page.split('id="called"')[1].split('id="analysis"')[0] for page in pages]
    assert ["Your turn." in part.split("<template")[0] for part in parts] == [True, False]
    assert ["<title>●" in page for page in pages] == [True, False]


def test_an_analysis_of_a_finished_game_tells_no_turn(mistaken, owner):
    assert 'id="called"' not in owner.client.get(f"/g/{mistaken.id}/analysis/").text


@pytest.mark.parametrize("past", ["0", "analysis"])
def test_a_solo_player_is_not_told_your_turn(owner, past):
    game = make_game(owner, rules=ANALYSED)
    assert "Your turn." not in owner.client.get(f"/g/{game.id}/{past}/").text


def test_listed_moves_have_their_numbers(owner, monkeypatch):
    game = make_game(owner)
    for _ in range(3):
        post_move(owner, game)
    board = {"HX-Request": "true"}
    listed = owner.client.get(f"/g/{game.id}/board/", headers=board).text
    assert '<ol class="move-list" start="1">' in listed
    monkeypatch.setattr(game_page, "LISTED_PLIES", 1)
    clear_all()
    page = owner.client.get(game.get_absolute_url()).text.split('<ol class="move-list" start="')[1]
    first, *items = page.split("</ol>")[0].split("<li")
    # The line of the others counts as one.
    assert int(first.split('"')[0]) + 1 == 3
    assert "2 earlier moves" in items[0]
    assert game.moves.get(ply=3).text in items[1]


def test_the_list_marks_the_current_move_of_a_long_game(owner, monkeypatch):
    game = make_game_with_moves(owner, 5)
    monkeypatch.setattr(game_page, "LISTED_PLIES", 2)
    for ply in range(1, 6):
        page = owner.client.get(f"/g/{game.id}/{ply}/").text
        assert page.count(f'<li class="current"><a href="/g/{game.id}/{ply}/"') == 1


def test_a_resignation_is_listed_in_the_language_of_the_page(owner):
    game = make_game(owner)
    seat, _ = next_legal_move(game)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    dutch = {"Accept-Language": "nl"}
    assert ">resigns</a>" in owner.client.get(f"/g/{game.id}/").text
    assert ">geeft op</a>" in owner.client.get(f"/g/{game.id}/", headers=dutch).text


def test_the_page_of_a_missing_ply_links_to_the_game(owner):
    game = make_game(owner)
    response = owner.client.get(f"/g/{game.id}/99/")
    assert response.status_code == 404
    assert f'href="{game.get_absolute_url()}">To the game' in response.text
