"""Evaluation of models on labelled mail."""
