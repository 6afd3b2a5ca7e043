"""All games of a file are kept for an account by the worker, in portions."""

from __future__ import annotations

import gzip
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from games.exchange import imports
from games.exchange.imports import LEASE, keep_in_portions
from games.models import Game, GameImport, ImportPiece
from games.people.accounts import create_account
from games.services import tidying
from games.state.lists import running_games
from tests.support.game_factory import make_game_with_moves
from tests.support.kinds import importable_rules
from tests.support.players import Person


@pytest.fixture
def member(owner: Person) -> Person:
    create_account(player=owner.player, name="olive", password="a long sentence")
    return owner


def lines(*counts: int) -> str:
    """Return a text of games with so many moves each."""
    rules = importable_rules()
    assert rules.transcript
    position, moves = rules.start(rules.deal(rules.clean({}), Random(1))), list[str]()
    for _ in range(max(counts)):
        seat = min(position.to_move())
        moves.append(position.legal_moves(seat)[0])
        position.play(seat, moves[-1])
    return "\n".join(rules.transcript.write(moves[:count]) for count in counts)


def keep(person: Person, *contents: bytes | str, **sent: Any) -> Any:
    files = [SimpleUploadedFile(f"games{n}.txt", _bytes(c)) for n, c in enumerate(contents)]
    return person.client.post("/import/keep/", {"file": files, **sent})


def _bytes(content: bytes | str) -> bytes:
    return content.encode() if isinstance(content, str) else content


def work(portions: int = 100) -> int:
    """Let a worker keep games until nothing is left; return the number of its portions."""
    worker, done = keep_in_portions(), 0
    while done < portions and next(worker):
        done += 1
    return done


def test_all_games_of_a_file_are_kept_and_told_on_its_page(member: Person) -> None:
    response = keep(member, lines(1, 2, 3))
    assert "Keeping the games" in member.client.get(response.url).text
    work()
    page = member.client.get(response.url)
    assert "have been read" in page.text
    assert len(page.context["games"]) == 3
    assert sorted(Game.objects.values_list("ply", flat=True)) == [1, 2, 3]
    assert GameImport.objects.get().ended
    assert not ImportPiece.objects.exists()


def test_kept_games_that_have_no_end_are_in_no_list_of_running_games(member: Person) -> None:
    response = keep(member, lines(1, 2))
    work()
    assert not list(running_games(member.player))
    assert "Your turn" not in member.client.get("/me/").text
    assert all(game.pk in member.client.get(response.url).text for game in Game.objects.all())


def test_the_same_file_twice_stores_nothing_twice(member: Person) -> None:
    for _ in range(2):
        keep(member, lines(1, 2))
        work()
    assert Game.objects.count() == 2
    first, second = GameImport.objects.order_by("created")
    assert (first.kept, first.known, second.kept, second.known) == (2, 0, 0, 2)


def test_the_own_export_comes_back_once(member: Person) -> None:
    make_game_with_moves(member, 3, rules=importable_rules())
    exported = b"".join(member.client.get("/me/games.jsonl").streaming_content)  # type: ignore[attr-defined]
    for _ in range(2):
        keep(member, exported)
        work()
    assert Game.objects.filter(imported__isnull=False).count() == 1


def test_faulty_games_are_named_and_the_others_are_kept(member: Person) -> None:
    one, two = lines(1, 2).splitlines()
    text = "\n".join([*[one] * 100, "hello", two])
    response = keep(member, text)
    work()
    row = GameImport.objects.get()
    assert (row.read, row.kept, row.known, row.faulty) == (102, 2, 99, 1)
    assert "Line 101" in member.client.get(response.url).text


def test_a_cancelled_file_keeps_the_games_so_far_and_no_more(member: Person, monkeypatch) -> None:
    monkeypatch.setattr(imports, "PORTION_SECONDS", 0)
    response, worker = keep(member, lines(1, 2, 3, 4)), keep_in_portions()
    next(worker)
    assert Game.objects.count() == 1
    assert member.client.post(response.url).status_code == 302
    assert "Cancelled" in member.client.get(response.url).text
    assert [next(worker) for _ in range(3)] == [True, False, False]
    assert Game.objects.count() == 2


def test_a_file_of_a_killed_worker_is_taken_up_where_it_was_left(
    member: Person, monkeypatch
) -> None:
    monkeypatch.setattr(imports, "PORTION_SECONDS", 0)
    keep(member, lines(1, 2, 3))
    killed = keep_in_portions()
    next(killed)
    assert next(keep_in_portions()) is False
    GameImport.objects.update(claimed=timezone.now() - LEASE)
    work()
    assert sorted(Game.objects.values_list("ply", flat=True)) == [1, 2, 3]
    assert GameImport.objects.get().kept == 3


@pytest.mark.parametrize("content", [b"PK\x03\x04\n\0", gzip.compress(b"f5", mtime=0)])
def test_packed_files_are_refused_with_a_sentence(content: bytes, member: Person) -> None:
    page = keep(member, content)
    assert "This file is packed." in page.text
    assert not GameImport.objects.exists()


def test_a_file_of_20_mb_is_taken_and_a_larger_one_refused(member: Person) -> None:
    large = b"hello\n" * (20 * 2**20 // 6)
    assert keep(member, large).status_code == 302
    work()
    assert GameImport.objects.get().faulty == 1
    page = keep(member, large + b"hello\n" * 2)
    assert "At most 20 MB" in page.text
    assert keep(member, large + bytes(2**20)).status_code == 413


def test_no_more_than_the_stated_games_of_a_file_are_kept(member: Person, monkeypatch) -> None:
    monkeypatch.setattr(imports, "MOST_GAMES", 2)
    keep(member, lines(1, 2, 3))
    work()
    assert Game.objects.count() == 2


def test_files_that_were_not_stored_to_the_end_are_given_up(member: Person) -> None:
    keep(member, lines(1, 2))
    ImportPiece.objects.all().delete()
    work()
    assert GameImport.objects.get().ended
    assert not Game.objects.exists()


def test_a_browser_without_an_account_is_asked_to_make_one(owner: Person) -> None:
    page = keep(owner, lines(1))
    assert "Make an account" in page.text
    assert not GameImport.objects.exists()


def test_a_second_file_waits_for_the_end_of_the_first(member: Person) -> None:
    keep(member, lines(1))
    assert "still being read" in keep(member, lines(2)).text


def test_a_stranger_sees_and_cancels_nothing(member: Person, stranger: Person) -> None:
    address = keep(member, lines(1)).url
    assert stranger.client.get(address).status_code == 404
    assert stranger.client.post(address).status_code == 404
    assert GameImport.objects.get().ended is None


def test_a_fault_of_the_site_ends_the_file_and_not_the_worker(member: Person, monkeypatch) -> None:
    def fail(**_values: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(imports, "create_imported", fail)
    keep(member, lines(1, 2))
    work()
    row = GameImport.objects.get()
    assert (bool(row.ended), row.faulty) == (True, 1)


def test_the_rows_of_old_files_are_removed(member: Person) -> None:
    keep(member, lines(1))
    GameImport.objects.update(created=timezone.now() - timedelta(days=31))
    rule = next(rule for rule in tidying.RULES if rule.name == "imports")
    assert sum(rule.remove()) == 1
