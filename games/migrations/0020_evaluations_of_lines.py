"""Evaluations of positions that were tried out, and of the one that is looked at first.

Columns that may be null are added without writing the table anew.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0019_clocks")]

    operations = [
        migrations.AddField("evaluation", "line", models.JSONField(blank=True, null=True)),
        migrations.AddField("evaluation", "looked_at", models.DateTimeField(blank=True, null=True)),
    ]
