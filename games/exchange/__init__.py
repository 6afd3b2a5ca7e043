"""Games as files: taking them away, and bringing them in from elsewhere."""
