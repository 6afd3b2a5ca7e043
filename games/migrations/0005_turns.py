from django.db import migrations, models


def tell_where_only_computers_sit(apps, schema_editor):
    """A game is one of computers only if it has seats, and none of them is for people."""
    Game, Seat = apps.get_model('games', 'Game'), apps.get_model('games', 'Seat')
    database = schema_editor.connection.alias
    seats = Seat.objects.filter(game=models.OuterRef('pk'))
    games = Game.objects.using(database).filter(models.Exists(seats))
    games.exclude(models.Exists(seats.filter(computer=None))).update(only_computers=True)


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
        migrations.RunPython(tell_where_only_computers_sit, migrations.RunPython.noop),
    ]
