"""Marked cards: the players with that right, the viewers of marks, and the life of a mark."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from games.codenames.rules import RULES
from games.contract import MoveError
from games.core.refusals import MarkGone, NotYourSeat, Refusal, StalePly
from games.models import Game
from games.services.marks import mark_move
from games.services.play import play_move
from games.services.setup import NewGame, create_game
from games.state.snapshot import GameSnapshot, read_snapshot
from tests.support.html import attributes_of, only, select, text_of
from tests.support.players import Person, new_person
from tests.support.repeats import SEEDS

RED, BLUE = "red-operatives", "blue-operatives"
RED_SPY, BLUE_SPY = "red-spymaster", "blue-spymaster"
SEATS = (RED_SPY, RED, BLUE_SPY, BLUE)
KEY = "RRBBBRBRRBB-XR-B-RR-"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(people: dict[str, Person]) -> Game:
    """Return a game in which the red operatives have the clue “ocean” for two cards."""
    made = create_game(
        player=people[RED_SPY].player,
        new=NewGame(
            rules=RULES,
            options={"rows": 4, "columns": 5, "own_key": KEY, "clues": "typed"},
            seating=dict.fromkeys(SEATS, "invite"),
        ),
    )
    for seat, person in people.items():
        made.seats.get(key=seat).holders.create(player=person.player)
    play(made, people[RED_SPY], RED_SPY, "clue zymurgy 2")
    return made


def play(game: Game, person: Person, seat: str, move: str) -> None:
    game.refresh_from_db()
    play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=person.player)
    game.refresh_from_db()


def reveal(game: Game, person: Person, move: str, number: int | None) -> GameSnapshot:
    """Play a move that names a mark by its number, as the button of a page does."""
    return play_move(game_id=game.id, seat=RED, text=move, ply=1, player=person.player, mark=number)


def number_of(game: Game, person: Person) -> int:
    (number,) = [mark["number"] for mark in game.marks if mark["player"] == str(person.player.pk)]
    return int(number)


def mark(game: Game, person: Person, seat: str, move: str, ply: int = 1) -> Game:
    mark_move(game_id=game.id, seat=seat, move=move, ply=ply, player=person.player)
    game.refresh_from_db()
    return game


def post_mark(person: Person, game: Game, seat: str, move: str, *, htmx: bool = True) -> Any:
    sent = {"seat": seat, "mark": move, "ply": game.ply}
    headers = HTMX if htmx else {}
    return person.client.post(f"{game.get_absolute_url()}mark/", sent, headers=headers)


def shown(viewer: Person | Client, game: Game, language: str = "en") -> str:
    client = viewer.client if isinstance(viewer, Person) else viewer
    response = client.get(game.get_absolute_url(), headers={"Accept-Language": language})
    return str(response.text)


def cell(html: str, name: str) -> str:
    found = re.search(rf"<td[^>]*><button[^>]*data-cell=\"{name}\".*?</button>", html)
    assert found
    return found[0]


def team_mate(game: Game) -> Person:
    person = new_person("Mia <3")
    game.seats.get(key=RED).holders.create(player=person.player)
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    game.refresh_from_db()
    return person


# --- the service --------------------------------------------------------------------------


def test_a_mark_counts_as_a_version_and_as_no_move(game: Game, people: dict[str, Person]) -> None:
    before = game.version
    mark(game, people[RED], RED, "c3")
    assert (game.version, game.ply) == (before + 1, 1)


def test_the_same_mark_twice_is_written_once(game: Game, people: dict[str, Person]) -> None:
    version = mark(game, people[RED], RED, "c3").version
    assert mark(game, people[RED], RED, "c3").version == version


def test_a_player_has_one_mark_and_can_remove_it(game: Game, people: dict[str, Person]) -> None:
    mark(game, people[RED], RED, "c3")
    assert [shown["move"] for shown in mark(game, people[RED], RED, "a1").marks] == ["a1"]
    assert mark(game, people[RED], RED, "").marks == []


def test_the_next_move_removes_all_marks(game: Game, people: dict[str, Person]) -> None:
    mark(game, team_mate(game), RED, "c2")
    mark(game, people[RED], RED, "c3")
    play(game, people[RED], RED, "a1")
    assert game.marks == []


@pytest.mark.parametrize("seat", [RED_SPY, BLUE, BLUE_SPY])
def test_only_the_team_that_guesses_can_mark(
    game: Game, people: dict[str, Person], seat: str
) -> None:
    with pytest.raises(NotYourSeat):
        mark(game, people[seat], RED, "c3")
    with pytest.raises(Refusal):
        mark(game, people[seat], seat, "c3")
    assert read_snapshot(game.id).game.marks == []


def test_a_spymaster_who_may_speak_the_clue_cannot_mark(people: dict[str, Person]) -> None:
    game = create_game(
        player=people[RED_SPY].player,
        new=NewGame(
            rules=RULES,
            options={"own_key": KEY, "rows": 4, "columns": 5, "clues": "spoken"},
            seating=dict.fromkeys(SEATS, "invite"),
        ),
    )
    game.seats.get(key=RED_SPY).holders.create(player=people[RED_SPY].player)
    with pytest.raises(Refusal):
        mark(game, people[RED_SPY], RED_SPY, "c3", ply=0)


@pytest.mark.parametrize("move", ["a1", "z9", "stop", "clue sea 2", "x" * 200])
def test_nothing_but_a_card_that_can_be_revealed_is_marked(
    game: Game, people: dict[str, Person], move: str
) -> None:
    play(game, people[RED], RED, "a1")
    with pytest.raises(Refusal):
        mark(game, people[RED], RED, move, ply=2)


def test_a_mark_on_an_older_board_is_refused(game: Game, people: dict[str, Person]) -> None:
    play(game, people[RED], RED, "a1")
    with pytest.raises(StalePly):
        mark(game, people[RED], RED, "c3", ply=1)


def test_a_player_who_has_left_the_seat_has_no_mark(game: Game, people: dict[str, Person]) -> None:
    mate = team_mate(game)
    mark(game, mate, RED, "c3")
    game.seats.get(key=RED).holders.get(player=mate.player).delete()
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    assert "marked-by" not in shown(people[BLUE], game)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", SEEDS)
def test_marks_and_a_move_at_once_leave_no_mark_of_the_board_before(
    game: Game, people: dict[str, Person], attempt: int
) -> None:
    people_of_red = [people[RED], *(team_mate(game) for _ in range(3))]
    barrier = Barrier(5)

    def act(write: Callable[[], object]) -> None:
        barrier.wait()
        try:
            write()
        except (Refusal, MoveError):
            pass
        finally:
            connection.close()

    marks = [lambda person=person: mark(game, person, RED, "c3") for person in people_of_red]
    reveal = {"game_id": game.id, "seat": RED, "text": "a1", "ply": 1}
    writes = [*marks, lambda: play_move(player=people[RED].player, **reveal)]  # type: ignore[arg-type]
    threads = [Thread(target=act, args=(write,)) for write in writes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    snapshot = read_snapshot(game.id)
    assert (snapshot.game.ply, snapshot.game.marks) == (2, [])


def test_a_move_that_names_its_mark_is_played(game: Game, people: dict[str, Person]) -> None:
    mark(game, people[RED], RED, "c3")
    assert reveal(game, people[RED], "c3", number_of(game, people[RED])).game.ply == 2


def test_a_card_is_played_once_by_the_same_form(game: Game, people: dict[str, Person]) -> None:
    number = number_of(mark(game, people[RED], RED, "a1"), people[RED])
    reveal(game, people[RED], "a1", number)
    assert reveal(game, people[RED], "a1", number).game.ply == 2


def test_a_mark_of_the_same_card_set_again_is_another(
    game: Game, people: dict[str, Person]
) -> None:
    first = number_of(mark(game, people[RED], RED, "a1"), people[RED])
    mark(game, people[RED], RED, "c3")
    second = number_of(mark(game, people[RED], RED, "a1"), people[RED])
    assert first != second
    with pytest.raises(MarkGone):
        reveal(game, people[RED], "a1", first)


@pytest.mark.parametrize("marked", ["", "c3"])
def test_a_move_without_its_mark_is_refused(
    game: Game, people: dict[str, Person], marked: str
) -> None:
    mark(game, people[RED], RED, "a1")
    number = number_of(game, people[RED])
    mark(game, people[RED], RED, marked)
    for named in (number, game.version, 0, -1):
        with pytest.raises(MarkGone):
            reveal(game, people[RED], "a1", named)
    assert read_snapshot(game.id).game.ply == 1


def test_the_mark_of_another_player_is_refused(game: Game, people: dict[str, Person]) -> None:
    mate = team_mate(game)
    mark(game, mate, RED, "a1")
    with pytest.raises(MarkGone):
        reveal(game, people[RED], "a1", number_of(game, mate))


def test_a_mark_that_the_version_before_has_stored_is_set_again(
    game: Game, people: dict[str, Person]
) -> None:
    old = [{"player": str(people[RED].player.pk), "seat": RED, "move": "a1"}]
    Game.objects.filter(pk=game.pk).update(marks=old, version=game.version + 1)
    with pytest.raises(MarkGone):
        reveal(game, people[RED], "a1", 0)
    mark(game, people[RED], RED, "a1")
    assert reveal(game, people[RED], "a1", number_of(game, people[RED])).game.ply == 2


def test_a_move_from_elsewhere_than_a_page_needs_no_mark(
    game: Game, people: dict[str, Person]
) -> None:
    assert reveal(game, people[RED], "a1", None).game.ply == 2


def test_the_page_of_one_person_needs_no_mark(people: dict[str, Person]) -> None:
    owner = people[RED]
    made = create_game(
        player=owner.player,
        new=NewGame(
            rules=RULES,
            options={"rows": 4, "columns": 5, "own_key": KEY, "clues": "typed"},
            seating=dict.fromkeys(SEATS, "me"),
        ),
    )
    play(made, owner, RED_SPY, "clue zymurgy 2")
    assert reveal(made, owner, "a1", 0).game.ply == 2


# --- the pages ----------------------------------------------------------------------------


def test_everybody_at_the_board_sees_which_player_has_marked_a_card(
    game: Game, people: dict[str, Person]
) -> None:
    mark(game, team_mate(game), RED, "c3")
    for viewer in (*people.values(), Client()):
        html = shown(viewer, game)
        assert "<bdi>Mia &lt;3</bdi>" in cell(html, "c3")
        assert "marked by Mia &lt;3" in cell(html, "c3")
        assert html.count("marked-by") == 1


def test_only_the_player_who_has_marked_a_card_is_offered_to_reveal_it(
    game: Game, people: dict[str, Person]
) -> None:
    mate = team_mate(game)
    mark(game, mate, RED, "c3")
    own = shown(mate, game)
    reveal = only(own, "button", id="b-reveal", name="move", value="c3")
    assert text_of(reveal).startswith("Reveal “")
    assert '<div class="reveal">' in own
    assert '<div class="reveal" hidden>' in shown(people[RED], game)
    for viewer in (people[RED_SPY], people[BLUE], Client()):
        assert "b-reveal" not in shown(viewer, game)


def test_no_card_reveals_itself_by_one_press(game: Game, people: dict[str, Person]) -> None:
    for confirm in ("auto", "taps", "always"):
        people[RED].client.cookies["preferences"] = f"confirm={confirm}"
        for query in ({}, {"chosen": "c3"}):
            address = game.get_absolute_url()
            html = people[RED].client.get(address, query).text
            playing = map(attributes_of, select(html, "button", name="move"))
            assert {button.get("id") for button in playing} <= {"b-reveal", "b-confirm"}


def test_a_second_press_reveals_the_marked_card_and_back_removes_the_mark(
    game: Game, people: dict[str, Person]
) -> None:
    assert 'name="mark" value="c3"' in cell(shown(people[RED], game), "c3")
    answer = post_mark(people[RED], game, RED, "c3").text
    assert '<button name="move" value="c3"' in cell(answer, "c3")
    assert "mark-chosen" in cell(answer, "c3")
    assert re.search(r'name="mark" value="" id="b-unmark"', answer)
    game.refresh_from_db()
    answer = post_mark(people[RED], game, RED, "").text
    assert "mark-chosen" not in answer


def form_of(html: str) -> dict[str, str]:
    """Return the fields that the button "Reveal" of a page sends without scripts."""
    fields = map(attributes_of, select(html, "input", type="hidden"))
    sent = {f["name"]: f["value"] for f in fields if f["name"] in {"ply", "seat", "mark"}}
    return {**sent, "move": attributes_of(only(html, "button", id="b-reveal"))["value"]}


def test_without_scripts_the_button_names_the_mark(game: Game, people: dict[str, Person]) -> None:
    address = f"{game.get_absolute_url()}move/"
    mark(game, people[RED], RED, "a1")
    old = form_of(shown(people[RED], game))
    mark(game, people[RED], RED, "c3")
    refused = people[RED].client.post(address, old)
    assert refused.status_code == 409
    assert "Your choice is no longer marked. Choose again." in refused.text
    assert form_of(refused.text)["move"] == "c3"
    answer = people[RED].client.post(address, form_of(refused.text))
    assert (answer.status_code, read_snapshot(game.id).game.ply) == (302, 2)


def test_a_form_that_names_no_mark_is_answered_with_the_newest_board(
    game: Game, people: dict[str, Person]
) -> None:
    sent = {"seat": RED, "ply": 1, "move": "a1"}
    answer = people[RED].client.post(f"{game.get_absolute_url()}move/", sent, headers=HTMX)
    assert answer.status_code == 409
    assert f'data-version="{game.version}"' in answer.text
    assert read_snapshot(game.id).game.ply == 1


def test_a_typed_move_needs_no_mark(game: Game, people: dict[str, Person]) -> None:
    sent = {"seat": RED, "ply": 1, "move": "a1", "typed": "1"}
    answer = people[RED].client.post(f"{game.get_absolute_url()}move/", sent, headers=HTMX)
    assert (answer.status_code, read_snapshot(game.id).game.ply) == (200, 2)


def test_without_scripts_a_mark_leads_back_to_the_game(
    game: Game, people: dict[str, Person]
) -> None:
    answer = post_mark(people[RED], game, RED, "c3", htmx=False)
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())


def test_a_mark_is_announced_to_screen_readers(game: Game, people: dict[str, Person]) -> None:
    word = read_snapshot(game.id).game.setup["cards"][12]
    own = post_mark(people[RED], game, RED, "c3").text
    assert f"Reveal “{word}”?" in own.split('id="status"')[1]
    board = people[BLUE].client.get(f"{game.get_absolute_url()}board/", headers=HTMX).text
    assert f"\u2068Red-Operatives\u2069: Reveal “{word}”?" in board.split('id="status"')[1]


def test_a_refused_mark_says_why(game: Game, people: dict[str, Person]) -> None:
    answer = post_mark(people[RED], game, RED, "z9")
    assert answer.status_code == 422
    assert "You can’t mark that now." in answer.text


def test_marks_are_announced_in_dutch(game: Game, people: dict[str, Person]) -> None:
    mark(game, people[RED], RED, "c3")
    assert "gemarkeerd door Red-Operatives" in shown(people[BLUE], game, "nl")


def test_ending_the_turn_asks_first(game: Game, people: dict[str, Person]) -> None:
    play(game, people[RED], RED, "a1")
    html = shown(people[RED], game)
    assert attributes_of(only(html, "button", id="b-stop"))["name"] == "chosen"
    page = people[RED].client.get(game.get_absolute_url(), {"chosen": "stop"}).text
    assert select(page, "button", name="move", value="stop", id="b-confirm")
