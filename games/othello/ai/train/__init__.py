"""The scripts that made the shipped evaluation: self-play, values of positions, the fit."""
