"""Actions of the user."""
