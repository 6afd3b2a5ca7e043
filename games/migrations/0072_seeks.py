"""Games whose hosts seek an opponent in any of some kinds."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0071_challenges")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="seeks",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
