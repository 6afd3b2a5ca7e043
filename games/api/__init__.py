"""The API, with which programs read and play games over JSON."""
