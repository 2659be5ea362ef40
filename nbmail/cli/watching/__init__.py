"""Synchronization, learning and sorting without a window, for `nbmail watch`."""
