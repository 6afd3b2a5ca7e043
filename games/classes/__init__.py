"""Pupils' classes, compared with recorded runs of the games' own classes.

`comparison` compares, by the command ``python -m games.classes`` and in the interpreter of the page
``/classes/<exercise>/``. `processes` runs the files of the command, and `wheel` packs it.
`recording` makes the records, `views` shows the pages. No code of a pupil ever reaches the
server."""
