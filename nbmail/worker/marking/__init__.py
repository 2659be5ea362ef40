"""Marks, undo and redo."""
