"""Copy notices and requested e-mails to the one table of letters.

They are copied in portions, each in a transaction of its own; an interrupted copy begins anew. No
letter that was claimed is sent again, and none that waits is lost."""

from datetime import timedelta
from urllib.parse import urlsplit

from django.db import migrations, models, transaction
from django.utils import timezone

AT_ONCE = 200
EMAIL_PATIENCE = timedelta(minutes=10)
EMAIL = "email"
CHANNELS = {
    "hook": ("WebHook", "player_id"),
    "push": ("PushSubscription", "device__player_id"),
    EMAIL: ("EmailAddress", "account__player_id"),
}


def copy_letters(apps, schema_editor):
    database = schema_editor.connection.alias

    def rows(name):
        return apps.get_model("games", name).objects.using(database)

    outgoing, channels = apps.get_model("games", "Outgoing"), {}
    for channel, (model, owner) in CHANNELS.items():
        for row in rows(model).annotate(owner=models.F(owner)).order_by("pk"):
            channels.setdefault(row.owner, []).append((channel, row))
    rows("Outgoing").all().delete()
    for name, (copy, wanted) in COPIES.items():
        last = 0
        while found := [*rows(name).filter(pk__gt=last, **wanted).order_by("pk")[:AT_ONCE]]:
            last = found[-1].pk
            letters = [outgoing(**values) for row in found for values in copy(row, channels)]
            with transaction.atomic(using=database):
                rows("Outgoing").bulk_create(letters, ignore_conflicts=True)


def _turn(row, channels):
    event = {"game_id": row.game_id, "kind": "turn", "created": row.claimed}
    return _letters(row, channels, event)


def _event(row, channels):
    event = {"game_id": row.game_id, "kind": row.kind, "ply": row.ply, "name": row.name}
    if row.game_id is None:
        event["kind"] = "test"
    return _letters(row, channels, {**event, "created": row.created})


def _letters(row, channels, event):
    """Yield the letters about an event to all channels of its player. It is in the next digest if
    it was claimed, but was in none yet."""
    for channel, to in channels.get(row.player_id, ()):
        claimed, due = row.claimed, event["created"]
        if channel == EMAIL:
            if not (to.digests and to.address and row.game_id):
                continue
            due = max((claimed or due) + EMAIL_PATIENCE, to.next_digest or due)
            if claimed and to.digested and claimed > to.digested:
                claimed = None
        yield {
            **event,
            "player_id": row.player_id,
            "channel": channel,
            "to": to.pk,
            "target": urlsplit(to.url).hostname or "" if channel == "hook" else "",
            "due": due,
            "claimed": claimed,
        }


def _request(row, channels):
    owners = {to.pk: to.owner for found in channels.values() for kind, to in found if kind == EMAIL}
    yield {
        "player_id": owners.get(row.email_id),
        "channel": EMAIL,
        "to": row.email_id or 0,
        "kind": ("test" if row.is_test else "confirm") if row.email_id else "password",
        "name": row.typed,
        "created": row.created,
        "due": row.due,
        "attempts": row.attempts,
    }


def _seat(row, _channels):
    times = dict.fromkeys(("created", "due", "claimed"), timezone.now())
    yield {"channel": "hook", "game_id": row.game_id, "kind": "open", "name": row.key, **times}


COPIES = {
    "TurnNotice": (_turn, {}),
    "PendingNotice": (_event, {}),
    "EmailRequest": (_request, {}),
    "Seat": (_seat, {"announced": True}),
}


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0061_outgoing")]

    operations = [
        migrations.RunPython(copy_letters, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            # The tables and columns stay until the next minor version.
            state_operations=[
                migrations.DeleteModel("TurnNotice"),
                migrations.DeleteModel("PendingNotice"),
                migrations.DeleteModel("EmailRequest"),
                migrations.RemoveField("seat", "announced"),
                migrations.RemoveField("emailaddress", "digested"),
                migrations.RenameField("emailaddress", "next_digest", "rests_until"),
                migrations.AlterField(
                    "emailaddress",
                    "rests_until",
                    models.DateTimeField(blank=True, db_column="next_digest", null=True),
                ),
            ]
        ),
    ]
