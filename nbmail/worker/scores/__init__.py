"""The scores of all messages."""
