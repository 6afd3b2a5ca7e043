"""Add the failures of the computers of seats."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0063_imports")]

    operations = [
        migrations.AddField("seat", "failures", models.JSONField(blank=True, null=True)),
    ]
