"""A computer operative says between which close cards it chooses, before it selects one; beside
people on one seat it only marks them, and people reveal."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from games.codenames.rules import RULES
from games.contract import BadSetup, parse_cell
from games.models import Game
from games.services.lobby import sit_down
from games.services.rematch import rematch
from games.services.seat_changes import give_up_seat
from games.services.setup import NewGame, create_game
from games.state.marks import read_marks
from games.state.snapshot import read_snapshot
from games.worker.jobs import run_one_job
from tests.support.players import Person, new_person

SPYMASTER, OPERATIVES = "red-spymaster", "red-operatives"
pytestmark = pytest.mark.django_db

WORDS = "daisy,tulip,hammer,banana,king,snow,candle,tractor,pencil,bee,wallet,piano"
KEY = "RRRRRBBBB--X"


@pytest.fixture
def olive() -> Person:
    return new_person("Olive")


def begin(olive: Person, key: str = KEY) -> Game:
    """Return a game whose computer operatives have just got a clue that fits two cards alike."""
    seats = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")
    seating = {seat: "me" if seat == seats[0] else "computer-4" for seat in seats}
    options: dict[str, Any] = {"rows": 3, "columns": 4, "cards": "own", "own_words": WORDS}
    options["own_key"] = key
    new = NewGame(rules=RULES, options=options, seating=seating)
    game = create_game(player=olive.player, new=new)
    sent = {"seat": seats[0], "move": "clue bouquet 1", "ply": 0}
    assert olive.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    return game


def _word(game: Game, name: str) -> str:
    row, column = parse_cell(name)
    return str(game.setup["cards"][4 * row + column])


def ready(game: Game) -> None:
    game.refresh_from_db()
    Game.objects.filter(pk=game.pk, leased_until__isnull=False).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )
    Game.objects.filter(pk=game.pk).update(updated=timezone.now() - timedelta(seconds=9))


def test_close_cards_are_told_to_everybody_and_then_one_is_selected(
    olive: Person, settings: Any
) -> None:
    game = begin(olive)
    settings.PACE_COMPUTERS = True
    assert run_one_job()
    game.refresh_from_db()
    assert game.ply == 1
    assert game.leased_until is not None
    for person in (olive, new_person("Stranger")):
        page = person.client.get(game.get_absolute_url()).text
        assert "daisy or tulip?" in page or "tulip or daisy?" in page
    ready(game)
    assert run_one_job()
    game.refresh_from_db()
    assert (game.ply, game.marks) == (2, [])


def test_what_is_weighed_does_not_depend_on_hidden_squares(olive: Person, settings: Any) -> None:
    settings.PACE_COMPUTERS = True
    sentences = []
    for key in (KEY, "XRRRRRBBBB--", "--XBRRRRRBBB"):
        game = begin(olive, key)
        run_one_job()
        game.refresh_from_db()
        sentences.append([_word(game, mark["move"]) for mark in game.marks])
        game.delete()
    assert sentences[0]
    assert sentences == [sentences[0]] * 3


def test_nothing_is_told_without_people_to_see_it(olive: Person, settings: Any) -> None:
    settings.PACE_COMPUTERS = False
    game = begin(olive)
    assert run_one_job()
    game.refresh_from_db()
    assert game.ply == 2


def begin_together(owner: Person, key: str = KEY, **chosen: str) -> Game:
    """Return a game in which the owner and a computer are the operatives of Red, who begins."""
    seating = dict.fromkeys(("blue-spymaster", "blue-operatives"), "computer-2")
    seating |= {SPYMASTER: "computer-4", OPERATIVES: "me-computer-4"} | chosen
    options: dict[str, Any] = {"rows": 3, "columns": 4, "cards": "own", "own_words": WORDS}
    options["own_key"] = key
    return create_game(
        player=owner.player, new=NewGame(rules=RULES, options=options, seating=seating)
    )


def work(game: Game) -> None:
    """Let the computers do all that they can do now."""
    for _ in range(4):
        run_one_job()
    game.refresh_from_db()


def test_the_computer_marks_and_leaves_revealing_to_people(owner: Person) -> None:
    game = begin_together(owner)
    work(game)
    assert game.ply == 1
    marks = read_marks(read_snapshot(game.pk))
    assert marks
    assert {mark.player_id for mark in marks} == {None}
    assert not game.computer_to_move


def test_people_reveal_and_the_computer_marks_again(owner: Person) -> None:
    game = begin_together(owner)
    work(game)
    (card, *_) = [mark.move for mark in read_marks(read_snapshot(game.pk))]
    sent = {"seat": OPERATIVES, "move": card, "ply": 1}
    assert owner.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    game.refresh_from_db()
    assert game.marks == []
    if game.to_move == [OPERATIVES]:
        work(game)
        assert game.ply == 2
        assert game.marks


def test_the_page_names_the_computer_and_asks_with_its_card(owner: Person) -> None:
    game = begin_together(owner)
    work(game)
    page = unescape(owner.client.get(f"/g/{game.id}/").text)
    weighed = [_word(game, mark.move) for mark in read_marks(read_snapshot(game.pk))]
    assert f"{' or '.join(weighed)}?".casefold() in page.casefold()
    bars = page.partition('data-seat="red-operatives"')[2].partition("</li>")[0]
    assert "(computer)" in bars


def test_advice_does_not_depend_on_hidden_squares(owner: Person, opponent: Person) -> None:
    advice = []
    for key in (KEY, "RRRRRBBB-B-X"):
        game = begin_together(owner, key, **{SPYMASTER: "me", OPERATIVES: "computer-4"})
        game.seats.get(key=OPERATIVES).players.add(opponent.player)
        sent = {"seat": SPYMASTER, "move": "clue bouquet 2", "ply": 0}
        assert owner.client.post(f"/g/{game.id}/move/", sent).status_code == 302
        work(game)
        advice.append({_word(game, mark.move) for mark in read_marks(read_snapshot(game.pk))})
    assert advice[0] == advice[1] != set()


def test_a_friend_can_sit_down_beside_the_computer(owner: Person, opponent: Person) -> None:
    game = create_game(
        player=owner.player,
        new=NewGame(
            rules=RULES,
            options={},
            seating={
                SPYMASTER: "me",
                OPERATIVES: "computer-2",
                "blue-spymaster": "invite",
                "blue-operatives": "computer-2",
            },
            lobby=True,
        ),
    )
    after = sit_down(game_id=game.pk, seat_key=OPERATIVES, player=opponent.player)
    place = after.seating.places[OPERATIVES]
    assert (place.computer, place.adviser) == (None, 2)


def test_the_computer_plays_once_its_last_team_mate_has_left(
    owner: Person, opponent: Person
) -> None:
    game = begin_together(owner, **{"blue-operatives": "invite"})
    game.seats.get(key="blue-operatives").players.add(opponent.player)
    work(game)
    give_up_seat(game_id=game.pk, seat_key=OPERATIVES, player=owner.player)
    work(game)
    assert game.ply > 1
    assert game.marks == []


def test_a_rematch_has_the_same_team(owner: Person) -> None:
    game = begin_together(owner)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": OPERATIVES, "ply": 0})
    game.refresh_from_db()
    assert game.over
    new = rematch(game_id=game.pk, player=owner.player)
    assert read_snapshot(new.pk).seating.places[OPERATIVES].adviser == 4


def test_a_seat_for_one_is_not_shared_with_a_computer(owner: Person) -> None:
    with pytest.raises(BadSetup):
        begin_together(owner, **{SPYMASTER: "me-computer-4"})


def test_the_page_of_a_new_game_offers_a_seat_with_a_computer(owner: Person) -> None:
    form = {f"seat-{seat}": "computer" for seat in ("blue-spymaster", "blue-operatives")}
    form |= {f"seat-{SPYMASTER}": "computer", f"seat-{OPERATIVES}": "me-computer", "level": "3"}
    page = owner.client.get("/new/codenames/").text
    assert page.count('value="me-computer"') == 2
    response = owner.client.post("/new/codenames/", form)
    assert response.status_code == 302, response.text
    game = Game.objects.get()
    assert read_snapshot(game.pk).seating.places[OPERATIVES].adviser == 3


def test_a_file_of_a_game_names_the_computer_that_marks(owner: Person) -> None:
    game = begin_together(owner)
    seats = owner.client.get(f"/g/{game.id}/export.json").json()["seats"]
    assert seats[OPERATIVES]["names"] == [owner.player.name]
    assert (seats[OPERATIVES]["computer"], seats[OPERATIVES]["adviser"]) == (None, 4)
    assert (seats[SPYMASTER]["computer"], seats[SPYMASTER]["adviser"]) == (4, None)
