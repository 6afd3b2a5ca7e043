"""Absent people: noticing them, freeing their seats, and their return in a new browser."""
