"""Add positions of games that are not stored, which wait for a move of a level."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0065_reports"),
    ]

    operations = [
        migrations.CreateModel(
            name="Thought",
            fields=[
                ("id", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=40)),
                ("setup", models.JSONField()),
                ("moves", models.JSONField()),
                ("level", models.PositiveSmallIntegerField()),
                ("move", models.CharField(blank=True, max_length=80, null=True)),
                ("asked", models.DateTimeField(auto_now_add=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("leased_by", models.CharField(blank=True, max_length=80, null=True)),
                ("origin", models.CharField(blank=True, max_length=16, null=True)),
            ],
            options={
                "default_permissions": (),
            },
        ),
    ]
