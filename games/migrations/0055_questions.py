"""Add the open questions of games."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0054_seat_asked")]

    operations = [
        migrations.AddField("game", "questions", models.JSONField(blank=True, null=True)),
    ]
