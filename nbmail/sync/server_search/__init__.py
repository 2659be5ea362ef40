"""Search for the mail server of an address."""
