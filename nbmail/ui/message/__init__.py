"""The open message."""
