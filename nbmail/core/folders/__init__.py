"""Folders as classes: suggestions of folders, from what lies where."""
