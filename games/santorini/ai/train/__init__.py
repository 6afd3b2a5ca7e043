"""The scripts that learn the weights of the evaluation: `python -m games.santorini.ai.train`."""
