"""The evaluations of each finished game that has been analysed whole are united in one row."""

import json
import zlib

import django.db.models.deletion
from django.db import migrations, models, transaction
from django.utils import timezone

BEST = 4


def unite_all(apps, schema_editor):
    """Unite the evaluations game by game. An interrupted run goes on where it ended."""
    Game, Evaluation, Analysis = (
        apps.get_model("games", name).objects.using(schema_editor.connection.alias)
        for name in ("Game", "Evaluation", "Analysis")
    )
    evaluated = Evaluation.filter(game__status="over", ply=0, move_id=0, done=True)
    for game in list(evaluated.order_by("pk").values_list("game", flat=True)):
        with transaction.atomic(using=schema_editor.connection.alias):
            moves = list(Game.get(pk=game).moves.order_by("ply").values_list("pk", "text"))
            rows = Evaluation.filter(game=game, done=True, line__isnull=True)
            known = {(row.ply, row.move_id): row for row in rows}
            history = enumerate([0, *(key for key, _ in moves)])
            found = [known.get(position) for position in history]
            played = [*(text for _, text in moves), ""]
            if all(map(is_complete, found, played)):
                united = unite(found, played)
                now = timezone.now()
                Analysis.update_or_create(game_id=game, defaults={"packed": united, "seen": now})
                Evaluation.filter(pk__in=[row.pk for row in found]).delete()


def is_complete(row, played):
    """Return whether an evaluation has all that an analysis shows, the move played above all."""
    if row is None or row.packed is None:
        return False
    moves = row.packed.get("moves", [])
    if row.packed["of"] == played or played in {"", "resign", "timeout", "draw"}:
        return True
    return row.packed.get("count", 0) <= len(moves) or played in {entry[0] for entry in moves}


def unite(rows, played):
    """Return the block of `games.state.packed_values`, as it was at this migration."""
    positions = list(map(shorten, (row.packed for row in rows), played))
    written = json.dumps(positions, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode(), level=9)


def shorten(packed, played):
    """Return the best moves of a position and the played one, with the texts that they need."""
    if "moves" not in packed:
        return packed | {"of": played}
    moves = packed["moves"]
    kept = moves[:BEST] + [entry for entry in moves[BEST:] if entry[0] == played]
    texts, messages = [], []

    def renumber(index):
        message, params = packed["texts"][index]
        return number(texts, [number(messages, packed["messages"][message]), params])

    short = {
        "moves": [[*entry[:3], *map(renumber, entry[3:])] for entry in kept],
        "regions": [[cells, renumber(index)] for cells, index in packed["regions"]],
    }
    kept = {name: value for name, value in packed.items() if name != "why"}
    return {**kept, **short, "of": played, "texts": texts, "messages": messages}


def number(values, value):
    if value not in values:
        values.append(value)
    return values.index(value)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "0031_passkeys")]

    operations = [
        migrations.CreateModel(
            name="Analysis",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("packed", models.BinaryField()),
                ("seen", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "analyses"},
        ),
        migrations.RunPython(unite_all, migrations.RunPython.noop),
    ]
