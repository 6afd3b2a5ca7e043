from django.db import migrations, models


def tell_where_only_computers_sit(apps, schema_editor):
    """A game is one of computers only if it has seats, and none of them is for people."""
    Game, Seat = apps.get_model('games', 'Game'), apps.get_model('games', 'Seat')
    database = schema_editor.connection.alias
    seats = Seat.objects.filter(game=models.OuterRef('pk'))
    games = Game.objects.using(database).filter(models.Exists(seats))
    games.exclude(models.Exists(seats.filter(computer=None))).update(only_computers=True)


AT_ONCE = 100


def summarize(apps, schema_editor):
    """Keep with each evaluation the little that the report of a game needs of it."""
    Evaluation, Move = apps.get_model('games', 'Evaluation'), apps.get_model('games', 'Move')
    database = schema_editor.connection.alias
    next_moves = Move.objects.filter(game=models.OuterRef('game'), ply=models.OuterRef('ply') + 1)
    rows = Evaluation.objects.using(database).filter(done=True)
    keys = list(rows.order_by('pk').values_list('pk', flat=True))
    for start in range(0, len(keys), AT_ONCE):
        batch = list(
            rows.filter(pk__in=keys[start:start + AT_ONCE])
            .annotate(played=models.Subquery(next_moves.values('text')[:1]))
        )
        for row in batch:
            row.summary = summary(row.values, row.played or '')
        Evaluation.objects.using(database).bulk_update(batch, ['summary'])


def summary(values, played):
    moves = values['moves'] if values else []
    if not moves:
        return {'of': played, 'best': None, 'played': None}
    found = [short(entry) for entry in moves if entry['move'] == played]
    return {
        'of': played,
        'seat': values['seat'],
        'mistake': values['mistake'],
        'best': short(moves[0]),
        'played': found[0] if found else None,
    }


def short(entry):
    kept = {name: entry[name] for name in ('move', 'value', 'shown')}
    return {**kept, 'known': bool(entry.get('known', True))}


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_undone'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='only_computers',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='evaluation',
            name='thinking_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RemoveIndex(
            model_name='evaluation',
            name='games_evaluation_waiting',
        ),
        migrations.RemoveIndex(
            model_name='game',
            name='games_computer_to_move',
        ),
        migrations.AddIndex(
            model_name='evaluation',
            index=models.Index(condition=models.Q(('done', False), ('hint', True)), fields=['asked', 'ply'], name='games_hint_waiting'),
        ),
        migrations.AddIndex(
            model_name='evaluation',
            index=models.Index(condition=models.Q(('done', False), ('hint', False)), fields=['ply', 'asked'], name='games_ply_waiting'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('computer_to_move', True)), fields=['only_computers', 'updated'], name='games_computer_to_move'),
        ),
        migrations.AddField(
            model_name='evaluation',
            name='summary',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(tell_where_only_computers_sit, migrations.RunPython.noop),
        migrations.RunPython(summarize, migrations.RunPython.noop),
    ]
