"""Programs that make and the tests run."""
