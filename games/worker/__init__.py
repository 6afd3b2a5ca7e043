"""The parts of the worker process: computer moves and evaluations, notices, e-mails."""
