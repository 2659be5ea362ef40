"""What the user can do."""
