"""What is kept: messages, labels, journal, counts, outbox, raw mail. The only room with sqlite3."""
