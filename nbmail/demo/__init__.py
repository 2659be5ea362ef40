"""Demo mailbox on an own IMAP server."""
