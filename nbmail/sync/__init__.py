"""Synchronization with IMAP servers and local mailboxes. Only this package uses imapclient, sockets
and mailbox.
"""
