"""Values of old evaluations are packed, in batches: all of them may be gigabytes.

The columns ``values`` and ``summary`` stay in the table, empty, so that the version before this one
still runs on it. The state no longer has them.
"""

from django.db import migrations, transaction
from django.utils import timezone

AT_ONCE = 20
VERDICTS = ("inaccuracy", "mistake", "blunder")


def pack_all(apps, schema_editor):
    """Pack the values of each evaluation. An interrupted run goes on where it ended."""
    rows = apps.get_model("games", "Evaluation").objects.using(schema_editor.connection.alias)
    old = rows.filter(packed__isnull=True).exclude(values__isnull=True, done=False)
    keys = list(old.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), AT_ONCE):
        with transaction.atomic(using=schema_editor.connection.alias):
            for row in rows.filter(pk__in=keys[start : start + AT_ONCE]):
                played = (row.summary or {}).get("of", "")
                row.packed = pack(row.values, played, row.hint)
                row.values = row.summary = None
                row.seen = timezone.now()
                row.save(update_fields=["packed", "seen", "values", "summary"])


def pack(values, played, hint):
    """Return values in the form of `games.state.packed_values`, as it was at this migration."""
    if not values or not values["moves"]:
        refused = (values or {}).get("refused")
        return {"of": played, **({"refused": short(refused)} if refused else {})}
    texts, messages = [], []
    moves, most = values["moves"], 10 if hint else 4
    kept = moves[:most] + [entry for entry in moves[most:] if entry["move"] == played]
    why = moves[0]["why"] if hint else None
    return {
        "of": played,
        "seat": values["seat"],
        "verdicts": [values.get(name) for name in VERDICTS],
        "count": len(moves),
        "moves": [pack_entry(entry, texts, messages) for entry in kept],
        **({"why": short(why)} if why else {}),
        "regions": [
            [" ".join(region["cells"]), index(region["value"], texts, messages)]
            for region in values["regions"]
        ],
        "texts": texts,
        "messages": messages,
    }


def pack_entry(entry, texts, messages):
    # Evaluations of the oldest versions do not say ``exact``, ``known`` and ``detail``.
    flags = bool(entry.get("exact")) + 2 * bool(entry.get("known", True))
    shown = index(entry["shown"], texts, messages)
    detail = index(entry.get("detail", entry["shown"]), texts, messages)
    found = [entry["move"], round(entry["value"], 4), flags, shown]
    return found if detail == shown else [*found, detail]


def index(text, texts, messages):
    message, plural, params = nested(text)
    return number(texts, [number(messages, [message, plural]), params])


def number(values, value):
    if value not in values:
        values.append(value)
    return values.index(value)


def short(text):
    params = {
        name: nested(value) if isinstance(value, dict) else value
        for name, value in text["params"].items()
    }
    plural = text.get("plural", "")
    return [text["message"], plural, params] if plural or params else text["message"]


def nested(text):
    packed = short(text)
    return [packed, "", {}] if isinstance(packed, str) else packed


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "0015_packed_values")]

    operations = [
        migrations.RunPython(pack_all, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("evaluation", "values"),
                migrations.RemoveField("evaluation", "summary"),
            ]
        ),
    ]
