"""Messages, folders, raw mail and the index for searching."""
