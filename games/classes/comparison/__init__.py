"""The comparison of pupils' classes and programs with recorded runs.

The page runs these very files in MicroPython, so they use nothing that MicroPython lacks."""
