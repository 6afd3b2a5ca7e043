"""Seats that change hands during a game, and games that wait for an absent player."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from games.contract import TIMEOUT
from games.core.clocks import TimeControl
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.models import Game, Seat
from games.notices import channels
from games.people.bots import make_bot
from games.services import absence, lobby, play, players, questions, seat_changes, seats, setup
from games.services.computers import change_level
from games.state.questions import UNDO
from games.state.seat_rights import absent_seats
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_lobby
from tests.support.game_requests import get_game_page, next_legal_move, post_move
from tests.support.kinds import kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.letters import claim_notices
from tests.support.players import Person, new_person
from tests.support.repeats import SEEDS
from tests.support.threads import in_thread


def leave_alone(game: Game) -> None:
    """Let nothing happen in a game until its player counts as absent."""
    long_ago = timezone.now() - settings.ABSENT_AFTER - timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(updated=long_ago)
    clear_all()


@pytest.fixture
def waiting(owner: Person, opponent: Person) -> Game:
    """Return a game in which the owner has waited for the opponent's move for too long."""
    game = make_game(owner, opponent)
    post_move(owner, game)
    leave_alone(game)
    game.refresh_from_db()
    return game


def post_absent(person: Person, game: Game, do: str, **changes: Any) -> Any:
    sent = {"do": do, "ply": game.ply, "undone": game.undone, **changes}
    response = person.client.post(f"/g/{game.id}/absent/", sent)
    game.refresh_from_db()
    return response


def give_up(person: Person, game: Game, **fields: str) -> Any:
    response = person.client.post(f"/g/{game.id}/give-up/", fields)
    game.refresh_from_db()
    return response


def test_the_win_over_an_absent_player_can_be_claimed(owner, waiting):
    assert "hasn’t moved for 7 days" in get_game_page(owner, waiting)
    assert post_absent(owner, waiting, "claim").status_code == 302
    assert waiting.over and waiting.result is not None
    assert waiting.result.winners == {seat_keys(two_player_rules())[0]}


def told_again(person: Person) -> list[str]:
    """Claim a person's notices, and return their games."""
    if channels.hook_of(person.player) is None:
        channels.set_hook(player=person.player, url="https://hooks.example/", site="https://x/")
    return [notice.game_id for notice in claim_notices(person.player.pk)]


def test_an_absent_player_is_reminded_once_a_day(owner, opponent, waiting):
    assert told_again(opponent) == [waiting.id]
    assert told_again(opponent) == []
    page = get_game_page(owner, waiting)
    assert 'id="b-remind"' in page and "Reminder sent." not in page
    assert post_absent(owner, waiting, "remind").status_code == 302
    assert told_again(opponent) == [waiting.id]
    assert told_again(opponent) == []
    page = get_game_page(owner, waiting)
    assert 'id="b-remind"' not in page and "Reminder sent." in page
    assert "You can send one reminder a day." in post_absent(owner, waiting, "remind").text
    yesterday = timezone.now() - timedelta(hours=25)
    Game.objects.filter(pk=waiting.pk).update(reminded=yesterday)
    clear_all()
    assert post_absent(owner, waiting, "remind").status_code == 302


def test_a_reminder_is_shown_in_the_game_until_the_player_moves(owner, opponent, waiting):
    post_absent(owner, waiting, "remind")
    for person in (owner, opponent):
        assert "Olive asks Otto to move." in get_game_page(person, waiting)
    post_move(opponent, waiting)
    assert "Olive asks Otto to move." not in get_game_page(opponent, waiting)


def test_a_reminder_leaves_the_other_choices_open(owner, waiting):
    before = waiting.updated
    post_absent(owner, waiting, "remind")
    assert waiting.updated == before
    assert post_absent(owner, waiting, "claim").status_code == 302
    assert waiting.over


@pytest.mark.parametrize("do", ["claim", "invite", "computer", "remind"])
def test_a_player_who_still_has_time_is_not_absent(owner, opponent, do):
    game = make_game(owner, opponent)
    post_move(owner, game)
    game.refresh_from_db()
    assert "hasn’t moved" not in get_game_page(owner, game)
    assert post_absent(owner, game, do).status_code == 422
    assert not game.over and not game.computer_to_move


@pytest.mark.parametrize("do", ["claim", "invite", "computer", "remind"])
def test_only_players_who_wait_can_end_an_absence(opponent, stranger, waiting, do):
    assert post_absent(stranger, waiting, do).status_code == 403
    assert post_absent(opponent, waiting, do).status_code == 422
    assert "hasn’t moved" not in get_game_page(opponent, waiting)
    assert not waiting.over


