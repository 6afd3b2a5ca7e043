"""Evaluations have a small column of values, and the day when somebody last looked at them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_devices")]

    operations = [
        migrations.AddField("evaluation", "packed", models.JSONField(blank=True, null=True)),
        migrations.AddField("evaluation", "seen", models.DateTimeField(blank=True, null=True)),
    ]
