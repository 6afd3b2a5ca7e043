"""Practising with the mistakes of one's own game."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.core.registry import all_rules
from games.models import Evaluation, Game
from games.puzzles.challenge import judge, mistake_of, own_mistakes
from games.state.snapshot import read_snapshot
from games.worker.jobs import run_one_job
from tests.support.analyses import analyse
from tests.support.game_factory import make_finished_game, make_game, make_game_with_moves
from tests.support.game_requests import post_move, post_resign
from tests.support.kinds import one_step_rules_with_hints
from tests.support.players import Person

pytestmark = pytest.mark.django_db

ANALYSED = [rules for rules in all_rules().values() if rules.analysis]


def small(slug: str) -> dict[str, int]:
    """Return options for a small board, if the kind has a size."""
    rules = all_rules()[slug]
    return {option.name: option.low for option in rules.options if option.name == "size"}


@pytest.fixture
def analysed(owner: Person) -> Game:
    """Return a finished and analysed game in which the owner made mistakes."""
    rules = one_step_rules_with_hints()
    game = make_game(owner, rules=rules, size=6)
    for _ in range(6):
        post_move(owner, game)
    analyse(owner, game)
    game.refresh_from_db()
    return game


def address(game: Game, number: int) -> str:
    return reverse("practise_mistake", args=[game.id, number])


def test_practising_begins_with_the_dearest_mistake(owner: Person, analysed: Game) -> None:
    snapshot = read_snapshot(analysed.id)
    losses = [line.loss for line in own_mistakes(snapshot, snapshot.seats_of(owner.player.pk))]
    page = owner.client.get(reverse("practise", args=[analysed.id]), follow=True).text
    assert f"Mistake {losses.index(max(losses)) + 1} of {len(losses)}" in page
    assert "Find something better." in page


def test_any_move_within_the_noise_solves_a_mistake(owner: Person, analysed: Game) -> None:
    snapshot = read_snapshot(analysed.id)
    (line, *_) = own_mistakes(snapshot, snapshot.seats_of(owner.player.pk))
    for move in mistake_of(snapshot, line).turns[0].right:
        page = owner.client.post(address(analysed, 1), {"move": move}, follow=True).text
        assert "Solved!" in page


def test_the_played_move_is_answered_by_its_refutation(owner: Person, analysed: Game) -> None:
    snapshot = read_snapshot(analysed.id)
    (line, *_) = own_mistakes(snapshot, snapshot.seats_of(owner.player.pk))
    page = owner.client.post(address(analysed, 1), {"move": line.move.text}, follow=True).text
    assert "Not this one." in page
    assert 'class="reply"' in page


def test_a_deleted_game_cannot_be_practised(owner: Person, analysed: Game) -> None:
    path = address(analysed, 1)
    analysed.delete()
    assert owner.client.get(path).status_code in {404, 410}


def test_wrong_tries_in_practice_give_the_computers_nothing_to_do(
    owner: Person, analysed: Game
) -> None:
    snapshot = read_snapshot(analysed.id)
    (line, *_) = own_mistakes(snapshot, snapshot.seats_of(owner.player.pk))
    before = Evaluation.objects.count()
    for _ in range(20):
        owner.client.post(address(analysed, 1), {"move": line.move.text})
    assert Evaluation.objects.count() == before
    assert not run_one_job()


def test_the_analysis_leads_to_practising(owner: Person, analysed: Game) -> None:
    page = owner.client.get(f"/g/{analysed.id}/analysis/").text
    assert reverse("practise", args=[analysed.id]) in page


def test_the_mistakes_of_another_player_are_refused(stranger: Person, analysed: Game) -> None:
    for path in (reverse("practise", args=[analysed.id]), address(analysed, 1)):
        response = stranger.client.get(path)
        assert response.status_code == 403
        assert "That’s not your seat." in response.text


def test_a_running_game_is_refused(owner: Person) -> None:
    game = make_game_with_moves(owner, 4)
    page = owner.client.get(reverse("practise", args=[game.id])).text
    assert "once the game is over" in page


def test_a_game_without_analysis_is_refused(owner: Person) -> None:
    game = make_finished_game(owner)
    page = owner.client.get(reverse("practise", args=[game.id])).text
    assert "Analyse this game first" in page


def test_a_mistake_that_there_is_not_is_not_found(owner: Person, analysed: Game) -> None:
    assert owner.client.get(address(analysed, 999)).status_code == 404


def test_an_illegal_try_in_practice_says_why(owner: Person, analysed: Game) -> None:
    response = owner.client.post(address(analysed, 1), {"move": "z9"})
    assert response.status_code == 422
    assert 'class="refused"' in response.text


@pytest.mark.parametrize("slug", [rules.slug for rules in ANALYSED])
def test_every_analysed_kind_can_be_practised(slug: str, owner: Person) -> None:
    game = make_game(owner, rules=all_rules()[slug], **small(slug))
    while not game.over and game.ply < 8:
        post_move(owner, game)
        game.refresh_from_db()
    analyse(owner, game)
    snapshot = read_snapshot(game.id)
    for line in own_mistakes(snapshot, snapshot.seats_of(owner.player.pk)):
        challenge = mistake_of(snapshot, line)
        states = [
            judge(challenge, [move]).state for move in challenge.start.legal_moves(challenge.seat)
        ]
        assert "solved" in states
        assert "wrong" in states


def test_nobody_practises_with_the_mistakes_of_the_opponent(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent, rules=one_step_rules_with_hints(), size=6)
    for person in (owner, opponent) * 5:
        post_move(person, game)
    post_resign(owner, game)
    analyse(owner, game)
    snapshot = read_snapshot(game.id)
    of_seats = [
        {line.move.seat for line in own_mistakes(snapshot, snapshot.seats_of(person.player.pk))}
        for person in (owner, opponent)
    ]
    assert of_seats == [{spec.key} for spec in snapshot.specs]
