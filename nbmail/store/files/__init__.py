"""SQLite files, array files, locks and quarantine."""
