"""Put stored texts in the words that the code has for them now.

A text is stored by its English message, which finds its translation, and `verify_games` compares
the stored result of a game with that of its replay.
"""

import re

from django.db import migrations
from django.db.models import Q

AT_ONCE = 100

# By old message: the new one, and its plural where it has one.
MESSAGES = {
    # Results
    '%(winner)s wins with %(more)s discs to %(fewer)s.': ('%(winner)s wins %(more)s–%(fewer)s.', ''),
    '%(winner)s wins with %(more)s discs to %(fewer)s. The empty square goes to the winner: the official score is %(score)s to %(fewer)s.': (
        '%(winner)s wins %(more)s–%(fewer)s. The empty square goes to the winner: official score %(score)s–%(fewer)s.',
        '%(winner)s wins %(more)s–%(fewer)s. The %(n)s empty squares go to the winner: official score %(score)s–%(fewer)s.',
    ),
    'A draw: %(discs)s discs each.': ('Draw: %(discs)s discs each.', ''),
    'A draw: %(discs)s discs each. The empty squares are shared: the official score is %(score)s each.': (
        'Draw: %(discs)s discs each. The empty squares are shared: official score %(score)s–%(score)s.', '',
    ),
    '%(loser)s cannot place a block any more: %(winner)s placed the last one.': (
        'No block fits any more: %(winner)s placed the last one.', '',
    ),
    '%(player)s resigns.': ('%(player)s resigned.', ''),
    '%(team)s resigned.': ('%(player)s resigned.', ''),
    '%(player)s climbs to the third level with %(worker)s on %(cell)s and wins.': (
        '%(player)s climbs to the third level on %(cell)s with worker %(worker)s.', '',
    ),
    '%(player)s is the last one left.': ('%(player)s is the last player left.', ''),
    'All spies of %(team)s have been found.': ('All of %(team)s’s spies have been found.', ''),
    '%(team)s found the assassin.': ('%(team)s hit the assassin.', ''),
    # Notices
    '%(name)s joins (%(seat)s).': ('%(name)s joined (%(seat)s).', ''),
    '%(seat)s does not agree to take a move back.': ('%(seat)s declined the takeback.', ''),
    '%(seat)s has taken %(n)s move back.': (
        '%(seat)s took back %(n)s move.', '%(seat)s took back %(n)s moves.',
    ),
    'The computer cannot play here; its seat is free for somebody else.': (
        'The computer can’t go on. Its seat is open for someone else.', '',
    ),
    'The computer does not speak the language of these cards.': (
        'The computer doesn’t know the language of these cards.', '',
    ),
    "The computer's words are missing or damaged.": (
        'The computer’s word list is missing or damaged.', '',
    ),
    'The computer has run out of words for clues.': ('The computer can’t think of another clue.', ''),
    # Evaluations
    'The position should stay about even.': ('The game should stay about even.', ''),
    'This should end about %(n)s disc ahead.': (
        'You should finish about %(n)s disc ahead.', 'You should finish about %(n)s discs ahead.',
    ),
    'This should end about %(n)s disc behind.': (
        'You should finish about %(n)s disc behind.', 'You should finish about %(n)s discs behind.',
    ),
    'With best play this ends in a draw.': ('With best play it’s a draw.', ''),
    'With best play this wins by %(discs)s discs.': (
        'With best play you win by %(discs)s discs.', '',
    ),
    'With best play this loses by %(discs)s discs.': (
        'With best play you lose by %(discs)s discs.', '',
    ),
    '%(square)s, flips %(n)s': (
        'Play %(square)s and flip %(n)s disc', 'Play %(square)s and flip %(n)s discs',
    ),
    'It is the last block that fits.': ('It’s the last block that fits.', ''),
    'Then answer each block with its image, half a turn away, in its colour.': (
        'Then mirror every move: same colour, rotated 180°.', '',
    ),
    'The other player then has no answer that wins.': (
        'Your opponent then has no winning reply.', '',
    ),
    'Put %(block)s on %(cell)s': ('Place %(block)s on %(cell)s', ''),
    'Upright on %(cell)s': ('Stand it up on %(cell)s', ''),
    'Lying on %(cell)s and %(other)s': ('Lay it on %(cell)s and %(other)s', ''),
    'Moves can be valued when two players are left.': (
        'The computer can only evaluate moves once two players are left.', '',
    ),
    'wins at once': ('wins immediately', ''),
    'This climb to the third level wins.': ('You climb to the third level.', ''),
    'Whatever the other player does, this wins.': ('Your opponent can’t stop it.', ''),
    'The other player can then force a win.': ('Your opponent can force a win.', ''),
    'wins %(percent)s %% of games': ('%(percent)s%% chance to win', ''),
    '%(percent)s %%': ('%(percent)s%%', ''),
    'It stops the climb to %(cell)s.': ('Stops the climb to %(cell)s.', ''),
    'It threatens to climb to %(cell)s.': ('Threatens to climb to %(cell)s.', ''),
    'It brings a worker higher.': ('Brings a worker higher.', ''),
    'Move to %(cell)s, %(level)s': ('Move to %(cell)s (%(level)s)', ''),
}
# By old message: its places that have other names in the new one.
RENAMED = {'%(team)s resigned.': {'team': 'player'}}


def reworded(value):
    """Return JSON with its texts, wherever they stand, in the new words."""
    if isinstance(value, list):
        return [reworded(each) for each in value]
    if not isinstance(value, dict):
        return value
    value = {key: reworded(each) for key, each in value.items()}
    if value.get('message') not in MESSAGES or not isinstance(value.get('params'), dict):
        return value
    old, (message, plural) = value['message'], MESSAGES[value['message']]
    named = {RENAMED.get(old, {}).get(key, key): each for key, each in value['params'].items()}
    places = set(re.findall(r'%\((\w+)\)', message + plural)) | ({'n'} if plural else set())
    params = {key: each for key, each in named.items() if key in places}
    return {'message': message, 'plural': plural, 'params': params}


def reword(apps, schema_editor):
    """Put the texts of all rows in the new words."""
    Game, Evaluation = apps.get_model('games', 'Game'), apps.get_model('games', 'Evaluation')
    database = schema_editor.connection.alias
    told = Q(result_json__isnull=False) | Q(notice__isnull=False)
    reword_rows(Game.objects.using(database).filter(told), ['result_json', 'notice'])
    done = Evaluation.objects.using(database).filter(done=True)
    reword_rows(done, ['values', 'summary'])


def reword_rows(rows, columns):
    keys = list(rows.order_by('pk').values_list('pk', flat=True))
    for start in range(0, len(keys), AT_ONCE):
        for row in rows.filter(pk__in=keys[start:start + AT_ONCE]).only(*columns):
            old = {column: getattr(row, column) for column in columns}
            new = {column: reworded(value) for column, value in old.items()}
            if new != old:
                rows.filter(pk=row.pk).update(**new)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_undo_request_and_leases'),
    ]

    operations = [
        migrations.RunPython(reword, migrations.RunPython.noop),
    ]
