"""The games that `benchmarks.levels` plays of each kind: a module of the game's name, if need be.

``TABLES`` has the options to measure, by name; without it these are the usual ones. ``BOARDS`` has
those for `benchmarks.thinking`, where they are more. ``NOVICE`` and ``ANY`` are the players that
level 1 meets where those for any game do not fit. ``MATCHES`` has the commands that
`benchmarks.strength` runs besides the levels, each with the package that it needs, if any; a number
in braces is that of the games in the document.
"""
