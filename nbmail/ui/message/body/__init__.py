"""Text of the open message."""
