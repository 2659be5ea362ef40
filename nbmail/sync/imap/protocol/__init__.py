"""Connection to an IMAP server: socket, commands, responses, login."""
