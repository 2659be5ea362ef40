"""Text from strangers and users: addresses, file names, search queries, output in terminals."""
