"""The compiled part of the computer player: positions of at most 8 x 8 squares as four words.

Only the worker process loads it: it needs numba, which compiles it once and caches the result on
disk.
"""
