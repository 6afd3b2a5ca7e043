"""Add the outcomes of finished games to the rows of holders. The worker fills them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0058_access")]

    operations = [
        migrations.RemoveIndex("holder", "games_holder_ended"),
        migrations.AddField("holder", "kind", models.CharField(blank=True, max_length=40, null=True)),
        migrations.AddField("holder", "outcome", models.CharField(blank=True, max_length=8, null=True)),
        migrations.AddField("holder", "level", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.AddIndex(
            "holder",
            models.Index(
                fields=["player", "ended", "id", "hidden", "kind", "outcome", "level"],
                name="games_holder_listed",
            ),
        ),
        migrations.AddIndex(
            "holder",
            models.Index(
                condition=models.Q(ended__isnull=False, kind__isnull=True),
                fields=["id"],
                name="games_holder_unknown",
            ),
        ),
    ]
