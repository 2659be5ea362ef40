"""Words, counts, scores and verdicts, without Qt, SQL, sockets, files or clock."""