def test_a_running_clock_leaves_nobody_absent(owner, opponent):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    game = setup.create_game(
        player=owner.player,
        new=setup.NewGame(
            rules=rules,
            options={},
            seating={first: "me", second: "invite"},
            time=TimeControl(days=14),
        ),
    )
    seat = game.seats.get(key=second)
    seats.claim_seat(token=seats.invitation_token(seat), player=opponent.player)
    post_move(owner, game)
    leave_alone(game)
    assert "hasn’t moved" not in get_game_page(owner, game)
    game.refresh_from_db()
    assert post_absent(owner, game, "claim").status_code == 422


def test_an_absent_player_can_be_replaced_by_a_link(owner, opponent, stranger, waiting):
    assert post_absent(owner, waiting, "invite").status_code == 302
    page = get_game_page(owner, waiting)
    assert "Otto left. The seat is free" in page
    assert f"/invite/{seats.lobby_token(waiting)}/" in page
    second = seat_keys(two_player_rules())[1]
    lobby.sit_down(game_id=waiting.id, seat_key=second, player=stranger.player)
    assert post_move(opponent, waiting).status_code == 403
    assert post_move(stranger, waiting).status_code == 302


def test_a_player_who_was_replaced_reads_no_word_of_another_device(owner, opponent, waiting):
    post_absent(owner, waiting, "invite")
    page = opponent.client.get(f"/g/{waiting.id}/seats/?held=1").text
    assert "This device no longer has this seat." in page
    assert "another device" not in page


def test_a_computer_can_play_for_an_absent_player(owner, opponent, waiting):
    assert post_absent(owner, waiting, "computer").status_code == 302
    assert waiting.computer_to_move
    assert "The computer took over from Otto" in get_game_page(owner, waiting)
    assert post_move(opponent, waiting).status_code == 403


def test_a_claim_on_an_older_board_is_refused(owner, waiting):
    assert post_absent(owner, waiting, "claim", ply=0).status_code == 409
    assert not waiting.over


def rename(person: Person, game: Game) -> None:
    held = read_snapshot(game.pk).seats_of(person.player.pk)
    players.name_seats(game_id=game.pk, player=person.player, names=dict.fromkeys(held, "Anew"))


def ask_for_undo(person: Person, game: Game) -> None:
    board = {"ply": game.ply, "undone": game.undone}
    questions.ask(UNDO, game_id=game.pk, player=person.player, **board)


def hand_to_a_bot(person: Person, game: Game) -> None:
    bot = make_bot(owner=person.player, name="Edda", about="", kinds=[*all_rules()])
    (seat,) = read_snapshot(game.pk).seats_of(person.player.pk)
    seats.hand_over(game_id=game.pk, seat_key=seat, owner=person.player, to=bot.player)


def move_to_another_device(person: Person, game: Game) -> None:
    (key,) = read_snapshot(game.pk).seats_of(person.player.pk)
    seat = seats.offer_seat(game_id=game.pk, seat_key=key, player=person.player)
    seats.claim_seat(token=seats.invitation_token(seat), player=new_person("Phone").player)


@pytest.mark.parametrize("act", [rename, hand_to_a_bot, move_to_another_device])
def test_no_act_but_a_move_makes_an_awaited_player_less_absent(opponent, waiting, act):
    act(opponent, waiting)
    assert absent_seats(read_snapshot(waiting.pk)) == waiting.to_move


@pytest.mark.parametrize("act", [rename, ask_for_undo])
def test_no_act_of_the_others_makes_an_awaited_player_less_absent(owner, waiting, act):
    act(owner, waiting)
    assert absent_seats(read_snapshot(waiting.pk)) == waiting.to_move


def test_another_level_of_the_computer_makes_nobody_less_absent(owner):
    rules = two_player_rules()
    mine, other = seat_keys(rules)
    game = make_game(owner, rules=rules, seating={mine: "me", other: "computer-1"})
    leave_alone(game)
    change_level(game_id=game.pk, player=owner.player, level=2)
    assert absent_seats(read_snapshot(game.pk)) == [mine]


def test_an_undo_starts_the_time_of_the_awaited_player_anew(owner, opponent, waiting):
    ask_for_undo(owner, waiting)
    board = {"ply": waiting.ply, "undone": waiting.undone}
    questions.answer(UNDO, game_id=waiting.pk, player=opponent.player, agree=True, **board)
    assert absent_seats(read_snapshot(waiting.pk)) == []


def test_a_new_person_on_an_awaited_seat_has_the_whole_time(owner, stranger, waiting):
    post_absent(owner, waiting, "free")
    (key,) = waiting.to_move
    leave_alone(waiting)
    seat = waiting.seats.get(key=key)
    seats.claim_seat(token=seats.invitation_token(seat), player=stranger.player)
    assert absent_seats(read_snapshot(waiting.pk)) == []


