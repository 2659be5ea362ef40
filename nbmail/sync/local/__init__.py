"""Mailboxes on this computer."""
