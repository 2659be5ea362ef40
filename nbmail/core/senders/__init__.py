"""Who sent a message: checks of the sender, and people whom the user wrote to."""
