"""``python -m tests.support.send_letters`` claims all letters that are due in the database of the
environment, and prints a line for each: channel, kind, game, ply, name and player."""

from __future__ import annotations

import sys

import django


def main() -> None:
    django.setup()
    from games.models import Player
    from games.notices import events, outgoing
    from games.worker.outbox import SENDERS

    for player in Player.objects.all():
        events.note_turns(player.pk)
    for channel in SENDERS:
        while letters := outgoing.claim(channel, []):
            for row in letters:
                player_id = row.player_id.hex if row.player_id else ""
                parts = (channel, row.kind, row.game_id, row.ply, row.name, player_id)
                sys.stdout.write(f"{'|'.join(map(str, parts))}\n")


if __name__ == "__main__":
    main()
