"""Keeping the folders of an IMAP account in step."""
