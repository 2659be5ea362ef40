"""Stored messages: list, search, moves, deletions and flags."""
