"""The window: sends commands, draws events."""
