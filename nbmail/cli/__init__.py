"""nbmail without a window: one module a command."""
