"""Deciding one message after the other."""
