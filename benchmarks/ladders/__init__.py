"""What `benchmarks.levels` plays of each kind of game: a module of the game's name.

``TABLES`` has the options to measure, by name. ``NOVICE`` and ``ANY``, the players that level 1
meets, are needed only where those of any game do not fit.
"""
