"""Search for a mailbox before its account exists: server settings, abilities, folders."""
