"""Mail from IMAP servers and local mailboxes. The only room with imapclient, sockets and mailbox."""
