"""What is kept: messages, labels, counts, the journal, the outbox and cached mail. The only room with sqlite3."""
