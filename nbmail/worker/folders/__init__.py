"""Suggested folders, learned from where mail lies."""
