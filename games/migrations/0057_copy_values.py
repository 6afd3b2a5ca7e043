"""Copy the values of positions from the packed form of version 1.0, which stays unread.

The games are copied in portions, each in a transaction of its own; an interrupted copy begins
anew."""

import json
import zlib
from contextlib import suppress

from django.db import migrations, transaction
from django.utils import timezone

AT_ONCE = 50
VERDICTS = ("inaccuracy", "mistake", "blunder")
EXACT, KNOWN = 1, 2
DAMAGE = (zlib.error, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What values raise that were changed by hand. They are computed again when asked for."""


def copy_values(apps, schema_editor):
    database = schema_editor.connection.alias
    models = [apps.get_model("games", name) for name in ("Analysis", "Evaluation")]
    analyses, evaluations = (model.objects.using(database).order_by() for model in models)
    ids = {*analyses.values_list("game_id", flat=True)}
    ids |= {*evaluations.filter(packed__isnull=False).values_list("game_id", flat=True)}
    ids = sorted(ids)
    for start in range(0, len(ids), AT_ONCE):
        with transaction.atomic(using=database):
            for game_id in ids[start : start + AT_ONCE]:
                _copy_game(apps, database, game_id)


def _copy_game(apps, database, game_id):
    rows = {
        name: apps.get_model("games", name).objects.using(database)
        for name in ("Analysis", "Evaluation", "Move", "PositionValues")
    }
    moves = [0, *rows["Move"].filter(game=game_id).order_by("ply").values_list("pk", flat=True)]
    block, seen = {}, []
    for analysis in rows["Analysis"].filter(game=game_id):
        seen.append(analysis.seen)
        with suppress(*DAMAGE):
            positions = json.loads(zlib.decompress(analysis.packed))
            block |= {str(key): plain(packed) for key, packed in zip(moves, positions)}
    known = {*moves}
    packed = rows["Evaluation"].filter(game=game_id, packed__isnull=False)
    for evaluation in packed.order_by("pk"):
        seen.append(evaluation.seen or evaluation.asked)
        if evaluation.move_id < 0 or evaluation.move_id in known:
            with suppress(*DAMAGE):
                block[str(evaluation.move_id)] = plain(evaluation.packed)
    packed.filter(done=False).update(glanced=True)
    written = json.dumps(block, ensure_ascii=False, separators=(",", ":"))
    rows["PositionValues"].update_or_create(
        game_id=game_id,
        defaults={
            "block": zlib.compress(written.encode()),
            "seen": max(seen, default=timezone.now()),
        },
    )


def plain(packed):
    """Return packed values as plain JSON."""
    if not ("moves" in packed or "refused" in packed):
        return {"of": packed.get("of", "")}
    if "refused" in packed:
        refused = _long(packed["refused"])
        return {"of": packed["of"], "moves": [], "count": 0, "refused": refused}
    messages = packed["messages"]
    texts = [_long([*messages[number], params]) for number, params in packed["texts"]]
    verdicts = zip(VERDICTS, packed["verdicts"])
    entries = [_entry(entry, texts) for entry in packed["moves"]]
    if "why" in packed:
        entries[0]["why"] = _long(packed["why"])
    return {
        "of": packed["of"],
        "seat": packed["seat"],
        "count": packed["count"],
        **{name: loss for name, loss in verdicts if loss is not None},
        "moves": entries,
        **_more(packed, texts),
        "line": packed.get("line", []),
        "regions": [
            {"cells": cells.split(" "), "value": texts[value]} for cells, value in packed["regions"]
        ],
    }


def _more(packed, texts):
    more = {}
    if "rest" in packed:
        more["rest"] = [
            {"shown": texts[shown], "good": bool(good), "moves": moves}
            for good, shown, *moves in packed["rest"]
        ]
    if "reason" in packed:
        move, best, sentence = packed["reason"]
        more["reason"] = {"move": move, "best": bool(best), "text": _long(sentence)}
    return more


def _entry(entry, texts):
    move, value, flags, shown, *detail = entry
    return {
        "move": move,
        "value": value,
        "exact": bool(flags & EXACT),
        "known": bool(flags & KNOWN),
        "shown": texts[shown],
        "detail": texts[detail[0] if detail else shown],
        "why": None,
    }


def _long(short):
    if isinstance(short, str):
        return {"message": short, "plural": "", "params": {}}
    message, plural, params = short
    long = {
        name: _long(value) if isinstance(value, list) else value for name, value in params.items()
    }
    return {"message": message, "plural": plural, "params": long}


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0056_position_values")]

    operations = [migrations.RunPython(copy_values, migrations.RunPython.noop)]
