"""Moves by the user: the field of folders, archiving, deleting, and the actions of a folder."""
