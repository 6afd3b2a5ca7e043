"""Add what the file of an imported game said of it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0052_no_seat_tokens")]

    operations = [
        migrations.AddField("game", "imported", models.JSONField(blank=True, null=True)),
    ]
