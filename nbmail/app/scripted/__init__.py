"""Runs of the program that operate their own window: the self-test, and the tour of the demo."""
