"""Messages of the window to the user."""
