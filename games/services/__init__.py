"""Services: the writers of rows. Callers import the module that they need."""
