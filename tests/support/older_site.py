"""The work after a host has gone back to an older version: it plays, merges, deletes, tidies
up, and writes a row of each table.

The text of this program runs in the folder of that version, so it uses only parts of version 1.0:
``python -c "$(cat older_site.py)"``. It prints the kinds of the games that were played to the end.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from random import Random

import django

MOST_PLIES = 5_000


def main() -> None:
    """Use each part of the site that writes rows."""
    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.utils import timezone

    from games.core.registry import all_rules
    from games.models import Game, Player
    from games.people.forgetting import forget_player
    from games.people.merging import merge_players
    from games.services.players import new_player
    from tests.support.old_database import fill

    call_command("migrate", verbosity=0)
    for game in Game.objects.filter(moves__text="void"):
        # The position before the end, which this version does not know.
        page = Client(headers={"host": "localhost"}).get(f"/g/{game.pk}/", follow=True)
        assert page.status_code == 200, page.text
        sys.stdout.write("void\n")
    stored = list(Player.objects.all())
    for rules in all_rules().values():
        play_whole_game(rules)
    for source in stored:
        merge_players(source=source, target=new_player())
    for player in Player.objects.all():
        forget_player(player=player)
    # `tidy` now removes every game and every player.
    long_ago = timezone.now() - timedelta(days=10_000)
    Game.objects.update(updated=long_ago)
    Player.objects.update(created=long_ago)
    call_command("tidy", verbosity=0, stdout=sys.stderr)
    assert not Game.objects.exists()
    assert not Player.objects.exists()
    fill()


def play_whole_game(rules) -> None:
    """Play a random game of one visitor on all seats by its pages, to the end."""
    from django.test import Client

    from games.models import Game

    client, rng = Client(headers={"host": "localhost"}), Random(1)
    seats = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
    created = client.post(f"/new/{rules.slug}/", seats)
    assert created.status_code == 302, created.text
    game = Game.objects.get(pk=created.url.split("/")[2])
    position = rules.start(json.loads(json.dumps(game.setup)))
    for ply in range(MOST_PLIES):
        if not (waiting := sorted(position.to_move())):
            break
        move = rng.choice(sorted(position.legal_moves(waiting[0])))
        sent = {"seat": waiting[0], "move": move, "ply": ply}
        answer = client.post(f"/g/{game.pk}/move/", sent)
        assert answer.status_code == 302, answer.text
        position.play(waiting[0], move)
    game.refresh_from_db()
    assert game.over and client.get(f"/g/{game.pk}/").status_code == 200
    sys.stdout.write(f"{rules.slug}\n")


if __name__ == "__main__":
    main()
