"""The lists of a player's games and of open seats read a bounded number of rows."""

from django.db import migrations, models


def fill_ended(apps, schema_editor):
    """Copy the last change of ended games to the holders of their seats."""
    alias = schema_editor.connection.alias
    holders = apps.get_model("games", "Holder").objects.using(alias)
    games = apps.get_model("games", "Game").objects.using(alias)
    ended = games.filter(seats__holders=models.OuterRef("pk")).values("updated")[:1]
    holders.filter(seat__game__status="over").update(ended=models.Subquery(ended))


class Migration(migrations.Migration):
    dependencies = [("games", "0012_holder_name")]

    operations = [
        migrations.AddField("holder", "ended", models.DateTimeField(blank=True, null=True)),
        migrations.RunPython(fill_ended, migrations.RunPython.noop),
        migrations.AlterField(
            "holder",
            "player",
            models.ForeignKey(
                db_index=False,
                on_delete=models.deletion.CASCADE,
                related_name="holders",
                to="games.player",
            ),
        ),
        migrations.AddIndex(
            "holder", models.Index(fields=["player", "ended", "id"], name="games_holder_ended")
        ),
        migrations.AddIndex(
            "seat",
            models.Index(
                condition=models.Q(("listed", True)), fields=["-id"], name="games_seat_listed"
            ),
        ),
    ]
