"""The comparison of pupils' classes and programs with recorded runs.

The page runs these very files in the browser's Python, so they import nothing but each other and
the standard library."""
