"""Accounts on the command line: options, passwords, sign-ins and the connection to the server."""
