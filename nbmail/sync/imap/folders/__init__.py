"""Folders on an IMAP server: names, special uses, state and messages."""
