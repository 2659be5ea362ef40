"""Accounts in the window: dialogs, states, sign-in and training."""
