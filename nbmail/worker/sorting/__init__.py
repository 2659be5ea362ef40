"""Automatic sorting: which arrived messages are moved, previews, and what was done."""
