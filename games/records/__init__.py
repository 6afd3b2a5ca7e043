"""Records against the computers: what a player has won, and which level to play next."""
