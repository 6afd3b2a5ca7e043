"""Suspended players, and the indexes by which staff search and list."""

from django.db import migrations, models
from django.db.models.functions import Lower

HOST = {
    "blank": True,
    "null": True,
    "db_index": False,
    "on_delete": models.SET_NULL,
    "related_name": "created_games",
    "to": "games.player",
}


def fold_names(apps, schema_editor):
    """Fold the names of all players: in SQL, and one by one where its folding differs."""
    players = apps.get_model("games", "Player").objects.using(schema_editor.connection.alias)
    named = players.exclude(name="")
    named.update(name_folded=Lower("name"))
    for player, name, folded in named.values_list("pk", "name", "name_folded").iterator():
        if name.casefold() != folded:
            players.filter(pk=player).update(name_folded=name.casefold())


class Migration(migrations.Migration):
    dependencies = [("games", "0017_moves_without_player_index")]

    operations = [
        migrations.AddField(
            "player",
            "name_folded",
            models.CharField(
                blank=True, db_index=True, default="", editable=False, max_length=90
            ),
        ),
        migrations.AddField(
            "player", "suspended", models.BooleanField(default=False, verbose_name="suspended")
        ),
        migrations.AlterField(
            "player", "created", models.DateTimeField(auto_now_add=True, verbose_name="created")
        ),
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            "game", "kind", models.CharField(max_length=40, verbose_name="kind")
        ),
        migrations.AlterField("game", "created_by", models.ForeignKey(**HOST)),
        migrations.AddIndex(
            "player", models.Index(fields=["created", "id"], name="games_player_created")
        ),
        migrations.AddIndex("game", models.Index(fields=["created", "id"], name="games_created")),
        migrations.AddIndex(
            "game", models.Index(fields=["kind", "created", "id"], name="games_kind_created")
        ),
        migrations.AddIndex(
            "game",
            models.Index(fields=["created_by", "created", "id"], name="games_host_created"),
        ),
        migrations.AddIndex(
            "game",
            models.Index(
                condition=models.Q(("fault__isnull", False)),
                fields=["created", "id"],
                name="games_fault_created",
            ),
        ),
        migrations.AddIndex(
            "holder", models.Index(fields=["player", "id"], name="games_holder_player")
        ),
    ]
