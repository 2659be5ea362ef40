"""Synchronization with IMAP servers."""
