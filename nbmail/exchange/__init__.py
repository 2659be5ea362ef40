"""Model files in and out: our own and other filters'."""
