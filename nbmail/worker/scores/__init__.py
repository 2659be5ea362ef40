"""Scores of all messages, and the events about them."""
