"""Questions to the user, and what the answers brought."""
