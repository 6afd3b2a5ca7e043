"""The pages of past positions and of analyses: links, turns, move lists and mistakes."""

from __future__ import annotations

import re

import pytest

from games.contract import text
from games.core.registry import all_rules
from games.models import Game
from games.presentation import move_list
from games.storage.cache import clear_all
from tests.support.analyses import store_row, stored_values, value_of
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import next_legal_move, post_move, post_resign
from tests.support.kinds import kinds_with_analysis, two_player_rules
from tests.support.players import Person
from tests.support.snapshots import position_at

pytestmark = pytest.mark.django_db

ANALYSABLE = all_rules()[kinds_with_analysis()[0]]


@pytest.fixture
def game_with_mistake(owner: Person) -> Game:
    """Return a finished game whose first move is evaluated as a mistake."""
    game = make_game(owner, rules=ANALYSABLE)
    seat, move = next_legal_move(game)
    post_move(owner, game)
    post_resign(owner, game)
    values = [
        value_of(name, value, text(f"worth {value}")) for name, value in (("another", 9), (move, 0))
    ]
    values_row = {"seat": seat, "mistake": 3, "moves": values, "regions": []}
    store_row(game, values_row)
    return game


def test_the_move_played_is_called_the_mistake_and_not_the_better_one(game_with_mistake, owner):
    page = owner.client.get(f"/g/{game_with_mistake.id}/analysis/", {"ply": 1}).text
    card = " ".join(page.split('<div class="explored">')[1].split("</div>")[0].split())
    played, better = card.split("<p> Better: ")
    row = page.split('class="analysis"')[1].split("<tbody>")[1].split("</tr>")[0].split("<td>")
    assert "blunder</span>" in played
    assert re.search(r"blunder\s*</span>", row[0])
    assert "blunder" not in better.split("</p>")[0]
    assert "<b>another</b> worth 9" in " ".join(row[-1].split())
    assert "blunder" not in row[-1]


def test_a_past_position_shows_no_thinking_computer(owner):
    rules = two_player_rules()
    game = make_game(owner, rules=rules)
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


def test_an_analysis_shows_no_empty_card_before_the_first_move(game_with_mistake, owner):
    page = owner.client.get(f"/g/{game_with_mistake.id}/analysis/", {"ply": 0}).text
    assert not re.search(r'<div class="turn">\s*</div>', page)


def test_every_past_position_links_to_the_last_one(game_with_mistake, owner):
    for page, link in (
        (f"/g/{game_with_mistake.id}/0/", f"/g/{game_with_mistake.id}/2/"),
        ("analysis/?ply=0", "?ply=2"),
    ):
        address = page if page.startswith("/") else f"/g/{game_with_mistake.id}/{page}"
        assert f'href="{link}">»<' in owner.client.get(address).text


@pytest.mark.parametrize(
    ("ply", "ends"),
    [(0, [True, True, False, False]), (1, [False] * 4), (2, [False, False, True, True])],
)
def test_the_buttons_from_move_to_move_stay_in_place(ply, ends, game_with_mistake, owner):
    for address in (
        f"/g/{game_with_mistake.id}/{ply}/",
        f"/g/{game_with_mistake.id}/analysis/?ply={ply}",
    ):
        nav = owner.client.get(address).text.split('class="plies"')[1].split("</nav>")[0]
        buttons = re.findall(r"<a class=\"button quiet\"([^>]*)>(.)<", nav)
        assert [sign for _, sign in buttons] == ["«", "‹", "›", "»"]
        assert ["aria-disabled" in attributes for attributes, _ in buttons] == ends
        assert ["href" not in attributes for attributes, _ in buttons] == ends


def test_a_past_position_leads_back_to_the_game(owner):
    game = make_game(owner)
    post_move(owner, game)
    page = owner.client.get(f"/g/{game.id}/0/").text
    assert f'<a href="{game.get_absolute_url()}">Back to the game</a>' in page


def test_htmx_gets_a_past_position_without_the_page_around_it(owner):
    game = make_game(owner)
    post_move(owner, game)
    part = owner.client.get(f"/g/{game.id}/1/", headers={"HX-Request": "true"}).text
    assert part.strip().startswith("<title>")
    assert 'id="replay"' in part
    assert "<header" not in part


def test_a_past_position_has_one_set_of_links_to_step_by(owner):
    game = make_game(owner)
    post_move(owner, game)
    page = owner.client.get(f"/g/{game.id}/1/").text
    assert page.count("«") == 1
    assert ">Review</a>" not in page
    assert ">Review</a>" in owner.client.get(game.get_absolute_url()).text


def test_a_mistake_in_the_graph_is_a_link_to_its_move(game_with_mistake, owner):
    graph = owner.client.get(f"/g/{game_with_mistake.id}/analysis/").text.split('class="plot"')[-1]
    link = graph.split("</svg>")[1].split("<a ")[1].split("</a>")[0]
    assert 'href="?ply=1"' in link
    assert re.search(r"<title>1\. .+: blunder</title>", link)


