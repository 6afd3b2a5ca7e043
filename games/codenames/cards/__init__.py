"""The cards of Codenames: their words and pictures, and the layout of words."""
