"""Words, counts, evidence, verdicts: the pure heart. No Qt, SQL, sockets, files or clock."""
