"""Add the addresses of public lists, and hide kept variations. Bots and variations of guests leave the
public lists after 30 days."""

from datetime import timedelta

from django.db import migrations, models
from django.db.models import Exists, OuterRef
from django.utils import timezone

STAYS = timedelta(days=30)


def keep_for_now(apps, schema_editor):
    """Let the bots and variations of guests stay on the lists for a while."""
    database, until = schema_editor.connection.alias, timezone.now() + STAYS
    accounts = apps.get_model("games", "Account").objects.using(database)
    for name, owner in (("Bot", "owner"), ("KeptVariation", "player")):
        rows = apps.get_model("games", name).objects.using(database)
        known = Exists(accounts.filter(player=OuterRef(owner)))
        rows.filter(~known).update(listed_until=until)


class Migration(migrations.Migration):
    dependencies = [("games", "0059_outcomes")]

    operations = [
        migrations.AddField("seat", "lister", models.CharField(blank=True, max_length=16, null=True)),
        migrations.AddField("bot", "lister", models.CharField(blank=True, max_length=16, null=True)),
        migrations.AddField("bot", "listed_until", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("keptvariation", "hidden", models.BooleanField(blank=True, null=True)),
        migrations.AddField(
            "keptvariation", "listed_until", models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddIndex(
            "bot", models.Index(fields=["lister", "id"], name="games_bot_lister")
        ),
        migrations.RunPython(keep_for_now, migrations.RunPython.noop),
    ]
