"""Finding a server, and keeping its password."""
