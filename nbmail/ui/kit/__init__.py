"""Shared widgets, layouts, themes and text formats of the window."""
