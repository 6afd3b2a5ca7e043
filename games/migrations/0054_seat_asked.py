"""Add the notice that somebody wants the seat of an absent player."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0053_imported")]

    operations = [
        migrations.AlterField(
            "pendingnotice",
            "kind",
            models.CharField(
                choices=[
                    ("turn", "It’s my turn"),
                    ("seat", "Someone takes a seat in my lobby"),
                    ("full", "My lobby is full"),
                    ("begun", "A game begins"),
                    ("draw", "Someone offers a draw"),
                    ("undo", "Someone asks for undo"),
                    ("rematch", "Someone offers a rematch"),
                    ("time", "I have little time left"),
                    ("sit", "Someone wants my seat while I’m away"),
                    ("over", "A game is over"),
                ],
                max_length=10,
            ),
        ),
    ]
