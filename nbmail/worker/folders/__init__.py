"""Suggested folders, learned from the folders of filed mail."""
