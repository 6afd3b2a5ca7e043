"""Variations of games that players keep under an address, to discuss them."""
