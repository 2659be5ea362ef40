"""Output of `nbmail score`: an object for each message, and its text."""
