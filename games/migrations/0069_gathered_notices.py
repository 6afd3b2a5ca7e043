"""Add whether the notices through a channel come together."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0067_classes_of_pupils")]

    operations = [
        migrations.AddField(model, "gathered", models.BooleanField(blank=True, null=True))
        for model in ("emailaddress", "pushsubscription", "webhook")
    ]
