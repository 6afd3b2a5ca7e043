"""Learns the weights of the evaluation: `python -m games.santorini.ai.train`."""
