"""A mailbox that somebody lives in, on a real IMAP server of its own."""