def test_the_analysis_names_the_side_of_a_value_and_marks_mistakes(game_with_mistake, owner):
    page = owner.client.get(f"/g/{game_with_mistake.id}/analysis/?ply=1").text
    assert "Scores are from the mover’s side." in page
    assert '– <span class="verdict blunder">blunder</span>' in page


def mover_first(game: Game, one: Person, other: Person) -> tuple[Person, Person]:
    """Return two persons, the one to move first."""
    seat, _ = next_legal_move(game)
    mover = game.seats.get(key=seat).players.get()
    return (one, other) if mover == one.player else (other, one)


def test_a_past_position_shows_your_turn_to_that_player_alone(owner, opponent, stranger):
    game = make_game(owner, opponent)
    people = (*mover_first(game, owner, opponent), stranger)
    pages = [person.client.get(f"/g/{game.id}/0/").text for person in people]
    shown = [page.split("<template")[0] for page in pages]
    assert ["Your turn." in page for page in shown] == [True, False, False]
    assert ["<title>●" in page for page in pages] == [True, False, False]


def test_an_analysis_of_a_running_game_shows_your_turn(owner, opponent):
    game = make_game(owner, opponent, rules=ANALYSABLE)
    Game.objects.filter(pk=game.pk).update(hints=True)
    people = mover_first(game, owner, opponent)
    pages = [person.client.get(f"/g/{game.id}/analysis/").text for person in people]
    parts = [page.split('id="called"')[1].split('id="analysis"')[0] for page in pages]
    assert ["Your turn." in part.split("<template")[0] for part in parts] == [True, False]
    assert ["<title>●" in page for page in pages] == [True, False]


def test_an_analysis_of_a_finished_game_shows_no_turn(game_with_mistake, owner):
    assert 'id="called"' not in owner.client.get(f"/g/{game_with_mistake.id}/analysis/").text


@pytest.mark.parametrize("past", ["0", "analysis"])
def test_a_solo_player_is_not_told_your_turn(owner, past):
    game = make_game(owner, rules=ANALYSABLE)
    assert "Your turn." not in owner.client.get(f"/g/{game.id}/{past}/").text


def list_of(page: str) -> str:
    return page.split('<div class="move-list">')[1].split("</table>")[0]


def list_plies(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let the list of moves hold so many of the last ones."""
    monkeypatch.setattr(move_list, "LISTED_PLIES", count)


def test_listed_rounds_have_their_numbers(owner, monkeypatch):
    game = make_game_with_moves(owner, 3)
    board = {"HX-Request": "true"}
    listed = list_of(owner.client.get(f"/g/{game.id}/board/", headers=board).text)
    assert re.findall(r"<th>(\d+)<", listed) == ["1", "2"]
    list_plies(monkeypatch, 1)
    clear_all()
    listed = list_of(owner.client.get(game.get_absolute_url()).text)
    assert "2 earlier moves" in listed
    assert re.findall(r"<th>(\d+)<", listed) == ["2"]
    assert game.moves.get(ply=3).text in listed


def test_the_list_marks_the_current_move_of_a_long_game(owner, monkeypatch):
    game = make_game_with_moves(owner, 5)
    list_plies(monkeypatch, 2)
    for ply in range(1, 6):
        page = owner.client.get(f"/g/{game.id}/{ply}/").text
        marked = f'<a href="/g/{game.id}/{ply}/" class="current" aria-current="true">'
        assert page.count(marked) == 1


def test_a_resignation_is_listed_in_the_language_of_the_page(owner):
    game = make_game(owner)
    post_resign(owner, game)
    dutch = {"Accept-Language": "nl"}
    assert ">resigns</a>" in owner.client.get(f"/g/{game.id}/").text
    assert ">geeft op</a>" in owner.client.get(f"/g/{game.id}/", headers=dutch).text


def test_the_page_of_a_missing_ply_links_to_the_game(owner):
    game = make_game(owner)
    response = owner.client.get(f"/g/{game.id}/99/")
    assert response.status_code == 404
    assert f'href="{game.get_absolute_url()}">Go to the game' in response.text


@pytest.mark.parametrize("past", ["", "0/"])
def test_screen_readers_are_told_the_coordinates_of_a_square_once(past, owner):
    game = make_game(owner, rules=two_player_rules())
    page = owner.client.get(game.get_absolute_url() + past).text
    head, rows = page.split('class="grid ')[1].split("</table>")[0].split("<tbody>")
    assert '<thead aria-hidden="true">' in head
    assert set(re.findall(r"<th[ >][^>]*>?", rows)) == {'<th aria-hidden="true">'}
    assert 'aria-label="a1, ' in rows


def test_the_better_move_is_drawn_on_the_board(game_with_mistake, owner):
    values = stored_values()
    played, position = values["moves"][1]["move"], position_at(game_with_mistake, 0)
    moves = position.legal_moves(min(position.to_move()))
    values["moves"][0]["move"] = next(move for move in moves if move != played)
    store_row(game_with_mistake, values)
    page = owner.client.get(f"/g/{game_with_mistake.id}/analysis/", {"ply": 1}).text
    assert 'class="better"' in page
    assert ", better move" in page
    assert ", better move" not in owner.client.get(f"/g/{game_with_mistake.id}/1/").text
