"""Evaluation of methods on labelled mail."""
