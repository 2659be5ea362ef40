"""Synchronization of mail. Only this package uses imapclient, sockets and mailbox."""
