"""Delete the tokens for one seat of a game, before any code reads them as those of a player."""

from typing import Any

from django.db import migrations


def delete_seat_tokens(apps: Any, schema_editor: Any) -> None:
    """Delete the tokens with a game."""
    tokens = apps.get_model("games", "ApiToken").objects.using(schema_editor.connection.alias)
    tokens.filter(game__isnull=False).delete()


class Migration(migrations.Migration):
    dependencies = [("games", "0051_claims_to_seats")]

    operations = [
        migrations.RunPython(delete_seat_tokens, migrations.RunPython.noop, elidable=True),
    ]
