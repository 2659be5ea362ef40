"""Texts of the window in the user's language."""
