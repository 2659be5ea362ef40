"""Server actions: flags, moves, deletions and requested messages."""
