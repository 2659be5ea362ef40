"""Walks through the program: the tour of the demo and the self-test."""
