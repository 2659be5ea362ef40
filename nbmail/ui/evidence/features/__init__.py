"""Shown texts of features."""
