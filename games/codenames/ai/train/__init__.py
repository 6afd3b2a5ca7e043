"""Scripts that make the computer players' tables in ``ai/data``."""
