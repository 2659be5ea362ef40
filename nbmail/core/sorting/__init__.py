"""Automatic sorting: which messages may be moved, and whether the model is good enough."""
