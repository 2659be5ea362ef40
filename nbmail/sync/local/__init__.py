"""Synchronization with mailboxes on this computer."""
