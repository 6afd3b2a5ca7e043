"""The computer player of Santorini: compiled kernels over sets of spaces in integers."""
