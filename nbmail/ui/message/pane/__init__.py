"""Pane of the open message."""
