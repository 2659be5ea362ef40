"""Senders: the servers that check them, and unsubscribing."""
