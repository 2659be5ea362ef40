"""Attachments of the open message."""
