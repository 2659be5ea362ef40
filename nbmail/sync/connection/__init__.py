"""One connection to an IMAP server."""
