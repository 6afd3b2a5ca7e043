"""Add claims to seats, the requests of newcomers, and the beginning of games."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0033_squashed_0050_turn_notices")]

    operations = [
        migrations.AddField("game", "newcomer", models.JSONField(blank=True, null=True)),
        migrations.AddField("game", "claims", models.JSONField(blank=True, null=True)),
        migrations.AddField("game", "began", models.DateTimeField(blank=True, null=True)),
    ]
