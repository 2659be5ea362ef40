"""Automatic sorting in the window: settings, previews, and the list of sorted messages."""
