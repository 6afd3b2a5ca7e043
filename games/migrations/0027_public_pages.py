"""The public pages of those players that want one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0026_emails")]

    operations = [
        migrations.AddField(
            "player",
            "public_id",
            models.CharField(blank=True, editable=False, max_length=16, null=True, unique=True),
        ),
    ]
