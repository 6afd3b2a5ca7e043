"""Notices to players: which are due, their sentences, and the channels that carry them. They are
claimed and sent by `games.worker.outbox`."""
