"""Games that only their players see."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0023_looked_at_index")]

    operations = [
        migrations.AddField(
            "game",
            "closed",
            models.BooleanField(default=False, verbose_name="closed to watchers"),
        ),
    ]
