"""Breakdown of a score into lines that add up."""
