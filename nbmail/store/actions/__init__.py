"""What the servers shall do: flags to set, moves, and the journal of automatic sorting."""
