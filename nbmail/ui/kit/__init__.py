"""Shared widgets, layouts and themes of the window."""
