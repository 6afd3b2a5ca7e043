"""Notices to players, which `games.worker.outbox` sends: their sentences and channels."""
