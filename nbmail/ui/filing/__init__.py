"""Actions on messages and their senders besides marks: moves, deletion, flags, rules, answers."""
