"""Samples of messages, and the counts they add up to."""
