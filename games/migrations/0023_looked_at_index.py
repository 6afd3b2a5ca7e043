"""The positions of analyses that readers look at, which are computed first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0022_web_hooks")]

    operations = [
        migrations.AddIndex(
            "evaluation",
            models.Index(
                condition=models.Q(("done", False), ("hint", False), ("looked_at__isnull", False)),
                fields=["-looked_at"],
                name="games_looked_at_waiting",
            ),
        ),
    ]
