"""Messages: intake, list, reading and search."""
