"""The window: sends requests to the engine and shows its events."""
