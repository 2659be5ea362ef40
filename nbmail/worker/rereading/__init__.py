"""Background jobs that read stored mail again."""
