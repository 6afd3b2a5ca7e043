"""What `benchmarks.levels` plays of each kind of game: a module of the game's name, if need be.

``TABLES`` has the options to measure, by name; without it these are the usual ones. ``NOVICE`` and
``ANY`` are the players that level 1 meets where those for any game do not fit.
"""
