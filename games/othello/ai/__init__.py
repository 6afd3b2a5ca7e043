"""The play of the computer: search, evaluation, solver, and the scripts that fitted them.

Only `games.othello.computer` and the scripts in ``train`` use it; it needs numpy and numba.
"""
