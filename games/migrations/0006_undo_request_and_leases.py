from django.db import migrations, models


def store_as_json(apps, schema_editor):
    """Store the seats of open undo requests as JSON instead of words in a text column."""
    Game = apps.get_model('games', 'Game')
    games = Game.objects.using(schema_editor.connection.alias)
    for game in games.exclude(undo_asked_by='').only('undo_asked_by'):
        asker, *accepted = game.undo_asked_by.split()
        games.filter(pk=game.pk).update(undo_request={'asker': asker, 'accepted': accepted})


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_turns'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='undo_request',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(store_as_json, migrations.RunPython.noop),
        migrations.RemoveField(model_name='game', name='undo_asked_by'),
        migrations.RenameField('game', 'thinking_until', 'leased_until'),
        migrations.RenameField('evaluation', 'thinking_until', 'leased_until'),
    ]
