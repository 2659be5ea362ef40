"""SQLite files: schema, connection, lock, and the quarantine of damaged ones."""
