"""Accounts: the sidebar, their dialogs, their news."""
