"""Accounts: sidebar, dialogs, states and sign-in."""
