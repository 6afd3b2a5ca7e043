"""The cards of Codenames: their words and pictures, and how words are printed on them."""
