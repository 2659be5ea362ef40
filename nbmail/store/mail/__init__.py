"""Messages, vocabulary, folders, raw mail and pending server actions."""
