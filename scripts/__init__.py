"""What make, the tests and the checks run."""
