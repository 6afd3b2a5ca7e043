"""How the computer plays Othello: search, evaluation, solver, and what they were fitted with.

Only `games.othello.computer` and the scripts in ``train`` use it; it needs numpy and numba.
"""
