"""Records against the computers: the wins of a player, and the level to play next."""
