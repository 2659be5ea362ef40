"""Accounts: the thread of each, all threads of a run, and passwords."""
