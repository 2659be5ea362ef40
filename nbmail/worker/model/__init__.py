"""Scores, updates, quality, import and export of the model."""
