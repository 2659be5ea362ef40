"""Background threads of the window, beside those of the engine and the accounts."""
