"""People who are away from a game: who is missed, and who comes back in a new browser."""