def test_a_move_ends_an_absence(owner, opponent, waiting):
    board = waiting.ply
    assert post_move(opponent, waiting).status_code == 302
    assert post_absent(owner, waiting, "claim", ply=board).status_code == 409
    assert not waiting.over


def test_a_seat_is_freed_by_its_holder(owner, opponent, waiting):
    _, second = seat_keys(two_player_rules())
    assert give_up(opponent, waiting, free=second).status_code == 302
    assert not waiting.seats.get(key=second).holders.exists()
    assert "left. The seat is free" in get_game_page(owner, waiting)


@pytest.fixture
def team(owner: Person, opponent: Person, stranger: Person) -> Seat:
    """Return a seat of a running game that the opponent and the stranger share."""
    rules = all_rules()[kinds_with_shared_seats()[0]]
    key = next(spec.key for spec in rules.seats(rules.clean({})) if spec.shared)
    game = make_lobby(owner, rules=rules)
    for person in (opponent, stranger):
        lobby.sit_down(game_id=game.pk, seat_key=key, player=person.player)
    lobby.begin(game_id=game.pk, player=owner.player)
    return game.seats.get(key=key)


def test_a_team_that_one_of_several_leaves_has_no_free_seat(opponent, stranger, team):
    seat_changes.give_up_seat(game_id=team.game_id, seat_key=team.key, player=opponent.player)
    page = get_game_page(stranger, team.game)
    assert "Otto left the game." in page
    assert "The seat is free" not in page


def test_coming_and_going_in_a_team_leaves_it_as_absent_as_it_was(opponent, team):
    game = team.game
    Game.objects.filter(pk=game.pk).update(to_move=[team.key])
    leave_alone(game)
    seats.claim_seat(token=seats.invitation_token(team), player=new_person("Tess").player)
    seat_changes.give_up_seat(game_id=game.pk, seat_key=team.key, player=opponent.player)
    assert absent_seats(read_snapshot(game.pk)) == [team.key]


def test_the_link_to_a_team_works_on_when_one_of_several_leaves(opponent, team):
    token = seats.invitation_token(team)
    seat_changes.give_up_seat(game_id=team.game_id, seat_key=team.key, player=opponent.player)
    assert seats.seat_of_token(token) == team


def test_a_computer_takes_the_seat_of_a_player_who_leaves(owner, opponent, waiting):
    _, second = seat_keys(two_player_rules())
    assert give_up(opponent, waiting, computer=second).status_code == 302
    assert waiting.seats.get(key=second).computer
    assert waiting.computer_to_move


def test_nobody_gives_up_the_seat_of_another(owner, stranger, waiting):
    _, second = seat_keys(two_player_rules())
    assert give_up(owner, waiting, free=second).status_code == 403
    assert give_up(stranger, waiting, free=second).status_code == 403
    assert waiting.seats.get(key=second).holders.exists()


def test_the_last_player_stays(owner):
    game = make_game(owner)
    response = give_up(owner, game, free=seat_keys(two_player_rules())[0])
    assert response.status_code == 422
    assert "Resign instead." in response.text


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", SEEDS)
def test_a_claim_against_a_move_has_one_outcome(attempt):
    owner, opponent = new_person("Olive"), new_person("Otto")
    game = make_game(owner, opponent)
    post_move(owner, game)
    leave_alone(game)
    seat, move = next_legal_move(game)
    claim = {"game_id": game.id, "player": owner.player, "ply": 1}
    with ThreadPoolExecutor(3) as pool:
        claims = [pool.submit(in_thread, absence.claim_win, **claim) for _ in range(2)]
        played = pool.submit(
            in_thread,
            play.play_move,
            game_id=game.id,
            seat=seat,
            text=move,
            ply=1,
            player=opponent.player,
        )
    moved = played.exception() is None
    done = [claim for claim in claims if claim.exception() is None]
    assert all(isinstance(claim.exception(), Refusal | type(None)) for claim in claims)
    assert len(done) + moved == 1
    stored = list(game.moves.filter(ply=2).values_list("text", flat=True))
    assert stored == [move if moved else TIMEOUT]


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_one_of_64_claims_of_a_win_counts():
    owner, opponent = new_person("Olive"), new_person("Otto")
    game = make_game(owner, opponent)
    post_move(owner, game)
    leave_alone(game)
    claim = {"game_id": game.id, "player": owner.player, "ply": 1}
    with ThreadPoolExecutor(16) as pool:
        claims = [pool.submit(in_thread, absence.claim_win, **claim) for _ in range(64)]
    failures = [claim.exception() for claim in claims]
    assert failures.count(None) == 1
    assert all(isinstance(failure, Refusal | None) for failure in failures)
    assert list(game.moves.filter(ply=2).values_list("text", flat=True)) == [TIMEOUT]
