"""Making the shipped evaluation: games of the engine against itself, their values, the fit."""
